import { encodePart } from '../../../client/address.ts';
import { fixture, type Session } from '../../../engine/session.ts';
import { draw } from '../../../generators/explore.ts';
import { anyHostileSet } from '../../../generators/sets.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { newDraft } from '../../../probing/records/own/drafts.ts';
import { ownRecordsOf } from '../../../probing/records/own/own-check.ts';
import { isText } from '../../../probing/records/own/writable-fields.ts';
import { NO_ID } from '../../../probing/records/reading/record.ts';
import { type Free, type FuzzSet, setOf, turned } from '../../../probing/search/fuzz-sets.ts';
import { collectionOf, collectionsOf } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { firstId } from '../calls/argument-values.ts';
import { asSetParameter, drawnSet } from './drawn-sets.ts';

/** A value that may be accepted or refused, but must not cause a server error. */
interface StrangeValue {
  readonly value: unknown;
  readonly kind: string;
}

const LONG = 4_000;

/** Characters that break software which confuses text with code. */
const CHARACTERS: readonly StrangeValue[] = [
  { kind: 'quotes', value: `'"\`` },
  { kind: 'markup', value: '<b>&amp;</b>' },
  { kind: 'escapes', value: '%zz%00\\' },
  { kind: 'wildcards', value: '%_*?' },
  { kind: 'control characters', value: '\u0007\u001b\u007f' },
  { kind: 'NUL', value: 'a\u0000b' },
  { kind: 'combining characters', value: 'e\u0301\u0301' },
  { kind: 'astral characters', value: '😀𝒜' },
  { kind: 'right-to-left characters', value: '\u202eسلام' },
  { kind: 'parent folders', value: '../../sample' },
  { kind: 'line breaks', value: 'a\r\nb\tc' },
  { kind: 'templates', value: '{{x}} $x' },
];

/** All characters in one text: one request shows whether any is harmful. */
const ALL_CHARACTERS: string = CHARACTERS.map(({ value }) => value).join(' ');

const NUMBERS = ['2147483648', '9007199254740993', '9223372036854775808', '-1', '-0', '0.5', '1e400', 'NaN'];
const DATES = [
  '0000-00-00T00:00:00',
  '9999-12-31T23:59:59',
  '2023-02-29T00:00:00',
  '2024-02-29T23:59:60Z',
  '2024-05-06T07:08:09+99:99',
];

/** Integers that variables of 32 bits, or doubles, do not hold; lists are seldom bounded. */
const WIDE: readonly string[] = ['2147483648', '4294967297', '9007199254740993', '9223372036854775807'];

/** Integers too wide for many variables, if a parameter is a list of integers. */
function wideList({ items = {}, ...schema }: Schema): readonly string[] | undefined {
  const isOpen = items.enum === undefined && items.maximum === undefined;
  return typesOf(schema).includes('array') && typesOf(items).includes('integer') && isOpen ? WIDE : undefined;
}

/** A list that cannot be shrunk, which would take requests. */
export const SHORTEST_LIST: readonly unknown[] = ['s'];

const STRUCTURES: readonly StrangeValue[] = [
  { kind: 'an empty text', value: '' },
  { kind: 'a list for a scalar', value: SHORTEST_LIST },
  { kind: 'an object for a scalar', value: { s: 's' } },
  { kind: 'a deep structure', value: { a: [{ b: { c: ['d'] } }] } },
  { kind: 'a list of lists', value: [SHORTEST_LIST, []] },
];

/** Names with a meaning in programming languages, for software that does not separate them from its own. */
export const SPECIAL_NAMES: readonly string[] = ['__proto__', 'constructor', 'length', '0', ''];

/** A structure in place of each text in an open object, which is seldom validated before use. */
function structureInside(schema: Schema): StrangeValue[] {
  const { properties = {}, type } = schema;
  const texts = Object.entries(properties).filter(
    ([, inner]) => inner.readOnly !== true && typesOf(inner).includes('string'),
  );
  if (type !== 'object' || texts.length === 0) return [];
  const value = Object.fromEntries(texts.map(([name]) => [name, SHORTEST_LIST]));
  return [{ kind: 'a list for a text inside', value }];
}

/** Strange values for a parameter, those that pass its type first. */
function strangeValues(schema: Schema): StrangeValue[] {
  const types = typesOf(schema);
  const items = typesOf(schema.items ?? {});
  const numbers = NUMBERS.map((value): StrangeValue => ({ kind: 'numbers', value }));
  const dates = DATES.map((value): StrangeValue => ({ kind: 'dates', value }));
  const long = { kind: 'a long text', value: 'x'.repeat(LONG) };
  const texts = [...CHARACTERS, long];
  if (schema.format === 'date-time') return [...dates, ...texts, ...STRUCTURES];
  if (types.includes('integer') || items.includes('integer')) return [...numbers, ...STRUCTURES, ...texts];
  return [...STRUCTURES, ...texts, ...numbers];
}

