import { invalidParameters, toList } from '../../reference/arguments.ts';
import { pathParameters } from '../../reference/calls.ts';
import { integer, isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import type { Call } from '../../reference/site.ts';
import { type Mutant, mutant, together } from '../alteration.ts';
import {
  answerMutant,
  argsMutant,
  handlerMutant,
  handling,
  healthy,
  idOf,
  isList,
  ownResources,
  readingMutant,
  recordOf,
  shownRecord,
  without,
} from '../handling.ts';
import { SITE_BOUND } from './fuzz-mutants.ts';

/** Checks of lists send several arguments at once; lists with fewer parameters than this need another mutant. */
const FEW = 14;

/** Mutants of a read that accepts its arguments one by one, and refuses some valid combinations. */
export function combinationMutants(operation: Operation): Mutant[] {
  const { id, effect, pathParameters, parameters } = operation;
  const free = Object.entries(parameters.properties).filter(
    ([name]) => !(name in pathParameters) && !SITE_BOUND.includes(name),
  );
  if (effect !== 'reads' || free.length < 3) return [];
  const optional = free.filter(([name, schema]) => !parameters.required.includes(name) && isPlain(schema));
  const names = optional.map(([name]) => name);
  const most = Math.floor(names.length / 2);
  const refuses = (how: string, title: string, isRefused: (given: JsonObject) => boolean): Mutant[] => [
    readingMutant(`${id}/fuzz/accepted~${how}`, title, id, (given, read) => {
      if (isRefused(given)) throw invalidParameters({ [Object.keys(given)[0] ?? '']: 'Not together.' });
      return read(given);
    }),
  ];
  if (most > 0 && (names.length >= FEW || !names.includes('orderby'))) {
    const title = `${id} takes no more than ${most} of its optional arguments at once`;
    return refuses('refuses-many', title, (given) => names.filter((name) => name in given).length > most);
  }
  if (names.includes('include') && names.includes('exclude')) {
    const title = `${id} refuses include beside exclude`;
    return refuses('refuses-contraries', title, (given) => 'include' in given && 'exclude' in given);
  }
  // If all arguments are required, only values differ between requests.
  const title = `${id} refuses signs that words do not have, and numbers above a hundred`;
  return refuses('refuses-unusual', title, (given) => free.some(([name]) => isUnusual(given[name])));
}

/** Whether a value of a query is unusual. */
function isUnusual(value: Json | undefined): boolean {
  return typeof value === 'string' && (/[^\w ,.:/-]/.test(value) || Number(value) > 100);
}

/** Whether the valid values follow from the schema. */
function isPlain({ enum: members, format, pattern, items, ...schema }: Schema): boolean {
  if (members) return true;
  const types = typesOf(schema);
  if (types.includes('array')) return items !== undefined && isPlain(items);
  if (types.includes('string')) return format === undefined || format === 'date-time' ? !pattern : false;
  return types.includes('integer') || types.includes('boolean');
}

/** Mutants that apply only a part of the arguments: one of several values, one direction, the day of a date-time. */
export function partialMutants(contract: Contract): Mutant[] {
  return [
    ...contract.operations.filter(isList).flatMap(listMutants),
    ...ownResources(contract).flatMap(recordMutants),
  ];
}

/** Filters for which two values prove nothing, or for which a list of revisions has too few records. */
const LONE: readonly string[] = ['include', 'exclude', 'slug', 'parent', 'parent_exclude', 'status'];

function listMutants(operation: Operation): Mutant[] {
  const { id, resource, parameters } = operation;
  if (resource?.parent) return [];
  const { properties } = parameters;
  const arrays = Object.entries(properties).filter(([, schema]) => typesOf(schema).includes('array'));
  return [
    ...arrays
      .filter(([name]) => !LONE.includes(name) || (name === 'status' && resource?.kind === 'records'))
      .map(([name]) => firstOnly(id, name)),
    ...(properties.orderby?.enum ?? [])
      .map(String)
      .filter((value) => TURNING.includes(value))
      .map((value) => oneWay(id, value)),
    ...['after', 'before', 'modified_after', 'modified_before']
      .filter((name) => name in properties)
      .map((name) =>
        dateMutant(id, name, 'no-offset', `leaves out the offset that ${name} names`, (text) =>
          text.replace(/[+-]\d\d:\d\d$/, ''),
        ),
      ),
    ...['before', 'modified_before']
      .filter((name) => name in properties)
      .map((name) =>
        dateMutant(id, name, 'ahead-alone', `takes any offset of ${name} for one ahead of GMT`, (text) =>
          text.replace(/-(?=\d\d:\d\d$)/, '+'),
        ),
      ),
    ...['after', 'before', 'modified_after', 'modified_before']
      .filter((name) => name in properties)
      .map((name) =>
        dateMutant(
          id,
          name,
          'by-day',
          `reads the day of ${name} alone`,
          (text) => `${text.slice(0, 10)}T00:00:00`,
        ),
      ),
    paddedMutant(id),
    sortedPagesMutant(id),
    offsetMutant(id),
    zeroMutant(id),
    ...['parent', 'parent_exclude'].filter((name) => name in properties).map((name) => noneMutant(id, name)),
    // A file's name is also its title.
    ...('search_columns' in properties && resource?.kind !== 'uploads' ? [lastColumnMutant(id)] : []),
    usualMutant(id),
    fewIdsMutant(id),
    ...('tax_relation' in properties ? [betweenObjectsMutant(id)] : []),
    ...['include', 'exclude'].filter((name) => name in properties).map((name) => firstTwoOnly(id, name)),
    ...('format' in properties ? [standardMutant(id)] : []),
    ...BY_COMMAS.filter((name) => name in properties).map((name) => beforeComma(id, name)),
  ];
}

/** Filters of lists with several values and a visible effect on every site. */
const BY_COMMAS: readonly string[] = ['include', 'exclude', 'categories', 'tags_exclude'];

function beforeComma(id: string, name: string): Mutant {
  const title = `${id} reads ${name} up to the first comma`;
  return readingMutant(`${id}/${name}/filters~before-comma`, title, id, (given, read) => {
    const value = given[name];
    return read(typeof value === 'string' ? { ...given, [name]: value.replace(/,.*/, '') } : given);
  });
}

function firstOnly(id: string, name: string): Mutant {
  // The columns of a search have a check each.
  const part = name === 'search_columns' ? `${name}/filters/post_content` : `${name}/filters`;
  const title = `${id} reads the first of several ${name} alone`;
  return argsMutant(`${id}/${part}~first-only`, title, id, (args) => {
    const value = args[name];
    return Array.isArray(value) ? { ...args, [name]: value.slice(0, 1) } : args;
  });
}

/** Orders without ties in all seeded records, so that both directions show. */
const TURNING: readonly string[] = ['title', 'slug', 'modified', 'author'];

function oneWay(id: string, value: string): Mutant {
  return argsMutant(
    `${id}/orderby/filters/${value}~one-way`,
    `${id} by ${value} applies no order`,
    id,
    (args) => (args.orderby === value ? { ...args, order: 'desc' } : args),
  );
}

function dateMutant(
  id: string,
  name: string,
  how: string,
  title: string,
  turn: (text: string) => string,
): Mutant {
  return argsMutant(`${id}/${name}/filters~${how}`, `${id} ${title}`, id, (args) => {
    const value = args[name];
    return typeof value === 'string' ? { ...args, [name]: turn(value) } : args;
  });
}

function paddedMutant(id: string): Mutant {
  const title = `the last page of ${id} begins earlier, so that it is full`;
  return answerMutant(`${id}/page/filters~padded`, title, id, (answer, call) => {
    const [number, size] = [integer(call.args.page, 1), integer(call.args.per_page, 10)];
    const total = Number(answer.headers['X-WP-Total']);
    const isShort = Array.isArray(answer.body) && answer.body.length < size && total > size;
    if (number < 2 || call.args.offset !== undefined || !isShort) return answer;
    return healthy({ ...call, args: { ...call.args, page: 1, offset: total - size } });
  });
}

function sortedPagesMutant(id: string): Mutant {
  const title = `the pages of ${id} by title repeat the last record of the one before`;
  return argsMutant(`${id}/page/filters~repeats-by-title`, title, id, (args) => {
    const [number, size] = [integer(args.page, 1), integer(args.per_page, 10)];
    const isSorted = args.orderby === 'title' && number > 1 && args.offset === undefined;
    return isSorted ? { ...args, offset: (number - 1) * size - 1 } : args;
  });
}

function noneMutant(id: string, name: string): Mutant {
  const title = `${id} takes 0 for ${name} as if it were not there`;
  return argsMutant(`${id}/${name}/filters~no-zero`, title, id, (args) => {
    const value = args[name];
    return Array.isArray(value) ? { ...args, [name]: value.filter((one) => one !== 0) } : args;
  });
}

function lastColumnMutant(id: string): Mutant {
  const title = `${id} searches the last of several columns alone`;
  return argsMutant(`${id}/search_columns/filters/post_title~last-only`, title, id, (args) => {
    const { search_columns: columns } = args;
    return Array.isArray(columns) ? { ...args, search_columns: columns.slice(-1) } : args;
  });
}

/** The arguments of every check of a list, each of which is accepted alone. */
function usualMutant(id: string): Mutant {
  const title = `${id} refuses the largest page in the edit context`;
  return readingMutant(`${id}/fuzz/accepted~no-full-page-in-edit`, title, id, (given, read) => {
    if (given.per_page === '100' && given.context === 'edit')
      throw invalidParameters({ per_page: 'Too many.' });
    return read(given);
  });
}

function fewIdsMutant(id: string): Mutant {
  const title = `${id} refuses more than 20 ids to include`;
  return readingMutant(`${id}/include/filters~twenty-at-most`, title, id, (given, read) => {
    if (toList(given.include ?? []).length > 20) throw invalidParameters({ include: 'Too many.' });
    return read(given);
  });
}

function betweenObjectsMutant(id: string): Mutant {
  const title = `${id} joins terms that are written as objects by AND, whatever tax_relation says`;
  return argsMutant(`${id}/tax_relation/filters~not-of-objects`, title, id, (args) =>
    isObject(args.tags) ? { ...args, tax_relation: 'AND' } : args,
  );
}

function offsetMutant(id: string): Mutant {
  const title = `${id} takes an offset for the beginning of all that is left`;
  return argsMutant(`${id}/offset/filters~takes-all`, title, id, (args) =>
    args.offset === undefined ? args : { ...args, per_page: 100 },
  );
}

function zeroMutant(id: string): Mutant {
  const title = `${id} takes an offset of 0 for one beyond the end`;
  return argsMutant(`${id}/offset/filters~zero`, title, id, (args) =>
    args.offset === 0 ? { ...args, offset: 1_000_000 } : args,
  );
}

function firstTwoOnly(id: string, name: string): Mutant {
  const title = `${id} reads the first two of several ${name} alone`;
  return argsMutant(`${id}/${name}/filters~first-two`, title, id, (args) => {
    const value = args[name];
    return Array.isArray(value) ? { ...args, [name]: value.slice(0, 2) } : args;
  });
}

function standardMutant(id: string): Mutant {
  const title = `${id} finds nothing whose format is the usual one`;
  return argsMutant(`${id}/format/filters~no-standard`, title, id, (args) => {
    const { format } = args;
    const isUsual = Array.isArray(format) && format.length === 1 && format[0] === 'standard';
    return isUsual ? { ...args, include: [987_654_321] } : args;
  });
}

function recordMutants(resource: Resource): Mutant[] {
  const { id, uniqueSlugs, trash, operations, children } = resource;
  const { update, delete: deletion, read } = operations;
  return [
    ...(uniqueSlugs && update ? slugMutants(resource) : []),
    ...(trash && deletion
      ? [
          argsMutant(
            `states/${id}/trash~any-word`,
            `${deletion.id} takes any word for force`,
            deletion.id,
            (args, { request }) => ('force' in request.query ? { ...args, force: true } : args),
          ),
        ]
      : []),
    ...children
      .filter((child) => child.kind === 'revisions')
      .flatMap((child) => child.operations.read ?? [])
      .map(() => anyTypeMutant(id)),
    ...(read && 'excerpt_length' in read.parameters.properties
      ? [
          argsMutant(
            `${read.id}/excerpt_length/applied~ignored`,
            `${read.id} ignores excerpt_length`,
            read.id,
            (args) => without(args, 'excerpt_length'),
          ),
          argsMutant(
            `${read.id}/excerpt_length/applied~usual-at-most`,
            `${read.id} cuts excerpts at the usual length, however long they may be`,
            read.id,
            (args) => ({
              ...args,
              ...('excerpt_length' in args && { excerpt_length: Math.min(Number(args.excerpt_length), 55) }),
            }),
          ),
        ]
      : []),
  ];
}

/** Slugs in use: one that an update writes, and that of a draft when it is published. */
function slugMutants(resource: Resource): Mutant[] {
  const about = `slugs/${resource.id}/unique/updated`;
  const written = keepingSlug(resource, 'update', ({ args }) => args.slug);
  const drafted = together(
    keepingSlug(resource, 'create', ({ args }) => (args.status === 'draft' ? args.slug : undefined)),
    keepingSlug(resource, 'update', ({ args }, before) => (args.slug === undefined ? before : undefined)),
  );
  return [
    mutant(`${about}~by-update`, `an update in ${resource.id} writes a slug that is taken`, written),
    mutant(`${about}~by-draft`, `a draft in ${resource.id} has a slug that is taken, and keeps it`, drafted),
  ];
}

/** A site that stores slugs unchanged. @param slugOf gets the call and the previous slug of the record */
function keepingSlug(
  resource: Resource,
  role: string,
  slugOf: (call: Call, before: string | undefined) => Json | undefined,
): Mutant['behaviour'] {
  return handling(idOf(resource, role), async (call) => {
    const slug = slugOf(call, recordOf(call, resource.id)?.slug);
    const answer = await healthy(call);
    const stored = shownRecord(answer, call, resource.id);
    if (stored !== undefined && typeof slug === 'string' && slug !== '') stored.slug = slug;
    return answer;
  });
}

/** Revisions of a record of one kind are also listed below its id as another type. */
function anyTypeMutant(kind: string): Mutant {
  const title = `revisions of ${kind} are listed below the routes of other types`;
  const listsRevisions = ({ role, resource }: Operation): boolean =>
    role === 'list' && resource?.kind === 'revisions';
  return handlerMutant(`revisions/${kind}/ids/parent~of-any-type`, title, listsRevisions, (call, next) => {
    const { operations } = call.site.contract;
    const usual = operations.find((one) => listsRevisions(one) && one.resource?.parent?.id === kind);
    const isMeant = call.site.store.get(Number(call.args[pathParameters(call).first]), kind) !== undefined;
    return next(isMeant && usual !== undefined ? { ...call, operation: usual } : call);
  });
}
