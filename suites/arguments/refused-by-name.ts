import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { shuffled } from '../../generators/explore.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { baselineOf, controlOf, goodArgs, sendProbe } from './control.ts';
import { requiredBeside } from './control-candidates.ts';
import { provenTogether } from './proven-together.ts';

/** A value of a parameter that must be refused; `undefined` stands for leaving it out. */
export interface Invalid {
  readonly parameter: Parameter;
  readonly value: unknown;
}

/** A refusal of many arguments that names this one as invalid, or an answer that takes it beside good ones; undefined where it is to be asked for alone. */
export async function refusedByName(
  session: Session,
  operation: Operation,
  invalid: Invalid,
  all: AllInvalid,
): Promise<Observation | undefined> {
  return (await refusalsOf(session, operation, all)).named.get(keyOf(invalid));
}

/** Whether a site names what it refuses of an operation. */
export async function namesRefusals(
  session: Session,
  operation: Operation,
  all: AllInvalid,
): Promise<boolean> {
  return (await refusalsOf(session, operation, all)).named.size > 0;
}

/** The values of an operation that the run wants to be refused. */
type AllInvalid = (session: Session, operation: Operation) => readonly Invalid[];

interface Refusals {
  /** The refusals that name a value, by its key; and the answers that take one beside good values of all others. */
  readonly named: ReadonlyMap<string, Observation>;
  /** The keys of the values of which one makes a site fail: they are asked for alone. */
  readonly breaking: ReadonlySet<string>;
}

function keyOf({ parameter, value }: Invalid): string {
  return `${parameter.wire} ${JSON.stringify(value)}`;
}

/**
 * Where a site says which of many arguments it refuses, and names none of the valid ones beside them, each of those that it
 * names is refused for itself. What a refusal says is the site's own affair (§7): whatever is not named, and every value of a
 * site that names nothing, is asked for alone.
 */
const refusalsOf: Fixture<Refusals, [operation: Operation, all: AllInvalid]> = fixture(
  'refused by name',
  async (session, operation, all) => {
    const breaking = new Set(await breakingBefore(session, operation, all));
    const values = all(session, operation).filter((one) => standsAlone(one) && !breaking.has(keyOf(one)));
    const nothing: Refusals = { named: new Map(), breaking };
    const baseline = await baselineOf(session, operation);
    if (values.length < 2 || 'reason' in baseline || baseline.open === true) return nothing;
    const good = goodArgs(session, operation, baseline);
    const control = await controlOf(session, operation, baseline, good);
    if (typeof control === 'string' || !['accepted', 'denied'].includes(control.answer)) return nothing;
    const isRead = operation.effect === 'reads';
    const send: Send = (together) => {
      const invalid = Object.fromEntries(together.map(({ parameter, value }) => [parameter.wire, value]));
      const args = { ...together[0]?.beside.args, ...invalid };
      return sendProbe(session, { operation, ...baseline, args });
    };

    const probes = planProbes(values, isRead ? [good, baseline.args] : [good], session.seed);
    const { refused, broken } = await askTogether(probes, Object.keys(good), send);
    for (const probe of broken) breaking.add(keyOf(probe));
    // What is left is asked for beside good values too, in place of alone: where it is checked alone only, that shows.
    const isLeft = (probe: Probe): boolean => !refused.has(probe) && !breaking.has(keyOf(probe));
    const left = isRead && refused.size > 0 ? probes.filter(isLeft) : [];
    const answers = new Map([...refused, ...(await askOneByOne(left, send))]);
    return { named: namedBy(probes, answers), breaking };
  },
  (operation) => [operation],
);

/** What made the site fail of the write before this one: records of all kinds are often written by one code. */
async function breakingBefore(
  session: Session,
  operation: Operation,
  all: AllInvalid,
): Promise<ReadonlySet<string>> {
  const writes = session.contract.operations.filter(({ effect }) => effect === 'writes');
  const before = writes[writes.indexOf(operation) - 1];
  return before === undefined ? new Set() : (await refusalsOf(session, before, all)).breaking;
}

/** A value that is left out is refused before others are looked at, and one that needs others has requests of its own. */
function standsAlone({ parameter, value }: Invalid): boolean {
  return value !== undefined && requiredBeside(parameter, value)?.with === undefined;
}

/** A value to be refused, and what else its request holds. */
interface Probe extends Invalid {
  readonly beside: OtherArguments;
}

/** Arguments beside which values are asked for. */
interface OtherArguments {
  readonly args: Args;
  /** The most values in a request beside them: with as many, their requests are equally full. */
  readonly most: number;
}

/** Sends a request with the values of probes, each of another parameter, beside the same arguments. */
type Send = (together: readonly Probe[]) => Promise<Observation>;

/**
 * Plans what is asked for together. A request holds one value of each parameter, so the parameter with the most values says how many
 * requests there are. Software may look at an argument beside others alone, or without others alone: requests are shared out among
 * the sets of other arguments, and as far as they have room, each value is asked for beside each set.
 */
