import assert from 'node:assert/strict';
import { type Json, type JsonObject, mapped } from '../../reference/json.ts';
import {
  type Alter,
  type Answer,
  type Arg,
  type Endpoint,
  type Entry,
  type IndexDocument,
  Text,
} from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { eachArg, endpointsIn } from '../declarations.ts';
import { type AskedFor, declaring, sending, withRecords } from '../handling.ts';
import { answering, heading, type Which } from '../observed/exhibit.ts';
import { type Change, isIndex, type Request } from './change.ts';

/** Changes of the index where §1 and §4 are silent. */
const INDEX_CHANGES: Readonly<Record<string, Change>> = {
  'further-namespaces': onIndex(({ namespaces }) => namespaces.unshift('shop/v1', 'cms/v3')),
  'further-routes': onIndex((index) => {
    addRoute(index, 'shop/v1', '/shop/v1/items/(?P<id>[\\d]+)');
    addRoute(index, 'cms/v2', '/cms/v2/posts/(?P<id>[\\d]+)/likes');
  }),
  'further-index-members': onIndex((index) => {
    Object.assign(index, { site_mood: 'calm', generator: null });
    for (const entry of Object.values(index.routes)) entry.since = 3;
    for (const endpoint of endpointsIn(index)) endpoint.cost = { v1: true };
  }),
  'parameter-keys': inEach((arg) => Object.assign(arg, { title: 'x', arg_options: {} })),
  'self-link-with-captures': ofRoutes(({ route, entry }) => {
    if (route.includes('(')) entry._links = { self: [{ href: 'https://example.org/somewhere' }] };
  }),
  'endpoint-grouping': ofRoutes(({ entry }) => {
    entry.endpoints = entry.endpoints.flatMap((whole) =>
      whole.methods.map((method) => ({ ...structuredClone(whole), methods: [method] })),
    );
  }),
  'capture-spelling': onIndex((index) => {
    const spell = (route: string): string =>
      route.replaceAll('[\\d]+', '[0-9]+').replaceAll('[\\w-]+', '[\\w\\-]+');
    index.routes = Object.fromEntries(
      Object.entries(index.routes).map(([route, entry]) => [spell(route), entry]),
    );
  }),
  'empty-object-form': {
    behaviour: sending((shown) => {
      if (!isIndex(shown.body)) return shown;
      for (const one of endpointsIn(shown.body)) if (Object.keys(one.args).length === 0) one.args = {};
      eachArg(shown.body, (arg) => {
        if (Array.isArray(arg.default) && arg.default.length === 0 && arg.type === 'object') arg.default = {};
      });
      return shown;
    }),
  },
  'order-of-lists': onIndex((index) => {
    index.namespaces.reverse();
    index.routes = Object.fromEntries(Object.entries(index.routes).toReversed());
    for (const entry of Object.values(index.routes)) entry.methods.reverse();
    eachArg(index, (arg) => {
      arg.enum?.reverse();
      if (Array.isArray(arg.type)) arg.type.reverse();
    });
  }),
  'default-fits-itself': inEach((arg) => {
    if (arg.type !== undefined) arg.default ??= null;
  }),
  'default-of-one': inEach((arg) => {
    if (arg.type === 'array' && typeof arg.default === 'string') arg.default = [arg.default];
  }),
  'nested-required-form': inEach(listRequired),
  'revision-force-declaration': of(/revisions\/\(/, ['force'], { required: true, default: true }),
  'untyped-values': inEach((arg) => {
    if (arg.type === undefined && arg.oneOf === undefined) arg.type = 'string';
  }),
  'capture-declaration': ofRoutes(({ route, entry: { endpoints } }) => {
    for (const [, name = ''] of route.matchAll(/\(\?P<(\w+)>/g)) {
      for (const { args } of endpoints) args[name] ??= { type: 'string', required: true };
    }
  }),
  'root-context-values': of(/^\/(?:[\w./-]+\/v\d|oembed\/1\.0)?$/, ['context'], { enum: ['view', 'help'] }),
  'batch-marks-elsewhere': onIndex((index) =>
    addRoute(index, 'cms/v2', '/cms/v2/menus', { allow_batch: { v1: true } }),
  ),
  'embed-types': of(/^\/oembed\/1\.0\/embed$/, ['format', 'maxwidth'], { type: ['string', 'integer'] }),
  'exclude-defaults': onIndex((index) => {
    for (const arg of argsOf(index, /posts$/, ['categories_exclude', 'tags_exclude'])) {
      for (const { properties = {} } of [arg, ...(arg.oneOf ?? [])]) {
        for (const member of Object.values(properties)) member.default = 'odd';
      }
    }
  }),
  'media-edit-parameters': ofRoutes(({ route, entry }) => {
    if (!route.endsWith('/edit')) return;
    for (const { args } of entry.endpoints) args.quality = { type: 'integer', default: 82 };
  }),
  'routes-after-media-edit': onIndex((index) => addRoute(index, 'cms/v2', '/cms/v2/users/me')),
  'platform-values': onB(of(/get_suggestions$/, ['platform'], { enum: ['one', 'two', 'three'] })),
  'bulk-items': onB(of(/^\/seo\//, ['items'], { items: { type: 'object', properties: { id: {} } } })),
  'internal-types': onB(of(/^\/builder\/v1\/post$/, ['excluded_types'], { default: ['inner'] })),
  'query-items': onB(
    of(/^\/builder\//, ['meta_query', 'tax_query', 'post__not_in'], { items: { type: 'object' } }),
  ),
  'context-of-plugin-lists': onB(
    of(/^\/builder\/v1\/favorites$|^\/builder-one\/v1\/plugins$/, ['context'], {
      enum: ['wide', 'narrow'],
      default: 'wide',
    }),
  ),
  'style-ids-description': onB(
    ofRoutes(({ route, entry }) => {
      if (route !== '/builder/v1/global-classes/styles') return;
      for (const { args } of entry.endpoints) args.kit = { type: 'integer' };
    }),
  ),
  'routes-after-global-classes': onB(
    onIndex((index) => addRoute(index, 'builder/v1', '/builder/v1/variables')),
  ),
  'advert-over-plain-http': onIndex((index) => Object.assign(index, { authentication: [] })),
};

function onIndex(change: (index: IndexDocument) => void): Change {
  return { behaviour: declaring(change) };
}

function onB(change: Change): Change {
  return { ...change, deployment: 'b' };
}

function inEach(change: (arg: Arg) => void): Change {
  return onIndex((index) => eachArg(index, change));
}

function ofRoutes(change: (route: { readonly route: string; readonly entry: Entry }) => void): Change {
  return onIndex(({ routes }) => {
    for (const [route, entry] of Object.entries(routes)) change({ route, entry });
  });
}

/** Other members of the declarations of some parameters, on the routes whose pattern fits. */
function of(pattern: RegExp, names: readonly string[], members: Partial<Arg>): Change {
  return onIndex((index) => {
    for (const arg of argsOf(index, pattern, names)) Object.assign(arg, structuredClone(members));
  });
}

/** The declarations of parameters on the routes whose pattern fits; there is one at least of each. */
function argsOf(index: IndexDocument, pattern: RegExp, names: readonly string[]): Arg[] {
  const endpoints = Object.entries(index.routes)
    .filter(([route]) => pattern.test(route))
    .flatMap(([, entry]) => entry.endpoints);
  return names.flatMap((name) => {
    const found = endpoints.map(({ args }) => args[name]).filter((arg) => arg !== undefined);
    assert(found.length > 0, `no route like ${pattern.source} declares ${name}`);
    return found;
  });
}

function addRoute(
  index: IndexDocument,
  namespace: string,
  route: string,
  more: Partial<Endpoint> = {},
): void {
  assert(!(route in index.routes), `${route} is a route of the contract`);
  const methods = ['GET', 'REPORT'];
  index.routes[route] = { namespace, methods, endpoints: [{ methods, args: {}, ...more }] };
}

/** Skipped if the object itself is required, because both use one keyword. */
function listRequired(arg: Arg): void {
  if (arg.required === true) return;
  const members = Object.entries(arg.properties ?? {});
  const names = members.filter(([, member]) => member.required === true).map(([name]) => name);
  for (const [, member] of members) delete member.required;
  if (names.length > 0) arg.required = names;
}

const NAMESPACE_ROOT =
  /^\/(?:oembed\/1\.0|[\w-]+(?:\/[\w-]+)?\/v\d+|builder\/v1\/(?:documents|feedback)|host_sign_on_plugin\/v1)$/;
const CORE = /^\/(?:cms\/v2|batch\/v1|oembed\/1\.0)(?:\/|$)/;
const RECORDS = /^\/cms\/v2\/[\w-]+(?:\/\d+(?:\/edit)?)?$/;
const CHILDREN = /\/(?:revisions|autosaves)(?:\/\d+)?$/;
const REFUSALS = [400, 422, 404, 409, 410, 413, 418];
const POST: Request = { route: '/cms/v2/posts/1' };
const PLUGIN: Request = { route: '/host_sign_on_plugin/v1/is_user_logged_in' };

/** Changes of the index and other answers where nothing is stated, by the id of the unspecified point. */
export const ANSWER_CHANGES: Readonly<Record<string, Change>> = {
  ...INDEX_CHANGES,
  'plugin-behaviour': {
    behaviour: replacing(
      ({ route }, { status }) => !CORE.test(route) && route !== '/' && status === 200,
      ['done', { perhaps: null }],
    ),
    shows: [PLUGIN],
  },
  'other-response-fields': {
    behaviour: ofRecords(RECORDS, ({ guid: _, class_list: _list, generated_slug: _slug, ...record }) => ({
      ...record,
      link: 7,
      type: ['odd'],
      _links: 'none',
      likes: { count: 3 },
    })),
    shows: [POST],
  },
  'revision-fields': {
    behaviour: ofRecords(CHILDREN, ({ id = null, parent = null }) => ({
      parent,
      id,
      title: 3,
      weight: [],
      status: null,
    })),
    shows: [{ route: '/cms/v2/posts/1/revisions' }],
  },
  'date-spelling': {
    behaviour: ofRecords(RECORDS, (record) =>
      mapped(record, (value, name) =>
        name.endsWith('_gmt') && typeof value === 'string' ? `${value}.000Z` : value,
      ),
    ),
    shows: [POST],
  },
  'root-bodies': {
    behaviour: replacing(({ route, method }) => NAMESPACE_ROOT.test(route) && method === 'GET', ['hello']),
    shows: [{ route: '/cms/v2' }],
  },
  'batch-answer-form': {
    behaviour: answering(
      ({ route }, { status }) => route === '/batch/v1' && status === 207,
      (shown) => ({ ...shown, status: 200, body: { done: true, results: [] } }),
    ),
    shows: [
      {
        method: 'POST',
        route: '/batch/v1',
        body: { requests: [{ method: 'POST', path: '/cms/v2/posts/1', body: { title: 'a' } }] },
      },
    ],
  },
  'response-bodies': {
    behaviour: together(
      replacing(({ route }, { status }) => route.startsWith('/oembed/') && status < 300, {
        player: 'none',
        width: 'wide',
      }),
      replacing(({ method }, { status }) => method === 'DELETE' && status < 300, []),
      replacing(({ route }, { status }) => route.endsWith('post-process') && status < 300, 'well'),
    ),
    shows: [
      { route: '/oembed/1.0/embed', query: { url: '{site}/?p=1' } },
      { method: 'DELETE', route: '/cms/v2/posts/1', query: { force: 'true' } },
    ],
  },
  'error-bodies': {
    behaviour: answering((_, { status }) => status >= 400 && status < 500, refusedOtherwise),
    shows: [
      { route: '/cms/v2/posts/77777' },
      { route: '/cms/v2/posts', query: { context: 'edit' }, anonymous: true },
    ],
  },
  events: headed({ Link: '<https://example.org/events>; rel="hub"' }),
  'rate-limits': headed({ 'X-RateLimit-Limit': '1', 'X-RateLimit-Remaining': '0', RateLimit: 'r=0' }),
  deprecation: headed({ Deprecation: '@1688169599', Sunset: 'never' }),
  'version-negotiation': headed({ 'Accept-Version': '7', Vary: 'accept' }),
};

function headed(headers: Readonly<Record<string, string>>): Change {
  return { behaviour: heading(headers), shows: [POST] };
}

function replacing(which: Which, body: Json): Alter {
  return answering(which, (shown) => (shown.body instanceof Text ? shown : { ...shown, body }));
}

/** A refusal with another 4xx status and another body, sometimes one that is not an object. */
function refusedOtherwise({ status, headers, body }: Answer, { route }: AskedFor): Answer {
  const turn = [...`${route}${JSON.stringify(body)}`].reduce((sum, at) => sum + at.charCodeAt(0), 0);
  const other = REFUSALS[turn % REFUSALS.length] ?? status;
  const bodies = [{ errors: [{ title: 'no' }] }, 'no', ['no'], { success: false }, null];
  const isDenied = status === 401 || status === 403;
  return { status: isDenied ? 403 : other, headers, body: bodies[turn % bodies.length] ?? null };
}

function ofRecords(pattern: RegExp, change: (record: JsonObject) => JsonObject): Alter {
  return answering(
    ({ route }) => pattern.test(route),
    (shown) => withRecords(shown, change),
  );
}
