import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isObject, mapped } from '../../reference/json.ts';
import { ACCOUNTS, Refusal } from '../../reference/request.ts';
import { answer, type Call, type Filter, type ListQuery, type Order, Text } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { together } from '../alteration.ts';
import { declaring, filteringBy, handling } from '../handling.ts';
import { giving } from '../observed/exhibit.ts';
import { on } from '../selecting.ts';
import { type Change, type Request, rereading } from './change.ts';

const READS = ['posts.list', 'media.list', 'post-revisions.list', 'page-autosaves.list'];
const CLOSED = /^\/oembed\/1\.0\/|\/(?:media\/\d+|pages)$/;

/** The length in characters from which on a site may ignore a search. */
const LONG_SEARCH = 1600;

/** Changes of reads where nothing is stated, by the id of the unspecified point. */
const OF_CORE: Readonly<Record<string, Change>> = {
  'whole-field-contexts': {
    behaviour: ({ contexts }) => ({
      contexts: {
        ...contexts,
        comment_status: ['edit'],
        ping_status: ['view', 'embed', 'edit'],
        template: ['embed', 'edit'],
        menu_order: ['edit'],
        password: ['view', 'edit'],
      },
    }),
    shows: [list({ context: 'view' }), list({ context: 'embed' })],
  },
  'proxy-effects': {
    behaviour: handling('oembed.proxy', async (call, next) => {
      const { status, body } = await next(call);
      assert(isObject(body) && !(body instanceof Text));
      const asked = `${call.args.format} ${call.args.discover}`;
      return { status, headers: { 'x-asked': asked }, body: { ...body, asked } };
    }),
    shows: [{ route: '/oembed/1.0/proxy', query: { url: '{site}/?p=1' } }],
  },
  'unnamed-contexts': {
    behaviour: ({ contexts }) => ({
      contexts: {
        ...contexts,
        'excerpt.protected': ['edit'],
        'caption.rendered': ['view'],
        'description.rendered': ['embed', 'edit'],
      },
    }),
    shows: [
      list({ context: 'view' }),
      list({ context: 'edit' }, 'media'),
      list({ context: 'view' }, 'media'),
    ],
  },
  'who-may-call': {
    // Some public reads are closed, and some restricted ones public.
    behaviour: together(
      giving(
        answer({ code: 'who_are_you' }, 401),
        ({ route, anonymous }, { status }) => CLOSED.test(route) && anonymous && status < 300,
      ),
      handling(
        ({ id }) => READS.includes(id),
        (call, next) => {
          const account = call.request.account ?? (listsPublic(call) ? ACCOUNTS[0] : undefined);
          return next({ ...call, request: { ...call.request, account } });
        },
      ),
    ),
    shows: [
      { route: '/cms/v2/pages', anonymous: true },
      { ...list({ context: 'edit' }), anonymous: true },
    ],
  },
  'filters-of-one-field': {
    behaviour: ({ filters }) => ({
      filters: {
        ...filters,
        // The usual site applies the inclusion of records and the exclusion of authors.
        include: (record, value, query) =>
          isGiven(query.args.exclude) || keeps(filters.include, record, value, query),
        exclude: (record, value, query) =>
          keeps(filters.exclude, record, value, {
            ...query,
            args: { ...query.args, include: [], sticky: false },
          }),
        author: (record, value, query) =>
          keeps(filters.author, record, value, { ...query, args: { ...query.args, author_exclude: [] } }),
        parent: (record, value, query) =>
          isGiven(query.args.parent_exclude) || keeps(filters.parent, record, value, query),
        parent_exclude: (record, value, query) =>
          keeps(filters.parent_exclude, record, value, { ...query, args: { ...query.args, parent: [] } }),
        sticky: (record, value) => record.sticky === (value === true),
      },
    }),
    shows: [list({ include: '1,2,3', exclude: '1' })],
  },
  'offset-without-per-page': {
    behaviour: handling(on('revisions', 'list'), (call, next) => {
      const { offset, per_page } = call.args;
      return next(
        offset && per_page === undefined ? { ...call, args: { ...call.args, per_page: 10 } } : call,
      );
    }),
    shows: [list({ offset: '1' }, 'posts/1/revisions')],
  },
  'offset-beyond-the-end': {
    behaviour: handling(
      ({ role }) => role === 'list',
      async (call, next) => {
        const shown = await next(call);
        const isBeyond = Array.isArray(shown.body) && shown.body.length === 0 && Number(call.args.offset) > 0;
        if (isBeyond) throw new Refusal('beyond', 'There is nothing so far behind.', 400);
        return shown;
      },
    ),
    shows: [list({ offset: '9999' })],
  },
  'unknown-parameters': {
    behaviour: rereading((given, { operation, request }) => {
      const known = { ...operation.parameters.properties, ...operation.pathParameters };
      // Clients send names such as `_locale` with every request.
      const isStrange = Object.keys(given).some(
        (name) => !name.startsWith('_') && !Object.hasOwn(known, name),
      );
      // What a body may hold is not shown where no parameters are listed.
      const isListed = request.method === 'GET' || Object.keys(known).length > 0;
      if (isListed && isStrange) throw new Refusal('unheard', `What is that? (${randomUUID()})`, 400);
      return given;
    }),
    shows: [list({ unheard_of: '1' })],
  },
  'long-searches': {
    behaviour: filteringBy('search', (filter) => (record, value, query) => {
      return String(value).length > LONG_SEARCH || filter(record, value, query);
    }),
    shows: [list({ search: 'long '.repeat(LONG_SEARCH / 4) })],
  },
  'letter-case-in-searches': {
    behaviour: filteringBy('search', (filter) => (record, value, query) => {
      const isSpelt = String(value).length > LONG_SEARCH || spells(record, String(value));
      return isSpelt && filter(record, value, query);
    }),
    shows: [list({ search: 'LANTERN' })],
  },
  'collation-in-orders': {
    behaviour: ({ orders }) => ({
      orders: { ...orders, title: byCode(({ title }) => title), slug: byCode(({ slug }) => slug) },
    }),
    shows: [
      { method: 'POST', route: '/cms/v2/posts', body: { title: 'a small one', status: 'publish' } },
      list({ orderby: 'title', order: 'desc', per_page: '1' }),
    ],
  },
  'list-order-of-ties': {
    behaviour: ({ orders }) => ({
      orders: mapped(orders, (order) => ({
        ...order,
        compare: (query: ListQuery) => (one: StoredRecord, other: StoredRecord) =>
          order.compare(query)(one, other) || ((one.id * 7) % 11) - ((other.id * 7) % 11),
      })),
    }),
    shows: [list({ orderby: 'author' })],
  },
};

