import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { shuffled } from '../../generators/explore.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { baselineOf, controlOf, goodArgs, sendProbe } from './control.ts';
import { requiredBeside } from './control-candidates.ts';

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
    const named = new Map<string, Observation>();
    const breaking = new Set(await breakingBefore(session, operation, all));
    const refusals: Refusals = { named, breaking };
    const invalid = all(session, operation).filter((one) => standsAlone(one) && !breaking.has(keyOf(one)));
    const { packs, wanted } = planned(invalid, session.seed);
    const baseline = await baselineOf(session, operation);
    if (wanted.size < 2 || 'reason' in baseline || baseline.open === true) return refusals;
    const good = goodArgs(session, operation, baseline);
    const control = await controlOf(session, operation, baseline, good);
    if (typeof control === 'string' || !['accepted', 'denied'].includes(control.answer)) return refusals;
    const names = Object.keys(good);
    // Software may look at an argument beside some others alone, or without them alone: every other request goes without.
    const bare = new Set<Invalid>();
    const hidden = new Set<Invalid>();
    const ask = (together: readonly Invalid[]): Promise<Observation> => {
      const given = Object.fromEntries(together.map(({ parameter, value }) => [parameter.wire, value]));
      const beside = together.every((one) => bare.has(one)) ? baseline.args : good;
      return sendProbe(session, { operation, ...baseline, args: { ...beside, ...given } });
    };
    let asked = 0;
    await provenTogether([...wanted.values()], fitsBeside(names, packs), async (together) => {
      const isBare = operation.effect === 'reads' && asked % 2 === 1;
      for (const one of together) bare[isBare || hidden.has(one) ? 'add' : 'delete'](one);
      asked += 1;
      const answer = await ask(together);
      const isBroken = answer.answer === 'broken';
      for (const one of together) breaking[isBroken ? 'add' : 'delete'](keyOf(one));
      if (isBroken) return 'broken';
      const found = answer.answer === 'refused' ? namesIn(answer) : [];
      const refused = together.filter(({ parameter }) => found.includes(parameter.wire));
      if (refused.length === 0 || found.length > refused.length) return undefined;
      if (isBare) for (const one of together) if (!refused.includes(one)) hidden.add(one);
      // What was not named without others is not proven beside them: it is asked for alone.
      const shown = refused.filter((one) => !hidden.has(one));
      for (const one of shown) named.set(keyOf(one), answer);
      return shown;
    });
    // What is left is asked for beside good values too, in place of alone: where it is checked alone only, that shows.
    if (operation.effect !== 'reads' || named.size === 0) return refusals;
    const left = [...wanted].flatMap(([key, one]) => (named.has(key) || breaking.has(key) ? [] : [one]));
    for (const [key, answer] of await answersBeside(left, ask)) named.set(key, answer);
    return refusals;
  },
  (operation) => [operation],
);

/**
 * The answers to values beside good ones that name no other parameter. Of parameters that take an invalid value, the further
 * ones are asked for together: where all are taken, so is each.
 */
async function answersBeside(
  wanted: readonly Invalid[],
  ask: (together: readonly Invalid[]) => Promise<Observation>,
): Promise<ReadonlyMap<string, Observation>> {
  const answers = new Map<string, Observation>();
  const lenient = new Set<string>();
  const askAlone = async (one: Invalid): Promise<void> => {
    const { wire } = one.parameter;
    const answer = await ask([one]);
    if (answer.answer === 'accepted') lenient.add(wire);
    const isNamed = answer.answer === 'refused' && namesIn(answer).join() === wire;
    if (isNamed || answer.answer === 'accepted') answers.set(keyOf(one), answer);
  };
  const further: Invalid[] = [];
  for (const one of wanted) {
    if (lenient.has(one.parameter.wire)) further.push(one);
    else await askAlone(one);
  }
  const isOther = (beside: readonly Invalid[], { parameter }: Invalid): boolean =>
    beside.every((one) => one.parameter !== parameter);
  const taken = await provenTogether(further, isOther, async (together) => {
    const answer = await ask(together);
    if (answer.answer !== 'accepted') return [];
    for (const one of together) answers.set(keyOf(one), answer);
    return together;
  });
  for (const one of further) if (!taken.has(one)) await askAlone(one);
  return answers;
}

