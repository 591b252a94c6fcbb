import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../client/json.ts';
import { TargetError } from '../../client/target-error.ts';
import type { Finding } from '../../engine/check.ts';
import { blocked, inconclusive } from '../../engine/findings.ts';
import type { Shows } from '../../engine/fuzz-options.ts';
import { fixture, type Session } from '../../engine/session.ts';
import { shrinkList } from '../../generators/explore.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Evaluation, FuzzSet, Property } from './fuzz-sets.ts';

/** How many fresh requests must confirm a violation: one if another operation was shown to fail of the same arguments. */
const CONFIRMATIONS = { usual: 2, known: 1 };

/** A violation, shrunk and confirmed. */
export interface Violation {
  readonly kind: string;
  /** The arguments that matter, by the names of the target. */
  readonly names: readonly string[];
  readonly shows: Shows;
  readonly finding: Finding;
  /** The phase and the number of the set that was shrunk. */
  readonly path: string;
  witnesses: number;
}

type Violating = Evaluation & { readonly finding: Finding };

/** Shrinks a set that violates a property, and confirms it; inconclusive unless it shows each time. */
export async function violationOf(
  session: Session,
  set: FuzzSet,
  evaluated: Violating,
  property: Property,
  path: string,
): Promise<Violation> {
  const kind = evaluated.kind ?? '';
  const about = { kind, path, witnesses: 1 };
  try {
    const { args, shown, of, finding } = await confirmed(session, set, evaluated, property);
    const names = Object.keys(args);
    if (finding !== undefined) {
      const by = await property.reportedBy?.(names);
      const replay = { ...finding, replay: args };
      return { ...about, names, shows: 'always', finding: by === undefined ? replay : blocked(by) };
    }
    const message = `unstable: ${evaluated.finding.message}, but only ${shown} of ${of} times`;
    return { ...about, names, shows: 'sometimes', finding: unsteady(message, evaluated.finding, args) };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    const message = `${evaluated.finding.message}; it was not checked again, because ${error.message}`;
    const names = Object.keys(set.args);
    return { ...about, names, shows: 'once', finding: unsteady(message, evaluated.finding, set.args) };
  }
}

/** @returns the finding of the smallest set that shows it each time; undefined if none does */
async function confirmed(session: Session, set: FuzzSet, evaluated: Violating, property: Property) {
  const same = async (args: Args, fresh: boolean): Promise<Evaluation | undefined> => {
    const again = await property.evaluate(args, fresh);
    return again.finding?.kind === evaluated.finding.kind && again.kind === evaluated.kind
      ? again
      : undefined;
  };
  const fails = async (args: Args): Promise<boolean> => (await same(args, false)) !== undefined;
  let [times, turns] = [0, 0];
  for await (const { args, of } of smallerSets(session, set, property, fails)) {
    const shown: Evaluation[] = [];
    for (let turn = 0; turn < of; turn += 1) {
      const again = await same(args, true);
      if (again !== undefined) shown.push(again);
    }
    times += shown.length;
    turns += of;
    const finding = shown.at(-1)?.finding;
    if (finding !== undefined && shown.length === of) return { args, shown: of, of, finding };
  }
  return { args: set.args, shown: 1 + times, of: 1 + turns, finding: undefined };
}

/** A set that violates a property, and its smallest counterexample once it is found. */
interface Shrunk {
  readonly alike: string;
  readonly args: Args;
  readonly smallest: Promise<Args>;
}

/** All counterexamples of a run in order. Equal arguments mostly fail for the same cause, whatever the operation. */
const shrunkSets = fixture('shrunk sets', async (): Promise<Shrunk[]> => []);

/** Keeps a counterexample, shrunk or not yet, for other operations to try. */
async function keepShrunk(
  session: Session,
  { ofAnyValue: alike }: Property,
  args: Args,
  smallest: Promise<Args>,
): Promise<void> {
  if (alike !== undefined) (await shrunkSets(session)).push({ alike, args, smallest });
}

