import { isObject, type JsonObject } from '../client/json.ts';
import { sameMeaning } from '../engine/equal.ts';
import { type Change, change } from './change.ts';
import type { Kind } from './kinds.ts';
import { namesOf } from './surface.ts';

/** Where members stand. */
export interface Place {
  readonly id: string;
  readonly owner: string;
  readonly place: string;
}

/** Deeper than any software publishes. */
const DEEPEST = 12;
/** Members of the top level whose values say where the site is, and in which zone its dates are (§1). */
const KIND_OF_VALUE: ReadonlyMap<string, Kind> = new Map([
  ['index/root/url', 'address-changed'],
  ['index/root/home', 'address-changed'],
  ['index/root/gmt_offset', 'zone-changed'],
  ['index/root/timezone_string', 'zone-changed'],
]);

/** The changes of members that are what they are: of the top level, of an entry, of links. */
export function compareMembers(
  before: JsonObject,
  after: JsonObject,
  at: Place,
  path = '',
  depth = 0,
): Change[] {
  return namesOf(before, after).flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    const subject = path === '' ? name : `${path}/${name}`;
    const told = { ...at, id: `${at.id}/${name}`, subject, before: was, after: is };
    if (!Object.hasOwn(before, name)) return [change({ ...told, kind: 'member-added' })];
    if (!Object.hasOwn(after, name)) return [change({ ...told, kind: 'member-removed' })];
    if (sameMeaning(was, is)) return [];
    if (isObject(was) && isObject(is) && depth < DEEPEST) {
      return compareMembers(was, is, { ...at, id: told.id }, subject, depth + 1);
    }
    if (name === 'methods' && path === '') return [change({ ...told, kind: 'methods-listed' })];
    if (typeOf(was) !== typeOf(is)) return [change({ ...told, kind: 'member-type' })];
    return [change({ ...told, kind: KIND_OF_VALUE.get(told.id) ?? 'member-value' })];
  });
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}