/** What is asked for together, in the order in which it is, and how much of it at once. */
interface Planned {
  readonly packs: number;
  readonly wanted: ReadonlyMap<string, Invalid>;
}

/**
 * Spreads invalid values over as few requests as hold each parameter once, so that parameters with few values are not all in the
 * first. One that would need a further request is left to be asked for alone, which shows what another one beside it hides.
 */
function planned(invalid: readonly Invalid[], seed: number): Planned {
  const distinct = new Map(invalid.map((one) => [keyOf(one), one]));
  const byParameter = [
    ...Map.groupBy(shuffled([...distinct.values()], seed), ({ parameter }) => parameter.wire).values(),
  ];
  const turns = byParameter
    .flatMap((values) => values.map((one, at) => ({ one, left: values.length - at })))
    .toSorted((one, other) => other.left - one.left);
  const [first, ...others] = turns;
  const requests = Math.max(1, others[0]?.left ?? 0);
  const packs = Math.ceil(others.length / requests);
  return { packs, wanted: new Map((first === undefined ? [] : others).map(({ one }) => [keyOf(one), one])) };
}

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

/** Each parameter is invalid once, and one at least is valid, which the refusal must not name. */
function fitsBeside(
  names: readonly string[],
  most: number,
): (beside: readonly Invalid[], one: Invalid) => boolean {
  return (beside, { parameter: { wire } }) => {
    if (beside.length >= most) return false;
    const invalid = new Set([...beside.map(({ parameter }) => parameter.wire), wire]);
    return invalid.size > beside.length && names.some((name) => !invalid.has(name));
  };
}

/** The parameters that a refusal names as invalid, in the place where software of this kind does. */
export function namesIn({ json }: Observation): string[] {
  const params = member(member(json, 'data'), 'params');
  return isObject(params) ? Object.keys(params) : [];
}

/** Fewer that break a request together are asked alone: halving them would take as many requests. */
const FEWEST_HALVED = 4;

/**
 * Sends some together. @returns those that are proven by it, each as if it were alone; `broken` where the request failed of one of
 * them; undefined where nothing more can be proven in this way
 */
type AskTogether<Want> = (together: readonly Want[]) => Promise<readonly Want[] | 'broken' | undefined>;

/**
 * Proves in as few requests as possible what callers want to see, each by itself: a request holds as many as go together, and
 * what it does not prove is left to whoever wants it, to be asked for alone. What breaks a request is found by halving it.
 * @param fits whether one more may stand beside those of a request
 */
export async function provenTogether<Want>(
  wants: readonly Want[],
  fits: (beside: readonly Want[], want: Want) => boolean,
  ask: AskTogether<Want>,
): Promise<ReadonlySet<Want>> {
  const proven = new Set<Want>();
  let open = [...wants];
  while (open.length > 1) {
    const together = packed(open, fits);
    const answer = together.length > 1 ? await ask(together) : [];
    if (answer === undefined || (answer === 'broken' && together.length < FEWEST_HALVED)) break;
    const shown = answer === 'broken' ? await provenInHalves(together, ask) : answer;
    for (const want of shown) proven.add(want);
    // Where some were proven, the others may have been hidden by them; else, or where they break it, they do not go together.
    const done = new Set(shown.length > 0 && answer !== 'broken' ? shown : together);
    open = open.filter((want) => !done.has(want));
  }
  return proven;
}

/** What is proven of a request that breaks, by asking its halves, and theirs, until what breaks it is known. */
async function provenInHalves<Want>(together: readonly Want[], ask: AskTogether<Want>): Promise<Want[]> {
  const middle = Math.ceil(together.length / 2);
  const proven: Want[] = [];
  for (const half of [together.slice(0, middle), together.slice(middle)]) {
    const answer = await ask(half);
    if (answer !== 'broken') proven.push(...(answer ?? []));
    else if (half.length > 1) proven.push(...(await provenInHalves(half, ask)));
  }
  return proven;
}

function packed<Want>(open: readonly Want[], fits: (beside: readonly Want[], want: Want) => boolean): Want[] {
  const together: Want[] = [];
  for (const want of open) if (together.length === 0 || fits(together, want)) together.push(want);
  return together;
}
