import { isObject } from '../client/json.ts';
import type { Observation } from '../client/observation.ts';

/** Whether two JSON values mean the same: an empty object equals an empty array (R30), and order does not matter. */
export function sameMeaning(one: unknown, other: unknown): boolean {
  return meaningOf(one) === meaningOf(other);
}

/** A text that is equal for values of the same meaning. */
export function meaningOf(value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map(meaningOf);
    const plain = value.every((item) => typeof item !== 'object' || item === null);
    return `[${(plain ? items.sort() : items).join(',')}]`;
  }
  if (isObject(value)) {
    const members = Object.keys(value).sort();
    if (members.length === 0) return '[]';
    return `{${members.map((name) => `${JSON.stringify(name)}:${meaningOf(value[name])}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

/**
 * Where two JSON values first differ in meaning, as a path such as `[0].title`, and what stands there; undefined if both
 * mean the same. Lists of different lengths differ as wholes.
 */
export function firstDifference(
  one: unknown,
  other: unknown,
  path = '',
): { readonly path: string; readonly one: unknown; readonly other: unknown } | undefined {
  if (sameMeaning(one, other)) return undefined;
  for (const [place, inner, otherInner] of innerPairs(one, other)) {
    const found = firstDifference(inner, otherInner, path === '' ? place.replace(/^\./, '') : path + place);
    if (found !== undefined) return found;
  }
  return { path, one, other };
}

/** What stands in the same places of two lists of one length, or of two objects. */
function innerPairs(
  one: unknown,
  other: unknown,
): readonly (readonly [place: string, one: unknown, other: unknown])[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.map((value, at) => [`[${at}]`, value, other[at]]);
  if (!isObject(one) || !isObject(other)) return [];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].map((name) => [`.${name}`, one[name], other[name]]);
}

/** How two answers compare; `unread` if one of them is too large to read, which proves nothing. */
export type Likeness = 'same' | 'different' | 'unread';

type Compared =
  | { readonly end: 'same' }
  | { readonly end: 'unread' }
  | { readonly end: 'unsteady' }
  | { readonly end: 'different'; readonly first: Observation; readonly other: Observation };

/** How often a comparison is repeated on a site that is changing. */
const MOST_TURNS = 3;

/** Whether two answers say the same; what a refusal says is silent (§7). @param view the part of the JSON that counts */
export function likenessOf(
  one: Observation,
  other: Observation,
  view: (json: unknown) => unknown = (json) => json,
): Likeness {
  if (one.tooLarge === true || other.tooLarge === true) return 'unread';
  if (one.status !== other.status) return 'different';
  if (one.answer === 'refused' && other.answer === 'refused') return 'same';
  return one.text === other.text || sameMeaning(view(one.json), view(other.json)) ? 'same' : 'different';
}

/** Compares the answers to two requests between equal readings. A difference counts in two turns, because of chance. */
export async function compareAsked(
  ask: () => Promise<Observation>,
  askOther: () => Promise<Observation>,
  view?: (json: unknown) => unknown,
): Promise<Compared> {
  let isShown = false;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const [first, other, again] = [await ask(), await askOther(), await ask()];
    const [another, last] = [await askOther(), await ask()];
    const all = [first, other, again, another, last];
    if (all.some(({ answer }) => answer === 'throttled' || answer === 'denied')) break;
    const likeness = likenessOf(first, other, view);
    if (likeness !== 'different') return { end: likeness };
    const repeated = [likenessOf(first, again, view), likenessOf(first, last, view)];
    if ([...repeated, likenessOf(other, another, view)].some((one) => one !== 'same')) continue;
    if (isShown) return { end: 'different', first, other };
    isShown = true;
  }
  return { end: 'unsteady' };
}

/** How a declaration differs from the contract. */
export interface Difference {
  readonly message: string;
  readonly expected: string;
  readonly observed: string;
  /** Set if this is the only difference: the words that a declared enum has beyond the contract. */
  readonly adds?: readonly string[];
  /** It could not be compared; nothing is contradicted. */
  readonly undecided?: boolean;
  readonly advisory?: boolean;
  readonly refused?: true;
  /** The keyword itself has a form that it cannot have, so its value says nothing. */
  readonly malformed?: boolean;
  /** The place is declared with other types, which have no such part. */
  readonly mistyped?: boolean;
}
