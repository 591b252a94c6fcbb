import type { Finding } from '../../engine/check.ts';
import { blocked, inconclusive } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Args } from '../records/reading/list-request.ts';
import type { Free, FuzzSet, Judged, Property } from './fuzz-set.ts';
import { TriedSets } from './note-tried.ts';
import { shrink } from './shrink.ts';

/** Findings of one check at most: whoever has more of them has one to repair first. */
const MOST_FINDINGS = 4;
/** Fresh requests that have to show what was found. */
const CONFIRMATIONS = 2;

/** What was found once, shrunk and judged again. */
interface Violation {
  readonly kind: string;
  /** The arguments that matter. */
  readonly names: readonly string[];
  readonly finding: Finding;
  witnesses: number;
}

/**
 * Judges sets of arguments by a property, shrinks each that violates it, and judges it again.
 * @param check the id of the check; @param free the parameters that the search sets
 * @returns one finding for the arguments that matter and the kind, with the count of sets that show it; what could not be
 * told of some set; nothing where the property holds but for what another check reports
 */
export async function search(
  session: Session,
  check: string,
  free: readonly Free[],
  sets: readonly FuzzSet[],
  property: Property,
): Promise<Finding[]> {
  const tried = new TriedSets(session, check, free, sets.length);
  const found: Violation[] = [];
  let untold: Finding | undefined;
  let held = false;
  for (const set of sets) {
    const judged = await property.judge(set.args, false);
    tried.note(set, judged);
    const { finding } = judged;
    if (finding === undefined) held = true;
    else if (!isViolation(finding)) untold ??= finding;
    else {
      const known = found.find((one) => isShownBy(one, set, judged));
      if (known !== undefined) known.witnesses += 1;
      else found.push(await violationOf(set, judged, property));
    }
    if (found.filter(isOwn).length === MOST_FINDINGS) break;
  }
  tried.close();
  if (sets.length === 0) return [inconclusive('no set of arguments was to be tried')];
  const own = found.filter(isOwn);
  if (own.length > 0) return own.map((one) => withWitnesses(one, sets.length, session.seed));
  if (untold !== undefined) return [untold];
  // Where some sets hold, what another check reports does not keep this one from telling.
  return held ? [] : found.map(({ finding }) => finding);
}

/** Whether it is for this check to report. */
function isOwn({ finding }: Violation): boolean {
  return finding.kind !== 'blocked';
}

function isViolation({ kind }: Finding): boolean {
  return kind === 'failure' || kind === 'warning';
}

/** Whether a set shows what is known already: it holds all that matters, and what it is about is among it. */
function isShownBy({ kind, names }: Violation, { args, about }: FuzzSet, judged: Judged): boolean {
  return (
    judged.kind === kind &&
    names.every((name) => Object.hasOwn(args, name)) &&
    about.some(({ name }) => names.includes(name))
  );
}

async function violationOf(set: FuzzSet, judged: Judged, property: Property): Promise<Violation> {
  const same = async (args: Args, fresh: boolean): Promise<Judged | undefined> => {
    const again = await property.judge(args, fresh);
    return again.finding?.kind === judged.finding?.kind && again.kind === judged.kind ? again : undefined;
  };
  const smallest = await shrink(
    set.args,
    property.keepsSubject ? set.about.map(({ name }) => name) : [],
    async (args) => (await same(args, false)) !== undefined,
    property.simpler,
  );
  const kind = judged.kind ?? '';
  const counts: number[] = [];
  for (const args of [smallest, set.args]) {
    const shown: Judged[] = [];
    for (let turn = 0; turn < CONFIRMATIONS; turn += 1) {
      const again = await same(args, true);
      if (again !== undefined) shown.push(again);
    }
    counts.push(shown.length);
    const finding = shown.at(-1)?.finding;
    if (finding === undefined || shown.length < CONFIRMATIONS) continue;
    const names = Object.keys(args);
    const by = await property.reportedBy(names);
    const replay = { ...finding, replay: args };
    return { kind, names, finding: by === undefined ? replay : blocked(by), witnesses: 1 };
  }
  const times = counts.reduce((sum, count) => sum + count, 0);
  const message = `unstable: ${judged.finding?.message ?? ''}, but only ${1 + times} of ${1 + 2 * CONFIRMATIONS} times`;
  const finding = { ...inconclusive(message), reproduce: judged.finding?.reproduce ?? [], replay: set.args };
  return { kind, names: Object.keys(set.args), finding, witnesses: 1 };
}

function withWitnesses({ finding, names, witnesses }: Violation, of: number, seed: number): Finding {
  const matter = names.length === 0 ? 'no argument matters' : `what matters: ${names.join(', ')}`;
  return {
    ...finding,
    message: `${finding.message} (${matter}; shown by ${witnesses} of ${of} sets, seed ${seed})`,
  };
}