function planProbes(values: readonly Invalid[], sets: readonly Args[], seed: number): Probe[] {
  const lists = listsToShare(values, seed);
  const requests = Math.max(...lists.map(({ length }) => length));
  const share = Math.ceil(requests / sets.length);
  return sets.flatMap((args, at) => {
    const chosen = lists.map((list) =>
      at === 0
        ? list.slice(0, share)
        : [...list.slice(share), ...list.slice(0, share)].slice(0, requests - share),
    );
    const most = Math.ceil(chosen.flat().length / Math.max(...chosen.map(({ length }) => length)));
    const beside: OtherArguments = { args, most };
    // Parameters with the most values left come first, so that no request at the end holds values of few.
    return chosen
      .flatMap((list) =>
        list.map((value, place) => ({ left: list.length - place, probe: { ...value, beside } })),
      )
      .toSorted((one, other) => other.left - one.left)
      .map(({ probe }) => probe);
  });
}

/**
 * The values of each parameter, each value once. One would need a request of its own, which is left to be asked for alone: that
 * shows what another value beside it hides.
 */
function listsToShare(values: readonly Invalid[], seed: number): Invalid[][] {
  const distinct = [...new Map(values.map((one) => [keyOf(one), one])).values()];
  const byParameter = Map.groupBy(shuffled(distinct, seed), ({ parameter }) => parameter.wire);
  const [longest = [], ...others] = [...byParameter.values()].toSorted(
    (one, other) => other.length - one.length,
  );
  return [longest.slice(1), ...others].map((list) => list.toSorted(boundsFirst));
}

/** Numbers beyond a bound are the only values of their check, and the largest are beyond a maximum: they come first beside each set. */
function boundsFirst({ value: one }: Invalid, { value: other }: Invalid): number {
  const rank = (value: unknown): number =>
    typeof value === 'number' && value % 1 === 0 ? value : -Number.MAX_VALUE;
  return rank(other) - rank(one);
}

/** Asks for many at once. @returns the refusals that name a value of theirs, and the values that make the site fail */
async function askTogether(
  probes: readonly Probe[],
  good: readonly string[],
  send: Send,
): Promise<{ readonly refused: ReadonlyMap<Probe, Observation>; readonly broken: ReadonlySet<Probe> }> {
  const refused = new Map<Probe, Observation>();
  const broken = new Set<Probe>();
  const fits = (together: readonly Probe[], probe: Probe): boolean =>
    together.length < probe.beside.most &&
    goBeside(together, probe) &&
    // One argument at least is valid, which the refusal must not name.
    good.some((name) => [...together, probe].every(({ parameter }) => parameter.wire !== name));
  await provenTogether(probes, fits, async (together) => {
    const answer = await send(together);
    if (answer.answer === 'broken') {
      for (const probe of together) broken.add(probe);
      return 'broken';
    }
    for (const probe of together) broken.delete(probe);
    const names = answer.answer === 'refused' ? namesIn(answer) : [];
    const named = together.filter(({ parameter }) => names.includes(parameter.wire));
    if (names.length > named.length) return undefined;
    // Once a site has named what it refuses, it does so beside others too.
    if (named.length === 0) return refused.size > 0 ? [] : undefined;
    for (const probe of named) refused.set(probe, answer);
    return named;
  });
  return { refused, broken };
}

/** Whether a value may stand in one request with others: beside the same arguments, and of another parameter. */
function goBeside(others: readonly Probe[], { parameter, beside }: Probe): boolean {
  return others.every((other) => other.beside === beside && other.parameter !== parameter);
}

/**
 * The answers to values that name no other parameter. Of parameters that take an invalid value, the further ones are asked for
 * together: where all are taken, so is each.
 */
async function askOneByOne(probes: readonly Probe[], send: Send): Promise<ReadonlyMap<Probe, Observation>> {
  const answers = new Map<Probe, Observation>();
  const lenient = new Set<string>();
  const askAlone = async (probe: Probe): Promise<void> => {
    const { wire } = probe.parameter;
    const answer = await send([probe]);
    if (answer.answer === 'accepted') lenient.add(wire);
    const isNamed = answer.answer === 'refused' && namesIn(answer).join() === wire;
    if (isNamed || answer.answer === 'accepted') answers.set(probe, answer);
  };
  const further: Probe[] = [];
  for (const probe of probes) {
    if (lenient.has(probe.parameter.wire)) further.push(probe);
    else await askAlone(probe);
  }
  const taken = await provenTogether(further, goBeside, async (together) => {
    const answer = await send(together);
    if (answer.answer !== 'accepted') return [];
    for (const probe of together) answers.set(probe, answer);
    return together;
  });
  for (const probe of further) if (!taken.has(probe)) await askAlone(probe);
  return answers;
}

/** What shows of each value, by its key: that it is refused beside all that it was asked for with, or taken beside anything. */
function namedBy(
  probes: readonly Probe[],
  answers: ReadonlyMap<Probe, Observation>,
): ReadonlyMap<string, Observation> {
  const named = new Map<string, Observation>();
  for (const [key, same] of Map.groupBy(probes, keyOf)) {
    const seen = same.flatMap((probe) => answers.get(probe) ?? []);
    const taken = seen.find(({ answer }) => answer === 'accepted');
    const shown = taken ?? (seen.length === same.length ? seen[0] : undefined);
    if (shown !== undefined) named.set(key, shown);
  }
  return named;
}

/** The parameters that a refusal names as invalid, in the place where software of this kind does. */
export function namesIn({ json }: Observation): string[] {
  const params = member(member(json, 'data'), 'params');
  return isObject(params) ? Object.keys(params) : [];
}
