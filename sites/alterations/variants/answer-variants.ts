import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pathParameters } from '../../reference/calls.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { demand, Refusal } from '../../reference/request.ts';
import { showRecord } from '../../reference/show-record.ts';
import {
  type Answer,
  answer,
  type Behaviour,
  type Call,
  type Handler,
  respond,
  Text,
} from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Alteration, variant } from '../alteration.ts';
import { eachArg, endpointsIn } from '../declarations.ts';
import {
  declaring,
  handling,
  type Reading,
  reading,
  sending,
  showing,
  turningArgs,
  withRecords,
} from '../handling.ts';
import { isOwnWrite, showsOwn } from '../selecting.ts';

/** A record with markup after its rendered content, if it has any. */
function rendering(record: JsonObject, markup: string): JsonObject {
  const { content } = record;
  if (!isObject(content) || typeof content.rendered !== 'string' || content.rendered === '') return record;
  return { ...record, content: { ...content, rendered: `${content.rendered}${markup}` } };
}

/** One in how many requests is answered with 429. */
const THROTTLED = 400;

/** Patterns that firewalls block. */
const ATTACK = /__proto__|constructor|\.\.\/|<\w|%00|\0|'"/;
const DENIED: Answer = { status: 403, headers: {}, body: new Text('text/html', '<h1>Forbidden</h1>') };

