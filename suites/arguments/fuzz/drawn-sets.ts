import { encodePart } from '../../../client/address.ts';
import type { SearchPhase } from '../../../engine/fuzz-options.ts';
import { fixture, type Session } from '../../../engine/session.ts';
import { boundaryValues } from '../../../generators/boundaries.ts';
import { draw } from '../../../generators/explore.ts';
import type { Generated } from '../../../generators/generated.ts';
import type { ArgumentSet, SetParameter } from '../../../generators/sets.ts';
import {
  invalidSets as anyInvalidSets,
  validSets as anyValidSets,
  coveringSets,
  hostileSets,
  valuesOf,
} from '../../../generators/sets.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { newDraft } from '../../../probing/records/own/drafts.ts';
import { ownRecordsOf } from '../../../probing/records/own/own-fixture.ts';
import { isText } from '../../../probing/records/own/writable-fields.ts';
import { NO_ID } from '../../../probing/records/reading/record.ts';
import { type Free, type FuzzSet, type Shares, setOf, turned } from '../../../probing/search/note-tried.ts';
import { collectionOf, collectionsOf } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { firstId } from '../argument-values.ts';
import { requiredBeside } from '../control-candidates.ts';
import type { StrangeValue } from './strange-values.ts';
import {
  SHORTEST_LIST,
  SPECIAL_NAMES,
  strangeDate,
  strangestOf,
  strangeValues,
  structureInside,
  wideList,
} from './strange-values.ts';

/** From this many sets of pairs on, sets of triples fit as well. */
const MANY_PAIRS = 20;

/** Sets of valid arguments: all edges packed together, all pairs of parameters (or all triples), and random sets. */
export function validSets(free: readonly Free[], shares: Shares, seed: number): FuzzSet[] {
  const levels = free.map((one) => ({ one, levels: levelsOf(one) })).filter((row) => row.levels.length > 0);
  const longest = Math.max(0, ...levels.map((row) => row.levels.length));
  const boundary = Array.from({ length: longest }, (_, at) =>
    levelSet(
      'boundary',
      levels.map((row) => [row.one, row.levels[at % row.levels.length]]),
    ),
  );
  // Many parameters make triples expensive to compute, and few searches need them.
  const strength = shares.pairs < MANY_PAIRS ? 2 : 3;
  const covering = shares.pairs === 0 ? [] : coveringSets(free.map(asSetParameter), strength);
  const pairs = covering.map(({ args }) =>
    levelSet(
      'pairs',
      free.map((one) => {
        const level = args[one.parameter.wire];
        const isAlone = level !== undefined && requiredBeside(one.parameter, level.value) === undefined;
        return [one, isAlone ? level : undefined];
      }),
    ),
  );
  // Covering triples takes more sets than covering pairs.
  const ofThree = strength === 3 ? Math.min(pairs.length, Math.floor(shares.random / 2)) : 0;
  return [
    ...turned(boundary, shares.boundary, seed),
    ...turned(pairs, shares.pairs + ofThree, seed),
    ...randomSets(free, shares.random - ofThree, seed),
  ];
}

/** Edge values that are accepted from any caller, with any other arguments. */
function levelsOf({ parameter, schema }: Free): Generated[] {
  return boundaryValues(schema).filter(
    ({ expect, value }) => expect === 'accepted' && requiredBeside(parameter, value) === undefined,
  );
}

/** A parameter for the generators. Required arguments are already in the baseline request. */
function asSetParameter({ parameter, schema }: Free): SetParameter {
  return { name: parameter.wire, schema, required: false };
}

function levelSet(phase: SearchPhase, given: readonly (readonly [Free, Generated | undefined])[]): FuzzSet {
  const chosen = given.flatMap(([{ parameter }, level]) =>
    level === undefined
      ? []
      : [{ name: parameter.wire, value: level.value, keyword: level.keyword ?? 'type' }],
  );
  return {
    phase,
    args: Object.fromEntries(chosen.map(({ name, value }) => [name, value])),
    about: chosen.map(({ name, keyword }) => ({ name, keyword })),
  };
}

function randomSets(free: readonly Free[], count: number, seed: number): FuzzSet[] {
  return draw(anyValidSets(free.map(asSetParameter)), count, seed)
    .filter(({ expect }) => expect === 'accepted')
    .map((set) => drawnSet(set, () => 'valid'));
}

function drawnSet(set: ArgumentSet, keywordOf: (name: string) => string): FuzzSet {
  const about = set.about.map((name) => ({ name, keyword: keywordOf(name) }));
  return { phase: 'random', args: valuesOf(set), about };
}

/** Sets drawn for each set that is sent: some hold a value that requires other arguments. */
const DRAWN = 3;

/** Sets with exactly one argument that must be refused, among valid ones of `beside`: edges first, then random sets. */
export function invalidSets(
  free: readonly Free[],
  shares: Shares,
  seed: number,
  beside: readonly Free[] = free,
): FuzzSet[] {
  // Each keyword has its own edge values, some of which random draws would miss.
  const edgeCount = shares.boundary + shares.random;
  const others = validSets(beside, { boundary: edgeCount, pairs: 0, random: 0 }, seed);
  const edges = free.flatMap(({ parameter, schema }) =>
    boundaryValues(schema)
      .filter(({ expect }) => expect === 'refused')
      .map(({ value, keyword = 'type' }) => ({ name: parameter.wire, keyword, value })),
  );
  const together = turned(edges, edgeCount, seed).map(
    ({ name, keyword, value }, at): FuzzSet => ({
      phase: 'boundary',
      args: { ...(others[at % Math.max(1, others.length)]?.args ?? {}), [name]: value },
      about: [{ name, keyword }],
    }),
  );
  const any = anyInvalidSets(free.map(asSetParameter), beside.map(asSetParameter));
  if (any === undefined) return together;
  const drawn = draw(any, shares.pairs * DRAWN, seed)
    .filter((set) => standsAlone(beside, set))
    .slice(0, shares.pairs)
    .map((set) => drawnSet(set, (name) => set.args[name]?.keyword ?? 'invalid'));
  return [...together, ...drawn];
}

function standsAlone(beside: readonly Free[], { args, about }: ArgumentSet): boolean {
  return beside.every(({ parameter }) => {
    const given = args[parameter.wire];
    if (given === undefined || about.includes(parameter.wire)) return true;
    return given.expect === 'accepted' && requiredBeside(parameter, given.value) === undefined;
  });
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
  const drawn = draw(hostileSets(parameters), random, seed)
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
    ...oneOfEach(dated, 'dates', (_schema, at) => strangeDate(at)),
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
  valueFor: (schema: Schema, at: number) => unknown,
): FuzzSet[] {
  const args = some
    .map(({ parameter, schema }, at) => [parameter.wire, valueFor(schema, at)] as const)
    .filter(([, value]) => value !== undefined);
  return args.length === 0 ? [] : [setOf('boundary', Object.fromEntries(args), keyword)];
}

/** A set with one argument for each of some values. */
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
