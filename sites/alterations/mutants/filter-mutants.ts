import { FILTERS } from '../../reference/filters.ts';
import { integer, isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { typesOf } from '../../reference/schema.ts';
import { seedStore } from '../../reference/seed.ts';
import { type Answer, answer, type Call, type Filter } from '../../reference/site.ts';
import type { Kind } from '../../reference/store.ts';
import { type Mutant, mutant, together } from '../alteration.ts';
import { objectAt } from '../declarations.ts';
import {
  answerMutant,
  argsMutant,
  declaring,
  handlerMutant,
  healthy,
  isGiven,
  isList,
  kindOf,
  readingMutant,
  sending,
  turningArgs,
  withList,
  without,
} from '../handling.ts';
import { nestedDefaultMutants } from './parameter-mutants.ts';
import { combinationMutants } from './partial-mutants.ts';

/** Term filters, for all kinds of records with terms. */
const TERMS = ['categories', 'tags', 'categories_exclude', 'tags_exclude'];
/** Filters of files, which the site combines to one condition. */
const FILES = ['media_type', 'mime_type'];

/**
 * Mutants of lists: each filter ignored, inverted, or only working alone, wrong orders and pages; and for every read,
 * arguments that do not work together.
 */
export function filterMutants(contract: Contract): Mutant[] {
  return [
    ...contract.operations.filter(isList).flatMap(listMutants),
    ...contract.operations.flatMap(combinationMutants),
  ];
}

function listMutants(operation: Operation): Mutant[] {
  const names = Object.keys(operation.parameters.properties).filter(
    (name) => name !== 'context' && !(name in operation.pathParameters),
  );
  return [
    ...names.flatMap((name) => parameterMutants(operation, name)),
    ...('search' in operation.parameters.properties && operation.resource?.parent === undefined
      ? [refusingNone(operation)]
      : []),
    ...orderMutants(operation),
    ...memberMutants(operation),
    ...exclusionMutants(operation),
    ...childrenMutants(operation),
    ...pageMutants(operation),
    ...beyondMutants(operation),
    ...nestedDefaultMutants(operation),
  ];
}

/** A site that finds nothing where a list would be empty: one cause of many refusals. */
function refusingNone({ id }: Operation): Mutant {
  const title = `${id} is refused if no record matches`;
  return answerMutant(`${id}/search/filters/none~not-found`, title, id, (shown) => {
    if (!Array.isArray(shown.body) || shown.body.length > 0) return shown;
    throw new Refusal('rest_not_found', 'There are none.', 404);
  });
}

function parameterMutants(operation: Operation, name: string): Mutant[] {
  const { id } = operation;
  const schema = operation.parameters.properties[name] ?? {};
  // A single text is also a valid default of an array (R5).
  const stated = typesOf(schema).includes('array')
    ? schema.default && [schema.default].flat()
    : schema.default;
  const ignoring = (args: JsonObject): JsonObject =>
    stated === undefined ? without(args, name) : { ...args, [name]: stated };
  const filter = FILTERS[name];
  const kind = kindOf(operation);
  const others = [...Object.keys(FILTERS), ...TERMS, ...FILES].filter((one) => one !== name);
  const about = `${id}/${name}/filters`;
  return [
    argsMutant(`${about}~ignored`, `${id} ignores ${name}`, id, ignoring),
    ...(filter && kind ? [inverted(operation, name, filter, kind)] : []),
    ...(filter && kind && name === 'slug' ? [matchingParts(operation, name, filter, kind)] : []),
    ...(filter || TERMS.includes(name) || FILES.includes(name)
      ? [
          argsMutant(
            `${about}~only-alone`,
            `${id} ignores ${name} beside another filter`,
            id,
            (args, call) => (others.some((one) => isGiven(call, one)) ? ignoring(args) : args),
          ),
        ]
      : []),
  ];
}

function inverted(operation: Operation, name: string, filter: Filter, kind: Kind): Mutant {
  const stated = JSON.stringify([operation.parameters.properties[name]?.default ?? null].flat());
  const turned: Filter = (record, value, query) => {
    const isTurned = record.kind === kind && JSON.stringify([value].flat()) !== stated;
    return filter(record, value, query) !== isTurned;
  };
  return mutant(
    `${operation.id}/${name}/filters~inverted`,
    `${name} of ${operation.id} keeps what it should leave out`,
    ({ filters }) => ({ filters: { ...filters, [name]: turned } }),
  );
}

/** A site that finds slugs by their beginning. */
function matchingParts({ id }: Operation, name: string, filter: Filter, kind: Kind): Mutant {
  const begins: Filter = (record, value, query) =>
    filter(record, value, query) ||
    (record.kind === kind && [value].flat().some((part) => record.slug.startsWith(String(part))));
  return mutant(
    `${id}/${name}/filters~matches-parts`,
    `${id} finds records whose ${name} begins with the one asked for`,
    ({ filters }) => ({ filters: { ...filters, [name]: begins } }),
  );
}

function orderMutants({ id, resource, parameters: { properties } }: Operation): Mutant[] {
  // The order by relevance is unspecified; records without a filter by parent have no parent.
  const orderless = 'parent' in properties ? ['relevance'] : ['relevance', 'parent'];
  const values = (properties.orderby?.enum ?? []).filter((value) => !orderless.includes(String(value)));
  // The slugs of revisions are derived from the id of the parent.
  const directed = resource?.parent ? [...DIRECTED, 'slug'] : DIRECTED;
  const rising = values.filter((value) => !directed.includes(String(value)));
  return [
    ...values.map((value) =>
      argsMutant(
        `${id}/orderby/filters/${String(value)}~ignored`,
        `${id} lists in another order than by ${String(value)}`,
        id,
        (args) => (args.orderby === value ? { ...args, orderby: value === 'date' ? 'title' : 'date' } : args),
      ),
    ),
    ...rising.map((value) =>
      argsMutant(
        `${id}/orderby/filters/${String(value)}~rises-by-default`,
        `${id} rises by ${String(value)} where no order is asked for`,
        id,
        (args, call) =>
          args.orderby === value && isGiven(call, 'orderby') && !isGiven(call, 'order')
            ? { ...args, order: 'asc' }
            : args,
      ),
    ),
  ];
}

/** Orders without a direction, or that are always requested with one. */
const DIRECTED = ['include', 'include_slugs', 'id'];

/** Removes one member of a structured filter. */
function withoutMember(args: JsonObject, name: string, member: string): JsonObject {
  const value = args[name];
  return isObject(value) ? { ...args, [name]: without(value, member) } : args;
}

/** Members of structured filters, and the columns of a search, ignored one by one. */
function memberMutants({ id, parameters: { properties } }: Operation): Mutant[] {
  const members = TERMS.flatMap((name) =>
    Object.keys(properties[name]?.properties ?? {})
      .filter((member) => member !== 'terms' && member !== 'include_children')
      .map((member) =>
        argsMutant(
          `${id}/${name}/filters/${member}~ignored`,
          `${id} ignores ${member} of ${name}`,
          id,
          (args) => withoutMember(args, name, member),
        ),
      ),
  );
  const columns = (properties.search_columns?.items?.enum ?? []).map((column) =>
    argsMutant(
      `${id}/search_columns/filters/${String(column)}~ignored`,
      `${id} searches everywhere when ${String(column)} is asked for`,
      id,
      (args) =>
        Array.isArray(args.search_columns) && args.search_columns.includes(column)
          ? { ...args, search_columns: [] }
          : args,
    ),
  );
  return [...members, ...columns];
}

/** A site that only applies one of a taxonomy filter and its exclusion if both are sent (R50). */
function exclusionMutants({ id, parameters: { properties } }: Operation): Mutant[] {
  return ['categories', 'tags']
    .filter((name) => name in properties && `${name}_exclude` in properties)
    .flatMap((name) => {
      const other = `${name}_exclude`;
      const about = `${id}/${other}/filters/${name}`;
      const dropping = (how: string, dropped: string): Mutant =>
        argsMutant(
          `${about}~${how}`,
          `${id} ignores ${dropped} where both ${name} and ${other} come`,
          id,
          (args, call) => (isGiven(call, name) && isGiven(call, other) ? without(args, dropped) : args),
        );
      return [dropping('excludes-nothing', other), dropping('includes-all', name)];
    });
}

/** More records than a third of each list of the reference, so that only longer pages show it. */
const CAP = 4;

function cappedMutant(id: string): Mutant {
  const title = `${id} lists ${CAP} records at most`;
  return argsMutant(`${id}/per_page/filters~cut-in-silence`, title, id, (args) => ({
    ...args,
    per_page: Math.min(integer(args.per_page, 10), CAP),
  }));
}

/** A site that reads whole pages, and shows only the first records of each. */
function cutMutant(id: string): Mutant {
  const title = `${id} shows ${CAP} records of each page at most`;
  return answerMutant(`${id}/per_page/filters~cut-from-the-answer`, title, id, (shown) =>
    withList(shown, (records) => records.slice(0, CAP)),
  );
}

function pageMutants({ id, resource }: Operation): Mutant[] {
  const page = `${id}/page/filters`;
  const shifted = (how: string, title: string, by: number): Mutant =>
    argsMutant(`${page}~${how}`, `the second page of ${id} ${title}`, id, (args) => {
      const number = integer(args.page, 1);
      const start = (number - 1) * integer(args.per_page, 10) + by;
      return number > 1 && args.offset === undefined ? { ...args, offset: start } : args;
    });
  return [
    shifted('off-by-one', 'begins with the last record of the first', -1),
    shifted('skips-one', 'leaves out its first record', 1),
    argsMutant(
      `${id}/per_page/filters~one-more`,
      `${id} lists one record more than asked for`,
      id,
      (args, call) =>
        isGiven(call, 'per_page') ? { ...args, per_page: integer(args.per_page, 10) + 1 } : args,
    ),
    // Records of the reference have fewer revisions.
    ...(resource?.parent === undefined ? [cappedMutant(id), cutMutant(id)] : []),
    // An argument that it does not validate is not named in refusals of others either.
    readingMutant(
      `${id}/per_page/maximum/enforced~beside-search`,
      `${id} takes a per_page beyond its maximum beside a search`,
      id,
      (given, read) =>
        'search' in given && Number(given.per_page) > 100 ? read(without(given, 'per_page')) : read(given),
    ),
    argsMutant(`${id}/offset/filters~off-by-one`, `${id} skips one record more than asked for`, id, (args) =>
      typeof args.offset === 'number' ? { ...args, offset: args.offset + 1 } : args,
    ),
    answerMutant(`${page}~loses-last`, `${id} leaves out the last record of every page`, id, (shown) =>
      withList(shown, (records) => records.slice(0, -1)),
    ),
  ];
}

const MOST_PAGES = 9;

/** Lists that answer a page beyond the last with an earlier one. */
function beyondMutants({ id, parameters }: Operation): Mutant[] {
  const repeating = (how: string, pages: readonly number[]): Mutant =>
    handlerMutant(
      `${id}/page/filters/beyond~${how}`,
      `a page beyond the last of ${id} repeats another`,
      id,
      (call) => firstOf(call, [integer(call.args.page, 1), ...pages]),
    );
  const falling = Array.from({ length: MOST_PAGES }, (_, at) => MOST_PAGES - at);
  const ofSearch = handlerMutant(
    `${id}/page/filters/beyond~first-of-search`,
    `a page beyond the last of ${id} repeats the first where it is searched`,
    id,
    (call) => firstOf(call, [integer(call.args.page, 1), ...(isGiven(call, 'search') ? [1] : [])]),
  );
  return [
    repeating('first-again', [1]),
    repeating('last-again', falling),
    ...('search' in parameters.properties ? [ofSearch] : []),
  ];
}

/** The answer for the first of some pages that is not refused. */
async function firstOf(call: Call, [page = 1, ...others]: readonly number[]): Promise<Answer> {
  try {
    return await healthy({ ...call, args: { ...call.args, page } });
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || others.length === 0) throw refusal;
    return firstOf(call, others);
  }
}

