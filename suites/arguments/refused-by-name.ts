import { lacksJson, namesRefused } from '../../client/answer.ts';
import type { Observation } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { shuffled } from '../../generators/explore.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { parameterNamed } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import { requiredBeside } from './calls/argument-values.ts';
import { sendProbe } from './calls/call.ts';
import { type Baseline, baselineOf, controlOf, goodArgs } from './calls/control.ts';
import { type InvalidArgument, invalidArgumentsOf } from './invalid-values.ts';
import { provenTogether } from './proven-together.ts';

/** What the requests with several invalid values of an operation show. */
export interface Refusals {
  /**
   * By the key of a value: the refusal that names it, or the answer that accepts it with good values of all others.
   * Values without one have to be sent alone; empty if a site names no refused argument.
   */
  readonly named: ReadonlyMap<string, Observation>;
  /** The keys of values that may have caused a server error; they are sent alone. */
  readonly breaking: ReadonlySet<string>;
  /** The keys of values that a read accepts without credentials alone. */
  readonly byNobody: ReadonlySet<string>;
}

/** The key of a value among those of its operation. */
export function keyOf({ parameter, value }: InvalidArgument): string {
  return `${parameter.wire} ${JSON.stringify(value)}`;
}

/**
 * If a refusal names some arguments but none of the valid ones, each named argument is refused for itself. What a
 * refusal says is up to the site (§7): values that are not named, and all values of a site that names none, are sent
 * alone.
 */
export const refusalsOf: Fixture<Refusals, [operation: Operation]> = fixture(
  'refused by name',
  async (session, operation) => {
    const breaking = new Set(await breakingBefore(session, operation));
    // Some values are refused before others, or need certain others.
    const values = invalidArgumentsOf(session, operation)
      .filter(({ parameter, value }) => value !== undefined && !requiredBeside(parameter, value)?.with)
      .filter((one) => !breaking.has(keyOf(one)));
    const nothing: Refusals = { named: new Map(), breaking, byNobody: new Set() };
    const baseline = await baselineOf(session, operation);
    if (values.length < 2 || isFinding(baseline) || baseline.open === true) return nothing;
    const good = goodArgs(session, baseline);
    const control = await controlOf(session, baseline, good);
    if (isFinding(control) || !['accepted', 'denied'].includes(control.answer)) return nothing;
    const isRead = operation.effect === 'reads';
    const send: SendTogether = (together) => {
      const invalid = Object.fromEntries(together.map(({ parameter, value }) => [parameter.wire, value]));
      const args = { ...together[0]?.beside.args, ...invalid };
      return sendProbe(session, { ...baseline, args });
    };

    const probes = planProbes(values, isRead ? [good, baseline.args] : [good], session.seed);
    const { refused, broken } = await askTogether(probes, Object.keys(good), send);
    for (const probe of broken) breaking.add(keyOf(probe));
    // The remaining values are sent with good ones, which also finds values that are only validated alone.
    const isLeft = (probe: Probe): boolean => !refused.has(probe) && !breaking.has(keyOf(probe));
    const left = isRead && refused.size > 0 ? probes.filter(isLeft) : [];
    const answers = new Map([...refused, ...(await askOneByOne(left, send))]);
    const named = namedBy(probes, answers);
    const isRefused = (one: InvalidArgument): boolean => named.get(keyOf(one))?.answer === 'refused';
    const isNaming = refused.size > 0;
    const open = isRead
      ? await acceptedByNobody(session, baseline, isNaming ? values.filter(isRefused) : values, isNaming)
      : [];
    return { named: new Map([...named, ...open]), breaking, byNobody: new Set(open.map(([key]) => key)) };
  },
);

/**
 * The values of those that a read refuses to the user, or may refuse, that it accepts without credentials, by key:
 * software may check arguments otherwise for some callers or contexts. Two of each parameter are sent, one in the
 * context of embedded records, and numbers beyond a maximum alone if the site does not name what it refuses.
 */