/** An order of texts in which every capital comes before every small letter. */
function byCode(textOf: (record: StoredRecord) => string): Order {
  const keyOf = (record: StoredRecord): string =>
    textOf(record).replaceAll(/\d+/g, (digits) => digits.padStart(20, '0'));
  const compare = (one: StoredRecord, other: StoredRecord): number =>
    keyOf(one) < keyOf(other) ? -1 : Number(keyOf(one) > keyOf(other));
  return { turns: true, compare: () => compare };
}

/** Whether a record has the words of a search in the same letter case. */
function spells({ title, content, excerpt, file }: StoredRecord, search: string): boolean {
  const text = [title, content, excerpt, file?.path].join(' ');
  return search.split(/[^\p{L}]+/u).every((word) => text.includes(word));
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function keeps(filter: Filter | undefined, ...about: Parameters<Filter>): boolean {
  return filter?.(...about) !== false;
}

/** Whether a list only shows published records; the context and the rights for it are unspecified. */
function listsPublic({ args }: Call): boolean {
  return args.status === undefined || ['publish', 'inherit'].includes(String(args.status));
}

function list(query: Readonly<Record<string, string>>, collection = 'posts'): Request {
  return { route: `/cms/v2/${collection}`, query };
}

const ACTIVATIONS = ['themes.activate', 'plugins.activate', 'plugins.deactivate', 'plugins.upgrade'].map(
  (id) => `builder-one.${id}`,
);
/** Routes whose path parameter only has a stated name; here it takes only digits. */
const BARE = /^\/(?:builder-one\/v1\/themes|builder\/v1\/(?:favorites|kit-elements-defaults))\//;

/** Changes of the plugins' routes where nothing is stated, by the id of the unspecified point. */
const OF_PLUGINS: Readonly<Record<string, Change>> = {
  'activation-transitions': {
    deployment: 'b',
    behaviour: handling(ACTIVATIONS, () => {
      throw new Refusal('as_it_is', 'It is so already.', 409);
    }),
    shows: [{ method: 'POST', route: '/builder-one/v1/themes/7/activate' }],
  },
  'capture-kinds': {
    deployment: 'b',
    behaviour: together(
      declaring((index) => {
        const bare = Object.keys(index.routes).filter((route) => BARE.test(route));
        assert(bare.length > 0, 'no route has a path parameter of which only the name is given');
        for (const route of bare) {
          const { [route]: entry, ...others } = index.routes;
          const digits = route.replace(/\(\?P<(\w+)>[^)]*\)/, '(?P<$1>[\\d]+)');
          index.routes = { ...others, ...(entry && { [digits]: entry }) };
        }
      }),
      rereading((given, { request }) => {
        const segment = BARE.test(request.route) && request.route.split('/').slice(4)[0];
        if (segment && /\D/.test(segment)) throw new Refusal('rest_no_route', 'No such route.', 404);
        return given;
      }),
    ),
    shows: [{ method: 'DELETE', route: '/builder/v1/kit-elements-defaults/abc' }, { route: '/' }],
  },
  'bodies-of-none-listed': {
    behaviour: rereading((given, { operation, request }) => {
      const listed = Object.keys(operation.parameters.properties).filter(
        (name) => !(name in operation.pathParameters),
      );
      const sent = Object.keys({ ...request.json, ...request.form });
      if (listed.length === 0 && sent.length > 0) throw new Refusal('no_body', 'Nothing is taken.', 400);
      return given;
    }),
    shows: [{ method: 'POST', route: '/host/cache-plugin/v1/rate_limit_status', body: { any: 1 } }],
  },
};

/** Changes of reads and of the plugins' routes where nothing is stated, by the id of the unspecified point. */
export const READING_CHANGES: Readonly<Record<string, Change>> = { ...OF_CORE, ...OF_PLUGINS };
