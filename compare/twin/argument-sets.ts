import { type JsonObject, member } from '../../client/json.ts';
import { draw } from '../../generators/explore.ts';
import { anyInvalidSet, anyValidSet, type SetParameter, usable, valuesOf } from '../../generators/sets.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { textsOf } from '../../specs/texts.ts';
import type { TwinRead } from './records.ts';

const SEARCH = 'search';
/** The members of records for parameters with another name. */
const SOURCES: Readonly<Record<string, string>> = {
  include: 'id',
  exclude: 'id',
  before: 'date',
  after: 'date',
  modified_before: 'modified',
  modified_after: 'modified',
  [SEARCH]: 'slug',
};
/** The size of a small page, which is followed by another one. */
const SMALL = 2;

/** The sets of arguments to draw from the contract for each list. */
export interface Drawing {
  readonly seed: number;
  readonly examples: number;
}

/** The sets for a list: none, each argument alone, pages in each order, and drawn ones. @param records of both sites */
export function setsOf(
  list: TwinRead,
  records: readonly JsonObject[],
  wanted: Drawing & { readonly sameIds: boolean },
): Args[] {
  const { totals, context } = textsOf('observed');
  const { page, size } = totals;
  const paged: Args | undefined =
    page in list.args && size in list.args ? { [size]: SMALL, [page]: 2 } : undefined;
  const parameters = usable(parametersOf(list, records, wanted.sameIds));
  const others = parameters.filter(({ name }) => name !== page && name !== size);
  const sets: Args[] = [
    {},
    ...(paged === undefined ? [] : [paged, { [size]: SMALL }]),
    ...others.flatMap((one) => aloneSets(one, one.name === context ? undefined : paged)),
    ...severalSets(parameters),
    ...besideSets(parameters),
    ...drawnSets(parameters, wanted),
  ];
  return [...new Map(sets.map((one) => [JSON.stringify(one), one])).values()];
}

/** The parameters of a list that mean the same on both sites, with values of records. */
function parametersOf(list: TwinRead, records: readonly JsonObject[], sameIds: boolean): SetParameter[] {
  const { totals } = textsOf('observed');
  return (list.operation?.parameters ?? []).flatMap((one): SetParameter[] => {
    const { wire, schema, required } = one;
    const isLeftOut = one.in === 'path' || wire.startsWith('_') || !(wire in list.args);
    const isPaging = wire === totals.page || wire === totals.size;
    if (isLeftOut || (!sameIds && takesNumbers(schema) && !isPaging)) return [];
    const isOffset = totals.shifting.includes(wire) && takesNumbers(schema);
    const known = isOffset ? [SMALL] : knownValues(one, records);
    return [{ name: wire, schema, required: required === true, ...(known.length > 0 && { known }) }];
  });
}

/** Each value of a parameter alone, and declared values on the second page too. */
function aloneSets({ name, schema, known = [] }: SetParameter, paged: Args | undefined): Args[] {
  const listed = listedValues(schema);
  return [
    ...[...listed, ...known].map((value) => ({ [name]: value })),
    ...(paged === undefined ? [] : listed.map((value) => ({ [name]: value, ...paged }))),
  ];
}

/** Several values at once, because some software reads only the first. */
function severalSets(parameters: readonly SetParameter[]): Args[] {
  return parameters.flatMap(({ name, schema, known = [] }) => {
    const all = known.flat();
    return [schema.type].flat().includes('array') && all.length > 1 ? [{ [name]: all }] : [];
  });
}

function besideSets(parameters: readonly SetParameter[]): Args[] {
  const filters = parameters.flatMap(({ name, known: [value] = [] }) =>
    value === undefined ? [] : [{ name, args: { [name]: value } }],
  );
  // Some software honours a filter only if it stands alone. So each is sent with its neighbour, and with one for
  // another member, because two filters of one member may match the same.
  const neighbours = filters.flatMap((one, at): Args[] => {
    const others = [...filters.slice(at + 1), ...filters.slice(0, at)];
    const other = others.find(({ name }) => sourceOf(name) !== sourceOf(one.name));
    return [others[0], other].map((beside) => ({ ...beside?.args, ...one.args }));
  });
  // Arguments about a search mean nothing without one.
  const search = filters.find(({ name }) => name === SEARCH)?.args;
  const searches = parameters.flatMap(({ name, schema }): Args[] =>
    name.startsWith(`${SEARCH}_`) ? listedValues(schema).map((value) => ({ ...search, [name]: value })) : [],
  );
  return [...neighbours, ...searches];
}

/** One invalid value of each parameter, because refusals are compared too, and valid sets of several. */
function drawnSets(parameters: readonly SetParameter[], { examples, seed }: Drawing): Args[] {
  const refused = parameters.flatMap((one) => {
    const invalid = anyInvalidSet([one], []);
    return invalid === undefined ? [] : draw(invalid, 1, seed);
  });
  const valid = parameters.length === 0 ? [] : draw(anyValidSet(parameters), examples, seed);
  return [...refused, ...valid].map(valuesOf);
}

/** The declared values of a schema, as they are sent; both values of a boolean. */
function listedValues(schema: Schema): unknown[] {
  const inner = member(member(schema, 'items'), 'enum');
  if (Array.isArray(schema.enum)) return schema.enum;
  if (Array.isArray(inner)) return inner.map((value) => [value]);
  return schema.type === 'boolean' ? [true, false] : [];
}

/** Whether the values of a parameter are declared. Then they reveal nothing about a site. */
export function isListed({ operation }: TwinRead, name: string): boolean {
  const schema = operation?.parameters.find(({ wire }) => wire === name)?.schema;
  return schema !== undefined && listedValues(schema).length > 0;
}

function takesNumbers(schema: Schema): boolean {
  return [schema, member(schema, 'items')].some((one) => [member(one, 'type')].flat().includes('integer'));
}

function sentFor(name: string, value: unknown): unknown {
  if (name === SEARCH) return String(value).split('-')[0];
  const date = name.endsWith('before') ? Date.parse(`${String(value)}Z`) : Number.NaN;
  if (Number.isNaN(date)) return value;
  return new Date(date + 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
}

/** Values of records that are not the default: from the middle record, and the first one with another value. */
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

function sourceOf(name: string): string {
  return SOURCES[name] ?? name.replace(/_exclude$/, '');
}

function isNamed(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0);
}
