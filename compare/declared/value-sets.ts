import { mapLeaves } from '../../client/json.ts';
import { meaningOf } from '../../engine/equal.ts';
import { fitsWhole } from '../../probing/declarations/patterns.ts';
import { isAbout, TYPES } from '../../specs/schema.ts';
import type { Effect } from '../law.ts';
import { accepts, isOpaque, readValueSchema, type ValueSchema } from './value-schema.ts';

/** Whether a value is accepted, refused in every reading, or accepted only where a single value counts as a list. */
type Taken = 'taken' | 'refused' | 'doubtful';

/** More steps than any real description needs. Beyond it, nothing is proven. */
const MOST_STEPS = 20_000;
const SCALARS = new Set(['number', 'integer', 'boolean']);

/**
 * The effect of another description on the accepted values. Structure proves that all values are still accepted. A
 * value that only the first description accepts refutes it, and is the example. Otherwise it is unknown.
 * @param isText whether values are sent as text, as in a query
 */
export function effectOfSchemas(
  before: unknown,
  after: unknown,
  isText = false,
): { readonly effect: Effect; readonly example?: unknown } {
  const [one, other] = [readValueSchema(before), readValueSchema(after)];
  if (one === undefined || other === undefined) return { effect: 'unknown' };
  // Unknown parts that are equal on both sides do not matter.
  const isAlike = meaningOf(one['x-unclear']) === meaningOf(other['x-unclear']);
  const [was, is] = isAlike ? [clear(one), clear(other)] : [one, other];
  const isKept = isWithin(was, is, isText);
  const isSame = isWithin(is, was, isText);
  if (isKept) return { effect: isSame ? 'none' : 'widens' };
  const samples = samplesOf([is, was]);
  const example = lostOf(was, is, samples, isText);
  if (example === undefined) return { effect: 'unknown' };
  const isWider = !isSame && lostOf(is, was, samples, isText) !== undefined;
  return { effect: isWider ? 'incomparable' : 'narrows', example };
}

function clear({ 'x-unclear': _unclear, ...schema }: ValueSchema): ValueSchema {
  return schema;
}

/** A sample that the first schema accepts and the second refuses, if there is one. */
function lostOf(one: ValueSchema, other: ValueSchema, samples: readonly unknown[], isText: boolean): unknown {
  if (isOpaque(one)) return undefined;
  return [...(one.enum ?? []), ...samples].find(
    (value) => takes(one, value, isText) === 'taken' && takes(other, value, isText) === 'refused',
  );
}

/** Whether a schema accepts a value. In a query everything is text. Elsewhere a text may stand for what it spells. */
function takes(schema: ValueSchema, value: unknown, isText: boolean): Taken {
  const texts = isText ? [mapLeaves(value, (leaf) => (leaf === null ? leaf : String(leaf)))] : [];
  const spelt = mapLeaves(value, (leaf) => (typeof leaf === 'string' ? spelling(leaf) : leaf));
  const sure = isText ? [...texts, spelt] : [value];
  if (sure.some((one) => accepts(schema, one))) return 'taken';
  const isList = typeof value !== 'object' && branchesOf(schema).some(({ type }) => type?.includes('array'));
  const lists = isList ? [[value], [spelt], String(value).split(',')] : [];
  return [spelt, ...lists].some((one) => accepts(schema, one)) ? 'doubtful' : 'refused';
}

