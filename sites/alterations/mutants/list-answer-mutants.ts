import { isTree, pathParameters } from '../../reference/calls.ts';
import { ids, isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Answer } from '../../reference/site.ts';
import { REVISION } from '../../reference/store.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { dropping, mutantsIn, mutantsOn, otherWord, setting, withList, without } from '../handling.ts';
import {
  asks,
  type IsMeant,
  idOf,
  inContext,
  isAnonymous,
  isList,
  isUser,
  lacks,
  ownResources,
  recordOf,
  sends,
} from '../selecting.ts';
import { formerMutants } from './former-mutants.ts';

/** Lists that forget, change or hide something beside another argument, in a context, or after a write. */
export function listAnswerMutants(contract: Contract): Mutants {
  const own = ownResources(contract);
  return [
    besideMutants(contract),
    own.map(everyAnswerMutants),
    own.filter(({ operations: { list, create, update } }) => list && create && update).map(formerMutants),
  ];
}

/** Filters by ids. What two of them do together is silent (R49). */
const BY_IDS: readonly string[] = ['include', 'exclude', 'sticky'];

const NAMES: readonly string[] = [
  ...BY_IDS,
  ...['author', 'author_exclude', 'parent', 'parent_exclude', 'slug', 'status', 'menu_order', 'format'],
  ...['categories', 'tags', 'categories_exclude', 'tags_exclude', 'media_type', 'mime_type'],
  ...['after', 'before', 'modified_after', 'modified_before'],
];

