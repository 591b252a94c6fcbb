import fc from 'fast-check';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { numberViolations } from './number-violations.ts';
import { plainTypes } from './places.ts';
import { listViolations, objectViolations } from './structure-violations.ts';
import { textViolations } from './text-violations.ts';
import { onlyFitting } from './valid-texts.ts';
import { NO_MEMBER, type Violation, violation } from './violation.ts';

/**
 * The ways to break a schema itself, its parts apart, that the interface refuses for sure in a query, a form and JSON
 * (R33, R34). A keyword that is doubtful or silent there is left out.
 * @param inList whether it is the schema of items: an empty item counts as none in places
 */
export function violationsOf(schema: Schema, inList: boolean): Violation[] {
  const unclear = new Set([...(schema['x-doubtful'] ?? []), ...(schema['x-silent'] ?? [])]);
  return all(schema, !inList && !typesOf(schema).includes('null')).filter(
    ({ keyword }) => !unclear.has(keyword),
  );
}

/** @param empty whether an empty text is a value like any other */
function all(schema: Schema, empty: boolean): Violation[] {
  if (schema.enum !== undefined) return enumViolations(schema, schema.enum);
  const types = plainTypes(schema);
  // A value for a type that is one of several may be read as another of them.
  if (types.length > 1) {
    return types.includes('object') ? [...formsViolations(schema, types), ...objectViolations(schema)] : [];
  }
  switch (types[0]) {
    case 'integer':
    case 'number':
      return numberViolations(schema, empty);
    case 'boolean':
      return [
        violation(
          'type',
          empty ? fc.oneof(fc.constant(''), NO_BOOLEANS) : NO_BOOLEANS,
          'maybe',
          'no boolean',
        ),
      ];
    case 'string':
      return textViolations(schema, empty);
    case 'array':
      return listViolations(schema);
    case 'object':
      return objectViolations(schema);
    default:
      return [];
  }
}

const NO_BOOLEANS = fc.oneof(fc.constantFrom<unknown>(2, '2', 'no', 'yes', 'maybe'), NO_MEMBER);

function enumViolations(schema: Schema, members: readonly unknown[]): Violation[] {
  const types = plainTypes(schema);
  const taken = new Set(members.map((member) => String(member).toLowerCase()));
  if (types.length === 0 || types.includes('string')) {
    const words = onlyFitting(
      NO_MEMBER.filter((word) => !taken.has(word)),
      schema,
    );
    if (words === undefined || schema.format !== undefined) return [];
    const [nearest] = fc.sample(words, { numRuns: 1, seed: 1 });
    return [violation('enum', words, nearest, 'a word outside the enum')];
  }
  if (types.length !== 1 || (types[0] !== 'integer' && types[0] !== 'number')) return [];
  const low = Math.ceil(schema.minimum ?? 1);
  const high = Math.floor(schema.maximum ?? Math.max(low, ...members.map(Number)) + 10);
  const count = Math.max(0, Math.min(high - low + 1, members.length + 10));
  const free = Array.from({ length: count }, (_, at) => high - at).filter((one) => !taken.has(String(one)));
  if (free.length === 0) return [];
  return [violation('enum', fc.constantFrom(...free), free[0], 'a number outside the enum')];
}

/** A word where a list of numbers or an object is due. */
function formsViolations({ items }: Schema, types: readonly string[]): Violation[] {
  const structures = types.every((type) => type === 'array' || type === 'object');
  if (!structures || items === undefined || !plainTypes(items).includes('integer')) return [];
  return [violation('type', NO_MEMBER, 'abc', 'a word for a list of numbers or an object')];
}