function spelling(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Whether every value of one schema is proven to be a value of the other. */
function isWithin(one: ValueSchema, other: ValueSchema, isText: boolean): boolean {
  let steps = 0;
  const within = (a: ValueSchema, b: ValueSchema): boolean => {
    steps += 1;
    if (steps > MOST_STEPS) return false;
    if (meaningOf(a) === meaningOf(b)) return true;
    if (a.enum !== undefined) return !isOpaque(b) && holdsAll(b, a);
    const { anyOf, oneOf, ...rest } = a;
    if ((anyOf ?? oneOf)?.every((branch) => within(joined(rest, branch), b)) === true) return true;
    const types = typesOf(a);
    if (types.length > 1 && (b.anyOf ?? b.oneOf) !== undefined) {
      return types.every((type) => within({ ...a, type: [type] }, b));
    }
    return Object.keys(b).every((keyword) => isImplied(keyword, a, b));
  };
  const holdsAll = (b: ValueSchema, { enum: values = [], ...rest }: ValueSchema): boolean => {
    const known = b.enum === undefined ? undefined : new Set(b.enum.map(meaningOf));
    return values.every(
      (value) =>
        (Object.keys(b).length === 1 && known?.has(meaningOf(value))) ||
        takes(rest, value, isText) === 'refused' ||
        takes(b, value, isText) === 'taken',
    );
  };
  /** Whether `a` implies a keyword of `b`, for keywords that no comparison of two values decides. */
  const rules: Readonly<Record<string, (a: ValueSchema, b: ValueSchema) => boolean>> = {
    anyOf: (a, { anyOf = [] }) => anyOf.some((branch) => within(a, branch)),
    oneOf: (a, { oneOf = [] }) => isInOne(a, oneOf),
    type: (a, { type: taken = TYPES }) => typesOf(a).every((type) => includesType(taken, type, isText)),
    items: (a, b) => within(a.items ?? {}, b.items ?? {}),
    required: (a, { required = [] }) => required.every((name) => a.required?.includes(name)),
    properties: (a, b) => namesOf(b).every((name) => memberWithin(name, a, b)),
    additionalProperties(a, b) {
      const others = namesOf(a).filter((name) => !namesOf(b).includes(name));
      return [...others, undefined].every((name) => memberWithin(name, a, b));
    },
  };
  const isImplied = (keyword: string, a: ValueSchema, b: ValueSchema): boolean => {
    const isOfText = isText && isAbout(keyword, 'string');
    const isOf = (type: string): boolean => isAbout(keyword, type) || (isOfText && SCALARS.has(type));
    if (!typesOf(a).some(isOf)) return true;
    if (Object.hasOwn(rules, keyword)) return rules[keyword]?.(a, b) === true;
    return meaningOf(a[keyword]) === meaningOf(b[keyword]) || isStricter(keyword, a, b);
  };
  const memberWithin = (name: string | undefined, a: ValueSchema, b: ValueSchema): boolean => {
    const [was, is] = [memberOf(a, name), memberOf(b, name)];
    return was === false || (is !== false && within(was, is));
  };
  /** If branches exclude each other, exactly one must accept it. */
  const isInOne = (a: ValueSchema, branches: readonly ValueSchema[]): boolean =>
    branches.some(
      (branch, at) =>
        within(a, branch) && branches.every((next, where) => where === at || areDisjoint(a, next, isText)),
    );
  return within(one, other);
}

/** A branch with the keywords beside it, except its own. Leaving one out only adds values. */
function joined(
  { properties, additionalProperties, ...rest }: ValueSchema,
  branch: ValueSchema,
): ValueSchema {
  const members = branch.properties === undefined ? { properties, additionalProperties } : {};
  const known = Object.entries({ ...members, ...rest, ...branch }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
}

/** Whether no value is accepted by both, by types, finite sets and required members. */
function areDisjoint(one: ValueSchema | false, other: ValueSchema | false, isText: boolean): boolean {
  // A forbidden member has no values.
  if (one === false || other === false) return true;
  const misses = (values: readonly unknown[] | undefined, schema: ValueSchema): boolean =>
    values?.every((value) => takes(schema, value, isText) === 'refused') === true;
  if (misses(one.enum, other) || misses(other.enum, one)) return true;
  const isObject = meaningOf(typesOf(one)) === meaningOf(['object']);
  if (
    isObject &&
    one.required?.some((name) => areDisjoint(memberOf(one, name), memberOf(other, name), isText))
  )
    return true;
  return typesOf(one).every((type) =>
    typesOf(other).every(
      (next) => !includesType([type], next, isText) && !includesType([next], type, isText),
    ),
  );
}

function isStricter(keyword: string, a: ValueSchema, b: ValueSchema): boolean {
  const [own, limit] = [a[keyword], b[keyword]];
  if (keyword === 'pattern' && typeof own === 'string' && typeof limit === 'string')
    return isWiderPattern(own, limit);
  const [low, high] = [/^min|Minimum$/.test(keyword), /^max|Maximum$/.test(keyword)];
  if (typeof limit !== 'number' || (!low && !high)) return false;
  if (low && limit === 0 && keyword !== 'minimum' && keyword !== 'exclusiveMinimum') return true;
  const isNumeric = /imum$/.test(keyword);
  const closed = isNumeric ? (low ? 'minimum' : 'maximum') : keyword;
  const open = low ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const holds = (own: unknown, orSame: boolean): boolean =>
    typeof own === 'number' && ((low ? own > limit : own < limit) || (orSame && own === limit));
  return holds(a[closed], keyword === closed) || (isNumeric && holds(a[open], true));
}

/** A class of characters, or an escape, which is skipped. */
const CLASS = /\\.|\[(?:\\.|[^\]\\])+\]/gs;
/** Patterns in which a class cannot be read alone, or that concern characters beyond ASCII. */
const HARD = /\\[QDWSpP]|\[:|[^\x20-\x7e]/;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code));

