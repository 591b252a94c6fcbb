import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { shuffled } from '../../generators/explore.ts';
import type { Args } from '../../generators/wire-forms.ts';
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
    const baseline = await baselineOf(session, operation);
    if (invalid.length < 2 || 'reason' in baseline || baseline.open === true) return refusals;
    const good = goodArgs(session, operation, baseline);
    const control = await controlOf(session, operation, baseline, good);
    if (typeof control === 'string' || !['accepted', 'denied'].includes(control.answer)) return refusals;
    const { args: bare } = baseline;
    const wants = wantsOf(invalid, session.seed, operation.effect === 'reads' ? [good, bare] : [good]);
    const ask = (together: readonly Want[]): Promise<Observation> => {
      const given = Object.fromEntries(together.map(({ one }) => [one.parameter.wire, one.value]));
      return sendProbe(session, { operation, ...baseline, args: { ...together[0]?.beside, ...given } });
    };
    const answers = new Map<Want, Observation>();
    const broken = new Set<Want>();
    await provenTogether(wants, fitsBeside(Object.keys(good), wants), async (together) => {
      const answer = await ask(together);
      const isBroken = answer.answer === 'broken';
      for (const want of together) broken[isBroken ? 'add' : 'delete'](want);
      if (isBroken) return 'broken';
      const found = answer.answer === 'refused' ? namesIn(answer) : [];
      const refused = together.filter(({ one }) => found.includes(one.parameter.wire));
      if (found.length > refused.length) return undefined;
      // Once a site has named what it refuses, it does so beside others too.
      if (refused.length === 0) return answers.size > 0 ? [] : undefined;
      for (const want of refused) answers.set(want, answer);
      return refused;
    });
    for (const { one } of broken) breaking.add(keyOf(one));
    // What is left is asked for beside good values too, in place of alone: where it is checked alone only, that shows.
    if (operation.effect === 'reads' && answers.size > 0) {
      const left = wants.filter((want) => !answers.has(want) && !breaking.has(keyOf(want.one)));
      for (const [want, answer] of await answersTo(left, ask)) answers.set(want, answer);
    }
    for (const [key, same] of Map.groupBy(wants, ({ one }) => keyOf(one))) {
      const seen = same.flatMap((want) => answers.get(want) ?? []);
      const [answer = seen[0]] = seen.filter((one) => one.answer === 'accepted');
      const isShown = seen.length === same.length || answer?.answer === 'accepted';
      if (answer !== undefined && isShown) named.set(key, answer);
    }
    return refusals;
  },
  (operation) => [operation],
);

/** A value to be refused beside some arguments. */
interface Want {
  readonly one: Invalid;
  readonly beside: Args;
}

/**
 * What is asked for together, each parameter once in a request, so that the parameter with the most values says how many requests
 * there are. Software may look at an argument beside others alone, or without others alone: as far as requests have room for it,
 * each value is asked for beside each of these sets. A value that needs a further request is left to be asked for alone, which shows what
 * another one beside it hides.
 */
function wantsOf(invalid: readonly Invalid[], seed: number, sets: readonly Args[]): Want[] {
  const distinct = [...new Map(invalid.map((one) => [keyOf(one), one])).values()];
  const byParameter = [...Map.groupBy(shuffled(distinct, seed), ({ parameter }) => parameter.wire).values()];
  const [most = [], ...others] = byParameter.toSorted((one, other) => other.length - one.length);
  const lists = [most.slice(1), ...others].map((values) => values.toSorted(boundsFirst));
  const requests = Math.max(...lists.map(({ length }) => length));
  const share = Math.ceil(requests / sets.length);
  return sets.flatMap((beside, at) => {
    const room = at === 0 ? share : requests - share;
    return lists
      .flatMap((values) => {
        const turned = at === 0 ? values : [...values.slice(share), ...values.slice(0, share)];
        const some = turned.slice(0, room);
        return some.map((one, place) => ({ one, beside, left: some.length - place }));
      })
      .toSorted((one, other) => other.left - one.left);
  });
}

/** Numbers beyond a bound are the only values of their check, and the largest are beyond a maximum: they come first beside each set. */
function boundsFirst({ value: one }: Invalid, { value: other }: Invalid): number {
  const rank = (value: unknown): number =>
    typeof value === 'number' && value % 1 === 0 ? value : -Number.MAX_VALUE;
  return rank(other) - rank(one);
}

/**
 * The answers to values that name no other parameter. Of parameters that take an invalid value, the further ones are asked for
 * together: where all are taken, so is each.
 */
async function answersTo(
  wanted: readonly Want[],
  ask: (together: readonly Want[]) => Promise<Observation>,
): Promise<ReadonlyMap<Want, Observation>> {
  const answers = new Map<Want, Observation>();
  const lenient = new Set<string>();
  const askAlone = async (want: Want): Promise<void> => {
    const { wire } = want.one.parameter;
    const answer = await ask([want]);
    if (answer.answer === 'accepted') lenient.add(wire);
    const isNamed = answer.answer === 'refused' && namesIn(answer).join() === wire;
    if (isNamed || answer.answer === 'accepted') answers.set(want, answer);
  };
  const further: Want[] = [];
  for (const want of wanted) {
    if (lenient.has(want.one.parameter.wire)) further.push(want);
    else await askAlone(want);
  }
  const taken = await provenTogether(further, isApart, async (together) => {
    const answer = await ask(together);
    if (answer.answer !== 'accepted') return [];
    for (const want of together) answers.set(want, answer);
    return together;
  });
  for (const want of further) if (!taken.has(want)) await askAlone(want);
  return answers;
}

/** Whether a value may stand in one request with others: beside the same arguments, and of another parameter. */
function isApart(others: readonly Want[], { one, beside }: Want): boolean {
  return others.every((other) => other.beside === beside && other.one.parameter !== one.parameter);
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

/** Each parameter is invalid once, and one at least is valid, which the refusal must not name; requests beside the same arguments are equally full. */
function fitsBeside(
  names: readonly string[],
  wants: readonly Want[],
): (together: readonly Want[], want: Want) => boolean {
  const most = new Map(
    [...Map.groupBy(wants, ({ beside }) => beside)].map(([beside, some]) => {
      const counts = [...Map.groupBy(some, ({ one }) => one.parameter).values()].map(({ length }) => length);
      return [beside, Math.ceil(some.length / Math.max(...counts))];
    }),
  );
  return (together, want) => {
    if (together.length >= (most.get(want.beside) ?? 0) || !isApart(together, want)) return false;
    const invalid = new Set([...together, want].map(({ one }) => one.parameter.wire));
    return names.some((name) => !invalid.has(name));
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
    // Those come last, so that they take no room of what was not asked yet.
    const hidden = together.filter((want) => !done.has(want));
    open = [...open.filter((want) => !together.includes(want)), ...hidden];
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
