import { memoized } from '../specs/memoized.ts';
import type { Schema } from '../specs/schema.ts';
import { assertKnown, type Generated } from './generated.ts';
import { violationsOf } from './invalid-values.ts';
import { placesOf } from './schema-places.ts';
import { isSure, plainItems, plainTypes, plainValue, textFits, valueCount } from './valid-values.ts';

/** Longer texts and lists are not sent to test a limit. */
const LONGEST = 100_000;
const MOST_ITEMS = 2000;

/** Date-times with the same meaning everywhere. */
const DATES = ['1970-01-01T00:00:00Z', '2024-02-29T23:59:59', '2024-12-31T23:59:59+14:00'];

interface Edge {
  readonly value: unknown;
  readonly keyword: string;
}

/** The values at both sides of every limit of a schema, at any depth, that are certain. @throws UsageError for one not supported */
export const boundaryValues: (schema: Schema) => readonly Generated[] = memoized(boundariesOf);

function boundariesOf(schema: Schema): readonly Generated[] {
  assertKnown(schema);
  return placesOf(schema).flatMap(({ schema: part, around, isItem, silent }) => {
    if (silent) return [];
    const edges = innerEdges(part)
      .map(({ value, keyword }): Generated => ({ value: around(value), keyword, expect: 'accepted' }))
      .filter(({ value }) => isSure(schema, value));
    const beyond = violationsOf(part, isItem).map(({ keyword, nearest }): Generated => {
      return { value: around(nearest), keyword, expect: 'refused' };
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

/** The values at both sides of stated limits, with the keyword of each limit. */
function limitsOf(low: string, least: number | undefined, high: string, most: number | undefined): Limit[] {
  const inside = (keyword: string, limit: number | undefined, step: number): Limit[] =>
    limit === undefined ? [] : [0, step].map((more) => ({ keyword, limit: limit + more }));
  return [...inside(low, least, 1), ...inside(high, most, -1)];
}

type Limit = Readonly<{ keyword: string; limit: number }>;

function numberEdges({ minimum = -Infinity, maximum = Infinity }: Schema): Edge[] {
  const [low, high] = [Math.ceil(minimum), Math.floor(maximum)];
  const isWithin = (value: number): boolean => Number.isFinite(value) && value >= low && value <= high;
  const limits = limitsOf('minimum', low, 'maximum', high).filter(({ limit }) => isWithin(limit));
  return [
    ...limits.map(({ keyword, limit }) => ({ keyword, value: limit })),
    ...[1].filter(isWithin).map((value) => ({ keyword: 'type', value })),
  ];
}

function textEdges(schema: Schema): Edge[] {
  const { format, pattern, minLength, maxLength } = schema;
  if (format === 'date-time') {
    const dates = DATES.filter((value) => textFits(schema, value));
    return dates.map((value) => ({ keyword: 'format', value }));
  }
  const plain = { keyword: 'type', value: plainValue(schema) };
  if (format !== undefined) return [plain];
  const sign = pattern === undefined ? 'あ' : 'x';
  const texts = limitsOf('minLength', minLength, 'maxLength', maxLength)
    .filter(({ limit }) => limit >= 1 && limit <= LONGEST)
    .map(({ keyword, limit }) => ({ keyword, value: sign.repeat(limit) }))
    .filter(({ value }) => textFits(schema, value));
  return [plain, ...texts];
}

function listEdges(schema: Schema): Edge[] {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const counts = [
    ...limitsOf('minItems', schema.minItems, 'maxItems', schema.maxItems),
    { keyword: 'type', limit: Math.max(1, minItems) },
  ];
  const different = schema.uniqueItems === true ? valueCount(items) : Infinity;
  const most = Math.min(MOST_ITEMS, different, maxItems);
  return counts
    .filter(({ limit }) => limit >= minItems && limit <= most)
    .map(({ keyword, limit }) => ({ keyword, value: plainItems(schema, limit) }));
}
