import { invalidParameters } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Alter } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, mutant, together } from '../alteration.ts';
import { following, handling, healthy, reading, withList, without } from '../handling.ts';
import { idOf } from '../selecting.ts';
import { lenient } from './fuzz-mutants.ts';

/** A deviation that hardly any request shows. */
interface RareMutant {
  readonly operation: string;
  readonly aspect: 'accepted' | 'refused' | 'robust' | 'subset';
  readonly how: string;
  readonly title: string;
  readonly matters: readonly string[];
  readonly shows: (given: JsonObject) => boolean;
  /** Parses the arguments that show it. @param read the parser of a healthy site */
  readonly turn: (given: JsonObject, read: (given: JsonObject) => JsonObject) => JsonObject;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const depthOf = (value: Json | undefined): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** The required value of each argument; true for any. */
type Values = Readonly<Record<string, string | true>>;

function has(values: Values): RareMutant['shows'] {
  return (given) =>
    Object.entries(values).every(([name, value]) =>
      value === true ? Object.hasOwn(given, name) : given[name] === value,
    );
}

function rareIn(operation: string) {
  const rare = (
    aspect: RareMutant['aspect'],
    [how, title]: readonly [string, string],
    values: Values,
    turn: RareMutant['turn'],
    shows = has(values),
  ): RareMutant => {
    const matters = Object.keys(values);
    return { operation, aspect, how, title: `${operation} ${title}`, matters, shows, turn };
  };
  return {
    /** A set of valid arguments that is refused. */
    refuses(how: string, what: string, values: Values): RareMutant {
      return rare('accepted', [how, `refuses ${what}`], values, () => {
        throw invalidParameters({ [Object.keys(values)[0] ?? '']: 'Not together.' });
      });
    },
    /** An argument that is not validated if certain others are present. */
    takes(invalid: string, how: string, what: string, values: Values): RareMutant {
      return rare('refused', [how, `takes ${what}`], values, (given, read) =>
        lenient(given, read, (name) => name === invalid),
      );
    },
    /** An argument that is ignored if certain others are present. */
    forgets(forgotten: string, how: string, what: string, values: Values): RareMutant {
      return rare('subset', [how, what], values, (given, read) => {
        // Validates all arguments.
        read(given);
        return read(without(given, forgotten));
      });
    },
    /** A value of one argument that causes a server error. */
    fails(name: string, how: string, what: string, is: (value: Json | undefined) => boolean): RareMutant {
      const fail = (): never => {
        throw new Error('a value that nobody thought of');
      };
      return rare('robust', [how, `fails of ${what}`], { [name]: true }, fail, (given) => is(given[name]));
    },
    /** A value of one argument whose refusal shows a place of the server. */
    traces(name: string, what: string, is: (value: Json | undefined) => boolean): RareMutant {
      const title = `shows where its files are when it refuses ${what}`;
      const refuse = (): never => {
        throw new Refusal('no', 'No. Stack trace: #0 /srv/site/index.php(7)', 400);
      };
      return rare('robust', ['traces', title], { [name]: true }, refuse, (given) => is(given[name]));
    },
  };
}

const includes =
  (part: string) =>
  (value: Json | undefined): boolean =>
    text(value).includes(part);

const begins =
  (part: string) =>
  (value: Json | undefined): boolean =>
    text(value).startsWith(part);

const above =
  (limit: number) =>
  (value: Json | undefined): boolean =>
    Number(text(value)) > limit;

const [posts, pages, media] = [rareIn('posts.list'), rareIn('pages.list'), rareIn('media.list')];

/** Deviations that only a combination, a boundary value, or an unusual value shows. */
export const RARE_MUTANTS: readonly RareMutant[] = [
  posts.refuses('after-beside-author', 'after beside author', { after: true, author: true }),
  posts.refuses('three-dates', 'three dates at once', { after: true, before: true, modified_after: true }),
  posts.refuses('full-page-of-search', 'the largest page of a search', { per_page: '100', search: true }),
  pages.refuses('ascending-titles', 'titles in ascending order', { order: 'asc', orderby: 'title' }),
  posts.takes('order', 'order-beside-exclude', 'any order beside exclude', { exclude: true, order: true }),
  pages.takes('per_page', 'page-beside-search', 'any per_page beside search', {
    per_page: true,
    search: true,
  }),
  media.takes('per_page', 'above-limit-of-search', 'one more than the largest page of a search', {
    per_page: '101',
    search: true,
  }),
  posts.forgets('search', 'search-of-author-after', 'does not apply search beside author and after', {
    after: true,
    author: true,
    search: true,
  }),
  {
    ...pages.forgets('offset', 'offset-of-orders', 'applies an offset where the order is by id alone', {
      offset: true,
      orderby: true,
    }),
    shows: (given) => Object.hasOwn(given, 'offset') && given.orderby !== 'id',
  },
  posts.forgets('exclude', 'exclude-of-rising', 'does not apply exclude where the order rises', {
    exclude: true,
    order: 'asc',
  }),
  posts.fails('search', 'nul', 'a NUL in search', includes('\u0000')),
  posts.fails('search', 'right-to-left', 'a sign that turns the direction of a text', includes('\u202e')),
  posts.fails('offset', 'double-precision', 'an offset beyond 2^53', above(2 ** 53 - 1)),
  media.fails(
    'offset',
    'single-precision',
    'an offset of 2^31, and of no other',
    (value) => Number(text(value)) === 2 ** 31,
  ),
  posts.fails(
    'before',
    'leap-second',
    'the last second of a leap day with 61 in its minute',
    includes('02-29T23:59:60'),
  ),
  pages.fails('after', 'year-9999', 'a date in the year 9999', begins('9999')),
  media.fails(
    'search',
    'deep-structure',
    'a structure of three floors for search',
    (value) => depthOf(value) > 2,
  ),
  rareIn('posts.update').fails(
    'excerpt',
    'combining-characters',
    'two combining characters in an excerpt',
    includes('\u0301\u0301'),
  ),
  rareIn('posts.create').fails(
    'password',
    'astral-characters',
    'a character beyond the basic plane in a password',
    includes('😀'),
  ),
  rareIn('pages.read').fails('id', 'nothing', 'an id that nothing has', above(100_000_000)),
  pages.traces('per_page', 'a plain word for a number', (value) => value === 'abc'),
  rareIn('pages.read').traces('context', 'a context with a backslash', includes('\\')),
];

/** The rare mutants of the operations and sequences of a deployment. */
export function rareMutants(contract: Contract): Mutant[] {
  return [...rareValues(contract), ...rareSequences(contract)];
}

function rareValues({ operations }: Contract): Mutant[] {
  const known = new Set(operations.map(({ id }) => id));
  return RARE_MUTANTS.filter(({ operation }) => known.has(operation)).map(
    ({ operation, aspect, how, title, shows, turn }) =>
      mutant(
        `${operation}/fuzz/${aspect}~${how}`,
        title,
        reading(operation, (given, read) => (shows(given) ? turn(given, read) : read(given))),
      ),
  );
}

/** A deviation that only a sequence of requests shows. */
interface RareSequence {
  readonly resource: string;
  readonly how: string;
  readonly title: string;
  /** The steps that are needed after a first creation, in any order, except lists. */
  readonly matters: readonly string[];
  readonly behaviour: (resource: Resource) => Alter;
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
      return updating(resource, (stored, { status, title }) => {
        if (status === 'trash') restored.add(stored);
        else if (restored.has(stored)) stored.title = title;
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
      const updates = updating(resource, (stored, { status }) => {
        if (status === 'publish' || stored.status !== 'publish') return;
        if (once.has(stored)) twice.add(stored.id);
        once.add(stored);
      });
      const list = handling(idOf(resource, 'list'), async (call) => {
        const shown = await healthy(call);
        if (call.request.query.status !== undefined) return shown;
        return withList(shown, (records) =>
          records.filter((one) => !isObject(one) || !twice.has(Number(one.id))),
        );
      });
      return together(updates, list);
    },
  },
  {
    resource: 'pages',
    how: 'deletion-restores',
    title: 'deleting a page for good brings back one that is in the trash',
    matters: ['create', 'delete', 'trash'],
    behaviour: (resource) =>
      deleting(resource, (_, __, { args, site }) => {
        const last = site.store.ofKind(resource.id).findLast(({ status }) => status === 'trash');
        if (last && args.force === true) last.status = 'draft';
      }),
  },
  {
    resource: 'pages',
    how: 'trash-forgets',
    title: 'a page that was changed and goes to the trash has its first title there',
    matters: ['trash', 'update'],
    behaviour: (resource) => {
      const first = new WeakMap<StoredRecord, string>();
      const updates = updating(resource, (stored, { title }) => {
        if (!first.has(stored)) first.set(stored, title);
      });
      const deletions = deleting(resource, (stored) => {
        if (stored.status === 'trash') stored.title = first.get(stored) ?? stored.title;
      });
      return together(deletions, updates);
    },
  },
  {
    resource: 'pages',
    how: 'private-loses-excerpt',
    title: 'a page that was private loses its excerpt when it is published',
    matters: ['batch', 'update'],
    behaviour: (resource) =>
      updating(resource, (stored, { status }) => {
        if (status === 'private' && stored.status === 'publish') stored.excerpt = '';
      }),
  },
];

type Then = Parameters<typeof following>[1];

function updating(resource: Resource, then: Then): Alter {
  return following(idOf(resource, 'update'), then);
}

function deleting(resource: Resource, then: Then): Alter {
  return following(idOf(resource, 'delete'), then);
}

function rareSequences({ resources }: Contract): Mutant[] {
  return RARE_SEQUENCES.flatMap(({ resource: id, how, title, behaviour }) => {
    const resource = resources.find((one) => one.id === id);
    if (resource?.operations.update === undefined) return [];
    return [mutant(`lifecycle/${id}~${how}`, title, behaviour(resource))];
  });
}
