import { lacksJson, namesRefused } from '../../client/answer.ts';
import type { Observation } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { present } from '../../engine/text.ts';
import { shuffled } from '../../generators/explore.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { parameterNamed } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import { requiredBeside } from './calls/argument-values.ts';
import { sendProbe } from './calls/call.ts';
import { type Baseline, baselineOf, controlOf, goodArgs } from './calls/control.ts';
import { type InvalidArgument, invalidArgumentsOf } from './invalid-values.ts';
import { provenTogether } from './proven-together.ts';

/** What requests with several invalid values of an operation show of each value, by its `keyOf`. */
export interface Refusals {
  /** The refusal that names a value, or the answer that accepts it with good values of all other parameters. */
  readonly answers: ReadonlyMap<string, Observation>;
  /** Values that may have caused a server error, which are sent alone. */
  readonly breaking: ReadonlySet<string>;
  /** Values that a read accepts without credentials only. */
  readonly byAnonymous: ReadonlySet<string>;
}

/** The key of a value among those of its operation. */
export function keyOf({ parameter, value }: InvalidArgument): string {
  return `${parameter.wire} ${JSON.stringify(value)}`;
}

/** Valid arguments that invalid values are sent with, and how many of them fit into a request at most. */
interface SharedArgs {
  readonly args: Args;
  readonly most: number;
}

/** An invalid value to be sent. The same value is another probe with other arguments. */
interface Probe extends InvalidArgument {
  readonly beside: SharedArgs;
}

type Answers = ReadonlyMap<Probe, Observation>;

/** Sends probes of several parameters, all with the same other arguments, in one request. */
type SendTogether = (together: readonly Probe[]) => Promise<Observation>;

/**
 * Sends several invalid values in each request: if a refusal names some arguments but none of the valid ones, each named
 * argument is refused for itself. What a refusal says is up to the site (§7): values without an answer here, and all
 * values of a site that names none, are sent alone.
 */
export const refusalsOf: Fixture<Refusals, [operation: Operation]> = fixture(
  'refused by name',
  async (session, operation) => {
    const breaking = new Set(await breakingBefore(session, operation));
    // An argument can be sent with others if it is there, and needs no other one.
    const values = invalidArgumentsOf(session, operation).filter(
      ({ parameter, value }) =>
        value !== undefined &&
        requiredBeside(parameter, value)?.with === undefined &&
        !breaking.has(keyOf({ parameter, value })),
    );
    const baseline = await baselineOf(session, operation);
    const nothing: Refusals = { answers: new Map(), breaking, byAnonymous: new Set() };
    if (values.length < 2 || isFinding(baseline) || baseline.open === true) return nothing;
    const good = goodArgs(session, baseline);
    const control = await controlOf(session, baseline, good);
    if (isFinding(control) || !['accepted', 'denied'].includes(control.answer)) return nothing;

    const isRead = operation.effect === 'reads';
    const probes = planProbes(values, isRead ? [good, baseline.args] : [good], session.seed);
    const send: SendTogether = (together) =>
      sendProbe(session, { ...baseline, args: { ...together[0]?.beside.args, ...argsOf(together) } });
    const { refused, broken } = await refusedTogether(probes, Object.keys(good), send);
    for (const probe of broken) breaking.add(keyOf(probe));
    if (!isRead) return { ...nothing, answers: byKey(probes, refused) };

    const isNaming = refused.size > 0;
    const isLeft = (probe: Probe): boolean => !refused.has(probe) && !breaking.has(keyOf(probe));
    const singly = await askedSingly(isNaming ? probes.filter(isLeft) : [], send);
    const answers = byKey(probes, new Map([...refused, ...singly]));
    const isRefused = (one: InvalidArgument): boolean => answers.get(keyOf(one))?.answer === 'refused';
    const refusedToUser = isNaming ? values.filter(isRefused) : values;
    const open = await acceptedByAnonymous(session, baseline, refusedToUser, isNaming);
    return { answers: new Map([...answers, ...open]), breaking, byAnonymous: new Set(open.keys()) };
  },
);

/** What caused a server error in the previous write: records of all kinds often share code. */
async function breakingBefore(session: Session, operation: Operation): Promise<ReadonlySet<string>> {
  const writes = session.contract.operations.filter(({ effect }) => effect === 'writes');
  const before = writes[writes.indexOf(operation) - 1];
  return before === undefined ? new Set() : (await refusalsOf(session, before)).breaking;
}

function argsOf(values: readonly InvalidArgument[]): Args {
  return Object.fromEntries(values.map(({ parameter, value }) => [parameter.wire, value]));
}

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
    const start = at * share;
    const chosen = lists.map((list) =>
      [...list.slice(start), ...list.slice(0, start)].slice(0, Math.min(share, requests - start)),
    );
    const most = Math.ceil(chosen.flat().length / Math.max(...chosen.map(({ length }) => length)));
    const beside = { args, most };
    // Parameters with the most remaining values come first, so that the last requests are full too.
    const ranked = chosen.flatMap((list) => list.map((one, place) => ({ one, left: list.length - place })));
    return ranked.toSorted((a, b) => b.left - a.left).map(({ one }) => ({ ...one, beside }));
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
async function refusedTogether(
  probes: readonly Probe[],
  good: readonly string[],
  send: SendTogether,
): Promise<{ readonly refused: Answers; readonly broken: ReadonlySet<Probe> }> {
  const refused = new Map<Probe, Observation>();
  const broken = new Set<Probe>();
  // Another value of a parameter that breaks the site probably breaks it too, and is sent alone.
  const isBreaking = (one: Probe): boolean =>
    [...broken].some(({ parameter }) => parameter === one.parameter);
  const fits = (together: readonly Probe[], probe: Probe): boolean =>
    together.length < probe.beside.most &&
    canShareRequest(together, probe) &&
    ![...together, probe].some(isBreaking) &&
    // At least one argument is valid, and the refusal must not name it.
    good.some((name) => [...together, probe].every(({ parameter }) => parameter.wire !== name));
  await provenTogether(probes, fits, async (together) => {
    const answer = await send(together);
    if (answer.answer === 'broken') {
      for (const probe of together) broken.add(probe);
      return 'broken';
    }
    for (const probe of together) broken.delete(probe);
    const names = namesRefused(answer);
    const named = together.filter(({ parameter }) => names.includes(parameter.wire));
    // A refusal that names others too shows nothing.
    if (names.length > named.length) return 'useless';
    for (const probe of named) refused.set(probe, answer);
    // A site that named refusals once also does so with other arguments.
    return named.length === 0 && refused.size === 0 ? 'useless' : named;
  });
  return { refused, broken };
}

