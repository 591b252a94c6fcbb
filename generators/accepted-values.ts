import type { Constraint } from '../specs/constraints.ts';
import { type Schema, typesOf } from '../specs/schema.ts';
import { embedValue, goodValue } from './good-value.ts';
import { itemsOf, textOf } from './refused-value.ts';

/** A value that must be accepted, and whether a query should write its lists with commas or with brackets. */
export interface AcceptedValue {
  readonly value: unknown;
  readonly why: string;
  readonly lists?: 'commas' | 'brackets';
}

/**
 * Values that must be accepted because they meet the one keyword that a constraint is about at its edge: every member
 * of an enum, the limits themselves, every spelling of a type that the interface takes for sure.
 */
export function acceptedValues(schema: Schema, constraint: Constraint): AcceptedValue[] {
  return leaves(constraint).map((leaf) => ({
    ...leaf,
    value: embedValue(schema, constraint.steps, leaf.value),
  }));
}

function leaves({ kind, schema }: Constraint): AcceptedValue[] {
  switch (kind) {
    case 'enum':
      return (schema.enum ?? []).map((value) => ({ value, why: `the member ${JSON.stringify(value)}` }));
    case 'minimum':
    case 'maximum':
      return [{ value: schema[kind], why: `the ${kind} itself` }];
    case 'maxLength':
      return [{ value: textOf(schema.maxLength ?? 0), why: `${schema.maxLength} characters` }];
    case 'maxItems':
      return [{ value: itemsOf(schema, schema.maxItems ?? 0), why: `${schema.maxItems} items` }];
    case 'minItems':
      return [{ value: itemsOf(schema, schema.minItems ?? 0), why: `${schema.minItems} items` }];
    case 'format':
      return schema.format === 'date-time' ? DATES : [];
    case 'type':
      return spellings(schema);
    default:
      return [];
  }
}

const DATES: AcceptedValue[] = [
  '2024-05-06T07:08:09',
  '2024-05-06T07:08:09Z',
  '2024-05-06T07:08:09+02:00',
].map((value) => ({ value, why: 'a date-time of ISO 8601' }));

function spellings(schema: Schema): AcceptedValue[] {
  if (schema.enum !== undefined) return [];
  const types = typesOf(schema);
  if (types.includes('boolean')) {
    return [true, false, 1, 0].map((value) => ({ value, why: 'a boolean, or its number' }));
  }
  if (types.includes('integer')) return [{ value: goodValue(schema), why: 'an integer' }];
  if (types.includes('array') && schema.items !== undefined) {
    const item = goodValue(schema.items);
    const other = schema.items.enum?.[1] ?? (typeof item === 'number' ? item + 1 : `${String(item)}-2`);
    const plain = ['string', 'integer'].includes(typesOf(schema.items)[0] ?? 'string');
    if (!plain) return [];
    return [
      { value: [item, other], why: 'a list with commas', lists: 'commas' },
      { value: [item, other], why: 'a list with brackets', lists: 'brackets' },
    ];
  }
  return [];
}
