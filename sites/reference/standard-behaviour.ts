import { randomBytes } from 'node:crypto';
import { parseDate, readArguments, slugOf } from './arguments.ts';
import { mayRead, requireAccount, resourceOfKind } from './calls.ts';
import { handlerOf, readIndex, runBatch } from './dispatch.ts';
import { ids, integer, isObject, type Json, type JsonObject, raw, text } from './json.ts';
import { FILTERS, listRecords, ORDERS, readRecord } from './read-records.ts';
import { type Account, demand } from './request.ts';
import { CHILD_ROLES } from './revisions.ts';
import { permalink } from './show-record.ts';
import type { Behaviour, Call, Handler, Site, Writer } from './site.ts';
import { answer, CONTEXTS, respond, Text } from './site.ts';
import { REVISION, type StoredRecord } from './store.ts';
import { WRITE_ROLES } from './write-record.ts';

/** Allowed widths of an embedding, in pixels. */
const WIDTHS = { least: 200, most: 600 };

/** Answers the embedding of one of the site's own public records (§4.3), in JSON or XML. */
const readEmbed: Handler = (call) => {
  const embed = embedOf(call);
  if (call.args.format !== 'xml') return answer(embed);
  const xml = `<?xml version="1.0"?>\n<oembed><type>rich</type></oembed>\n`;
  return { status: 200, headers: {}, body: new Text('text/xml; charset=UTF-8', xml) };
};

/** Gives the same answer to everybody who may write. It never calls other sites. */
const readProxy: Handler = (call) => {
  requireAccount(call, 'rest_forbidden', 'Sorry, you are not allowed to make proxied oEmbed requests.');
  return answer(embedOf(call));
};

function embedOf({ site, args }: Call): JsonObject {
  const record = recordAt(site, String(args.url));
  demand(record && mayRead(site.store, record, undefined), 'oembed_invalid_url', 'Not Found', 404);
  const asked = Math.abs(Math.trunc(Number(args.maxwidth))) || 0;
  const width = Math.min(Math.max(WIDTHS.least, asked), WIDTHS.most);
  const height = Math.max(Math.ceil((width / 16) * 9), 200);
  const address = permalink(site, record);
  const author = site.accounts.find(({ id }) => id === record.author);
  return {
    version: '1.0',
    provider_name: site.title,
    provider_url: site.url,
    author_name: author?.name ?? site.title,
    author_url: site.url,
    title: record.title,
    type: 'rich',
    width,
    height,
    html: frame(`${address}&embed=true`, width, height, record.title),
  };
}

/** The frame has a random secret, as in real software, so two answers differ. */
function frame(address: string, width: number, height: number, title: string): string {
  const secret = randomBytes(5).toString('hex');
  return `<iframe sandbox="allow-scripts" src="${escapeHtml(address)}#?secret=${secret}" data-secret="${secret}" width="${width}" height="${height}" title="${escapeHtml(title)}"></iframe>`;
}

function recordAt(site: Site, address: string): StoredRecord | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.origin !== site.url) return undefined;
  const record = site.store.get(Number(url.searchParams.get('p')));
  return record?.kind === REVISION ? undefined : record;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const openSuccess: Handler = ({ args }) => answer({ success: true, arguments: args });

const HANDLERS: Readonly<Record<string, Handler>> = {
  'index.read': readIndex,
  'oembed.embed': readEmbed,
  'oembed.proxy': readProxy,
  'batch.run': runBatch,
  'seo.get-head': openSuccess,
  'sign-on.is-user-logged-in': openSuccess,
  'builder-theme.promotions': openSuccess,
};

const READING: Readonly<Record<string, Handler>> = { list: listRecords, read: readRecord };

/** The handlers of operations on a resource, by its kind and their role. */
const ROLES: Behaviour['roles'] = {
  records: { ...READING, ...WRITE_ROLES.records },
  uploads: { ...READING, ...WRITE_ROLES.uploads },
  ...CHILD_ROLES,
};