/** The strangest value that passes the type of a parameter; undefined if the type leaves no room. */
export function strangestOf(schema: Schema): unknown {
  if (schema.enum !== undefined || schema.items?.enum !== undefined || schema.pattern !== undefined)
    return undefined;
  const types = typesOf(schema);
  if (schema.format === 'date-time') return '9999-12-31T23:59:59';
  if (schema.format !== undefined || schema.maxLength !== undefined) return undefined;
  if (types.includes('string')) return ALL_CHARACTERS;
  if (types.includes('array') && typesOf(schema.items ?? {}).includes('string')) return [ALL_CHARACTERS];
  return types.includes('integer') && schema.maximum === undefined ? '9223372036854775807' : undefined;
}

const LONGEST_QUERY = 6_000;

/**
 * Sets of strange values: all parameters at once, then one at a time from a position by the seed, then random sets.
 * @param paths further sets, which alternate with those of one value @param textLength of texts that may be that long
 */
export function strangeSets(
  free: readonly Free[],
  count: number,
  seed: number,
  { ids = [], paths = [], textLength, foreign = [] }: Strangeness = {},
): FuzzSet[] {
  if (count === 0) return [];
  const long = textLength === undefined ? [] : longSets(free, textLength);
  const first = [...firstSets(free, foreign), ...long];
  const rows = free.map(({ parameter: { wire }, schema }) =>
    setsOfOne(wire, [...idsFor(schema, ids), ...strangeValues(schema)]),
  );
  const longest = Math.max(0, ...rows.map((row) => row.length));
  // Each parameter gets one turn before any gets a second.
  const singles = [
    ...paths,
    ...Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat(),
  ];
  const random = Math.floor(count / 5);
  const parameters = free.map((one) => ({
    ...asSetParameter(one),
    unrelatedIds: idsFor(one.schema, ids).map(({ value }) => value),
  }));
  const drawn = draw(anyHostileSet(parameters), random, seed)
    .map((set) => drawnSet(set, () => 'random malformed value'))
    .filter(({ args }) => fitsAddress(args));
  const edges = textLength === undefined ? edgeSets(free) : [];
  const others = turned(singles, Math.max(0, count - first.length - random), seed);
  return [...first, ...edges, ...others, ...drawn];
}

/** Dates that no calendar has, and integers too wide for many variables: all of a kind at once, for any seed. */
function edgeSets(free: readonly Free[]): FuzzSet[] {
  const dated = free.filter(({ schema }) => schema.format === 'date-time');
  return [
    ...oneOfEach(dated, 'dates', (_schema, at) => DATES[at % DATES.length]),
    ...oneOfEach(free, 'wide integers', wideList),
  ];
}

/** What strange sets hold besides what schemas allow. */
interface Strangeness {
  readonly ids?: readonly StrangeValue[];
  readonly paths?: readonly FuzzSet[];
  readonly textLength?: number;
  /** Sets of parameter names of other operations. */
  readonly foreign?: readonly FuzzSet[];
}

/** Texts longer than most database columns: those in objects at once, each other one alone. */
function longSets(free: readonly Free[], length: number): FuzzSet[] {
  const text = 'x'.repeat(length);
  const kind = 'a very long text';
  const plain = free.filter(({ schema: { enum: members, format, pattern, maxLength, ...schema } }) => {
    const isBound = [members, format, pattern, maxLength].some((limit) => limit !== undefined);
    return !isBound && typesOf(schema).includes('string');
  });
  return [
    ...oneOfEach(free.filter(isText), kind, () => ({ raw: text })),
    ...plain.flatMap(({ parameter }) => setsOfOne(parameter.wire, [{ value: text, kind }])),
  ];
}

/** One set with a value for each parameter that has one; nothing if none has. */
export function oneOfEach(
  some: readonly Free[],
  keyword: string,
  valueFor: (schema: Schema, at: number, parameter: Parameter) => unknown,
): FuzzSet[] {
  const args = some
    .map(({ parameter, schema }, at) => [parameter.wire, valueFor(schema, at, parameter)] as const)
    .filter(([, value]) => value !== undefined);
  return args.length === 0 ? [] : [setOf('boundary', Object.fromEntries(args), keyword)];
}

function setsOfOne(name: string, values: readonly StrangeValue[]): FuzzSet[] {
  return values.map(({ value, kind }) => setOf('boundary', { [name]: value }, kind));
}

