import { accepts, type ValueSchema } from './value-schema.ts';

/** Texts of the kinds that stand in routes and parameters, one of each form among them. */
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
/** Of a set of very many values, of what combines others, and of that inside something else. */
const MOST_OF_SET = 200;
const MOST = 3_000;
const MOST_WITHIN = 100;
/** Members that an object must have, and ways to begin one: with more of them nothing is shown. */
const MOST_REQUIRED = 50;
const MOST_BASES = 10;
const LONGEST_TEXT = 2_000;
const MOST_ITEMS = 100;

/** Values on both sides of what schemas say, through items and members. */
export function samplesOf(schemas: readonly ValueSchema[], depth = 0): unknown[] {
  const all = schemas.flatMap(branchesOf);
  const plain = [...all.flatMap(ownSamples).slice(0, MOST_OF_SET), ...PLAIN];
  if (depth === DEEPEST) return plain;
  return [
    ...plain,
    ...[...listsOf(all, depth), ...objectsOf(all, depth)].slice(0, depth === 0 ? MOST : MOST_WITHIN),
  ];
}

/** A schema with all that stand beside each other in it. */
export function branchesOf(schema: ValueSchema): ValueSchema[] {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  return [schema, ...[...anyOf, ...oneOf, ...allOf, ...(not === undefined ? [] : [not])].flatMap(branchesOf)];
}

function ownSamples(schema: ValueSchema): unknown[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength } = schema;
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter(
    (one) => typeof one === 'number',
  );
  const lengths = [minLength, maxLength].filter((one) => typeof one === 'number');
  return [
    ...(schema.enum ?? []).slice(0, MOST_OF_SET),
    ...limits.flatMap((limit) => [limit - 1, limit - 0.5, limit, limit + 0.5, limit + 1]),
    ...around(lengths, LONGEST_TEXT).map((length) => 'a'.repeat(length)),
  ];
}

function listsOf(all: readonly ValueSchema[], depth: number): unknown[] {
  const own = all.flatMap(({ items }): ValueSchema[] => (items === undefined ? [] : [items]));
  const counts = all.flatMap(({ minItems, maxItems }) =>
    [minItems, maxItems].filter((one) => typeof one === 'number'),
  );
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

/** Of each description of members: those that it requires, alone and with each value of each member. */
function objectsOf(all: readonly ValueSchema[], depth: number): unknown[] {
  const names = [...new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const values = new Map(
    names.map((name) => {
      const own = all.flatMap(({ properties = {} }): ValueSchema[] => {
        const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
        return schema === undefined ? [] : [schema];
      });
      return [name, samplesOf(own, depth + 1)];
    }),
  );
  const bases = all.map(
    ({ required = [], properties = {} }): Record<string, unknown> =>
      Object.fromEntries(
        required.slice(0, MOST_REQUIRED).map((name) => {
          const schema = properties[name] ?? {};
          return [name, values.get(name)?.find((value) => accepts(schema, value)) ?? 'a'];
        }),
      ),
  );
  const distinct = [...new Map(bases.map((base) => [JSON.stringify(base), base])).values()].slice(
    0,
    MOST_BASES,
  );
  return distinct.flatMap((base) => [
    base,
    { ...base, 'another-member': 'a' },
    ...[...values].flatMap(([name, samples]) => samples.map((value) => ({ ...base, [name]: value }))),
  ]);
}

/** The numbers themselves and their neighbours, within what can be made. */
function around(counts: readonly number[], most: number): number[] {
  return [...new Set(counts.flatMap((count) => [count - 1, count, count + 1]))].filter(
    (count) => count >= 0 && count <= most,
  );
}
