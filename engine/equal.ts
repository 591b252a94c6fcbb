import { isObject } from '../client/json.ts';

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
