import fc from 'fast-check';
import { type Schema, typesOf } from '../specs/schema.ts';
import { assertKnown, type Generated } from './generated.ts';
import { placesOf } from './schema-places.ts';
import { isSure, plainValue, validParts } from './valid-values.ts';
import { violationsOf } from './violations.ts';

/** Values that a schema accepts; `unasserted` if they depend on the site and are not `known`. @throws UsageError */
export function validValues(schema: Schema, known: readonly unknown[] = []): fc.Arbitrary<Generated> {
  assertKnown(schema);
  if (known.length > 0) return fc.constantFrom(...known).map((value) => valid(value, true));
  return validParts(schema).map((value) => valid(value, isSure(schema, value)));
}

/** Values that break one keyword, at any depth, and must be refused in any encoding; undefined if there are none. */
export function invalidValues(schema: Schema): fc.Arbitrary<Generated> | undefined {
  assertKnown(schema);
  return oneOf(
    placesOf(schema)
      .filter(({ silent }) => !silent)
      .flatMap(({ schema: part, isItem, around }) =>
        violationsOf(part, isItem).map(({ keyword, values }) =>
          values.map((value): Generated => ({ value: around(value), keyword, expect: 'refused' })),
        ),
      ),
  );
}

/** Values that software may accept or refuse, at any depth; never asserted. Undefined if there are none. */
export function coercibleValues(schema: Schema): fc.Arbitrary<Generated> | undefined {
  assertKnown(schema);
  return oneOf(
    placesOf(schema).flatMap(({ schema: part, around }) => {
      const spellings = spellingsOf(part);
      return spellings?.map((value): Generated => ({ value: around(value), expect: 'unasserted' })) ?? [];
    }),
  );
}

function valid(value: unknown, sure: boolean): Generated {
  return { value, expect: sure ? 'accepted' : 'unasserted' };
}

function oneOf(all: readonly fc.Arbitrary<Generated>[]): fc.Arbitrary<Generated> | undefined {
  return all.length === 0 ? undefined : fc.oneof(...all);
}

const DATES: readonly string[] = [
  ...['2024-05-06 07:08:09', '2024-05-06t07:08:09z', '2024-02-30T00:00:00', '2024-05-06T07:08'],
  ...['2024-05-06T07:08:09.5Z', '2024-05-06T07:08:09+0200', ' 2024-05-06T07:08:09', '20240506T070809'],
];

const BOOLEANS: readonly string[] = ['true', 'TRUE', 'True', 'false', 'FALSE', 'False', ' true'];

/** Other spellings of a value of this schema, which software may accept or refuse; undefined if there are none. */
function spellingsOf(schema: Schema): fc.Arbitrary<unknown> | undefined {
  if (schema.enum !== undefined) return spelled(schema.enum);
  const all = typesOf(schema).flatMap((type) => {
    const found = ofType(type, schema);
    return found === undefined ? [] : [found];
  });
  return all.length === 0 ? undefined : fc.oneof(...all);
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> | undefined {
  switch (type) {
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.constantFrom<unknown>(0, 1, '0', '1', ...BOOLEANS);
    case 'string':
      return schema.format === 'date-time'
        ? fc.constantFrom(...DATES)
        : fc.constantFrom<unknown>(5, 1.5, true);
    case 'array':
      return lists(schema);
    case 'object':
      return fc.constantFrom<unknown>({}, 'sample', 1, []);
    default:
      return undefined;
  }
}

function numbers(schema: Schema): fc.Arbitrary<unknown> {
  const min = Math.ceil(schema.minimum ?? 1);
  const digits = fc.integer({ min, max: Math.max(min, Math.floor(schema.maximum ?? min + 1000)) });
  const spellings = digits.chain((n) =>
    fc.constantFrom<unknown>(String(n), `0${n}`, `+${n}`, ` ${n}`, `${n} `, `${n}.0`, `${n}e0`),
  );
  const far = fc.constantFrom<unknown>('1e1', '12345678901234567890');
  return schema.minimum === undefined
    ? fc.oneof(
        spellings,
        far,
        digits.map((n) => -n),
      )
    : fc.oneof(spellings, far);
}

/** Scalars for lists, and texts with separators of lists. */
function lists({ items = {} }: Schema): fc.Arbitrary<unknown> | undefined {
  const item = plainValue(items);
  if (typeof item === 'object' && item !== null) return undefined;
  const text = String(item);
  const doubled = [`${text},,${text}`, `${text},`, `${text} ${text}`, `${text}, ${text}`, `,${text}`];
  return fc.constantFrom<unknown>('', item, [], [''], text, `${text},${text}`, ...doubled);
}

function spelled(members: readonly unknown[]): fc.Arbitrary<unknown> | undefined {
  const texts = members.filter((member) => typeof member === 'string' && member !== '');
  if (texts.length === 0) return undefined;
  return fc.constantFrom(...texts.map(String)).chain((text) => {
    const capital = text.charAt(0).toUpperCase() + text.slice(1);
    return fc.constantFrom(text.toUpperCase(), capital, ` ${text}`, `${text} `, `${text},`, '');
  });
}
