import { integer, isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { FILTERS } from '../../reference/read-records.ts';
import { Refusal } from '../../reference/request.ts';
import { typesOf } from '../../reference/schema.ts';
import { seedStore } from '../../reference/seed.ts';
import { type Answer, answer, type Call, type Filter } from '../../reference/site.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import {
  cappedAt,
  declaring,
  dropping,
  filteringBy,
  handling,
  healthy,
  mutantsIn,
  sending,
  setting,
  turningArgs,
  withList,
  without,
} from '../handling.ts';
import { asks, isGiven, isList, kindOf, sends } from '../selecting.ts';

const TERMS = ['categories', 'tags', 'categories_exclude', 'tags_exclude'];
/** Filters of files, which the site combines to one condition. */
const FILES = ['media_type', 'mime_type'];

/** Mutants of lists: their filters, orders and pages. */
export function filterMutants({ operations }: Contract): Mutants {
  return operations.filter(isList).map(listMutants);
}

function listMutants(operation: Operation): Mutants {
  const { id, resource, parameters, pathParameters } = operation;
  const names = Object.keys(parameters.properties).filter(
    (name) => name !== 'context' && !(name in pathParameters),
  );
  return [
    names.map((name) => parameterMutants(operation, name)),
    'search' in parameters.properties && resource?.parent === undefined && noMatchMutants(id),
    'ignore_sticky' in parameters.properties &&
      mutantsIn(id).args(
        'ignore_sticky/filters~always-in-front',
        'puts sticky records in front, whatever ignore_sticky says',
        setting({ ignore_sticky: false }),
      ),
    changeMutants(operation),
    orderMutants(operation),
    memberMutants(operation),
    exclusionMutants(operation),
    childrenMutants(operation),
    pageMutants(operation),
    beyondMutants(operation),
    statusMutants(operation),
  ];
}

function noMatchMutants(id: string): Mutants {
  const { answer, choking } = mutantsIn(id, `${id}/search/filters/none`);
  const throwing =
    (failure: Error) =>
    (shown: Answer): Answer => {
      if (Array.isArray(shown.body) && shown.body.length === 0) throw failure;
      return shown;
    };
  const notFound = new Refusal('rest_not_found', 'There are none.', 404);
  return [
    answer('~not-found', 'is refused if no record matches', throwing(notFound)),
    answer('~fails', 'makes the server fail if no record matches', throwing(new Error('nothing to show'))),
    choking(
      '~fails-for-long',
      'makes the server fail for a search of more than 200 characters',
      ({ search }) => String(search).length > 200,
    ),
  ];
}

function parameterMutants(operation: Operation, name: string): Mutants {
  const { id } = operation;
  const schema = operation.parameters.properties[name] ?? {};
  const { args, where } = mutantsIn(id, `${id}/${name}/filters`);
  // A single text is also a valid default of an array (R5).
  const stated = typesOf(schema).includes('array')
    ? schema.default && [schema.default].flat()
    : schema.default;
  const ignoring = stated === undefined ? dropping(name) : setting({ [name]: stated });
  const filter = FILTERS[name];
  const kind = kindOf(operation);
  const others = [...Object.keys(FILTERS), ...TERMS, ...FILES].filter((one) => one !== name);
  return [
    args('~ignored', `ignores ${name}`, ignoring),
    name === 'menu_order' &&
      where(asks(name, 0)).args('~zero-ignored', `takes 0 as no ${name}`, dropping(name)),
    filter && kind && invertedMutants(operation, name, filter, kind),
    (filter !== undefined || TERMS.includes(name) || FILES.includes(name)) &&
      args('~only-alone', `ignores ${name} beside another filter`, (given, call) =>
        others.some((one) => isGiven(call, one)) ? ignoring(given) : given,
      ),
  ];
}

