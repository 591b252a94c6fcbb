import { invalidParameters } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { composed, type Mutant, mutant } from '../alteration.ts';
import { handling, healthy, idOf } from '../handling.ts';
import { lenient, reading } from './fuzz-mutants.ts';

/** A deviation that hardly any request shows. */
interface RareMutant {
  readonly operation: string;
  readonly aspect: 'accepted' | 'refused' | 'robust' | 'subset';
  readonly how: string;
  readonly title: string;
  /** The arguments that it takes to show it. */
  readonly matters: readonly string[];
  /** The one of them that is not judged. */
  readonly invalid?: string;
  /** The one of them that is read as if it were not there. */
  readonly forgets?: string;
  /** Whether the arguments that were given show it. */
  readonly shows: (given: JsonObject) => boolean;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const depthOf = (value: Json | undefined): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const has = (given: JsonObject, ...names: readonly string[]): boolean =>
  names.every((name) => Object.hasOwn(given, name));

/** Deviations that only a combination, an edge, or a strange value shows. */
export const RARE_MUTANTS: readonly RareMutant[] = [
  {
    operation: 'posts.list',
    aspect: 'accepted',
    how: 'after-beside-author',
    title: 'posts.list refuses after beside author',
    matters: ['after', 'author'],
    shows: (given) => has(given, 'after', 'author'),
  },
  {
    operation: 'posts.list',
    aspect: 'accepted',
    how: 'three-dates',
    title: 'posts.list refuses three dates at once',
    matters: ['after', 'before', 'modified_after'],
    shows: (given) => has(given, 'after', 'before', 'modified_after'),
  },
  {
    operation: 'posts.list',
    aspect: 'accepted',
    how: 'full-page-of-search',
    title: 'posts.list refuses the largest page of a search',
    matters: ['per_page', 'search'],
    shows: (given) => has(given, 'search') && text(given.per_page) === '100',
  },
  {
    operation: 'pages.list',
    aspect: 'accepted',
    how: 'ascending-titles',
    title: 'pages.list refuses titles in ascending order',
    matters: ['order', 'orderby'],
    shows: (given) => given.order === 'asc' && given.orderby === 'title',
  },
  {
    operation: 'pages.list',
    aspect: 'accepted',
    how: 'first-page-of-one',
    title: 'pages.list refuses pages of one record in ascending order',
    matters: ['order', 'per_page'],
    shows: (given) => given.order === 'asc' && text(given.per_page) === '1',
  },
  {
    operation: 'media.list',
    aspect: 'accepted',
    how: 'search-beside-type',
    title: 'media.list refuses search beside media_type',
    matters: ['media_type', 'search'],
    shows: (given) => has(given, 'search', 'media_type'),
  },
  {
    operation: 'posts.list',
    aspect: 'refused',
    how: 'order-beside-exclude',
    title: 'posts.list takes any order beside exclude',
    matters: ['exclude', 'order'],
    invalid: 'order',
    shows: (given) => has(given, 'exclude', 'order'),
  },
  {
    operation: 'pages.list',
    aspect: 'refused',
    how: 'page-beside-search',
    title: 'pages.list takes any per_page beside search',
    matters: ['per_page', 'search'],
    invalid: 'per_page',
    shows: (given) => has(given, 'search', 'per_page'),
  },
  {
    operation: 'media.list',
    aspect: 'refused',
    how: 'above-limit-of-search',
    title: 'media.list takes one more than the largest page of a search',
    matters: ['per_page', 'search'],
    invalid: 'per_page',
    shows: (given) => has(given, 'search') && text(given.per_page) === '101',
  },
  {
    operation: 'posts.list',
    aspect: 'subset',
    how: 'search-of-author-after',
    title: 'posts.list does not heed search beside author and after',
    matters: ['after', 'author', 'search'],
    forgets: 'search',
    shows: (given) => has(given, 'after', 'author', 'search'),
  },
  {
    operation: 'pages.list',
    aspect: 'subset',
    how: 'offset-of-orders',
    title: 'pages.list does not heed an offset where records are sorted by another member than the id',
    matters: ['offset', 'orderby'],
    forgets: 'offset',
    shows: (given) => has(given, 'offset') && text(given.orderby) !== 'id',
  },
  {
    operation: 'media.list',
    aspect: 'subset',
    how: 'ascending-of-author',
    title: 'media.list sorts falling where the files of authors are to rise',
    matters: ['author', 'order'],
    forgets: 'order',
    shows: (given) => has(given, 'author') && given.order === 'asc',
  },
  {
    operation: 'posts.list',
    aspect: 'subset',
    how: 'exclude-of-rising',
    title: 'posts.list does not heed exclude where the order rises',
    matters: ['exclude', 'order'],
    forgets: 'exclude',
    shows: (given) => has(given, 'exclude') && given.order === 'asc',
  },
  {
    operation: 'posts.list',
    aspect: 'robust',
    how: 'nul',
    title: 'posts.list fails of a NUL in search',
    matters: ['search'],
    shows: (given) => text(given.search).includes('\u0000'),
  },
  {
    operation: 'posts.list',
    aspect: 'robust',
    how: 'right-to-left',
    title: 'posts.list fails of a sign that turns the direction of a text',
    matters: ['search'],
    shows: (given) => text(given.search).includes('\u202e'),
  },
  {
    operation: 'posts.list',
    aspect: 'robust',
    how: 'double-precision',
    title: 'posts.list fails of an offset beyond 2^53',
    matters: ['offset'],
    shows: (given) => Number(text(given.offset)) > 2 ** 53 - 1,
  },
  {
    operation: 'media.list',
    aspect: 'robust',
    how: 'single-precision',
    title: 'media.list fails of an offset of 2^31, and of no other',
    matters: ['offset'],
    shows: (given) => Number(text(given.offset)) === 2 ** 31,
  },
  {
    operation: 'posts.list',
    aspect: 'robust',
    how: 'leap-second',
    title: 'posts.list fails of the last second of a leap day that has 61 of them in its minute',
    matters: ['before'],
    shows: (given) => text(given.before).includes('02-29T23:59:60'),
  },
  {
    operation: 'pages.list',
    aspect: 'robust',
    how: 'year-9999',
    title: 'pages.list fails of a date in the year 9999',
    matters: ['after'],
    shows: (given) => text(given.after).startsWith('9999'),
  },
  {
    operation: 'media.list',
    aspect: 'robust',
    how: 'deep-structure',
    title: 'media.list fails of a structure of three floors for search',
    matters: ['search'],
    shows: (given) => depthOf(given.search) > 2,
  },
  {
    operation: 'posts.update',
    aspect: 'robust',
    how: 'combining-characters',
    title: 'posts.update fails of two combining characters in an excerpt',
    matters: ['excerpt'],
    shows: (given) => text(given.excerpt).includes('\u0301\u0301'),
  },
  {
    operation: 'posts.create',
    aspect: 'robust',
    how: 'astral-characters',
    title: 'posts.create fails of a character beyond the basic plane in a password',
    matters: ['password'],
    shows: (given) => text(given.password).includes('😀'),
  },
  {
    operation: 'pages.read',
    aspect: 'robust',
    how: 'nothing',
    title: 'pages.read fails of an id that nothing has',
    matters: ['id'],
    shows: (given) => Number(given.id) > 100_000_000,
  },
  {
    operation: 'pages.list',
    aspect: 'robust',
    how: 'traces',
    title: 'pages.list shows where its files are when it refuses a plain word for a number',
    matters: ['per_page'],
    shows: (given) => text(given.per_page) === 'abc',
  },
  {
    operation: 'pages.read',
    aspect: 'robust',
    how: 'traces',
    title: 'pages.read shows where its files are when it refuses a context with a backslash',
    matters: ['context'],
    shows: (given) => text(given.context).includes('\\'),
  },
];

/** Reads arguments, all of them judged, as if one were not there. */
function withoutHeeding(
  given: JsonObject,
  read: (given: JsonObject) => JsonObject,
  forgotten: string,
): JsonObject {
  read(given);
  return read(Object.fromEntries(Object.entries(given).filter(([name]) => name !== forgotten)));
}

/** The rare mutants of the operations that a deployment has. */
export function rareMutants({ operations }: Contract): Mutant[] {
  const known = new Set(operations.map(({ id }) => id));
  return RARE_MUTANTS.filter(({ operation }) => known.has(operation)).map((rare) => {
    const { operation, aspect, how, title, shows } = rare;
    return mutant(
      `${operation}/fuzz/${aspect}`,
      how,
      title,
      reading(operation, (given, read) => {
        if (!shows(given)) return read(given);
        if (aspect === 'subset') return withoutHeeding(given, read, rare.forgets ?? '');
        if (aspect === 'refused') return lenient(given, read, (name) => name === rare.invalid);
        if (aspect === 'accepted') throw invalidParameters({ [rare.matters[0] ?? '']: 'Not together.' });
        if (how === 'traces') throw new Refusal('no', 'No. Stack trace: #0 /srv/site/index.php(7)', 400);
        throw new Error('a value that nobody thought of');
      }),
    );
  });
}

/** A deviation that only several requests in a certain order show. */
interface RareSequence {
  readonly resource: string;
  readonly how: string;
  readonly title: string;
  /** The steps that it takes after a first record is created, whatever their order; lists apart. */
  readonly matters: readonly string[];
  readonly behaviour: (resource: Resource) => Partial<Behaviour>;
}

/** Deviations that only a command sequence shows. */
export const RARE_SEQUENCES: readonly RareSequence[] = [
  {
    resource: 'posts',
    how: 'forgets-after-restore',
    title: 'a post that came back from the trash keeps the title that it has, whatever is written',
    matters: ['restore', 'trash', 'update'],
    behaviour: (resource) => {
      const restored = new WeakSet<StoredRecord>();
      return updating(resource, async (call, stored) => {
        const { status, title } = stored;
        const shown = await healthy(call);
        if (status === 'trash') restored.add(stored);
        else if (restored.has(stored)) stored.title = title;
        return shown;
      });
    },
  },
  {
    resource: 'posts',
    how: 'published-twice',
    title: 'a post that is published a second time is not listed by default',
    matters: ['update', 'update', 'update'],
    behaviour: (resource) => {
      const once = new WeakSet<StoredRecord>();
      const twice = new Set<number>();
      const updates = updating(resource, async (call, stored) => {
        const { status } = stored;
        const shown = await healthy(call);
        if (status === 'publish' || stored.status !== 'publish') return shown;
        if (once.has(stored)) twice.add(stored.id);
        once.add(stored);
        return shown;
      });
      const list = handling(idOf(resource, 'list'), async (call) => {
        const shown = await healthy(call);
        if (!Array.isArray(shown.body) || call.request.query.status !== undefined) return shown;
        return { ...shown, body: shown.body.filter((one) => !isObject(one) || !twice.has(Number(one.id))) };
      });
      return composed([updates, list]);
    },
  },
  {
    resource: 'pages',
    how: 'deletion-restores',
    title: 'deleting a page for good brings back one that is in the trash',
    matters: ['create', 'delete', 'trash'],
    behaviour: (resource) =>
      handling(idOf(resource, 'delete'), async (call) => {
        const shown = await healthy(call);
        if (call.args.force !== true) return shown;
        const last = call.site.store.ofKind(resource.id).findLast(({ status }) => status === 'trash');
        if (last) last.status = 'draft';
        return shown;
      }),
  },
  {
    resource: 'pages',
    how: 'trash-forgets',
    title: 'a page that was changed and goes to the trash has its first title there',
    matters: ['trash', 'update'],
    behaviour: (resource) => {
      const first = new WeakMap<StoredRecord, string>();
      const updates = updating(resource, (call, stored) => {
        if (!first.has(stored)) first.set(stored, stored.title);
        return healthy(call);
      });
      const deletions = handling(idOf(resource, 'delete'), async (call) => {
        const stored = call.site.store.get(Number(call.args.id), resource.id);
        const shown = await healthy(call);
        if (stored?.status === 'trash') stored.title = first.get(stored) ?? stored.title;
        return shown;
      });
      return composed([deletions, updates]);
    },
  },
  {
    resource: 'pages',
    how: 'private-loses-excerpt',
    title: 'a page that was private loses its excerpt when it is published',
    matters: ['batch', 'update'],
    behaviour: (resource) =>
      updating(resource, async (call, stored) => {
        const { status } = stored;
        const shown = await healthy(call);
        if (status === 'private' && stored.status === 'publish') stored.excerpt = '';
        return shown;
      }),
  },
];

/** The rare sequences of the resources that a deployment has, as mutants. */
export function rareSequenceMutants({ resources }: Contract): Mutant[] {
  return RARE_SEQUENCES.flatMap(({ resource: id, how, title, behaviour }) => {
    const resource = resources.find((one) => one.id === id);
    if (resource?.operations.update === undefined) return [];
    return [mutant(`lifecycle/${id}`, how, title, behaviour(resource))];
  });
}

/** A site on which updates of records are answered otherwise. @param turn gets the call and the record as it is stored */
function updating(
  resource: Resource,
  turn: (call: Call, stored: StoredRecord) => ReturnType<typeof healthy>,
): Partial<Behaviour> {
  return handling(idOf(resource, 'update'), (call) => {
    const stored = call.site.store.get(Number(call.args.id), resource.id);
    return stored === undefined ? healthy(call) : turn(call, stored);
  });
}
