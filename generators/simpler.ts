import { type Schema, typesOf } from '../specs/schema.ts';

/**
 * Strictly simpler JSON values, the simplest first: what a counterexample is shrunk through. Texts get shorter, numbers
 * come closer to zero, structures lose members.
 */
export function simplerValues(value: unknown): unknown[] {
  if (typeof value === 'string') return shorterTexts(value);
  if (typeof value === 'number') return smallerNumbers(value);
  if (Array.isArray(value)) {
    return [
      ...(value.length > 1 ? [[], ...value.map((item) => [item])] : []),
      ...(value.length > 0 ? [value.slice(0, -1)] : []),
      ...value.flatMap((item, at) => simplerValues(item).map((simple) => value.with(at, simple))),
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  return [
    ...members.map(([name]) => Object.fromEntries(members.filter(([other]) => other !== name))),
    ...members.flatMap(([name, inner]) =>
      simplerValues(inner).map((simple) => Object.fromEntries([...members, [name, simple]])),
    ),
  ];
}

/** Those simpler values that a schema still accepts for sure: none for formats and patterns, which have no sure order. */
export function simplerValid(schema: Schema, value: unknown): unknown[] {
  return simplerValues(value).filter((simple) => isSurelyValid(schema, simple));
}

function isSurelyValid(schema: Schema, value: unknown): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  const types = typesOf(schema);
  if (typeof value === 'string') {
    const { minLength = 1, maxLength = Number.POSITIVE_INFINITY, format, pattern } = schema;
    const length = [...value].length;
    if (!types.includes('string') || format !== undefined || pattern !== undefined) return false;
    return length >= minLength && length <= maxLength;
  }
  if (typeof value === 'number') {
    const { minimum = 1, maximum = Number.POSITIVE_INFINITY } = schema;
    return types.includes('integer') && Number.isInteger(value) && value >= minimum && value <= maximum;
  }
  if (!Array.isArray(value) || !types.includes('array')) return false;
  const { minItems = 1, items = {} } = schema;
  return value.length >= minItems && value.every((item) => isSurelyValid(items, item));
}

function shorterTexts(text: string): string[] {
  const letters = [...text];
  if (letters.length < 2) return [];
  const middle = Math.ceil(letters.length / 2);
  const cuts: string[] = [];
  // What matters may be the length: ever smaller cuts come close to it in few steps.
  for (let cut = Math.floor(middle / 2); cut > 1; cut = Math.floor(cut / 2)) {
    cuts.push(letters.slice(0, -cut).join(''));
  }
  return [
    letters.slice(0, middle).join(''),
    letters.slice(middle).join(''),
    ...cuts,
    letters.slice(0, -1).join(''),
    letters.slice(1).join(''),
  ];
}

function smallerNumbers(value: number): number[] {
  if (value === 0 || !Number.isFinite(value)) return [];
  const half = Math.trunc(value / 2);
  const next = value - Math.sign(value);
  const whole = Math.trunc(value);
  return [...new Set([0, 1, whole, half, next])].filter((one) => Math.abs(one) < Math.abs(value));
}