function invertedMutants(
  { id, parameters, resource }: Operation,
  name: string,
  filter: Filter,
  kind: string,
): Mutants {
  const stated = JSON.stringify([parameters.properties[name]?.default ?? null].flat());
  const filtering = (how: string, title: string, other: Filter): Mutant =>
    mutant(
      `${id}/${name}/filters~${how}`,
      title,
      filteringBy(
        name,
        () =>
          (record, ...query) =>
            (record.kind === kind ? other : filter)(record, ...query),
      ),
    );
  return [
    filtering('inverted', `${name} of ${id} keeps what it should leave out`, (record, value, query) => {
      const isStated = JSON.stringify([value].flat()) === stated;
      return filter(record, value, query) === isStated;
    }),
    name === 'slug' &&
      filtering(
        'matches-parts',
        `${id} finds records by the beginning of their slug`,
        (record, value, query) =>
          filter(record, value, query) || [value].flat().some((part) => record.slug.startsWith(String(part))),
      ),
    name === 'search' &&
      resource?.protects === true &&
      filtering(
        'protected-too',
        `${id} finds records with a password by any word`,
        (record, ...query) => record.password !== '' || filter(record, ...query),
      ),
  ];
}

/** One of so many records was changed after its date, which only some bounds show. */
const SELDOM = 5;

function changeMutants(operation: Operation): Mutants {
  const { id, parameters } = operation;
  const others = { modified_after: 'after', modified_before: 'before' };
  return Object.entries(others).map(
    ([name, other]) =>
      name in parameters.properties &&
      mutant(
        `${id}/${name}/filters~by-date`,
        `${name} of ${id} reads the date, where few records were changed after it`,
        together(
          handling(id, (call, next) => {
            for (const [at, record] of call.site.store.ofKind(kindOf(operation) ?? '').entries()) {
              if (at % SELDOM !== 1) record.modified = record.date;
            }
            return next(call);
          }),
          ({ filters }) => ({ filters: { ...filters, ...(filters[other] && { [name]: filters[other] }) } }),
        ),
      ),
  );
}

/** Orders without a direction, or that are always requested with one. */
const DIRECTED = ['include', 'include_slugs', 'id'];

function orderMutants({ id, resource, parameters: { properties } }: Operation): Mutants {
  const { args } = mutantsIn(id, `${id}/orderby/filters`);
  // The order by relevance is unspecified; records without a filter by parent have no parent.
  const orderless = 'parent' in properties ? ['relevance'] : ['relevance', 'parent'];
  const values = (properties.orderby?.enum ?? []).map(String).filter((value) => !orderless.includes(value));
  // The slugs of revisions are derived from the id of the parent.
  const directed = resource?.parent ? [...DIRECTED, 'slug'] : DIRECTED;
  const rising = values.filter((value) => !directed.includes(value));
  return [
    values.map((value) =>
      args(`${value}~ignored`, `lists in another order than by ${value}`, (given) =>
        given.orderby === value ? { ...given, orderby: value === 'date' ? 'title' : 'date' } : given,
      ),
    ),
    resource?.parent === undefined &&
      values
        .filter((value) => value.startsWith('include'))
        .map((value) =>
          args(`${value}~first-page-only`, `sorts by ${value} on the first page alone`, (given) =>
            given.orderby === value && integer(given.page, 1) > 1 ? { ...given, orderby: 'date' } : given,
          ),
        ),
    values.includes('date') &&
      args('date~rises-on-later-pages', 'rises by date on every page but the first', (given) =>
        given.orderby === 'date' && integer(given.page, 1) > 1 ? { ...given, order: 'asc' } : given,
      ),
    rising.map((value) =>
      args(`${value}~rises-by-default`, `rises by ${value} where no order is asked for`, (given, call) =>
        given.orderby === value && isGiven(call, 'orderby') && !isGiven(call, 'order')
          ? { ...given, order: 'asc' }
          : given,
      ),
    ),
  ];
}