/** Counterexamples of other searches that a set contains with equal values. */
export async function* shrunkBefore(
  session: Session,
  { ofAnyValue }: Property,
  args: Args,
): AsyncGenerator<Omit<Shrunk, 'smallest'> & { readonly smallest: Args }> {
  if (ofAnyValue === undefined) return;
  for (const shrunk of [...(await shrunkSets(session))]) {
    const names = Object.keys(args).filter((name) => isDeepStrictEqual(args[name], shrunk.args[name]));
    // It is worth waiting for a search that is shrinking an argument of this set.
    if (names.length === 0) continue;
    const smallest = await shrunk.smallest;
    const needed = Object.keys(smallest);
    if (needed.length > 0 && needed.every((name) => names.includes(name))) yield { ...shrunk, smallest };
  }
}

/** The sets that may show a violation, the smallest first: the known one, the shrunk one, and the set itself. */
async function* smallerSets(
  session: Session,
  set: FuzzSet,
  property: Property,
  fails: (args: Args) => Promise<boolean>,
): AsyncGenerator<{ readonly args: Args; readonly of: number }> {
  const { usual, known } = CONFIRMATIONS;
  for await (const { smallest } of shrunkBefore(session, property, set.args)) {
    if (!(await fails(smallest))) continue;
    await keepShrunk(session, property, set.args, Promise.resolve(smallest));
    yield { args: smallest, of: known };
  }
  const kept = property.keepsSubject === true ? set.about.map(({ name }) => name) : [];
  const smallest = shrink(set.args, kept, fails, property);
  await keepShrunk(session, property, set.args, smallest);
  yield { args: await smallest, of: usual };
  yield { args: set.args, of: usual };
}

function unsteady(message: string, { expected, observed, reproduce }: Finding, replay: Args): Finding {
  return { ...inconclusive(message), ...defined({ expected, observed, reproduce }), replay };
}

const MOST_TRIES = 60;

/**
 * Shrinks a failing set: removes arguments that do not matter, except `kept`, then simplifies the others. A simpler value
 * may fail without the others.
 */
async function shrink(
  args: Args,
  kept: readonly string[],
  fails: (args: Args) => Promise<boolean>,
  { simpler, ofAnyValue }: Property,
): Promise<Args> {
  const tried = new Map<string, boolean>();
  const stillFails = async (smaller: Args): Promise<boolean> => {
    const key = JSON.stringify(smaller);
    const known = tried.get(key);
    if (known !== undefined || tried.size === MOST_TRIES) return known ?? false;
    const failing = await fails(smaller);
    tried.set(key, failing);
    return failing;
  };
  const pick = (names: readonly string[], from = args): Args =>
    Object.fromEntries([...kept, ...names].map((name) => [name, from[name]]));
  const loose = Object.keys(args).filter((name) => !kept.includes(name));
  const fail: Fails = (names) => stillFails(pick(names));
  const likely = ofAnyValue === undefined ? loose : await likelyOne(loose, fail);
  const isLikely = likely.length < loose.length && (await fail(likely));
  let smallest = pick(await shrinkList(isLikely ? likely : await halved(loose, fail), fail));
  for (const name of Object.keys(smallest)) {
    for (let next: Args | undefined = smallest; next !== undefined; ) {
      smallest = next;
      next = undefined;
      for (const value of simpler(name, smallest[name])) {
        const candidate = { ...smallest, [name]: value };
        if (!(await stillFails(candidate))) continue;
        next = candidate;
        break;
      }
    }
  }
  const simplified = smallest;
  const left = Object.keys(simplified).filter((name) => !kept.includes(name));
  if (left.length < 2 || left.every((name) => simplified[name] === args[name])) return simplified;
  return pick(await shrinkList(left, (names) => stillFails(pick(names, simplified))), simplified);
}

type Fails = (names: readonly string[]) => Promise<boolean>;

/** The argument that fails alone, if any. If the first half passes, the second half is assumed to fail. */
async function likelyOne(names: readonly string[], fails: Fails): Promise<readonly string[]> {
  if (names.length < 2) return names;
  const middle = Math.ceil(names.length / 2);
  const first = names.slice(0, middle);
  return likelyOne((await fails(first)) ? first : names.slice(middle), fails);
}

/** Halves a long list while one half fails alone, which saves many requests. */
async function halved(names: readonly string[], fails: Fails): Promise<readonly string[]> {
  if (names.length < 4) return names;
  const middle = Math.ceil(names.length / 2);
  for (const half of [names.slice(0, middle), names.slice(middle)]) {
    if (await fails(half)) return halved(half, fails);
  }
  return names;
}
