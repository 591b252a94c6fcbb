import { isObject } from '../client/json.ts';
import type { Observation } from '../client/observation.ts';

/**
 * Whether two JSON values mean the same where the interface is not exact: an empty object is an empty array (R30),
 * the order of members never matters, and neither does the order of a list of plain values.
 */
export function sameMeaning(one: unknown, other: unknown): boolean {
  return meaningOf(one) === meaningOf(other);
}

/** A text that is the same for values that mean the same. */
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

/** How two answers compare; `unread` where one of them is more than is read, which proves nothing either way. */
export type Likeness = 'same' | 'different' | 'unread';

/** A difference that stood, or why there is none to be believed. */
type Compared =
  | { readonly end: 'same' }
  | { readonly end: 'unread' }
  | { readonly end: 'unsteady' }
  | { readonly end: 'different'; readonly first: Observation; readonly other: Observation };

/** A site on which somebody is at work gets another chance. */
const MOST_TURNS = 3;

/** Whether two answers say the same. @param view what of the JSON counts */
export function likenessOf(
  one: Observation,
  other: Observation,
  view: (json: unknown) => unknown = (json) => json,
): Likeness {
  if (one.tooLarge === true || other.tooLarge === true) return 'unread';
  if (one.status !== other.status) return 'different';
  return one.text === other.text || sameMeaning(view(one.json), view(other.json)) ? 'same' : 'different';
}

/**
 * Asks in two ways, side by side, whether they are answered alike. A difference is believed only between equal readings,
 * and twice, because somebody may be writing meanwhile, and what is made and gone again looks as if nothing had moved.
 */
export async function compareAsked(
  ask: () => Promise<Observation>,
  askOther: () => Promise<Observation>,
  view?: (json: unknown) => unknown,
): Promise<Compared> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const [first, other, again] = [await ask(), await askOther(), await ask()];
    const [another, last] = [await askOther(), await ask()];
    const all = [first, other, again, another, last];
    if (all.some(({ answer }) => answer === 'throttled' || answer === 'denied')) break;
    const likeness = likenessOf(first, other, view);
    if (likeness === 'same') return { end: 'same' };
    if (likeness === 'unread') return { end: 'unread' };
    const stood = [
      likenessOf(first, again, view),
      likenessOf(first, last, view),
      likenessOf(other, another, view),
    ];
    if (stood.every((one) => one === 'same')) return { end: 'different', first, other };
  }
  return { end: 'unsteady' };
}

/** How a declaration differs from the contract. */
export interface Difference {
  readonly message: string;
  readonly expected: string;
  readonly observed: string;
  /** Where nothing but this differs: the words that a declared enum has beside those of the contract. */
  readonly adds?: readonly string[];
  /** Nothing is contradicted, but it could not be compared. */
  readonly undecided?: boolean;
  /** It is worth a warning, and no more. */
  readonly advisory?: boolean;
}
