import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { isGiven, isList, mutantsIn, without } from '../handling.ts';

/** What filters of lists select by: how two filters by the same thing go together is silent, or their order decides (R49). */
const ABOUT: Readonly<Record<string, string>> = {
  ...naming('ids', 'include', 'exclude', 'sticky'),
  ...naming('author', 'author', 'author_exclude'),
  ...naming('parent', 'parent', 'parent_exclude'),
  ...naming('terms', 'categories', 'tags', 'categories_exclude', 'tags_exclude', 'format'),
  ...naming('file', 'media_type', 'mime_type'),
  ...Object.fromEntries(
    ['slug', 'status', 'menu_order', 'after', 'before', 'modified_after', 'modified_before'].map((name) => [
      name,
      name,
    ]),
  ),
};

function naming(about: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, about]));
}

/** The arguments next to which a site may ignore a filter. */
const BESIDE: readonly string[] = ['page', 'offset', 'author', 'after', 'slug', 'exclude', 'search'];

/** Lists that ignore a filter beside another argument, or only validate arguments without certain others. */
export function besideMutants({ operations }: Contract): Mutants {
  const lists = operations.filter(isList);
  const ofRecords = lists.filter(({ resource }) => resource?.parent === undefined);
  return [
    ofRecords.map(ofList),
    ofRecords.filter(({ resource }) => resource?.kind === 'records').map(showingAnyById),
    lists.map(({ id }) => validatingLess(id)),
  ];
}

function validatingLess(id: string): Mutants {
  const list = mutantsIn(id);
  return [
    // Like software that collects errors.
    list.reading('~forgives-one', 'takes an invalid argument, and refuses several', (given, read) => {
      try {
        return read(given);
      } catch (error) {
        const { params } = error instanceof Refusal ? error.details : {};
        const [name, ...others] = isObject(params) ? Object.keys(params) : [];
        if (name === undefined || others.length > 0) throw error;
        return read(without(given, name));
      }
    }),
    // Like software whose parts validate what they use.
    list.reading('page~any-without-search', 'takes any page where nothing is searched for', (given, read) =>
      read('search' in given || isValid(read, { page: given.page ?? null }) ? given : without(given, 'page')),
    ),
  ];
}

function isValid(read: (given: JsonObject) => JsonObject, given: JsonObject): boolean {
  try {
    read(given);
    return true;
  } catch {
    return false;
  }
}

function ofList({ id, resource, parameters: { properties } }: Operation): Mutants {
  const { args } = mutantsIn(id);
  // No two uploads of the reference share a word, so a second filter has no effect on a search.
  const known = Object.keys(properties).filter((name) => name !== 'search' || resource?.kind !== 'uploads');
  return known
    .filter((name) => name in ABOUT)
    .map((name) => {
      const stated = properties[name]?.default;
      const forgetting = (given: JsonObject): JsonObject =>
        stated === undefined ? without(given, name) : { ...given, [name]: [stated].flat() };
      const others = BESIDE.filter(
        (other) => known.includes(other) && other !== name && ABOUT[other] !== ABOUT[name],
      );
      return [
        args(`~${word(name)}-in-embed`, `forgets ${name} in the context embed`, (given, call) =>
          isGiven(call, name) && given.context === 'embed' ? forgetting(given) : given,
        ),
        others.map((other) =>
          args(`~${word(name)}-beside-${word(other)}`, `forgets ${name} beside ${other}`, (given, call) =>
            isGiven(call, name) && isGiven(call, other) ? forgetting(given) : given,
          ),
        ),
      ];
    });
}

/** A list that shows records of any status by their ids, like software that reads these from a cache. */
function showingAnyById({ id }: Operation): Mutant {
  const { args } = mutantsIn(id, `${id}/status/filters`);
  return args('~any-by-id', 'forgets its default status beside include', (given, call) =>
    isGiven(call, 'include') && !isGiven(call, 'status') && call.request.account !== undefined
      ? { ...given, status: ['any'] }
      : given,
  );
}

function word(name: string): string {
  return name.replaceAll('_', '-');
}
