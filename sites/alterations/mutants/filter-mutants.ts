import { FILTERS } from '../../reference/filters.ts';
import { integer, isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { typesOf } from '../../reference/schema.ts';
import { seedStore } from '../../reference/seed.ts';
import { type Answer, answer, type Call, type Filter, respond } from '../../reference/site.ts';
import type { Kind } from '../../reference/store.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { objectAt } from '../declarations.ts';
import { handling, healthy, isGiven, isList, kindOf, turningArgs, without } from '../handling.ts';
import { nestedDefaultMutants } from './parameter-mutants.ts';
import { combinationMutants } from './partial-mutants.ts';

/** Term filters, which all kinds of records know that have terms. */
const TERMS = ['categories', 'tags', 'categories_exclude', 'tags_exclude'];
/** Filters of files, which the site joins to one condition. */
const FILES = ['media_type', 'mime_type'];

/**
 * Mutants of lists: each filter ignored, inverted, or working only alone; orders and pages that are wrong; and of every
 * read, that it does not take all its arguments together.
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
    ...orderMutants(operation),
    ...memberMutants(operation),
    ...childrenMutants(operation),
    ...pageMutants(operation),
    ...beyondMutants(operation),
    ...nestedDefaultMutants(operation),
  ];
}

function parameterMutants(operation: Operation, name: string): Mutant[] {
  const { id } = operation;
  const schema = operation.parameters.properties[name] ?? {};
  // A lone text is the default of an array as well (R5).
  const stated = typesOf(schema).includes('array')
    ? schema.default && [schema.default].flat()
    : schema.default;
  const healed = (args: Record<string, Json>): Record<string, Json> =>
    stated === undefined ? without(args, name) : { ...args, [name]: stated };
  const mutants = [
    mutant(
      `${id}/${name}/filters`,
      'ignored',
      `${id} ignores ${name}`,
      turningArgs(id, (args) => healed(args)),
    ),
  ];
  const filter = FILTERS[name];
  const kind = kindOf(operation);
  if (filter && kind) mutants.push(inverted(operation, name, filter, kind));
  if (filter || TERMS.includes(name) || FILES.includes(name)) {
    mutants.push(
      mutant(
        `${id}/${name}/filters`,
        'only-alone',
        `${id} ignores ${name} beside another filter`,
        turningArgs(id, (args, call) => {
          const others = [...Object.keys(FILTERS), ...TERMS, ...FILES].filter(
            (one) => one !== name && isGiven(call, one),
          );
          return others.length > 0 ? healed(args) : args;
        }),
      ),
    );
  }
  return mutants;
}

function inverted(operation: Operation, name: string, filter: Filter, kind: Kind): Mutant {
  const stated = JSON.stringify([operation.parameters.properties[name]?.default ?? null].flat());
  const turned: Filter = (record, value, query) =>
    record.kind === kind && JSON.stringify([value].flat()) !== stated
      ? !filter(record, value, query)
      : filter(record, value, query);
  return mutant(
    `${operation.id}/${name}/filters`,
    'inverted',
    `${name} of ${operation.id} keeps what it should leave out`,
    { filters: { ...FILTERS, [name]: turned } },
  );
}

function orderMutants(operation: Operation): Mutant[] {
  const { id, parameters } = operation;
  const values = (parameters.properties.orderby?.enum ?? []).filter(
    (value) => !orderlessOf(operation).includes(String(value)),
  );
  return values.map((value) =>
    mutant(
      `${id}/orderby/filters/${String(value)}`,
      'ignored',
      `${id} lists in another order than by ${String(value)}`,
      turningArgs(id, (args) =>
        args.orderby === value ? { ...args, orderby: value === 'date' ? 'title' : 'date' } : args,
      ),
    ),
  );
}

/** Orders that nothing stated describes: what comes first by relevance is silent. */
function orderlessOf({ parameters }: Operation): string[] {
  // What cannot be filtered by the record above it belongs to no other record.
  return 'parent' in parameters.properties ? ['relevance'] : ['relevance', 'parent'];
}

/** Members of structured filters, and the columns of a search, ignored one by one. */
function memberMutants({ id, parameters }: Operation): Mutant[] {
  const members = TERMS.flatMap((name) =>
    Object.keys(parameters.properties[name]?.properties ?? {})
      .filter((member) => member !== 'terms' && member !== 'include_children')
      .map((member) =>
        mutant(
          `${id}/${name}/filters/${member}`,
          'ignored',
          `${id} ignores ${member} of ${name}`,
          turningArgs(id, (args) => {
            const value = args[name];
            return isObject(value) ? { ...args, [name]: without(value, member) } : args;
          }),
        ),
      ),
  );
  const columns = (parameters.properties.search_columns?.items?.enum ?? []).map((column) =>
    mutant(
      `${id}/search_columns/filters/${String(column)}`,
      'ignored',
      `${id} searches everywhere when ${String(column)} is asked for`,
      turningArgs(id, (args) =>
        Array.isArray(args.search_columns) && args.search_columns.includes(column)
          ? { ...args, search_columns: [] }
          : args,
      ),
    ),
  );
  return [...members, ...columns];
}

function pageMutants({ id }: Operation): Mutant[] {
  const page = `${id}/page/filters`;
  const size = `${id}/per_page/filters`;
  return [
    mutant(
      page,
      'off-by-one',
      `the second page of ${id} begins with the last record of the first`,
      turningArgs(id, (args) => {
        const number = integer(args.page, 1);
        const start = (number - 1) * integer(args.per_page, 10) - 1;
        return number > 1 && args.offset === undefined ? { ...args, offset: start } : args;
      }),
    ),
    mutant(
      page,
      'skips-one',
      `the second page of ${id} leaves out its first record`,
      turningArgs(id, (args) => {
        const number = integer(args.page, 1);
        const start = (number - 1) * integer(args.per_page, 10) + 1;
        return number > 1 && args.offset === undefined ? { ...args, offset: start } : args;
      }),
    ),
    mutant(
      size,
      'one-more',
      `${id} lists one record more than asked for`,
      turningArgs(id, (args, call) =>
        isGiven(call, 'per_page') ? { ...args, per_page: integer(args.per_page, 10) + 1 } : args,
      ),
    ),
    mutant(
      `${id}/offset/filters`,
      'off-by-one',
      `${id} skips one record more than asked for`,
      turningArgs(id, (args) =>
        typeof args.offset === 'number' ? { ...args, offset: args.offset + 1 } : args,
      ),
    ),
    mutant(
      page,
      'loses-last',
      `${id} leaves out the last record of every page`,
      handling(id, async (call) => {
        const answer = await healthy(call);
        return Array.isArray(answer.body) ? { ...answer, body: answer.body.slice(0, -1) } : answer;
      }),
    ),
  ];
}

const MOST_PAGES = 9;

/** Lists that answer a page beyond the last with one of those before it. */
function beyondMutants({ id }: Operation): Mutant[] {
  const repeating = (how: string, pages: readonly number[]): Mutant =>
    mutant(
      `${id}/page/filters/beyond`,
      how,
      `a page beyond the last of ${id} repeats another`,
      handling(id, (call) => firstOf(call, [integer(call.args.page, 1), ...pages])),
    );
  const falling = Array.from({ length: MOST_PAGES }, (_, at) => MOST_PAGES - at);
  return [repeating('first-again', [1]), repeating('last-again', falling)];
}

/** The first of some pages that is not refused. */
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
 * Filters of categories that ignore `include_children`, on a site that lists its categories: nothing else shows which of
 * them are below another.
 */
function childrenMutants({ id, parameters }: Operation): Mutant[] {
  return ['categories', 'categories_exclude']
    .filter((name) => 'include_children' in (parameters.properties[name]?.properties ?? {}))
    .map((name) =>
      mutant(
        `${id}/${name}/filters/include_children`,
        'ignored',
        `${id} ignores include_children of ${name}`,
        {
          ...LISTING_CATEGORIES,
          ...turningArgs(id, (args) => {
            const value = args[name];
            return isObject(value) ? { ...args, [name]: without(value, 'include_children') } : args;
          }),
        },
      ),
    );
}

/** A site with a route that the contract does not have: its categories, each with the one above it. */
const LISTING_CATEGORIES: Mutant['behaviour'] = {
  declare(index: JsonObject) {
    objectAt(index, 'routes')[ROUTE] = { namespace: 'cms/v2', methods: ['GET'], endpoints: [] };
  },
  send(message, response, healthy) {
    const route = new URL(message.url ?? '/', 'http://localhost').searchParams.get('rest_route');
    respond(message.method, response, route === ROUTE ? answer(categories()) : healthy);
  },
};

function categories(): JsonObject[] {
  const { terms } = seedStore('empty');
  return terms
    .filter(({ taxonomy }) => taxonomy === 'category')
    .map(({ id, slug, parent }) => ({ id, slug, parent }));
}