async function acceptedByNobody(
  session: Session,
  baseline: Baseline,
  refused: readonly InvalidArgument[],
  isNaming: boolean,
): Promise<(readonly [string, Observation])[]> {
  const { operation, as, args } = baseline;
  // Children are seldom read without credentials.
  if (as === 'anonymous' || operation.resource?.parent !== undefined) return [];
  const byParameter = [...Map.groupBy(refused.toSorted(boundsFirst), ({ parameter }) => parameter).values()];
  const context = parameterNamed(operation, 'context');
  const takesEmbed = context?.schema.enum?.includes('embed') === true;
  const inEmbed = takesEmbed ? byParameter.filter(([first]) => first?.parameter !== context) : [];
  const most = byParameter.length;
  const usual = { args, most };
  const embed = { args: { ...args, ...(context && { [context.wire]: 'embed' }) }, most };
  const firstOf = inEmbed.flatMap(([one]) => (one === undefined ? [] : [{ ...one, beside: embed }]));
  const lastOf = byParameter.flatMap((some) => {
    const one = some.findLast(({ value }) => Number.isInteger(value)) ?? some.at(-1);
    return one === undefined ? [] : [{ ...one, beside: usual }];
  });
  const beyond = byParameter.flatMap(([one]) => (one !== undefined && Number(one.value) > 1 ? [one] : []));
  const contexts = takesEmbed ? [usual, embed] : [usual];
  const alone = isNaming ? [] : beyond.flatMap((one) => contexts.map((beside) => [{ ...one, beside }]));
  const accepted: (readonly [string, Observation])[] = [];
  for (const group of [firstOf, lastOf, ...alone])
    accepted.push(...(await acceptedOf(group, session, baseline, isNaming)));
  return accepted;
}

/** The probes of distinct parameters that are accepted together: software names what it refuses in stages. */
async function acceptedOf(
  probes: readonly Probe[],
  session: Session,
  baseline: Baseline,
  isNaming: boolean,
): Promise<(readonly [string, Observation])[]> {
  const [first] = probes;
  if (first === undefined) return [];
  const invalid = Object.fromEntries(probes.map(({ parameter, value }) => [parameter.wire, value]));
  const send = (as: Baseline['as'], others: Args): Promise<Observation> =>
    sendProbe(session, { ...baseline, as, args: { ...others, ...invalid } });
  const answer = await send('anonymous', first.beside.args);
  // That anonymous callers get a page instead is reported once, by the check of what they are answered.
  if (lacksJson(answer)) return [];
  if (answer.answer === 'accepted') {
    // What the user may send too is reported by the values that are sent alone; names have shown that it is refused.
    const isForAll = !isNaming && (await send('user', baseline.args)).answer === 'accepted';
    return isForAll ? [] : probes.map((one) => [keyOf(one), answer] as const);
  }
  const refused = answer.answer === 'refused' ? namesRefused(answer) : [];
  const left = probes.filter(({ parameter }) => !refused.includes(parameter.wire));
  return left.length === probes.length ? [] : acceptedOf(left, session, baseline, isNaming);
}

/** What caused a server error in the previous write: records of all kinds often share code. */
async function breakingBefore(session: Session, operation: Operation): Promise<ReadonlySet<string>> {
  const writes = session.contract.operations.filter(({ effect }) => effect === 'writes');
  const before = writes[writes.indexOf(operation) - 1];
  return before === undefined ? new Set() : (await refusalsOf(session, before)).breaking;
}

/** A value that must be refused, and the other arguments of its request, with the most values beside them. */
interface Probe extends InvalidArgument {
  readonly beside: { readonly args: Args; readonly most: number };
}

/** Sends the values of probes in one request, each for another parameter, with the same other arguments. */
type SendTogether = (together: readonly Probe[]) => Promise<Observation>;

/**
 * Plans which values to send together. A request holds one value per parameter, so the parameter with the most values
 * determines the number of requests. Software may validate an argument only with, or only without, others: requests are
 * divided among the sets of other arguments, and values repeat in each set as far as there is room.
 */
function planProbes(values: readonly InvalidArgument[], sets: readonly Args[], seed: number): Probe[] {
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
    const beside = { args, most };
    // Parameters with the most remaining values come first, so that the last requests are full too.
    return chosen
      .flatMap((list) =>
        list.map((value, place) => ({ left: list.length - place, probe: { ...value, beside } })),
      )
      .toSorted((one, other) => other.left - one.left)
      .map(({ probe }) => probe);
  });
}

