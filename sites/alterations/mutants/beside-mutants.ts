import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Call } from '../../reference/site.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { isGiven, isList, mutantsIn, without } from '../handling.ts';

/** Filters by ids. What two of them do together is silent (R49). */
const BY_IDS: readonly string[] = ['include', 'exclude', 'sticky'];

const FILTERS: readonly string[] = [
  ...BY_IDS,
  ...['author', 'author_exclude', 'parent', 'parent_exclude', 'slug', 'status', 'menu_order', 'format'],
  ...['categories', 'tags', 'categories_exclude', 'tags_exclude', 'media_type', 'mime_type'],
  ...['after', 'before', 'modified_after', 'modified_before'],
];

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
  const telling = resource?.kind === 'uploads' ? 'slug' : 'search';
  return FILTERS.filter((name) => name in properties).map((name) => {
    const stated = properties[name]?.default;
    const forgetting = (how: string, title: string, when: (call: Call) => boolean): Mutant =>
      args(`~${word(name)}-${how}`, `forgets ${name} ${title}`, (given, call) => {
        if (!isGiven(call, name) || !when(call)) return given;
        return stated === undefined ? without(given, name) : { ...given, [name]: [stated].flat() };
      });
    const other = BY_IDS.includes(name) ? telling : 'exclude';
    return [
      forgetting('in-embed', 'in the context embed', (call) => call.args.context === 'embed'),
      forgetting(`beside-${other}`, `beside ${other}`, (call) => isGiven(call, other)),
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
