import { MODES } from '../../client/mode.ts';
import { type Check, checkId, type Finding } from '../../engine/check.ts';
import { closest } from '../../specs/validators.ts';

/** A check of one's own; what is left out is the usual. */
export interface OwnCheck extends Omit<Check, 'section' | 'basis' | 'effect'> {
  /** Where the requirement is written down; `own` unless given. */
  readonly section?: string;
  /** How sure the requirement is; `stated` unless given. A doubtful one warns. */
  readonly basis?: Check['basis'];
  /** What its requests do; `reads` unless given. */
  readonly effect?: Check['effect'];
}

/** Members with the words that they may have; undefined for any text. */
const WORDS: Readonly<Record<string, readonly string[] | undefined>> = {
  section: undefined,
  basis: ['stated', 'implied', 'doubtful', 'published'],
  effect: ['reads', 'validates', 'writes', 'alters-site'],
  mode: MODES,
  operation: undefined,
  parameter: undefined,
  place: undefined,
};
const LISTS: readonly string[] = ['dependsOn', 'buildsOn'];
const OTHERS: readonly string[] = ['id', 'title', 'run', 'needsUser', 'about', 'binding', 'fuzz', 'field'];
const MEMBERS: readonly string[] = [...Object.keys(WORDS), ...LISTS, ...OTHERS];

const KINDS: readonly Finding['kind'][] = ['failure', 'warning', 'inconclusive', 'blocked', 'not-applicable'];

/** What keeps a value from being a check, in one line that begins with its name; undefined where nothing does. */
export function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return `${describe(value)} is no check: expected an object`;
  const { id, title, run }: { id?: unknown; title?: unknown; run?: unknown } = value;
  if (typeof id !== 'string' || !isId(id)) {
    return `the id ${describe(id)} is none: expected parts joined by "/" without blanks and wildcards, such as "acme/banner/shown"`;
  }
  if (typeof title !== 'string' || title === '') {
    return `${id} has no title: expected a sentence in the present tense`;
  }
  if (typeof run !== 'function') return `${id} has no function "run", which returns what the check found`;
  for (const [name, given] of Object.entries(value)) {
    const problem = given === undefined ? undefined : memberProblem(name, given);
    if (problem !== undefined) return `${id}: ${problem}`;
  }
  return undefined;
}

/** A check that has no problem, with what is usual; what its `run` returns is held to be findings. */
export function completed(check: OwnCheck): Check {
  const { section = 'own', basis = 'stated', effect = 'reads' } = check;
  return {
    ...check,
    section,
    basis,
    effect,
    async run(session) {
      const findings: unknown = await check.run(session);
      if (!Array.isArray(findings)) {
        throw new Error(
          `${check.id} returned ${describe(findings)}: expected a list of findings, which is empty for a pass`,
        );
      }
      const wrong = findings.find((one) => !isFinding(one));
      if (wrong === undefined) return findings;
      throw new Error(
        `${check.id} returned ${describe(wrong)} among its findings: expected what failure(), warning(), inconclusive() or notApplicable() make`,
      );
    },
  };
}

function memberProblem(name: string, given: unknown): string | undefined {
  if (!MEMBERS.includes(name)) {
    const near = closest(name, MEMBERS);
    return `a check has no "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  }
  if (LISTS.includes(name)) {
    const isList = Array.isArray(given) && given.every((one) => typeof one === 'string');
    return isList ? undefined : `${name}: expected a list of ids of checks`;
  }
  if (!Object.hasOwn(WORDS, name)) return undefined;
  const words = WORDS[name];
  if (typeof given !== 'string') return `${name}: expected a text`;
  if (words === undefined || words.includes(given)) return undefined;
  return `${name} ${describe(given)}: expected one of ${words.join(', ')}`;
}

function isFinding(value: unknown): value is Finding {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, message }: { kind?: unknown; message?: unknown } = value;
  return typeof message === 'string' && KINDS.some((one) => one === kind);
}

function isId(id: string): boolean {
  try {
    return id !== '' && checkId(...id.split('/')) === id;
  } catch {
    return false;
  }
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : Array.isArray(value) ? 'a list' : String(value);
}
