import { isObject } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { compareAsked, type Likeness, likenessOf, sameMeaning } from '../../../engine/equal.ts';
import { fixture, type Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { UNKNOWN } from '../../../probing/records/reading/list-request.ts';
import { toRequest } from './call.ts';
import type { Baseline } from './control.ts';

/** Calls of one operation that differ in one argument. */
export interface Compared {
  readonly session: Session;
  readonly baseline: Baseline;
}

type View = (json: unknown) => unknown;

/** Compares the answers to two calls that differ in one argument, except for what depends on the address or the moment. */
export async function likenessBeside(
  compared: Compared,
  one: Observation,
  other: Observation,
): Promise<Likeness> {
  const likeness = likenessOf(one, other);
  if (likeness !== 'different') return likeness;
  const { session, baseline } = compared;
  if (differInTexts(one, other)) return (await dependOnAddress(session, baseline)) ? 'same' : 'different';
  const changed = changedMembers(one.json, other.json);
  if (changed.size === 0) return 'different';
  const moving = await movingMembers(session, baseline);
  if (!changed.isSubsetOf(moving)) await learnMoving(compared);
  return changed.isSubsetOf(moving) ? 'same' : 'different';
}

/**
 * Asks a call of before again, to learn which members of its answer change by themselves. The address is another one,
 * because a cache keeps what was made for each address, unless the answer repeats what was sent (§1).
 * @param args added to the baseline
 */
export async function learnMoving(compared: Compared, args: Args = {}): Promise<void> {
  const { session, baseline } = compared;
  const spec = (more: Args): RequestSpec => toRequest(baseline, { ...args, ...more });
  const before = await session.ask(spec({}));
  const elsewhere = await askElsewhere(session, spec(UNKNOWN));
  const now = elsewhere?.answer === before.answer ? elsewhere : await session.client.request(spec({}));
  const moving = await movingMembers(session, baseline);
  // A cache may ignore the parameter that nothing knows.
  const answers = Object.keys(args).length > 0 ? [now, await inOtherWords(compared, args)] : [now];
  for (const { answer, json } of answers) {
    if (answer !== before.answer) continue;
    for (const name of changedMembers(before.json, json, true)) moving.add(name);
  }
}

/** The answer to a call beside the parameter that nothing knows; undefined if it repeats that. */
async function askElsewhere({ client }: Session, spec: RequestSpec): Promise<Observation | undefined> {
  const answer = await client.request(spec);
  return Object.keys(UNKNOWN).some((name) => answer.text.includes(name)) ? undefined : answer;
}

/** The answer to the same call in other words, which is another address: values are sent twice, the route with %2F. */
function inOtherWords({ session, baseline }: Compared, more: Args): Promise<Observation> {
  const args = { ...baseline.args, ...more };
  const { query = [], ...spec } = toRequest({ ...baseline, args, encodesSlashes: true });
  const plain = Object.entries(args).filter(([, value]) => typeof value !== 'object');
  return session.client.request({ ...spec, query: [...query, ...encodeArgs(Object.fromEntries(plain))] });
}

/**
 * Two answers may differ because something in front of the site keeps one for each address, made at different moments.
 * @throws Aborted if one of two calls, without and with arguments, gets another answer at another address, apart from texts
 */
export async function mustNotBeKept(compared: Compared, args: Args, { first, other }: Both): Promise<void> {
  const { session, baseline } = compared;
  const plain = toRequest(baseline, UNKNOWN);
  const view = await steadyView(compared, withoutTexts);
  const isKept = (answer: Observation, again: Observation | undefined): boolean =>
    again?.answer === 'accepted' && likenessOf(answer, again, view) === 'different';
  if (
    isKept(other, await inOtherWords(compared, args)) ||
    isKept(first, await askElsewhere(session, plain))
  ) {
    throw inconclusiveAbort(
      'something keeps the answers for each address, which differ from moment to moment',
    );
  }
}

/** A view without the members that are known to change by themselves. @param view applied before */
export async function steadyView(
  { session, baseline }: Compared,
  view: View = (json) => json,
): Promise<View> {
  const moving = await movingMembers(session, baseline);
  const steady: View = (json) => {
    if (Array.isArray(json)) return json.map(steady);
    if (!isObject(json)) return json;
    return Object.fromEntries(Object.entries(json).filter(([name]) => !moving.has(name)));
  };
  return (json) => steady(view(json));
}

/** The answers to a request without and with some arguments. */
export interface Both {
  readonly first: Observation;
  readonly other: Observation;
}

/**
 * Sends a baseline request without and with arguments, side by side, because the site may change between requests.
 * Returns undefined if both answers are equal but for members that change by themselves.
 * @throws Aborted if that is inconclusive
 */
export async function askBoth(compared: Compared, args: Args): Promise<Both | undefined> {
  const { session, baseline } = compared;
  const ask = (more: Args) => () => session.client.request(toRequest(baseline, more));
  const asked = await compareAsked(ask({}), ask(args), await steadyView(compared));
  if (asked.end === 'unread') throw inconclusiveAbort('the answer is more than is read');
  if (asked.end === 'unsteady')
    throw inconclusiveAbort('the site changed, or asked for patience, between two identical requests');
  return asked.end === 'same' ? undefined : asked;
}

/** The members that differed between two answers to one request, such as a time that a plugin counts from now. */
const movingMembers = fixture(
  'members that change by themselves',
  async (_session, _baseline: Baseline): Promise<Set<string>> => new Set(),
  ({ operation, route, as }) => [operation, route, as],
);

/**
 * The members in which the same records differ; none if the records differ.
 * @param isOneCall whether they answer one call: then a member that only one of them has comes and goes
 */
function changedMembers(one: unknown, other: unknown, isOneCall = false): Set<string> {
  const [ones, others] = [[one].flat(), [other].flat()];
  const changed = new Set<string>();
  if (ones.length !== others.length) return changed;
  for (const [at, a] of ones.entries()) {
    const b: unknown = others[at];
    if (!isObject(a) || !isObject(b) || !sameMeaning(a.id, b.id)) return new Set();
    if (!isOneCall && !sameMeaning(Object.keys(a), Object.keys(b))) return new Set();
    for (const name of Object.keys({ ...a, ...b })) if (!sameMeaning(a[name], b[name])) changed.add(name);
  }
  return changed;
}

/** Whether two answers differ only in rendered texts. */
export function differInTexts(one: Observation, other: Observation): boolean {
  return likenessOf(one, other, withoutTexts) === 'same' && likenessOf(one, other) === 'different';
}

/** A record or list in which each rendered text is reduced to whether it is empty, which no address changes. */
export function withoutTexts(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutTexts);
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withoutText(value)]));
}

function withoutText(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === 'rendered' ? showsText(one) : one]),
  );
}

function showsText(rendered: unknown): boolean {
  return typeof rendered === 'string' && rendered.replaceAll(/<[^<>]*>/g, '').trim() !== '';
}

/** Whether rendered texts change with an unknown parameter. */
const dependOnAddress = fixture(
  'texts that depend on the address',
  async (session, baseline: Baseline): Promise<boolean> => {
    const plain = await session.ask(toRequest(baseline));
    return differInTexts(plain, await session.ask(toRequest(baseline, UNKNOWN)));
  },
  ({ operation, route, as }) => [operation, route, as],
);
