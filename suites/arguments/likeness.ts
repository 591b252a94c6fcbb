import { isObject } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { type Likeness, likenessOf } from '../../engine/equal.ts';
import { fixture, type Session } from '../../engine/session.ts';
import type { Operation } from '../../specs/model.ts';
import { toRequest } from './call.ts';
import type { Baseline } from './control.ts';

/** No software gives a meaning to this name. */
export const UNKNOWN = { x_not_a_parameter: 'sample' };

/** Calls of one operation that differ in an argument. */
export interface Compared {
  readonly session: Session;
  readonly operation: Operation;
  readonly baseline: Baseline;
}

/**
 * Whether two calls that differ in an argument are answered alike, but for rendered texts where they depend on the address: a form in a
 * page names the address that was asked, whatever its arguments mean.
 * @param view what of the JSON counts
 */
export async function likenessBeside(
  { session, operation, baseline }: Compared,
  one: Observation,
  other: Observation,
  view: (json: unknown) => unknown = (json) => json,
): Promise<Likeness> {
  const likeness = likenessOf(one, other, view);
  if (likeness !== 'different' || !differInTexts(one, other, view)) return likeness;
  return (await dependOnAddress(session, operation, baseline)) ? 'same' : 'different';
}

/** Whether two answers differ in rendered texts, and in nothing else. */
export function differInTexts(
  one: Observation,
  other: Observation,
  view: (json: unknown) => unknown = (json) => json,
): boolean {
  const likeness = likenessOf(one, other, (json) => withoutTexts(view(json)));
  return likeness === 'same' && likenessOf(one, other, view) === 'different';
}

/** A record, or a list of them, with no more of its rendered texts than that there is one: no address makes a text of nothing. */
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

/** Whether something is rendered, markup and blanks apart. */
function isText(rendered: unknown): boolean {
  return typeof rendered === 'string' && rendered.replaceAll(/<[^>]*>/g, '').trim() !== '';
}

/** Whether rendered texts are other ones beside a parameter that means nothing. */
const dependOnAddress = fixture(
  'texts that depend on the address',
  async (session, operation: Operation, baseline: Baseline): Promise<boolean> => {
    const plain = await session.ask(toRequest({ operation, ...baseline }));
    const args = { ...baseline.args, ...UNKNOWN };
    return differInTexts(plain, await session.ask(toRequest({ operation, ...baseline, args })));
  },
  (operation, { route, as }) => [operation, route, as],
);
