import { defined } from '../client/json.ts';
import type { RunMode } from '../client/mode.ts';
import type { Operation, Parameter } from '../specs/model.ts';
import type { Basis } from '../specs/operation-file.ts';
import { type CheckKind, textsOf } from '../specs/texts.ts';
import type { Witnesses } from './fuzz-options.ts';
import type { About, FieldPlace } from './result.ts';
import type { Session } from './session.ts';
import { type Maybe, present } from './text.ts';

/** The kinds of findings, the worst first. */
export const FINDING_KINDS = ['failure', 'warning', 'inconclusive', 'blocked', 'not-applicable'] as const;

/**
 * What a check found; none is a pass. `warning` is advisory, `inconclusive` proves nothing, `blocked` has a cause.
 * Whatever a check needs and cannot get is a finding too, given in its place (`isFinding`).
 */
export interface Finding {
  readonly kind: (typeof FINDING_KINDS)[number];
  readonly message: string;
  readonly expected?: string;
  readonly observed?: string;
  readonly reproduce?: readonly string[];
  /** For a `blocked` finding: the check that reports the cause. */
  readonly blockedBy?: string;
  /** For a `blocked` finding: it is a failure that the other check reports, so that it blocks soft dependents too. */
  readonly same?: true;
  /** For a failure: the server failed, instead of accepting or refusing a value. */
  readonly broken?: true;
  /** For a failure: a value that is good by itself was refused. */
  readonly refused?: true;
  /** False for a failure that does not affect soft dependents, such as a valid value that is refused. */
  readonly blocks?: false;
  /** For a fuzz check: the smallest set of arguments that shows the violation, by the names of the target. */
  readonly replay?: Readonly<Record<string, unknown>>;
  /** With `replay`: which arguments matter, and how many other sets show it. */
  readonly witnesses?: Witnesses;
  /** For a declared enum that only has more words than the contract: those words. */
  readonly adds?: readonly string[];
  /** For an inconclusive finding: the controls that were tried in vain. */
  readonly controls?: ControlSearch;
}

/** What a check returns. No finding is a pass. */
export type Found = Finding | undefined | readonly (Finding | undefined)[];

/** A search for a valid call that the site accepts, without success. */
export interface ControlSearch {
  /** How many valid calls were refused. */
  readonly tried: number;
  /** The parameters and path parameters, by neutral name, for which a hints file could give good values. */
  readonly wanted: readonly string[];
}

type Effect = 'reads' | 'validates' | 'writes' | 'alters-site';

/** The mode that a check needs, by what its requests do. */
export const MODE_OF_EFFECT: Readonly<Record<Effect, RunMode>> = {
  reads: 'read',
  validates: 'validate',
  writes: 'write',
  'alters-site': 'full',
};

/** One requirement on one subject. The id is stable across runs, machines and versions. */
export interface Check {
  readonly id: string;
  /** The group in reports, such as `posts` or `routes`. */
  readonly area: string;
  /** What kind of requirement it checks: a word of `specs/texts/check-kinds.json`; undefined for any other kind. */
  readonly kind?: string | undefined;
  /** A sentence in the present tense. */
  readonly title: string;
  readonly section: string;
  readonly basis: Basis;
  readonly effect: Effect;
  readonly about?: About | undefined;
  /** Whether a contradiction of what the site publishes is a failure; only with basis `published`. */
  readonly binding?: true | undefined;
  /** Whether it draws its arguments; `--examples` gives the number of sets. */
  readonly fuzz?: true | undefined;
  readonly operation?: string | undefined;
  readonly parameter?: string | undefined;
  /** The neutral route, if it is about no operation. */
  readonly place?: string | undefined;
  /** The namespace of that route, in the words of the target. */
  readonly namespace?: string | undefined;
  /** For a check of a declaration: the JSON of an index that conforms. */
  readonly fragment?: (() => string) | undefined;
  /** For a check of fields of records. */
  readonly field?: FieldPlace | undefined;
  /** Ids of checks. Unless they pass, this one is skipped as blocked. */
  readonly dependsOn?: readonly string[] | undefined;
  /** Ids of checks. Only a failure of these, or of what these build on, blocks this one. `{caller}` is that of the run. */
  readonly buildsOn?: readonly string[] | undefined;
  /** Whether it needs credentials; without a user it is inconclusive. */
  readonly needsUser?: boolean | undefined;
  /** The names of groups of checks that one cause makes fail together, besides those that follow from their ids. */
  readonly groups?: readonly string[] | undefined;
  /** The names of those groups of which its success says nothing, because it may pass by chance. */
  readonly byChance?: readonly string[] | undefined;
  run(session: Session): Promise<Found> | Found;
}