/** Lists that ignore a filter beside another argument, or only validate arguments without certain others. */
function besideMutants({ operations }: Contract): Mutants {
  const lists = operations.filter(isList);
  const ofRecords = lists.filter(({ resource }) => resource?.parent === undefined);
  return [
    ofRecords.map(forgettingMutants),
    ofRecords
      .filter(({ resource }) => resource?.kind === 'records')
      .flatMap((list) => [showingAnyById(list), usualMutants(list)]),
    lists.filter(({ resource }) => resource?.kind === 'revisions').map(revisionMutants),
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

function forgettingMutants({ id, resource, parameters: { properties } }: Operation): Mutants {
  const list = mutantsIn(id);
  // No two uploads of the reference share a word, so a second filter has no effect on a search.
  const telling = resource?.kind === 'uploads' ? 'slug' : 'search';
  return NAMES.filter((name) => name in properties).map((name) => {
    const stated = properties[name]?.default;
    const forgotten = stated === undefined ? dropping(name) : setting({ [name]: [stated].flat() });
    const forgetting = (how: string, title: string, when: IsMeant): Mutant =>
      list
        .where(sends(name), when)
        .args(`~${name.replaceAll('_', '-')}-${how}`, `forgets ${name} ${title}`, forgotten);
    const other = BY_IDS.includes(name) ? telling : 'exclude';
    return [
      forgetting('in-embed', 'in the context embed', inEmbed),
      forgetting(`beside-${other}`, `beside ${other}`, sends(other)),
    ];
  });
}

/** Lists whose defaults are other ones in embed or beside a search. */
function usualMutants({ id, resource }: Operation): Mutants {
  const { where } = mutantsIn(id);
  const inEmbed = (how: string, name: string, value: Json): Mutant =>
    where(inContext('embed'), lacks(name)).args(
      how,
      `has another default of ${name} in embed`,
      setting({ [name]: value }),
    );
  return [
    inEmbed('fuzz/subset~order-of-embed', 'order', 'asc'),
    inEmbed('per_page/filters/default~of-embed', 'per_page', 3),
    inEmbed('every-answer~orderby-of-embed', 'orderby', 'id'),
    where(sends('search'), lacks('per_page')).args(
      'per_page/filters/default~two-found',
      'finds two records where no per_page is asked for',
      setting({ per_page: 2 }),
    ),
    // A tree has fewer records here than fit on a page.
    resource !== undefined &&
      !isTree(resource) &&
      where(sends('include'), lacks('per_page')).args(
        'per_page/filters/default~all-included',
        'shows all records of include where no per_page is asked for',
        setting({ per_page: 100 }),
      ),
  ];
}

/** Lists of revisions that are cut, or that do not search in embed. */
function revisionMutants({ id }: Operation): Mutants {
  const { where } = mutantsIn(id);
  return [
    where(lacks('per_page')).args(
      'per_page/filters~two-by-default',
      'lists two where no per_page is asked for',
      setting({ per_page: 2 }),
    ),
    where(sends('include')).handler(
      'include/filters~of-any-record',
      'finds the revisions of any record by their ids',
      (call, next) => {
        const parent = Number(call.args[pathParameters(call).first]);
        const found = ids(call.args.include).flatMap((one) => call.site.store.get(one, REVISION) ?? []);
        const others = found.filter((one) => one.parent !== parent);
        const parents = others.map((one) => one.parent);
        for (const one of others) one.parent = parent;
        const shown = next(call);
        for (const [at, one] of others.entries()) one.parent = parents[at] ?? 0;
        return shown;
      },
    ),
    where(inContext('embed')).answer('every-answer~reversed-in-embed', 'is upside down in embed', (shown) =>
      withList(shown, (all) => all.toReversed()),
    ),
    where(sends('search')).answer('every-answer~last-first', 'puts the last one found first', (shown) =>
      withList(shown, (all) => [...all.slice(-1), ...all.slice(0, -1)]),
    ),
    where(inContext('embed')).args(
      'fuzz/subset~no-search-in-embed',
      'ignores search in embed',
      dropping('search'),
    ),
  ];
}

/** A list that shows records of any status by their ids, like software that reads these from a cache. */
function showingAnyById({ id }: Operation): Mutants {
  const usual = mutantsIn(id, `${id}/status/filters`).where(isUser, lacks('status'));
  const words = { include: 'id', slug: 'slug', modified_after: 'modified-after' };
  return Object.entries(words).map(([name, word]) =>
    usual
      .where(sends(name))
      .args(`~any-by-${word}`, `forgets its default status beside ${name}`, setting({ status: ['any'] })),
  );
}

const [inEmbed, inView] = [inContext('embed'), inContext('view')];
const isRising = asks('order', 'asc');
const isLater: IsMeant = ({ args }) => Number(args.page) > 1;

/** Lists that change records if they get arguments besides the context, which no check sends for that purpose. */
function everyAnswerMutants(resource: Resource): Mutants {
  const { id, fields, protects, operations, children } = resource;
  const taken = operations.list?.parameters.properties ?? {};
  if (!('context' in taken) || !('orderby' in taken)) return [];
  const list = mutantsOn(resource, 'list', `records/${id}/every-answer`);
  const [later, viewed] = [list.where(isLater), list.where(inView)];
  return [
    list
      .where(asks('orderby', 'title'))
      .record('types~title-by-title', 'sorted by title shows titles as texts', ({ title, ...one }) => ({
        ...one,
        title: isObject(title) ? (title.rendered ?? '') : '',
      })),
    later.record('types~date-on-later-pages', 'shows dates with a blank on its later pages', (one) => ({
      ...one,
      date: String(one.date).replace('T', ' '),
    })),
    viewed
      .where(sends('offset'))
      .record('contexts~raw-beside-offset', 'shows raw titles in view beside an offset', withRaw),
    'content' in fields &&
      list
        .where(isAnonymous)
        .record('contexts~content-for-users-only', 'shows anonymous callers no content', dropping('content')),
    // Later pages of a tree, which has few records here, are not requested in view.
    !isTree(resource) &&
      viewed
        .where(isLater)
        .record('contexts~raw-on-later-pages', 'shows raw titles in view on its later pages', withRaw),
    sameMutants(resource),
    protects && flagMutants(resource),
    listingMutants(resource, 'ignore_sticky' in taken),
    children
      .flatMap((child) => child.operations.read ?? [])
      .map(({ id: read, resource: child }) => {
        const { record, where } = mutantsIn(read, `records/${child?.id}/every-answer/ids`);
        return [
          record('~parent-alone', 'shows the id of another parent', (one) => ({
            ...one,
            parent: Number(one.parent) + 1,
          })),
          where(inEmbed).record('~other-in-embed', 'shows another id in embed', (one) => ({
            ...one,
            id: Number(one.id) + 1000,
          })),
        ];
      }),
    children
      .filter(({ kind, operations: { read } }) => kind === 'revisions' && read !== undefined)
      .map((child) =>
        mutantsOn(child, 'list', `revisions/${id}/ids/each`).answer(
          '~one-listed',
          'holds one at most',
          (shown) => withList(shown, (all) => all.slice(0, 1)),
        ),
      ),
  ];
}

/** Lists that show another value of a record than other answers do. */
function sameMutants(resource: Resource): Mutants {
  const { id, fields } = resource;
  const list = mutantsOn(resource, 'list', `records/${id}/every-answer`);
  return [
    'author' in fields &&
      list.where(inEmbed).record('same~author-in-embed', 'shows another author in embed', (one) => ({
        ...one,
        author: Number(one.author) + 1,
      })),
    list.where(inView).answer(
      'same~titles-of-others-in-view',
      'shows the title of the next record in view',
      besideNext((one, { title = '' }) => ({ ...one, title })),
    ),
    'content' in fields &&
      list.answer(
        'same~contents-of-others',
        'shows the content of the next record',
        besideNext(withContentOf),
      ),
    'content' in fields &&
      list
        .where(isRising)
        .record('same~content-where-rising', 'shows empty contents where it rises', (one) =>
          isObject(one.content) ? { ...one, content: { ...one.content, rendered: '' } } : one,
        ),
    'comment_status' in fields &&
      list
        .where(isAnonymous)
        .record(
          'same~comments-for-others',
          'shows callers without credentials the other word for comments',
          (one) => ({ ...one, comment_status: otherWord(String(one.comment_status)) }),
        ),
    list.where(isLater).record('same~slug-on-later-pages', 'shows other slugs on its later pages', (one) => ({
      ...one,
      slug: `${one.slug}-x`,
    })),
  ];
}

/** Changes each record of a list by the next one. */
function besideNext(turn: (one: JsonObject, next: JsonObject) => JsonObject): (shown: Answer) => Answer {
  return (shown) =>
    withList(shown, (all) =>
      all.map((one, at) => {
        const next = all[(at + 1) % all.length];
        return isObject(one) && isObject(next) ? turn(one, next) : one;
      }),
    );
}

/** A record with the rendered content of another one, unless a password protects either. */
function withContentOf(one: JsonObject, { content: other }: JsonObject): JsonObject {
  const { content } = one;
  const areShown = isObject(content) && isObject(other) && !!content.rendered && !!other.rendered;
  return areShown ? { ...one, content: { ...content, rendered: other.rendered ?? '' } } : one;
}

function withRaw(record: JsonObject): JsonObject {
  const title = isObject(record.title) ? record.title : {};
  return { ...record, title: { ...title, raw: title.rendered ?? '' } };
}

function flagMutants(resource: Resource): Mutants {
  return (['list', 'read'] as const).map((role) => {
    const { record } = mutantsOn(resource, role, `protected/${resource.id}/every-answer`);
    return record(`~flag-in-${role}s`, 'shows no record as protected', (one, call) => {
      const { content } = one;
      const isLocked = recordOf({ ...call, args: { id: one.id ?? 0 } })?.password !== '';
      const isSaid = role === 'list' || call.request.account === undefined;
      return isObject(content) && isLocked && isSaid
        ? { ...one, content: { ...content, protected: false } }
        : one;
    });
  });
}

/** Lists that ignore the direction beside what only the sets of anonymous callers have together, one of them an offset. */
function fallingMutants(id: string): Mutants {
  const fallingBy = (orderby: string, name: string): Mutant =>
    mutantsIn(id)
      .where(sends(name), asks('orderby', orderby))
      .args(
        `every-answer~falling-by-${orderby}`,
        `falls by ${orderby} beside ${name}`,
        setting({ order: 'desc' }),
      );
  return [fallingBy('modified', 'mime_type'), fallingBy('title', 'search_columns')];
}

function listingMutants(resource: Resource, hasSticky: boolean): Mutants {
  const id = idOf(resource, 'list');
  const list = mutantsIn(id, `${id}/every-answer`);
  const isPrivate = (record: Json): boolean => isObject(record) && record.status === 'private';
  return [
    hasSticky &&
      mutantsIn(id).answer(
        'ignore_sticky/filters~twice',
        'lists sticky records in front twice',
        (shown, call) =>
          call.args.ignore_sticky === false
            ? withList(shown, (all) => [...all.filter((one) => isObject(one) && one.sticky === true), ...all])
            : shown,
      ),
    hasSticky &&
      list
        .where(inEmbed, lacks('ignore_sticky'))
        .args('~sticky-in-embed', 'puts sticky records in front in embed', setting({ ignore_sticky: false })),
    list
      .where(inEmbed, isUser, lacks('status'))
      .args(
        '~private-in-embed',
        'shows users private records in embed, by default',
        setting({ status: [resource.statuses.open, 'private'] }),
      ),
    list
      .where(isAnonymous, sends('status'))
      .args(
        '~open-for-others',
        'lists callers without credentials what is public, whatever status they ask for',
        setting({ status: [resource.statuses.open] }),
      ),
    mutantsIn(id, `${id}/status/filters`)
      .where(inView)
      .answer('~hidden-in-view', 'shows users no private records in view', (shown) =>
        withList(shown, (records) => records.filter((one) => !isPrivate(one))),
      ),
    list
      .where(isAnonymous, lacks('per_page'))
      .args('~short-for-others', 'shows callers without credentials half a page', setting({ per_page: 5 })),
    list
      .where(sends('include'), lacks('orderby'))
      .args(
        '~by-include',
        'sorts by default what include names in its order',
        setting({ orderby: 'include' }),
      ),
    resource.kind === 'uploads' && fallingMutants(id),
    // Uploads of the reference share no word.
    resource.kind !== 'uploads' &&
      list
        .where(sends('search'), lacks('orderby'))
        .args('~by-search', 'sorts by default what search finds by its title', setting({ orderby: 'title' })),
  ];
}
