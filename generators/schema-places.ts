import type { Schema } from '../specs/schema.ts';
import { plainItems, plainObject, writableMembers } from './valid-values.ts';

/** The name of a member for objects without named members. */
const ANY_MEMBER = 'sample';

/** A part of a schema, and how to make a value of the whole from a value of the part. */
interface Place {
  /** As in check ids: `items`, `properties/terms`; empty for the schema itself. */
  readonly place: string;
  readonly schema: Schema;
  /** Puts a value at this place of an otherwise plain valid value. */
  readonly around: (part: unknown) => unknown;
  /** Set if nothing is asserted: the object shows more than it accepts, and may be written in another form (R34). */
  readonly silent: boolean;
}

/** A schema and all its parts that can be sent, the outermost first. */
export function placesOf(schema: Schema): Place[] {
  return inside({ place: '', schema, around: (part) => part, silent: false });
}

function inside(outer: Place): Place[] {
  const { schema, around, silent } = outer;
  const found = [outer];
  const enter = (step: string, part: Schema, wrap: (part: unknown) => unknown, quiet: boolean): void => {
    const place = outer.place === '' ? step : `${outer.place}/${step}`;
    found.push(...inside({ place, schema: part, around: (value) => around(wrap(value)), silent: quiet }));
  };
  if (schema.enum !== undefined) return found;
  if (schema.items !== undefined && schema.maxItems !== 0) {
    const others = Math.max(0, (schema.minItems ?? 0) - 1);
    enter('items', schema.items, (item) => [item, ...plainItems(schema, others, item)], silent);
  }
  const showsMore = Object.values(schema.properties ?? {}).some(({ readOnly }) => readOnly === true);
  for (const [name, member] of writableMembers(schema)) {
    const step = `properties/${member['x-neutral'] ?? name}`;
    enter(step, member, (value) => ({ ...plainObject(schema), [name]: value }), silent || showsMore);
  }
  if (typeof schema.additionalProperties === 'object') {
    const wrap = (value: unknown): unknown => ({ ...plainObject(schema), [ANY_MEMBER]: value });
    enter('members', schema.additionalProperties, wrap, silent);
  }
  return found;
}

/** Whether a place is an item of a list. */
export function isItem({ place }: Place): boolean {
  return place === 'items' || place.endsWith('/items');
}