/** Other answers of conforming sites, and other ways to send them. */
const ANSWERS: readonly Alteration[] = [
  changing('error-bodies', 'errors say something else', (shown) =>
    shown.status >= 400 ? { ...shown, body: { error: { reason: 'No.' } } } : shown,
  ),
  changing('error-texts', 'errors are plain text', (shown) =>
    shown.status >= 400 ? { ...shown, body: new Text('text/plain', 'No.') } : shown,
  ),
  changing('ok-for-created', 'a creation is answered with 200', (shown) =>
    shown.status === 201 ? { ...shown, status: 200 } : shown,
  ),
  variant(
    'asked-width',
    'an embedding repeats the width as it was asked for',
    handling('oembed.embed', async (call, next) => {
      const shown = await next(call);
      const { body } = shown;
      return body instanceof Text || !isObject(body)
        ? shown
        : { ...shown, body: { ...body, width: call.args.maxwidth ?? null } };
    }),
  ),
  changing('batch-answers-statuses', 'a batch answers of its parts their statuses alone', (shown) => {
    const { responses } = shown.status === 207 && isObject(shown.body) ? shown.body : {};
    if (!Array.isArray(responses)) return shown;
    const bare = responses.map((one) =>
      isObject(one) && one.status !== undefined ? { ...one, body: {} } : one,
    );
    return { ...shown, body: { responses: bare } };
  }),
  variant('page-cache', 'what anybody reads is kept for ten minutes by its address', cached),
  shown('plugin-members', 'plugins add members to every record', (record) => ({
    ...record,
    plugin: { seo: [1, 2] },
    jetpack: null,
  })),
  shown('meta-for-users', 'plugins add members to meta, for users alone', (record, { request }) =>
    request.account !== undefined && isObject(record.meta)
      ? { ...record, meta: { ...record.meta, plugin_keyphrase: '' } }
      : record,
  ),
  shown('hidden-authors', 'a plugin hides from anybody who wrote a record', (record, { request }) =>
    request.account === undefined && 'author' in record ? { ...record, author: 0 } : record,
  ),
  variant('counted-views', 'a plugin counts in meta how often each record is shown', counting),
  shown(
    'address-in-texts',
    'a form in each content names the address that was asked',
    (record, { request }) =>
      rendering(
        record,
        `<input name="_referer" value="${encodeURIComponent(JSON.stringify(request.query))}">`,
      ),
  ),
  shown(
    'arguments-in-texts',
    'a menu in each content takes the page of a list for one of its own',
    (record, { request }) =>
      rendering(record, 'page' in request.query ? '<li class="active">One</li>' : '<li>One</li>'),
  ),
  shown('inherited-status', 'uploads show the status that they inherit', (record) =>
    record.status === 'inherit' && 'media_type' in record ? { ...record, status: 'publish' } : record,
  ),
  shown('empty-left-out', 'records do not show what is empty', (record) =>
    Object.fromEntries(Object.entries(record).filter(([, value]) => !isNothing(value))),
  ),
  shown('reversed-records', 'the members of records come in another order', (record) =>
    Object.fromEntries(Object.entries(record).toReversed()),
  ),
  variant(
    'listed-backwards',
    'a descending list in a given order is in its reverse',
    turningArgs(({ role }) => role === 'list', reversingNamed),
  ),
  variant('ids-of-each-parent', 'each record numbers its revisions and autosaves from 1', renumbering),
  variant(
    'denial-first',
    'writes are denied before their arguments are read',
    reading(({ effect }) => effect !== 'reads', deniedFirst),
  ),
  changing('slow', 'every answer takes its time', async (shown) => {
    await sleep(15);
    return shown;
  }),
  variant('throttling', 'reads are throttled now and then', (usual) => {
    let answered = 0;
    const refused = answer({ code: 'too_many_requests', message: 'Later.' }, 429, { 'Retry-After': '0' });
    // Only reads, because the handler of a write would already have run.
    return sending((shown, { method }) => {
      answered += 1;
      return method === 'GET' && answered % THROTTLED === 0 ? refused : shown;
    })(usual);
  }),
  written('gzip', 'bodies are compressed', (message, response, shown) => {
    const wants = String(message.headers['accept-encoding'] ?? '').includes('gzip');
    if (!wants) return respond(message.method, response, shown);
    const type = shown.body instanceof Text ? shown.body.type : 'application/json';
    response.writeHead(shown.status, { ...shown.headers, 'Content-Type': type, 'Content-Encoding': 'gzip' });
    response.end(message.method === 'HEAD' ? undefined : gzipSync(textOf(shown)));
  }),
  written('chunked', 'bodies come in many pieces', (message, response, shown) => {
    const text = Buffer.from(textOf(shown));
    response.writeHead(shown.status, {
      ...shown.headers,
      'Content-Type': shown.body instanceof Text ? shown.body.type : 'application/json; charset=UTF-8',
    });
    if (message.method !== 'HEAD') {
      for (let at = 0; at < text.length; at += 1000) response.write(text.subarray(at, at + 1000));
    }
    response.end();
  }),
  changing('stated-methods', 'routes serve the stated methods alone', (shown, { method }) =>
    method === 'HEAD' || method === 'OPTIONS' ? { ...shown, status: 405, body: {} } : shown,
  ),
  changing('closing', 'every connection is closed after its answer', (shown) => ({
    ...shown,
    headers: { ...shown.headers, Connection: 'close' },
  })),
  spelling('white-space', 'white space follows every body', (text) => `${text}\n\n  \n`),
  spelling('indented', 'bodies are indented', (text) => JSON.stringify(JSON.parse(text), undefined, 2)),
  spelling('escaped', 'bodies escape what they need not', (text) => text.replaceAll('/', '\\/')),
  changing(
    'firewall',
    'reads with names or texts that attacks use are denied by what stands in front',
    (shown, asked) =>
      asked.method === 'GET' && ATTACK.test([...asked.query].flat().join(' ')) ? DENIED : shown,
  ),
  changing('special-names', 'records and parameters have names that languages give a meaning', (shown) =>
    shown.body instanceof Text ? shown : { ...shown, body: withSpecialNames(shown.body) },
  ),
  changing('plain-type', 'bodies name their type without a charset', (shown) =>
    shown.body instanceof Text
      ? shown
      : { ...shown, headers: { ...shown.headers, 'Content-Type': 'application/json' } },
  ),
];

function deniedFirst(...[given, read, { request }]: Parameters<Reading>): JsonObject {
  demand(request.account, 'rest_forbidden', 'Log in first.', 401);
  return read(given);
}

/** A site that shows its own records otherwise. */
export function shown(id: string, title: string, show: Parameters<typeof showing>[1]): Alteration {
  return variant(id, title, showing(showsOwn, show));
}