/** Whether a value may share a request: the same other arguments, and another parameter. */
function canShareRequest(others: readonly Probe[], { parameter, beside }: Probe): boolean {
  return others.every((other) => other.beside === beside && other.parameter !== parameter);
}

/**
 * Sends each value with good ones of all others, which also finds values that are only validated alone. Parameters that
 * accept one invalid value are sent together.
 */
async function askedSingly(probes: readonly Probe[], send: SendTogether): Promise<Answers> {
  const answers = new Map<Probe, Observation>();
  const lenient = new Set<string>();
  const askAlone = async (probe: Probe): Promise<void> => {
    const { wire } = probe.parameter;
    const answer = await send([probe]);
    if (answer.answer === 'accepted') lenient.add(wire);
    if (answer.answer === 'accepted' || namesRefused(answer).join() === wire) answers.set(probe, answer);
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

/** The answer to each value by its key: an acceptance with any arguments, or a refusal with all that it was sent with. */
function byKey(probes: readonly Probe[], answers: Answers): ReadonlyMap<string, Observation> {
  const known = [...Map.groupBy(probes, keyOf)].map(([key, same]) => {
    const seen = same.flatMap((probe) => answers.get(probe) ?? []);
    const accepted = seen.find(({ answer }) => answer === 'accepted');
    return [key, accepted ?? (seen.length === same.length ? seen[0] : undefined)] as const;
  });
  return new Map(known.flatMap(([key, answer]) => (answer === undefined ? [] : [[key, answer] as const])));
}

/**
 * The values that a read accepts without credentials, of those that it refuses to the user, or may refuse: software may
 * check arguments otherwise for some callers or contexts. Two of each parameter are sent, one in the context of embedded
 * records, and numbers beyond a maximum alone if the site does not name what it refuses.
 */
async function acceptedByAnonymous(
  session: Session,
  baseline: Baseline,
  refused: readonly InvalidArgument[],
  isNaming: boolean,
): Promise<ReadonlyMap<string, Observation>> {
  const { operation, as, args } = baseline;
  const accepted = new Map<string, Observation>();
  // Children are seldom read without credentials.
  if (as === 'anonymous' || operation.resource?.parent !== undefined) return accepted;
  const byParameter = [...Map.groupBy(refused.toSorted(boundsFirst), ({ parameter }) => parameter).values()];
  const firsts = byParameter.flatMap(([first]) => first ?? []);
  const lasts = byParameter.flatMap(
    (some) => some.findLast(({ value }) => Number.isInteger(value)) ?? some.at(-1) ?? [],
  );
  const context = parameterNamed(operation, 'context');
  const embed = context?.schema.enum?.includes('embed') === true && { ...args, [context.wire]: 'embed' };
  const contexts = embed ? [args, embed] : [args];
  const beyond = isNaming ? [] : firsts.filter(({ value }) => Number(value) > 1);
  const groups = present([
    embed && { values: firsts.filter(({ parameter }) => parameter !== context), beside: embed },
    { values: lasts, beside: args },
    beyond.flatMap((one) => contexts.map((beside) => ({ values: [one], beside }))),
  ]);
  for (const { values, beside } of groups) {
    const known = await acceptedOf(values, beside, session, baseline, isNaming);
    for (const [key, answer] of known) accepted.set(key, answer);
  }
  return accepted;
}

/** The values of distinct parameters that are accepted together: software names what it refuses in stages. */
async function acceptedOf(
  values: readonly InvalidArgument[],
  beside: Args,
  session: Session,
  baseline: Baseline,
  isNaming: boolean,
): Promise<(readonly [key: string, Observation])[]> {
  if (values.length === 0) return [];
  const send = (as: Baseline['as'], others: Args): Promise<Observation> =>
    sendProbe(session, { ...baseline, as, args: { ...others, ...argsOf(values) } });
  const answer = await send('anonymous', beside);
  // That anonymous callers get a page instead is reported once, by the check of what they are answered.
  if (lacksJson(answer)) return [];
  if (answer.answer === 'accepted') {
    // What the user may send too is reported by the values that are sent alone; names have shown that it is refused.
    const isForAll = !isNaming && (await send('user', baseline.args)).answer === 'accepted';
    return isForAll ? [] : values.map((one) => [keyOf(one), answer] as const);
  }
  const refused = namesRefused(answer);
  const left = values.filter(({ parameter }) => !refused.includes(parameter.wire));
  return left.length === values.length ? [] : acceptedOf(left, beside, session, baseline, isNaming);
}
