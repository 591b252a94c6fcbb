import type { Json, JsonObject } from '../../reference/json.ts';
import { demand } from '../../reference/request.ts';
import { typesOf } from '../../reference/schema.ts';
import { type Alteration, together, variant } from '../alteration.ts';
import { declaring, type Reading, reading } from '../handling.ts';
import { anywhere } from '../selecting.ts';

/** Conforming sites that read arguments otherwise. */
export const VARIANTS_ARGUMENTS: readonly Alteration[] = [
  variant('no-empty-lists', 'an empty text is refused where a list is due', reading(anywhere, needingLists)),
  variant(
    'parents-in-paths',
    'the path of a list of autosaves names its parent, and no other parent counts',
    together(
      declaring((index) => {
        const renamed = Object.entries(index.routes).map(
          ([pattern, entry]) =>
            [pattern.replace(/\(\?P<id>(.*\/autosaves)$/, '(?P<parent>$1'), entry] as const,
        );
        index.routes = Object.fromEntries(renamed);
      }),
      reading(
        ['post-autosaves.list', 'post-autosaves.create', 'page-autosaves.list', 'page-autosaves.create'],
        ({ parent: _, ...given }, read) => read(given),
      ),
    ),
  ),
];

function needingLists(...[given, read, { operation }]: Parameters<Reading>): JsonObject {
  const { properties } = operation.parameters;
  const isEmpty = ([name, value]: [string, Json]): boolean =>
    value === '' && typesOf(properties[name] ?? {}).includes('array');
  demand(!Object.entries(given).some(isEmpty), 'no_list', 'This is no list.', 422);
  return read(given);
}