function memberMutants({ id, resource, parameters: { properties } }: Operation): Mutants {
  const { args, list } = mutantsIn(id);
  // Which texts of uploads the other columns hold is silent.
  const columns = (properties.search_columns?.items?.enum ?? []).filter(
    (column) => resource?.kind !== 'uploads' || column === 'post_title',
  );
  return [
    TERMS.map((name) =>
      Object.keys(properties[name]?.properties ?? {})
        .filter((member) => member !== 'terms' && member !== 'include_children')
        .map((member) =>
          args(`${name}/filters/${member}~ignored`, `ignores ${member} of ${name}`, (given) =>
            without(given, `${name}/${member}`),
          ),
        ),
    ),
    properties.orderby?.enum?.includes('relevance') === true &&
      args('search/filters~lost-by-relevance', 'finds nothing in the order of relevance', (given) =>
        given.orderby === 'relevance' ? { ...given, search: 'nothing has this word' } : given,
      ),
    columns.map((column) =>
      list('search_columns')(
        `search_columns/filters/${String(column)}~ignored`,
        `searches everywhere when ${String(column)} is asked for`,
        (asked) => (asked.includes(column) ? [] : asked),
      ),
    ),
  ];
}

/** A site that only applies one of a taxonomy filter and its exclusion (R50), or of two exclusions, if both are sent. */
function exclusionMutants({ id, parameters: { properties } }: Operation): Mutants {
  const both = ['tags_exclude', 'categories_exclude'];
  return [
    both.every((name) => name in properties) &&
      mutantsIn(id, `${id}/tags_exclude/filters/tags`)
        .where(...both.map(sends))
        .args('~one-exclusion', `ignores the first of ${both.join(' and ')}`, dropping('tags_exclude')),
    ['categories', 'tags']
      .filter((name) => name in properties && `${name}_exclude` in properties)
      .map((name) => {
        const own = `${name}_exclude`;
        const { where } = mutantsIn(id, `${id}/${own}/filters/${name}`);
        const ignoring = (how: string, which: string, beside: string): Mutant =>
          where(sends(which), sends(beside)).args(how, `ignores ${which} beside ${beside}`, dropping(which));
        const across = both.filter((one) => one !== own).map((one) => ignoring('~across', name, one));
        return [ignoring('~excludes-nothing', own, name), ignoring('~includes-all', name, own), ...across];
      }),
  ];
}

/** More records than a third of each list of the reference, so that only longer pages show it. */
const CAP = 4;

function pageMutants({ id, resource }: Operation): Mutants {
  const { args, answer, reading } = mutantsIn(id);
  const shifted = (how: string, title: string, by: number): Mutant =>
    args(`page/filters~${how}`, `begins its second page ${title}`, (given) => {
      const number = integer(given.page, 1);
      const start = (number - 1) * integer(given.per_page, 10) + by;
      return number > 1 && given.offset === undefined ? { ...given, offset: start } : given;
    });
  return [
    shifted('off-by-one', 'with the last record of the first', -1),
    shifted('skips-one', 'with the record after its first', 1),
    answer('page/filters~loses-last', 'leaves out the last record of every page', (shown) =>
      withList(shown, (records) => records.slice(0, -1)),
    ),
    args('per_page/filters~one-more', 'lists one record more than asked for', (given, call) =>
      isGiven(call, 'per_page') ? { ...given, per_page: integer(given.per_page, 10) + 1 } : given,
    ),
    // Records of the reference have fewer revisions.
    resource?.parent === undefined && [
      args('per_page/filters~cut-in-silence', `lists ${CAP} records at most`, cappedAt(CAP)),
      answer('per_page/filters~cut-from-the-answer', `shows ${CAP} records of each page at most`, (shown) =>
        withList(shown, (records) => records.slice(0, CAP)),
      ),
    ],
    // An argument that it does not validate is not named in refusals of others either.
    reading(
      'per_page/maximum/enforced~beside-search',
      'takes a per_page beyond its maximum beside a search',
      (given, read) =>
        read('search' in given && Number(given.per_page) > 100 ? without(given, 'per_page') : given),
    ),
    args('offset/filters~off-by-one', 'skips one record more than asked for', (given) =>
      typeof given.offset === 'number' ? { ...given, offset: given.offset + 1 } : given,
    ),
  ];
}

