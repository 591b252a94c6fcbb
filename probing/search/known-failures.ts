import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../engine/check.ts';
import { fixture, type Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Evaluation, Property } from './note-tried.ts';

/** A set that violates a property, and its smallest counterexample once it is found. */
interface Shrunk {
  readonly alike: string;
  readonly args: Args;
  readonly smallest: Promise<Args>;
}

/** All counterexamples of a run in order. Equal arguments mostly fail for the same cause, whatever the operation. */
const shrunkSets = fixture('shrunk sets', async (): Promise<Shrunk[]> => []);

/** Keeps a counterexample, shrunk or not yet, for other operations to try. */
export async function keepShrunk(
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
  for (const one of [...(await shrunkSets(session))]) {
    const names = Object.keys(args).filter((name) => isDeepStrictEqual(args[name], one.args[name]));
    // It is worth waiting for a search that is shrinking an argument of this set.
    if (names.length === 0) continue;
    const smallest = await one.smallest;
    const needed = Object.keys(smallest);
    if (needed.length > 0 && needed.every((name) => names.includes(name))) yield { ...one, smallest };
  }
}

/** Whether a finding is a violation; one that is inconclusive is not. */
export function isViolation(finding: Finding | undefined): finding is Finding {
  return finding?.kind === 'failure' || finding?.kind === 'warning';
}

function holds(set: Args, part: Args): boolean {
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(set, name) && isDeepStrictEqual(set[name], value),
  );
}

/** A property that sends no request with a known answer. */
export interface SparedProperty extends Property {
  evaluateSet(args: Args): Promise<Evaluation>;
}

/** Saves requests for a property of any value: subsets of an accepted set pass, and known counterexamples come first. */
export function spared(session: Session, property: Property): SparedProperty {
  const { ofAnyValue: alike } = property;
  if (alike === undefined) return { ...property, evaluateSet: (args) => property.evaluate(args, false) };
  const accepted: { readonly args: Args; readonly evaluation: Evaluation }[] = [];
  /** Evaluations of counterexamples of other operations. */
  const known = new Map<string, Evaluation>();
  /** Fresh evaluations that the confirmation of a violation may use. */
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
    if (isViolation(evaluation.finding)) ahead.set(key, evaluation);
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
    // Answers are fresh while a set is shrunk, so they count as a confirmation.
    if (!fresh && isViolation(evaluation.finding)) ahead.set(key, evaluation);
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
        if (isWhole || isViolation(evaluation.finding)) return evaluation;
      }
      return partOfAccepted(args) ?? ask(args, false);
    },
  };
}
