import type { Schema } from '../specs/schema.ts';
import { plainItems, plainObject, writableMembers } from './valid-values.ts';

/** The name of a member for objects without named members. */
const ANY_MEMBER = 'sample';

/** A part of a schema, and how to make a value of the whole from a value of the part. */
interface Place {
  readonly schema: Schema;
  readonly isItem: boolean;
  /** Puts a value at this place of an otherwise plain valid value. */
  readonly around: (part: unknown) => unknown;
  /** Set if nothing is asserted: the object shows more than it accepts, and may be written in another form (R34). */
  readonly silent: boolean;
}

/** A schema and all its parts that can be sent, the outermost first. */
export function placesOf(schema: Schema): Place[] {
  return inside({ schema, isItem: false, around: (part) => part, silent: false });
}

function inside(outer: Place): Place[] {
  const { schema, around, silent } = outer;
  const found = [outer];
  const enter = (part: Schema, wrap: (part: unknown) => unknown, more: Partial<Place> = {}): void => {
    const place = { schema: part, isItem: false, around: (value: unknown) => around(wrap(value)), silent };
    found.push(...inside({ ...place, ...more }));
  };
  if (schema.enum !== undefined) return found;
  if (schema.items !== undefined && schema.maxItems !== 0) {
    const others = Math.max(0, (schema.minItems ?? 0) - 1);
    enter(schema.items, (item) => [item, ...plainItems(schema, others, item)], { isItem: true });
  }
  const showsMore = Object.values(schema.properties ?? {}).some(({ readOnly }) => readOnly === true);
  for (const [name, member] of writableMembers(schema)) {
    const wrap = (value: unknown): unknown => ({ ...plainObject(schema), [name]: value });
    enter(member, wrap, { silent: silent || showsMore });
  }
  if (typeof schema.additionalProperties === 'object') {
    const wrap = (value: unknown): unknown => ({ ...plainObject(schema), [ANY_MEMBER]: value });
    enter(schema.additionalProperties, wrap);
  }
  return found;
}