/** Whether a pattern is another one with larger classes of characters, and so matches all that it matches. */
function isWiderPattern(narrow: string, wide: string): boolean {
  if (HARD.test(narrow) || HARD.test(wide)) return false;
  const classes = (pattern: string): string[] =>
    pattern.match(CLASS)?.filter((one) => one.startsWith('[')) ?? [];
  const rest = (pattern: string): string =>
    pattern.replaceAll(CLASS, (one) => (one.startsWith('[') ? '[]' : one));
  const [was, is] = [classes(narrow), classes(wide)];
  return (
    rest(narrow) === rest(wide) &&
    was.every((one, at) => {
      const other = is[at] ?? one;
      const isAlike = one.startsWith('[^') === other.startsWith('[^');
      return isAlike && ASCII.every((sign) => !fitsWhole(one, sign) || fitsWhole(other, sign));
    })
  );
}

function typesOf({ type }: ValueSchema): readonly string[] {
  return type ?? TYPES.filter((name) => name !== 'integer');
}

/** Whether types include a type. Numbers include integers, and texts everything that is sent as text. */
function includesType(types: readonly string[], type: string, isText: boolean): boolean {
  return (
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (isText && types.includes('string') && SCALARS.has(type))
  );
}

function namesOf({ properties = {} }: ValueSchema): string[] {
  return Object.keys(properties);
}

function memberOf(
  { properties = {}, additionalProperties = true }: ValueSchema,
  name?: string,
): ValueSchema | false {
  const own = name !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return own;
  return typeof additionalProperties === 'boolean' ? additionalProperties && {} : additionalProperties;
}

/** Texts as in routes and parameters, one of each form. */
const TEXTS: readonly string[] = [
  '',
  ...'0 1 7 42 123456 -1 1.5 1e3 01 true false'.split(' '),
  ...'a b abc ABC post a-b a_b a.b'.split(' '),
  'a b',
  ...'a/b a//b /a a/ a-1 A1 1a'.split(' '),
  ...'é %20 a%2Fb a:b a,b a@b.example a--b _a -a a+b block//name ~ * a%b'.split(' '),
  ...'2024-05-06T07:08:09 2024-05-06T07:08:09Z 2024-05-06 https://a.example/b #fff 127.0.0.1 ::1'.split(' '),
  'a'.repeat(100),
  '9'.repeat(40),
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  'abcdef0123456789abcdef0123456789',
];
const PLAIN: readonly unknown[] = [...TEXTS, 0, 1, -1, 2, 7, 1.5, 100, 1_000_000, true, false, null, [], {}];