/** The findings of a check as a list. */
export async function foundBy(check: Check, session: Session): Promise<Finding[]> {
  return [await check.run(session)].flat().filter((one) => one !== undefined);
}

/** Characters with a meaning in a glob of --only, a waiver or a baseline. */
const GLOB = /[*?[\]{}!()\\\s]/;

/**
 * The id of a check: its parts joined by `/`, in neutral words. Empty and undefined parts are left out. The id is
 * stable across runs, machines and versions, so no part may hold a record, an address or a seed.
 * @throws Error for a part with a character that has a meaning in globs
 */
export function checkId(...parts: readonly (string | undefined)[]): string {
  const id = parts.filter((part) => part !== undefined && part !== '').join('/');
  if (GLOB.test(id)) throw new Error(`the check id ${id} holds a character that a glob reads`);
  return id;
}

/** Characters with a meaning in a shell or a glob, or that separate the parts of an id. */
const NOT_PLAIN = /[^\w.-]/g;

/** The id of a finding of a fuzz check, as stable as that of the check: the arguments that matter, and the kind. */
export function findingId(check: string, parameters: readonly string[], kind: string): string {
  const names = parameters.map((name) => name.replaceAll(NOT_PLAIN, '_')).sort();
  return `${check}#${names.join('+')}:${kind}`;
}

/** A check as written in its family, without what follows from its operation and parameter. */
export interface CheckSpec
  extends Omit<Check, 'area' | 'section' | 'basis' | 'effect' | 'parameter' | 'dependsOn' | 'buildsOn'> {
  readonly kind: string;
  readonly on?: Operation;
  /** The parameter, or its neutral name. */
  readonly parameter?: Parameter | string | undefined;
  /** Default: the section of the parameter, otherwise of the operation. */
  readonly section?: string;
  readonly basis?: Check['basis'];
  readonly effect?: Check['effect'];
  /** Ids of checks, or lists of some. Unless they pass, this one is skipped as blocked. */
  readonly needs?: readonly Maybe<string>[];
  /** Ids of checks, or lists of some. Only a failure of these blocks this one. */
  readonly after?: readonly Maybe<string>[];
}

/** Makes a check and fills in what follows from its id, operation and parameter. */
export function check({ on, parameter, section, needs, after, ...spec }: CheckSpec): Check {
  const about = typeof parameter === 'object' ? parameter : undefined;
  const operation = spec.operation ?? on?.id;
  const name = about?.name ?? (typeof parameter === 'string' ? parameter : undefined);
  return {
    basis: 'implied',
    effect: 'reads',
    ...spec,
    area: areaOf(spec.id),
    section: section ?? about?.section ?? on?.section ?? '',
    ...defined({
      operation,
      parameter: name,
      dependsOn: needs && present(needs),
      buildsOn: after && present(after),
    }),
  };
}

/** The id of the check that an operation is served: that the index lists a method of it; default: its first one. */
export function serves(operation: Operation, method?: string): string {
  return checkId(operation.id, 'method', method ?? operation.methods[0]);
}

/** The id of the check that the index declares a parameter of an operation. */
export function declares({ id }: Pick<Operation, 'id'>, parameter: string): string {
  return checkId(id, parameter, 'declared');
}

/** The kind that a check or a result names; undefined if it names none, or one that is not in the data. */
export function kindNamed(name: string | undefined): CheckKind | undefined {
  return name === undefined ? undefined : textsOf('check-kinds').find(({ kind }) => kind === name);
}

/** The area of a check, its group in reports: `posts` for `posts.list/per_page/maximum`. */
export function areaOf(id: string): string {
  const [first = id] = id.split('/', 1);
  const [area = ''] = first.split('.', 1);
  return area === '' ? first : area;
}
