import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../engine/check.ts';
import { fixture, type Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Evaluation, Property } from './note-tried.ts';

/** A set that violates a property of any value, and what it is shrunk to, or is being shrunk to. */
interface Shrunk {
  /** By what operations are alike. */
  readonly alike: string;
  readonly args: Args;
  readonly smallest: Promise<Args>;
}

/** Operations fail of equal arguments for one cause: what sets came to, in the order of their finding. */
const shrunkSets = fixture('shrunk sets', async (): Promise<Shrunk[]> => []);

/** Keeps what a set is being shrunk to for other operations. */
export async function keepShrunk(
  session: Session,
  { ofAnyValue: alike }: Property,
  args: Args,
  smallest: Promise<Args>,
): Promise<void> {
  if (alike !== undefined) (await shrunkSets(session)).push({ alike, args, smallest });
}

/** What equal arguments came to elsewhere, among which others, and by what the operation was alike. */
export async function* shrunkBefore(
  session: Session,
  { ofAnyValue }: Property,
  args: Args,
): AsyncGenerator<Omit<Shrunk, 'smallest'> & { readonly smallest: Args }> {
  if (ofAnyValue === undefined) return;
  const isSame = (one: Shrunk, name: string): boolean =>
    Object.hasOwn(args, name) && isDeepStrictEqual(args[name], one.args[name]);
  for (const one of [...(await shrunkSets(session))]) {
    // What is under way for an argument of this set is worth waiting for.
    if (!Object.keys(one.args).some((name) => isSame(one, name))) continue;
    const smallest = await one.smallest;
    const names = Object.keys(smallest);
    if (names.length > 0 && names.every((name) => isSame(one, name))) yield { ...one, smallest };
  }
}

/** Sets that searches are at, by what operations are alike. */
const setsUnderWay = fixture('sets under way', async (): Promise<Map<string, Promise<void>>> => new Map());

/** Works on a set once no operation that is alike works on an equal one: what that comes to is known then. */
export async function inTurn<T>(
  session: Session,
  { ofAnyValue: alike }: Property,
  args: Args,
  work: () => Promise<T>,
): Promise<T> {
  if (alike === undefined) return work();
  const underWay = await setsUnderWay(session);
  const key = `${alike} ${JSON.stringify(args)}`;
  const turn = (underWay.get(key) ?? Promise.resolve()).then(work);
  const ended = turn.then(
    () => undefined,
    () => undefined,
  );
  underWay.set(key, ended);
  try {
    return await turn;
  } finally {
    if (underWay.get(key) === ended) underWay.delete(key);
  }
}

/** Whether a set violates a property, and was not merely inconclusive. */
function violates({ finding }: Evaluation): boolean {
  return finding !== undefined && isViolation(finding);
}

/** Whether a finding says that a set violates the property, and not that it was inconclusive. */
export function isViolation({ kind }: Finding): boolean {
  return kind === 'failure' || kind === 'warning';
}

/** Whether a set has all arguments of another one, with the same values. */
function holds(set: Args, part: Args): boolean {
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(set, name) && isDeepStrictEqual(set[name], value),
  );
}

/** A property that a search asks for no more than it must. */
export interface SparedProperty extends Property {
  /** Evaluates a set of the search. */
  evaluateSet(args: Args): Promise<Evaluation>;
}

/**
 * Where a property is of any value, what is accepted together shows of each part that it does not violate it; and what equal
 * arguments came to at an operation that is alike is evaluated first: where that violates it, so does the set that holds it.
 */
export function spared(session: Session, property: Property): SparedProperty {
  const { ofAnyValue: alike } = property;
  if (alike === undefined) return { ...property, evaluateSet: (args) => property.evaluate(args, false) };
  const accepted: { readonly args: Args; readonly evaluation: Evaluation }[] = [];
  /** What came of what is known of other operations. */
  const known = new Map<string, Evaluation>();
  /** Fresh evaluations that nobody has wanted yet. */
  const ahead = new Map<string, Evaluation>();
  const ask = async (args: Args, fresh: boolean): Promise<Evaluation> => {
    const evaluation = await property.evaluate(args, fresh);
    if (evaluation.end === 'accepted' && evaluation.finding === undefined)
      accepted.push({ args, evaluation });
    return evaluation;
  };
  const evaluateKnown = async (args: Args): Promise<Evaluation> => {
    const key = JSON.stringify(args);
    const before = known.get(key);
    if (before !== undefined) return before;
    const evaluation = await ask(args, true);
    known.set(key, evaluation);
    if (violates(evaluation)) ahead.set(key, evaluation);
    return evaluation;
  };
  const partOfAccepted = (args: Args): Evaluation | undefined =>
    accepted.find((one) => holds(one.args, args))?.evaluation;
  const evaluate = async (args: Args, fresh: boolean): Promise<Evaluation> => {
    const key = JSON.stringify(args);
    const before = ahead.get(key) ?? (fresh ? undefined : (known.get(key) ?? partOfAccepted(args)));
    if (fresh) ahead.delete(key);
    if (before !== undefined) return before;
    const evaluation = await ask(args, true);
    // On the way to the smallest set each answer is fresh, so that it confirms what it shows.
    if (!fresh && violates(evaluation)) ahead.set(key, evaluation);
    return evaluation;
  };
  return {
    ...property,
    evaluate,
    async evaluateSet(args) {
      for await (const one of shrunkBefore(session, property, args)) {
        const isWhole = isDeepStrictEqual(args, one.smallest);
        const isPart = holds(args, one.smallest) || isDeepStrictEqual(args, one.args);
        if (!isPart || !(isWhole || one.alike === alike)) continue;
        const evaluation = await evaluateKnown(one.smallest);
        if (isWhole || violates(evaluation)) return evaluation;
      }
      return partOfAccepted(args) ?? ask(args, false);
    },
  };
}