/** What most often makes software fail, for any seed: unusual characters and names at once, then structures. */
function firstSets(free: readonly Free[], foreign: readonly FuzzSet[]): FuzzSet[] {
  const strangest = oneOfEach(free, 'all unusual characters', strangestOf);
  const special = Object.fromEntries(SPECIAL_NAMES.map((name) => [name, 'sample']));
  // Foreign arguments are sent with special names if no own argument may be refused.
  const [apart, beside] = strangest.length > 0 ? [foreign, []] : [[], foreign];
  const parts = [...strangest, setOf('pairs', special, 'a name of programming languages'), ...beside];
  const together: FuzzSet = {
    phase: 'pairs',
    args: Object.fromEntries(parts.flatMap(({ args }) => Object.entries(args))),
    about: parts.flatMap(({ about }) => about),
  };
  const inside = free.flatMap(({ parameter, schema }) => setsOfOne(parameter.wire, structureInside(schema)));
  // No type check sends a structure for a parameter without a type.
  const untyped = free.filter(({ schema }) => typesOf(schema).length === 0 && schema.enum === undefined);
  const structures = oneOfEach(untyped, 'a list for a scalar', () => SHORTEST_LIST);
  return [together, ...apart, ...structures, ...smallSets(free), ...inside];
}

/** Sizes and numbers of things below one, by which software divides; nothing refuses them without a stated minimum. */
function smallSets(free: readonly Free[]): FuzzSet[] {
  const sizes = free.filter(
    ({ schema: { default: usual, minimum, enum: members } }) =>
      typeof usual === 'number' && minimum === undefined && members === undefined,
  );
  return ['0', '-1'].flatMap((value) => oneOfEach(sizes, 'below one', () => value));
}

/** Whether arguments fit in an address that all servers accept; the server handles longer ones before the software. */
function fitsAddress(args: FuzzSet['args']): boolean {
  const pairs = encodeArgs(args);
  const length = pairs.reduce(
    (sum, [name, value]) => sum + encodePart(name).length + encodePart(value).length,
    0,
  );
  return length < LONGEST_QUERY;
}

const MOST_FOREIGN = 2;

/** Ids that name nothing, or another record, or, for a write, a deleted own record. Remembered for the run. */
export async function unrelatedIds(session: Session, operation: Operation): Promise<StrangeValue[]> {
  const about = collectionOf(operation);
  const others = collectionsOf(session.contract).filter(({ id }) => id !== about);
  const foreign: number[] = [];
  for (const { id } of others.slice(0, MOST_FOREIGN)) {
    const found = await firstId(session, id);
    if (found !== undefined) foreign.push(found);
  }
  const isWritten = about !== undefined && operation.effect === 'writes';
  const deleted = isWritten ? await deletedId(session, about) : undefined;
  return [
    { kind: 'an id that nothing has', value: NO_ID },
    ...foreign.map((value): StrangeValue => ({ kind: 'an id of another resource', value })),
    ...(deleted === undefined ? [] : [{ kind: 'an id of what is deleted', value: deleted }]),
  ];
}

/** Ids that no record has: one that becomes 1 in a variable of 32 bits, and one that many languages take for none. */
const EDGE_IDS: readonly StrangeValue[] = [
  { kind: 'an id of more than 32 bits', value: 2 ** 32 + 1 },
  { kind: 'the id 0', value: 0 },
];

/** One of these ids for each of the first collections, because records of all kinds often share code. */
export function edgeIds(contract: Contract, { resource }: Operation): StrangeValue[] {
  const at = collectionsOf(contract).findIndex(({ id }) => id === resource?.id);
  const id = EDGE_IDS[at];
  return id === undefined ? [] : [id];
}

/** The id of an own record that was deleted for good, one for each collection. */
const deletedId = fixture('deleted', async (session, collection: string): Promise<number | undefined> => {
  const own = ownRecordsOf(session);
  const resource = collectionsOf(session.contract).find(({ id }) => id === collection);
  if (own === undefined || resource?.kind !== 'records') return undefined;
  const made = await newDraft(own, collection);
  if (!('id' in made)) return undefined;
  const gone = await own.remove(made, true);
  return gone.answer === 'accepted' ? made.id : undefined;
});

/** Unrelated ids in the type of a parameter; none if it does not seem to take ids. */
function idsFor(schema: Schema, ids: readonly StrangeValue[]): StrangeValue[] {
  const takesIds = ({ minimum, maximum, ...one }: Schema): boolean =>
    one.enum === undefined &&
    minimum === undefined &&
    maximum === undefined &&
    typesOf(one).includes('integer');
  if (takesIds(schema)) return [...ids];
  if (schema.items === undefined || !takesIds(schema.items)) return [];
  return ids.map(({ kind, value }) => ({ kind, value: [value] }));
}

/** Sets with an unrelated id in the path, for captures that name a record. */
export function strangePaths({ route, resource }: Operation, ids: readonly StrangeValue[]): FuzzSet[] {
  if (resource === undefined) return [];
  return ids.flatMap((id) => route.pathParameters.flatMap(({ name }) => setsOfOne(name, [id])));
}

/** A route with other values of path parameters. @param filled the route with its path parameters filled */
export function routeWith(
  { route }: Operation,
  filled: string,
  values: Readonly<Record<string, unknown>>,
): string {
  const parts = filled.split('/');
  for (const [at, segment] of route.wire.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined && Object.hasOwn(values, name))
      parts[at] = encodeURIComponent(String(values[name]));
  }
  return parts.join('/');
}