/** Reverses the lists that `orderby` may take as the order. */
function reversingNamed(args: JsonObject): JsonObject {
  const name = args.orderby === 'include_slugs' ? 'slug' : String(args.orderby);
  const list = args[name];
  return args.order === 'desc' && Array.isArray(list) ? { ...args, [name]: list.toReversed() } : args;
}

function renumbering(usual: Behaviour): Partial<Behaviour> {
  const numbers = new Map<number, number[]>();
  const turn = handling(
    ({ resource }) => resource?.parent !== undefined,
    async (call, next) => {
      const { first, last } = pathParameters(call);
      const parent = Number(call.args[first]);
      const known = numbers.get(parent) ?? [];
      numbers.set(parent, known);
      const number = (id: number): number => known.indexOf(id) + 1 || known.push(id);
      const ids = call.site.store.revisionsOf(parent).map(({ id }) => id);
      for (const id of ids.toSorted((one, other) => one - other)) number(id);
      const named = (value: Json = null): Json =>
        Array.isArray(value) ? value.map(named) : (known[Number(value) - 1] ?? Number.MAX_SAFE_INTEGER);
      const lists = ['include', 'exclude'].filter((name) => name in call.args);
      const names = first === last ? lists : [...lists, last];
      const given = names.map((name) => [name, named(call.args[name])] as const);
      const shown = await next({ ...call, args: { ...call.args, ...Object.fromEntries(given) } });
      return withRecords(shown, (one) => (typeof one.id === 'number' ? { ...one, id: number(one.id) } : one));
    },
  );
  return turn(usual);
}

const SPECIAL_NAMES = ['__proto__', 'constructor', 'length', '0', ''];

/** A value whose records have further members with such names, and whose endpoints take such parameters. */
function withSpecialNames(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSpecialNames);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, withSpecialNames(inner)] as const);
  const isList = Array.isArray(value.args);
  const further: Json = 'methods' in value ? { type: 'string', required: false } : 'sample';
  const names = SPECIAL_NAMES.map((name) => [name, further] as const);
  if ('methods' in value && !isList && isObject(value.args)) {
    const args = Object.fromEntries([...Object.entries(value.args), ...names]);
    return Object.fromEntries([...members, ['args', args]]);
  }
  return 'id' in value || 'routes' in value
    ? Object.fromEntries([...members, ...names])
    : Object.fromEntries(members);
}

function written(id: string, title: string, send: Behaviour['send']): Alteration {
  return variant(id, title, () => ({ send }));
}

const NOTHING: readonly Json[] = ['', 0, false, null];

function isNothing(value: Json): boolean {
  return NOTHING.includes(value) || (Array.isArray(value) && value.length === 0);
}

function changing(id: string, title: string, change: Parameters<typeof sending>[0]): Alteration {
  return variant(id, title, sending(change));
}

function spelling(id: string, title: string, spell: (text: string) => string): Alteration {
  return changing(id, title, (shown) =>
    shown.body instanceof Text
      ? shown
      : { ...shown, body: new Text('application/json; charset=UTF-8', spell(JSON.stringify(shown.body))) },
  );
}

function textOf({ body }: Answer): string | Uint8Array {
  return body instanceof Text ? body.content : JSON.stringify(body);
}

function counting(usual: Behaviour): Partial<Behaviour> {
  let shown = 0;
  return showing(showsOwn, (record) => {
    shown += 1;
    return isObject(record.meta) ? { ...record, meta: { ...record.meta, plugin_views: shown } } : record;
  })(usual);
}

/** A page cache: repeated anonymous requests for an address get the earlier answer. */
function cached(usual: Behaviour): Partial<Behaviour> {
  const kept = new Map<string, { readonly until: number; readonly shown: Answer }>();
  const turn = handling(
    ({ role }) => role === 'list' || role === 'read',
    async (call, next) => {
      const { route, query, headers } = call.request;
      if (headers.authorization !== undefined) return next(call);
      const address = JSON.stringify([route, query]);
      const known = kept.get(address);
      if (known !== undefined && known.until > Date.now()) return known.shown;
      const shown = await next(call);
      kept.set(address, { until: Date.now() + 600_000, shown });
      return shown;
    },
  );
  return turn(usual);
}

