import type { JsonObject } from '../../reference/json.ts';
import { isObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Mutant } from '../alteration.ts';
import { argsMutant, isGiven, isList, readingMutant, without } from '../handling.ts';

/** What filters of lists select by: how two filters by the same thing go together is silent, or their order decides (R49). */
const ABOUT: Readonly<Record<string, string>> = {
  include: 'ids',
  exclude: 'ids',
  sticky: 'ids',
  slug: 'slug',
  status: 'status',
  author: 'author',
  author_exclude: 'author',
  parent: 'parent',
  parent_exclude: 'parent',
  categories: 'terms',
  tags: 'terms',
  categories_exclude: 'terms',
  tags_exclude: 'terms',
  format: 'terms',
  media_type: 'file',
  mime_type: 'file',
  menu_order: 'menu_order',
  after: 'after',
  before: 'before',
  modified_after: 'modified_after',
  modified_before: 'modified_before',
};

/** The arguments next to which a site may ignore a filter. */
const BESIDE: readonly string[] = ['page', 'offset', 'author', 'after', 'slug', 'exclude', 'search'];

/**
 * Lists that ignore a filter in the presence of another argument: one mutant for each independent pair. And lists that
 * only validate arguments without certain others.
 */
export function besideMutants({ operations }: Contract): Mutant[] {
  const lists = operations.filter(isList);
  const ofRecords = lists.filter(({ resource }) => resource?.parent === undefined);
  return [
    ...ofRecords.flatMap(ofList),
    ...ofRecords.filter(({ resource }) => resource?.kind === 'records').map(showingAnyById),
    ...lists.map(forgivingOne),
    ...lists.map(checkingInSearches),
  ];
}

/** A list that ignores a single invalid argument, like software that collects errors. */
function forgivingOne({ id }: Operation): Mutant {
  return readingMutant(
    `${id}~forgives-one`,
    `${id} takes an invalid argument, and refuses several`,
    id,
    (given, read) => {
      try {
        return read(given);
      } catch (error) {
        const { params } = error instanceof Refusal ? error.details : {};
        const [name, ...others] = isObject(params) ? Object.keys(params) : [];
        if (name === undefined || others.length > 0) throw error;
        return read(without(given, name));
      }
    },
  );
}

/** A list that validates an argument only in searches, like software whose parts validate what they use. */
function checkingInSearches({ id }: Operation): Mutant {
  return readingMutant(
    `${id}/page~any-without-search`,
    `${id} takes any page where nothing is searched for`,
    id,
    (given, read) =>
      read('search' in given || isValid(read, { page: given.page ?? null }) ? given : without(given, 'page')),
  );
}

/** Whether a list accepts some arguments without others. */
function isValid(read: (given: JsonObject) => JsonObject, given: JsonObject): boolean {
  try {
    read(given);
    return true;
  } catch {
    return false;
  }
}

function ofList({ id, resource, parameters: { properties } }: Operation): Mutant[] {
  // No two uploads of the reference share a word, so a second filter has no effect on a search.
  const known = Object.keys(properties).filter((name) => name !== 'search' || resource?.kind !== 'uploads');
  return known.flatMap((name) => {
    const about = ABOUT[name];
    if (about === undefined) return [];
    const stated = properties[name]?.default;
    const forgetting = (args: JsonObject): JsonObject =>
      stated === undefined ? without(args, name) : { ...args, [name]: [stated].flat() };
    const inEmbed = argsMutant(
      `${id}~${word(name)}-in-embed`,
      `${id} forgets ${name} in the context embed`,
      id,
      (args, call) => (isGiven(call, name) && args.context === 'embed' ? forgetting(args) : args),
    );
    const beside = BESIDE.filter(
      (other) => known.includes(other) && other !== name && ABOUT[other] !== about,
    ).map((other) =>
      argsMutant(
        `${id}~${word(name)}-beside-${word(other)}`,
        `${id} forgets ${name} beside ${other}`,
        id,
        (args, call) => (isGiven(call, name) && isGiven(call, other) ? forgetting(args) : args),
      ),
    );
    return [inEmbed, ...beside];
  });
}

/** A list that shows records of any status by their ids, like software that reads these from a cache. */
function showingAnyById({ id }: Operation): Mutant {
  const title = `${id} forgets its default status beside include`;
  return argsMutant(`${id}/status/filters~any-by-id`, title, id, (args, call) =>
    isGiven(call, 'include') && !isGiven(call, 'status') && call.request.account !== undefined
      ? { ...args, status: ['any'] }
      : args,
  );
}

function word(name: string): string {
  return name.replaceAll('_', '-');
}