const DEEPEST = 4;
/** Samples of a large set of values, of combined schemas, and of parts inside them. */
const MOST_OF_SET = 200;
const MOST = 3_000;
const MOST_WITHIN = 100;
/** Required members of an object, and ways to begin one. With more of them nothing is proven. */
const MOST_REQUIRED = 50;
const MOST_BASES = 10;
const LONGEST_TEXT = 2_000;
const MOST_ITEMS = 100;

function samplesOf(schemas: readonly ValueSchema[], depth = 0): unknown[] {
  const all = schemas.flatMap(branchesOf);
  const plain = [...all.flatMap(ownSamples).slice(0, MOST_OF_SET), ...PLAIN];
  if (depth === DEEPEST) return plain;
  return [
    ...plain,
    ...[...listsOf(all, depth), ...objectsOf(all, depth)].slice(0, depth === 0 ? MOST : MOST_WITHIN),
  ];
}

function branchesOf(schema: ValueSchema): ValueSchema[] {
  const { anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf].flatMap(branchesOf)];
}

function ownSamples(schema: ValueSchema): unknown[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength } = schema;
  const limits = numbersIn([minimum, maximum, exclusiveMinimum, exclusiveMaximum]);
  return [
    ...(schema.enum ?? []).slice(0, MOST_OF_SET),
    ...limits.flatMap((limit) => [limit - 1, limit - 0.5, limit, limit + 0.5, limit + 1]),
    ...around([minLength, maxLength], LONGEST_TEXT).map((length) => 'a'.repeat(length)),
  ];
}

function listsOf(all: readonly ValueSchema[], depth: number): unknown[] {
  const own = all.flatMap(({ items }): ValueSchema[] => (items === undefined ? [] : [items]));
  const counts = all.flatMap(({ minItems, maxItems }) => [minItems, maxItems]);
  const items = own.length === 0 ? TEXTS.slice(0, 1 + MOST_ITEMS) : samplesOf(own, depth + 1);
  const good = items.filter((item) => own.some((schema) => accepts(schema, item)));
  const [first = 'a', second = 'b'] = good;
  return [
    ...items.map((item) => [item]),
    [first, first],
    [first, second],
    ...around(counts, MOST_ITEMS).map((length) =>
      Array.from({ length }, (_, at) => good[at % good.length] ?? at),
    ),
  ];
}

/** Objects for descriptions of members: with the required ones, alone and with each value of each member. */
function objectsOf(all: readonly ValueSchema[], depth: number): unknown[] {
  const described = all.flatMap(({ properties = {} }) => Object.entries(properties));
  const members = [...Map.groupBy(described, ([name]) => name)].map(([name, own]) => {
    const schemas = own.map(([, schema]) => schema);
    return [name, samplesOf(schemas, depth + 1)] as const;
  });
  const values = new Map(members);
  const bases = all.map(
    ({ required = [], properties = {} }): Record<string, unknown> =>
      Object.fromEntries(
        required.slice(0, MOST_REQUIRED).map((name) => {
          const schema = properties[name] ?? {};
          return [name, values.get(name)?.find((value) => accepts(schema, value)) ?? 'a'];
        }),
      ),
  );
  const distinct = new Map(bases.map((base) => [JSON.stringify(base), base])).values();
  return [...distinct.take(MOST_BASES)].flatMap((base) => [
    base,
    { ...base, 'another-member': 'a' },
    ...[...values].flatMap(([name, samples]) => samples.map((value) => ({ ...base, [name]: value }))),
  ]);
}

function around(counts: readonly unknown[], most: number): number[] {
  const near = new Set(numbersIn(counts).flatMap((count) => [count - 1, count, count + 1]));
  return [...near].filter((count) => count >= 0 && count <= most);
}

function numbersIn(values: readonly unknown[]): number[] {
  return values.filter((one) => typeof one === 'number');
}