/** Other indexes of conforming sites. */
const INDEXES: readonly Alteration[] = [
  declared('pretty-links', 'routes link to themselves by pretty addresses', ({ url, routes }) => {
    for (const [pattern, entry] of Object.entries(routes)) {
      if (entry._links) entry._links = { self: [{ href: `${String(url)}/wp-json${pattern}` }] };
    }
  }),
  declared('reversed-members', 'all members of the index come in another order', (index) => {
    const turned = reversed(index);
    for (const key of Object.keys(index)) delete index[key];
    Object.assign(index, turned);
  }),
  declared('more-parameters', 'plugins add parameters to every endpoint', (index) => {
    for (const { args } of endpointsIn(index))
      args.plugin_flag = { type: 'boolean', default: false, required: false };
  }),
  declared('more-taxonomies', 'a plugin files records of every kind by genre', (index) => {
    const terms = { type: ['object', 'array'], items: { type: 'integer' }, required: false };
    const relation = { type: 'string', enum: ['AND', 'OR'], required: false };
    for (const { args } of endpointsIn(index)) {
      if (args.orderby) Object.assign(args, { tax_relation: relation, genre: terms, genre_exclude: terms });
    }
  }),
  declared('without-optional', 'parameters that are optional do not say so', (index) => {
    eachArg(index, (arg) => {
      if (arg.required === false) delete arg.required;
    });
  }),
  declared('self-link-list', 'routes link to themselves by path alone and to others as well', (index) => {
    for (const entry of Object.values(index.routes)) {
      if (entry._links) entry._links = { ...Object(entry._links), up: [{ href: '/' }] };
    }
  }),
  declared('other-scheme-of-addresses', 'the index names its addresses over https, with a slash', (index) => {
    for (const name of ['url', 'home']) index[name] = `${String(index[name]).replace('http:', 'https:')}/`;
  }),
  declared('no-contexts', 'parameters name no contexts and no variants', (index) => {
    eachArg(index, ({ properties = {}, items }) => {
      for (const one of Object.values(properties)) delete one.context;
      delete items?.oneOf;
    });
  }),
  declared('more-methods', 'routes serve further methods', (index) => {
    for (const { methods, endpoints } of Object.values(index.routes)) {
      methods.push('PURGE');
      endpoints.push({ methods: ['PURGE'], args: {} });
    }
  }),
];

function declared(id: string, title: string, declare: Behaviour['declare']): Alteration {
  return variant(id, title, declaring(declare));
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]): [string, Json] => [key, reversed(member)])
      .toReversed(),
  );
}

/** A conforming site whose user may do little. */
const UNDATED_DRAFTS: Alteration = {
  id: 'undated-drafts',
  title: 'the user may only make drafts, whose date is their last change until somebody gives them one',
  behaviour: handling((one) => isOwnWrite(one) && one.resource?.kind === 'records', withoutDates),
};

/** Statuses of records that nobody has published. */
const DRAFTS: readonly unknown[] = ['draft', 'pending', undefined];

/** Dates are shown in seconds, and each change is to be seen. */
const SECOND = 1000;

/** The drafts of a site that somebody gave a date. */
const dated = new WeakSet<StoredRecord>();

async function withoutDates(call: Call, next: Handler): Promise<Answer> {
  const { args, site } = call;
  if (!DRAFTS.includes(args.status) || args.sticky !== undefined) {
    throw new Refusal('rest_cannot_publish', 'You may not publish, or put in front.', 403);
  }
  const shown = await next(call);
  const record = isObject(shown.body) ? site.store.get(Number(shown.body.id)) : undefined;
  if (record === undefined) return shown;
  if (args.date !== undefined || args.date_gmt !== undefined) dated.add(record);
  if (DRAFTS.includes(record.status) && !dated.has(record)) {
    record.modified = Math.max(record.modified, record.date + SECOND);
    record.date = record.modified;
  }
  const { account } = call.request;
  return { ...shown, body: showRecord(site, record, { context: 'edit', account }) };
}

/** Conforming sites that show or answer something otherwise. */
export const VARIANTS_ANSWERS: readonly Alteration[] = [...INDEXES, ...ANSWERS, UNDATED_DRAFTS];