const ROUTE = '/cms/v2/categories';

/**
 * Filters of categories that ignore `include_children`, on a site that lists its categories, because only the list
 * shows the hierarchy.
 */
function childrenMutants({ id, parameters }: Operation): Mutant[] {
  const forgetting = (args: JsonObject): JsonObject =>
    isObject(args.categories) && args.categories.include_children === true
      ? { ...args, categories: { ...args.categories, operator: 'OR' } }
      : args;
  const anyOf =
    'include_children' in (parameters.properties.categories?.properties ?? {})
      ? [
          mutant(
            `${id}/categories/filters/operator~any-of-those-below`,
            `${id} joins categories by OR where those below count`,
            together(LISTING_CATEGORIES, turningArgs(id, forgetting)),
          ),
        ]
      : [];
  const dropping = (args: JsonObject): JsonObject =>
    isObject(args.categories) && args.categories.include_children === true
      ? without(args, 'categories')
      : args;
  const dropped = anyOf.map(() =>
    argsMutant(
      `${id}/categories/filters/include_children~drops-the-filter`,
      `${id} lists everything where categories below count, and lists no categories`,
      id,
      dropping,
    ),
  );
  return [...anyOf, ...dropped, ...ignoringChildren(id, parameters)];
}

function ignoringChildren(id: string, parameters: Operation['parameters']): Mutant[] {
  return ['categories', 'categories_exclude']
    .filter((name) => 'include_children' in (parameters.properties[name]?.properties ?? {}))
    .map((name) =>
      mutant(
        `${id}/${name}/filters/include_children~ignored`,
        `${id} ignores include_children of ${name}`,
        together(
          LISTING_CATEGORIES,
          turningArgs(id, (args) => withoutMember(args, name, 'include_children')),
        ),
      ),
    );
}

/** A site with a route outside the contract: its categories, each with its parent. */
const LISTING_CATEGORIES = together(
  declaring((index) => {
    objectAt(index, 'routes')[ROUTE] = { namespace: 'cms/v2', methods: ['GET'], endpoints: [] };
  }),
  sending((shown, { route }) => (route === ROUTE ? answer(categories()) : shown)),
);

function categories(): JsonObject[] {
  const { terms } = seedStore('empty');
  return terms
    .filter(({ taxonomy }) => taxonomy === 'category')
    .map(({ id, slug, parent }) => ({ id, slug, parent }));
}