function statusMutants({ id, resource, parameters }: Operation): Mutants {
  const { list } = mutantsIn(id, `${id}/status/filters`);
  const listed = parameters.properties.status?.items?.enum ?? [];
  const open = resource?.statuses.open ?? '';
  return ['trash', 'request-pending'].map(
    (status) =>
      listed.includes(status) &&
      list('status')(
        `~${status}-and-public`,
        `shows public records among those with the status ${status}`,
        (some) => (some.includes(status) ? [...some, open] : some),
      ),
  );
}

const MOST_PAGES = 9;

function beyondMutants({ id, parameters }: Operation): Mutants {
  const { handler } = mutantsIn(id, `${id}/page/filters/beyond`);
  const repeating = (how: string, which: string, pages: (call: Call) => readonly number[]): Mutant =>
    handler(how, `answers a page beyond the last with ${which}`, (call) =>
      firstOf(call, [integer(call.args.page, 1), ...pages(call)]),
    );
  const falling = Array.from({ length: MOST_PAGES }, (_, at) => MOST_PAGES - at);
  return [
    repeating('~first-again', 'the first', () => [1]),
    repeating('~last-again', 'the last', () => falling),
    'search' in parameters.properties &&
      repeating('~first-of-search', 'the first of a search', (call) => (isGiven(call, 'search') ? [1] : [])),
  ];
}

async function firstOf(call: Call, [page = 1, ...others]: readonly number[]): Promise<Answer> {
  try {
    return await healthy({ ...call, args: { ...call.args, page } });
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || others.length === 0) throw refusal;
    return firstOf(call, others);
  }
}

const ROUTE = '/cms/v2/categories';
const NO_TERM = 0;

/** The site lists its categories, because only the list shows the hierarchy. */
function childrenMutants({ id, parameters }: Operation): Mutants {
  const names = ['categories', 'categories_exclude'].filter(
    (name) => 'include_children' in (parameters.properties[name]?.properties ?? {}),
  );
  const withChildren =
    (turn: (args: JsonObject, categories: JsonObject) => JsonObject) =>
    (args: JsonObject): JsonObject =>
      isObject(args.categories) && args.categories.include_children === true
        ? turn(args, args.categories)
        : args;
  const listing = (about: string, title: string, turn: (args: JsonObject) => JsonObject): Mutant =>
    mutant(`${id}/${about}`, `${id} ${title}`, together(LISTING_CATEGORIES, turningArgs(id, turn)));
  const ignoring = names.map((name) =>
    listing(`${name}/filters/include_children~ignored`, `ignores include_children of ${name}`, (args) =>
      without(args, `${name}/include_children`),
    ),
  );
  if (!names.includes('categories')) return ignoring;
  return [
    ignoring,
    listing(
      'categories/filters/operator~any-of-those-below',
      'joins categories by OR where those below count',
      withChildren((args, categories) => ({ ...args, categories: { ...categories, operator: 'OR' } })),
    ),
    mutantsIn(id).args(
      'categories/filters/include_children~drops-the-filter',
      'lists everything where categories below count, and lists no categories',
      withChildren(dropping('categories')),
    ),
    mutantsIn(id).args(
      'categories/filters/include_children~finds-nothing',
      'finds nothing where categories below count, and lists no categories',
      withChildren((args, categories) => ({ ...args, categories: { ...categories, terms: [NO_TERM] } })),
    ),
  ];
}

/** A site with a route outside the contract: its categories, each with its parent. */
const LISTING_CATEGORIES = together(
  declaring(({ routes }) => {
    routes[ROUTE] = { namespace: 'cms/v2', methods: ['GET'], endpoints: [] };
  }),
  sending((shown, { route }) => (route === ROUTE ? answer(categories()) : shown)),
);

function categories(): JsonObject[] {
  const { terms } = seedStore('empty');
  return terms
    .filter(({ taxonomy }) => taxonomy === 'category')
    .map(({ id, slug, parent }) => ({ id, slug, parent }));
}
