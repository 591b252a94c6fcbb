import { type JsonObject, member } from '../../client/json.ts';
import { draw } from '../../generators/explore.ts';
import { invalidSets, type SetParameter, usable, validSets } from '../../generators/sets.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { TourList } from '../../probing/tour/stops.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import type { ObservedNames } from '../../specs/texts.ts';

const SEARCH = 'search';
/** Members of records that hold what a parameter takes, where that is not the member of its name. */
const SOURCES: Readonly<Record<string, string>> = {
  include: 'id',
  exclude: 'id',
  before: 'date',
  after: 'date',
  modified_before: 'modified',
  modified_after: 'modified',
  [SEARCH]: 'slug',
};
/** On a small page, which has another after it. */
const SMALL = 2;

/** What the sets of a list are made for. */
interface Wanted {
  /** Sets that are drawn from the contract. */
  readonly examples: number;
  readonly seed: number;
  /** Whether ids mean the same on both sites. */
  readonly sameIds: boolean;
}

/**
 * The sets of arguments that a list is asked with: none, each by itself, pages of each order, and some drawn from the contract.
 * @param records that both sites show
 */
export function setsOf(
  list: TourList,
  operation: Operation,
  records: readonly JsonObject[],
  names: ObservedNames,
  wanted: Wanted,
): Args[] {
  const { page, size } = names.totals;
  const paged: Args | undefined =
    page in list.args && size in list.args ? { [size]: SMALL, [page]: 2 } : undefined;
  const parameters = usable(parametersOf(list, operation, records, names, wanted.sameIds));
  const others = parameters.filter(({ name }) => name !== page && name !== size);
  const sets: Args[] = [
    {},
    ...(paged === undefined ? [] : [paged, { [size]: SMALL }]),
    ...others.flatMap((one) => aloneSets(one, one.name === names.context ? undefined : paged)),
    ...severalSets(parameters),
    ...besideSets(parameters),
    ...drawnSets(parameters, wanted),
  ];
  return [...new Map(sets.map((one) => [JSON.stringify(one), one])).values()];
}

/** The parameters of a list that mean the same on both sites, with values that records have. */
function parametersOf(
  list: TourList,
  operation: Operation,
  records: readonly JsonObject[],
  { totals }: ObservedNames,
  sameIds: boolean,
): SetParameter[] {
  return operation.parameters.flatMap((one): SetParameter[] => {
    const { wire, schema, required } = one;
    const isLeftOut = one.in === 'path' || wire.startsWith('_') || !(wire in list.args);
    const isPaging = wire === totals.page || wire === totals.size;
    if (isLeftOut || (!sameIds && takesNumbers(schema) && !isPaging)) return [];
    const isOffset = totals.shifting.includes(wire) && takesNumbers(schema);
    const known = isOffset ? [SMALL] : knownValues(one, records);
    return [{ name: wire, schema, required: required === true, ...(known.length > 0 && { known }) }];
  });
}

/** Each value of a parameter by itself, and those that its schema lists on the second page too. */
function aloneSets({ name, schema, known = [] }: SetParameter, paged: Args | undefined): Args[] {
  const listed = listedValues(schema);
  return [
    ...[...listed, ...known].map((value) => ({ [name]: value })),
    ...(paged === undefined ? [] : listed.map((value) => ({ [name]: value, ...paged }))),
  ];
}

/** Several values at once: some software reads only the first. */
function severalSets(parameters: readonly SetParameter[]): Args[] {
  return parameters.flatMap(({ name, schema, known = [] }) => {
    const all = known.flat();
    return [schema.type].flat().includes('array') && all.length > 1 ? [{ [name]: all }] : [];
  });
}

/** What may show only beside something else. */
function besideSets(parameters: readonly SetParameter[]): Args[] {
  const filters = parameters.flatMap(({ name, known: [value] = [] }) =>
    value === undefined ? [] : [{ name, args: { [name]: value } }],
  );
  // Some software applies a filter only where it stands alone: each is asked for beside its neighbour, and beside one that is about
  // another member, for two of one member may find the same.
  const neighbours = filters.flatMap((one, at): Args[] => {
    const others = [...filters.slice(at + 1), ...filters.slice(0, at)];
    const other = others.find(({ name }) => sourceOf(name) !== sourceOf(one.name));
    return [others[0], other].map((beside) => ({ ...beside?.args, ...one.args }));
  });
  // What a search looks at is named by arguments that mean nothing without one.
  const search = filters.find(({ name }) => name === SEARCH)?.args;
  const searches = parameters.flatMap(({ name, schema }): Args[] =>
    name.startsWith(`${SEARCH}_`) ? listedValues(schema).map((value) => ({ ...search, [name]: value })) : [],
  );
  return [...neighbours, ...searches];
}

/** One invalid value of each parameter, as what a site refuses is a part of what it answers, and valid sets of several. */
function drawnSets(parameters: readonly SetParameter[], { examples, seed }: Wanted): Args[] {
  const refused = parameters.flatMap((one) => {
    const invalid = invalidSets([one], []);
    return invalid === undefined ? [] : draw(invalid, 1, seed);
  });
  const valid = parameters.length === 0 ? [] : draw(validSets(parameters), examples, seed);
  return [...refused, ...valid].map(({ args }) =>
    Object.fromEntries(Object.entries(args).map(([name, { value }]) => [name, value])),
  );
}

/** The values that a schema lists, each as it is sent; both of a switch. */
function listedValues(schema: Schema): unknown[] {
  const items = member(schema, 'items');
  const inner = member(items, 'enum');
  if (Array.isArray(schema.enum)) return schema.enum;
  if (Array.isArray(inner)) return inner.map((value) => [value]);
  return schema.type === 'boolean' ? [true, false] : [];
}

/** Whether the values of a parameter are listed, so that naming one names nothing of a site. */
export function isListed({ parameters }: Operation, name: string): boolean {
  const schema = parameters.find(({ wire }) => wire === name)?.schema;
  return schema !== undefined && listedValues(schema).length > 0;
}

function takesNumbers(schema: Schema): boolean {
  return [schema, member(schema, 'items')].some((one) => {
    const type = member(one, 'type');
    return [type].flat().includes('integer');
  });
}

/** The value of a record as a parameter takes it: the first word of a slug, or a moment just after a date. */
function sentFor(name: string, value: unknown): unknown {
  if (name === SEARCH) return String(value).split('-')[0];
  const date = name.endsWith('before') ? Date.parse(`${String(value)}Z`) : Number.NaN;
  return Number.isNaN(date)
    ? value
    : new Date(date + 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
}

/** Values that records have and that are not the default: of the middle one and the first that has another. */
function knownValues({ name, schema }: Parameter, records: readonly JsonObject[]): unknown[] {
  const source = sourceOf(name);
  const byDefault = [schema.default].flat();
  const values = records.flatMap((record) =>
    [record[source]].flat().filter((one) => isNamed(one) && !byDefault.includes(one)),
  );
  const middle = values[Math.floor(values.length / 2)];
  const two = [middle, values.find((one) => one !== middle)].filter((one) => one !== undefined);
  const isMany = [schema.type].flat().includes('array');
  return two.map((one) => sentFor(name, one)).map((one) => (isMany ? [one] : one));
}

/** The member of records that a parameter is about. */
function sourceOf(name: string): string {
  return SOURCES[name] ?? name.replace(/_exclude$/, '');
}

function isNamed(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0);
}
