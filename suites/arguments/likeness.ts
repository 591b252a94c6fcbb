import { isObject } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { type Likeness, likenessOf } from '../../engine/equal.ts';
import { fixture, type Session } from '../../engine/session.ts';
import { toRequest } from './call.ts';
import type { Baseline } from './control.ts';

/** A parameter that no software knows. */
export const UNKNOWN = { x_not_a_parameter: 'sample' };

/** Calls of one operation that differ in one argument. */
export interface Compared {
  readonly session: Session;
  readonly baseline: Baseline;
}

/** Compares the answers to two calls that differ in one argument, except for texts that contain the address. */
export async function likenessBeside(
  { session, baseline }: Compared,
  one: Observation,
  other: Observation,
  view: (json: unknown) => unknown = (json) => json,
): Promise<Likeness> {
  const likeness = likenessOf(one, other, view);
  if (likeness !== 'different' || !differInTexts(one, other, view)) return likeness;
  return (await dependOnAddress(session, baseline)) ? 'same' : 'different';
}

/** Whether two answers differ only in rendered texts. */
export function differInTexts(
  one: Observation,
  other: Observation,
  view: (json: unknown) => unknown = (json) => json,
): boolean {
  const likeness = likenessOf(one, other, (json) => withoutTexts(view(json)));
  return likeness === 'same' && likenessOf(one, other, view) === 'different';
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
    Object.entries(value).map(([name, one]) => [name, name === 'rendered' ? isText(one) : one]),
  );
}

/** Whether a rendered text has more than markup and blanks. */
function isText(rendered: unknown): boolean {
  return typeof rendered === 'string' && rendered.replaceAll(/<[^>]*>/g, '').trim() !== '';
}

/** Whether rendered texts change with an unknown parameter. */
const dependOnAddress = fixture(
  'texts that depend on the address',
  async (session, baseline: Baseline): Promise<boolean> => {
    const plain = await session.ask(toRequest(baseline));
    const args = { ...baseline.args, ...UNKNOWN };
    return differInTexts(plain, await session.ask(toRequest({ ...baseline, args })));
  },
  ({ operation, route, as }) => [operation, route, as],
);