/** The values of each parameter. The longest list loses one, which is sent alone: others could hide it. */
function listsToShare(values: readonly InvalidArgument[], seed: number): InvalidArgument[][] {
  const distinct = [...new Map(values.map((one) => [keyOf(one), one])).values()];
  const byParameter = Map.groupBy(shuffled(distinct, seed), ({ parameter }) => parameter.wire);
  const [longest = [], ...others] = [...byParameter.values()]
    .toSorted((one, other) => other.length - one.length)
    .map((list) => list.toSorted(boundsFirst));
  return [longest.slice(0, -1), ...others];
}

/** Sorts numbers beyond a bound first, the largest before others: they are the only values of their check. */
function boundsFirst({ value: one }: InvalidArgument, { value: other }: InvalidArgument): number {
  const rank = (value: unknown): number =>
    typeof value === 'number' && value % 1 === 0 ? value : -Number.MAX_VALUE;
  return rank(other) - rank(one);
}

/** Sends many values at once. @returns the refusals that name a value, and the values that break the site */
async function askTogether(
  probes: readonly Probe[],
  good: readonly string[],
  send: SendTogether,
): Promise<{ readonly refused: ReadonlyMap<Probe, Observation>; readonly broken: ReadonlySet<Probe> }> {
  const refused = new Map<Probe, Observation>();
  const broken = new Set<Probe>();
  const fits = (together: readonly Probe[], probe: Probe): boolean =>
    together.length < probe.beside.most &&
    canShareRequest(together, probe) &&
    // At least one argument is valid, and the refusal must not name it.
    good.some((name) => [...together, probe].every(({ parameter }) => parameter.wire !== name));
  await provenTogether(probes, fits, async (together) => {
    const answer = await send(together);
    const isBroken = answer.answer === 'broken';
    for (const probe of together) {
      if (isBroken) broken.add(probe);
      else broken.delete(probe);
    }
    if (isBroken) return 'broken';
    const named = shownRefused(answer, together);
    for (const probe of named ?? []) refused.set(probe, answer);
    // A site that named refusals once also does so with other arguments.
    return named?.length === 0 && refused.size === 0 ? undefined : named;
  });
  return { refused, broken };
}

/** The values that a refusal names; undefined if it names others too. */
function shownRefused(answer: Observation, together: readonly Probe[]): Probe[] | undefined {
  const names = answer.answer === 'refused' ? namesRefused(answer) : [];
  const named = together.filter(({ parameter }) => names.includes(parameter.wire));
  return names.length > named.length ? undefined : named;
}

/** Whether a value may share a request: the same other arguments, and another parameter. */
function canShareRequest(others: readonly Probe[], { parameter, beside }: Probe): boolean {
  return others.every((other) => other.beside === beside && other.parameter !== parameter);
}

/** Sends each value with good ones of all others; the parameters that accept an invalid value together. */
async function askOneByOne(
  probes: readonly Probe[],
  send: SendTogether,
): Promise<ReadonlyMap<Probe, Observation>> {
  const answers = new Map<Probe, Observation>();
  const lenient = new Set<string>();
  const askAlone = async (probe: Probe): Promise<void> => {
    const { wire } = probe.parameter;
    const answer = await send([probe]);
    if (answer.answer === 'accepted') lenient.add(wire);
    const isNamed = answer.answer === 'refused' && namesRefused(answer).join() === wire;
    if (isNamed || answer.answer === 'accepted') answers.set(probe, answer);
  };
  const further: Probe[] = [];
  for (const probe of probes) {
    if (lenient.has(probe.parameter.wire)) further.push(probe);
    else await askAlone(probe);
  }
  const taken = await provenTogether(further, canShareRequest, async (together) => {
    const answer = await send(together);
    if (answer.answer !== 'accepted') return [];
    for (const probe of together) answers.set(probe, answer);
    return together;
  });
  for (const probe of further) if (!taken.has(probe)) await askAlone(probe);
  return answers;
}

/** The verdict of each value by its key: refused with everything it was sent with, or accepted with anything. */
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