/** How each writable field (§2) is written, in order: `date` has precedence over `date_gmt`. Unknown ids are dropped. */
const WRITERS: Readonly<Record<string, Writer>> = {
  title: ({ title }, value) => ({ title: raw(value)?.trim() ?? title }),
  content: writeContent,
  description: writeContent,
  excerpt: writeExcerpt,
  caption: writeExcerpt,
  status: intoText('status'),
  date_gmt: writeDate,
  date: writeDate,
  slug: ({ slug }, value) => ({ slug: slugOf(text(value, slug)) }),
  password: intoText('password'),
  author: ({ author }, value) => ({ author: integer(value, 0) || author }),
  // A record cannot be its own parent.
  parent: ({ id, parent }, value) => ({ parent: value === id ? 0 : integer(value, parent) }),
  post: intoNumber('parent'),
  menu_order: intoNumber('menuOrder'),
  comment_status: intoText('commentStatus'),
  ping_status: intoText('pingStatus'),
  template: intoText('template'),
  format: intoText('format'),
  sticky: (_, value) => ({ sticky: value === true }),
  featured_media: (_, value, { store }) => {
    const id = integer(value, 0);
    const file = store.get(id)?.file;
    // Only an image can be the featured image; another file removes it.
    return id === 0 || file ? { featuredMedia: file?.type.startsWith('image/') ? id : 0 } : {};
  },
  categories: (_, value, { store }) => ({ categories: knownTerms(value, store.terms, 'category') }),
  tags: (_, value, { store }) => ({ tags: knownTerms(value, store.terms, 'tag') }),
  meta: (record, value, site) => {
    const registered = resourceOfKind(site, record.kind)?.fields.meta?.properties ?? {};
    const written = Object.entries(isObject(value) ? value : {}).filter(([key]) => key in registered);
    return { meta: { ...record.meta, ...Object.fromEntries(written) } };
  },
  alt_text: ({ altText }, value) => ({
    altText: text(value, altText)
      .replaceAll(/<[^>]*>/g, '')
      .trim(),
  }),
};

type Texts = 'status' | 'password' | 'commentStatus' | 'pingStatus' | 'template' | 'format';

function intoText(member: Texts): Writer {
  return ({ [member]: before }, value) => ({ [member]: text(value, before) });
}

function intoNumber(member: 'parent' | 'menuOrder'): Writer {
  return ({ [member]: before }, value) => ({ [member]: integer(value, before) });
}

function writeContent({ content }: StoredRecord, value: Json): Partial<StoredRecord> {
  return { content: raw(value) ?? content };
}

function writeExcerpt({ excerpt }: StoredRecord, value: Json): Partial<StoredRecord> {
  return { excerpt: raw(value) ?? excerpt };
}

function writeDate({ date }: StoredRecord, value: Json): Partial<StoredRecord> {
  return { date: parseDate(text(value, '')) ?? date };
}

function knownTerms(value: Json, terms: Site['store']['terms'], taxonomy: string): number[] {
  const known = terms.filter((term) => term.taxonomy === taxonomy && ids(value).includes(term.id));
  return known.map(({ id }) => id);
}

/** The behaviour of the specification and of real software. */
export const STANDARD_BEHAVIOUR: Behaviour = {
  send: (message, response, answer) => respond(message.method, response, answer),
  authenticate: ({ authorization }, accounts) => authenticate(authorization, accounts),
  declare: () => {},
  readArguments,
  filters: FILTERS,
  orders: ORDERS,
  contexts: CONTEXTS,
  writers: WRITERS,
  handlers: HANDLERS,
  roles: ROLES,
};

/** The account of HTTP Basic credentials. Wrong ones count as none, as in public reads of real software. */
function authenticate(header: string | undefined, accounts: readonly Account[]): Account | undefined {
  const [scheme = '', encoded = ''] = (header ?? '').split(' ');
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const login = text.slice(0, colon);
  const password = text.slice(colon + 1);
  return accounts.find(
    (account) => account.login === login && compact(account.password) === compact(password),
  );
}

function compact(password: string): string {
  return password.replaceAll(/\s/g, '');
}

/** Answers a call as a healthy site does. */
export const healthy: Handler = (call) =>
  handlerOf({ ...call.site, behaviour: STANDARD_BEHAVIOUR }, call.operation)(call);
