import type { Operation } from '../../reference/contract.ts';
import { isObject, type JsonObject } from '../../reference/json.ts';
import { seedStore } from '../../reference/seed.ts';
import { answer, respond } from '../../reference/site.ts';
import { turningArgs, without } from '../toolkit/handling.ts';
import { objectAt } from '../toolkit/places.ts';
import { type Mutant, mutant } from './mutant.ts';

const ROUTE = '/cms/v2/categories';

/**
 * Filters of categories that ignore `include_children`, on a site that lists its categories: nothing else shows which of
 * them are below another.
 */
export function childrenMutants({ id, parameters }: Operation): Mutant[] {
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
