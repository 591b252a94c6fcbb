import type { Schema } from '../specs/schema.ts';
import { assertKnown, type Generated } from './generated.ts';
import { placesOf } from './schema-places.ts';
import { textFits } from './valid-texts.ts';
import { countOf, isSure, plainItems, plainTypes, plainValue } from './valid-values.ts';
import { violationsOf } from './violations.ts';

/** Longer texts and lists are not sent to test a limit. */
const LONGEST = 100_000;
const MOST_ITEMS = 2000;

const NUMBERS = [-1, 0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 63];

/** Date-times with the same meaning everywhere. Others are impossible, or out of range for some software. */
const SURE_DATES = ['1970-01-01T00:00:00Z', '2024-02-29T23:59:59', '2024-12-31T23:59:59+14:00'];
const UNSURE_DATES = [
  '0000-01-01T00:00:00',
  '9999-12-31T23:59:59Z',
  '2023-02-29T00:00:00',
  '2024-01-01T24:00:00',
];

interface Edge {
  readonly value: unknown;
  readonly keyword: string;
  /** Not asserted, although the schema accepts it. */
  readonly unsure?: true;
}

/** The values at both sides of every limit of a schema, at any depth. @throws UnknownKeyword for one not supported */
export function boundaryValues(schema: Schema): readonly Generated[] {
  const known = KNOWN.get(schema) ?? boundariesOf(schema);
  KNOWN.set(schema, known);
  return known;
}

/** Cached, because many searches need the values of a schema. */
const KNOWN = new WeakMap<Schema, readonly Generated[]>();

function boundariesOf(schema: Schema): readonly Generated[] {
  assertKnown(schema);
  return placesOf(schema).flatMap(({ schema: part, around, isItem, silent }) => {
    const edges = innerEdges(part).map(({ value: edge, keyword, unsure }): Generated => {
      const value = around(edge);
      const isAccepted = unsure !== true && isSure(schema, value) && !silent;
      return { value, keyword, expect: isAccepted ? 'accepted' : 'unasserted' };
    });
    const beyond = violationsOf(part, isItem).map(({ keyword, nearest }): Generated => {
      return { value: around(nearest), keyword, expect: silent ? 'unasserted' : 'refused' };
    });
    const keyOf = ({ keyword, value }: Generated): string => `${keyword} ${JSON.stringify(value)}`;
    return [...Map.groupBy([...edges, ...beyond], keyOf).values()].flatMap(([first]) => first ?? []);
  });
}

function innerEdges(schema: Schema): Edge[] {
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => ({ value, keyword: 'enum' }));
  }
  return plainTypes(schema).flatMap((type): Edge[] => {
    switch (type) {
      case 'integer':
      case 'number':
        return numberEdges(schema);
      case 'boolean':
        return [true, false].map((value) => ({ value, keyword: 'type' }));
      case 'string':
        return textEdges(schema);
      case 'array':
        return listEdges(schema);
      default:
        return [];
    }
  });
}

function numberEdges({ minimum, maximum }: Schema): Edge[] {
  const [low, high] = [Math.ceil(minimum ?? -Infinity), Math.floor(maximum ?? Infinity)];
  const edges: Edge[] = [];
  const add = (keyword: string, value: number): void => {
    if (value >= low && value <= high && Number.isFinite(value)) edges.push({ value, keyword });
  };
  add('minimum', low);
  add('minimum', low + 1);
  add('maximum', high);
  add('maximum', high - 1);
  const plain = NUMBERS.filter((value) => value >= low && value <= high);
  return [
    ...edges,
    ...plain.map((value): Edge => {
      if (value === 1) return { value, keyword: 'type' };
      // Numbers at the limits of machines.
      return { value, keyword: 'type', unsure: true };
    }),
  ];
}

function textEdges(schema: Schema): Edge[] {
  const { format, pattern, minLength, maxLength } = schema;
  if (format === 'date-time') {
    const edge = { keyword: 'format' };
    return [
      ...SURE_DATES.map((value) => ({ ...edge, value })),
      ...UNSURE_DATES.map((value) => ({ ...edge, value, unsure: true as const })),
    ].filter(({ value }) => textFits(schema, value));
  }
  const edges: Edge[] = [{ value: plainValue(schema), keyword: 'type' }];
  if (format !== undefined) return edges;
  const lengths = [
    ['minLength', minLength],
    ['minLength', minLength === undefined ? undefined : minLength + 1],
    ['maxLength', maxLength],
    ['maxLength', maxLength === undefined ? undefined : maxLength - 1],
  ] as const;
  for (const [keyword, length] of lengths) {
    if (length === undefined || length < 1 || length > LONGEST) continue;
    const sign = pattern === undefined ? '𝒜' : 'x';
    const value = sign.repeat(length);
    if (textFits(schema, value)) edges.push({ value, keyword });
  }
  if (textFits(schema, '') && minLength === undefined) {
    edges.push({ value: '', keyword: 'type', unsure: true });
  }
  return edges;
}

function listEdges(schema: Schema): Edge[] {
  const { items = {}, minItems = 0, maxItems } = schema;
  const counts = [
    ['minItems', schema.minItems],
    ['minItems', schema.minItems === undefined ? undefined : minItems + 1],
    ['maxItems', maxItems],
    ['maxItems', maxItems === undefined ? undefined : maxItems - 1],
    ['type', Math.max(1, minItems)],
  ] as const;
  const most = schema.uniqueItems === true ? Math.min(MOST_ITEMS, countOf(items)) : MOST_ITEMS;
  return counts.flatMap(([keyword, count]): Edge[] => {
    if (count === undefined || count < minItems || count > Math.min(most, maxItems ?? Infinity)) return [];
    return [{ value: plainItems(schema, count), keyword }];
  });
}
