import type { Json, JsonObject } from '../../reference/json.ts';
import { Text } from '../../reference/site.ts';
import { withObject, withRecords } from '../handling.ts';
import { VARIANTS_ANSWERS } from '../variants/answer-variants.ts';
import { versioned } from './asked.ts';
import {
  answering,
  both,
  heading,
  isOfRecords,
  rewriting,
  spelling,
  type Twin,
  turningAt,
  turningHeaders,
  turningRecords,
  type Which,
  withAt,
  withMember,
} from './exhibit.ts';
import { asking, describing } from './links.ts';
import { withTerms } from './lists.ts';

/** Variants of the contract without a difference in answers that affects clients. */
const SILENT_VARIANTS: readonly string[] = [
  ...['plugin-members', 'reversed-records', 'slow', 'throttling', 'gzip', 'closing'],
  ...['white-space', 'indented', 'escaped'],
];

/** A header with another value. @param before empty if it is new */
function headed(id: string, title: string, name: string, before: string, after: string): Twin {
  return {
    id,
    title,
    behaviour: heading({ [name]: after }),
    ...(before !== '' && { before: heading({ [name]: before }) }),
  };
}

function spelt(id: string, title: string, name: string, turn: (value: string) => string): Twin {
  return { id, title, behaviour: rewriting(name, turn) };
}

const DATES = ['date', 'date_gmt', 'modified', 'modified_gmt'];
const NO_DATE = '0000-00-00T00:00:00';

const DAYS = ['Mon, 06 May 2024 07:08:09 GMT', 'Tue, 07 May 2024 07:08:09 GMT'] as const;

const HEADERS: readonly Twin[] = [
  headed('age', 'a proxy adds an age', 'Age', '', '12'),
  headed('cache-hit', 'a proxy names what it did', 'X-Cache', '', 'HIT'),
  headed('proxy', 'a proxy names itself', 'CF-Ray', 'a', 'b'),
  headed('other-server', 'the server has another name', 'Server', '', 'nginx'),
  headed('powered-by', 'the language has another version', 'X-Powered-By', 'PHP/8.2', 'PHP/8.4'),
  headed('etag', 'answers have a digest', 'ETag', '', '"abc"'),
  headed('etag-other', 'answers have another digest', 'ETag', '"a"', 'W/"b"'),
  headed('changed-other', 'answers changed on another day', 'Last-Modified', ...DAYS),
  headed('max-age-other', 'answers are kept longer', 'Cache-Control', 'max-age=60', 'max-age=300'),
  headed('allow-order', 'methods are listed in another order', 'Allow', 'GET, POST', 'POST, GET'),
  headed(
    'expose-more',
    'scripts may send one header more',
    'Access-Control-Allow-Headers',
    'Authorization, X-WP-Nonce',
    'X-WP-Nonce, Authorization, Content-MD5',
  ),
  headed(
    'origin-any',
    'any origin may read, and not the one that asks',
    'Access-Control-Allow-Origin',
    'https://elsewhere.example',
    '*',
  ),
  headed('nonce-other', 'the nonce is another one', 'X-WP-Nonce', '0123456789', 'abcdef0123'),
  headed(
    'cookie-digest',
    'a cookie has the digest of another address in its name',
    'Set-Cookie',
    'wordpress_test_0123456789abcdef=1',
    'wordpress_test_fedcba9876543210=1',
  ),
  {
    id: 'more-allowed',
    title: 'answers list the methods, where they did not',
    behaviour: turningHeaders((own) => ({ Allow: 'GET', ...own })),
  },
  spelt('charset-spelling', 'the charset is spelt otherwise', 'Content-Type', (type) =>
    type.replace('; charset=UTF-8', ';charset=utf-8'),
  ),
  spelt('charset-quoted', 'the charset has quotes', 'Content-Type', (type) =>
    type.replace('UTF-8', '"UTF-8"'),
  ),
  spelt('link-titles', 'links between pages have titles', 'Link', (links) =>
    links.replaceAll('; rel', '; title="Page"; rel'),
  ),
  spelt('link-first-bare', 'the first page is linked without its number', 'Link', (links) =>
    links.replaceAll(/([?&])page=1(?=[&>])&?/g, '$1'),
  ),
  spelt('link-order', 'links between pages come in another order', 'Link', (links) =>
    links.split(', ').toReversed().join(', '),
  ),
  headed('security', 'browsers are told to be careful', 'Strict-Transport-Security', '', 'max-age=31536000'),
  headed('timing', 'answers say how long they took', 'Server-Timing', '', 'total;dur=12'),
  headed(
    'exposed-order',
    'headers that scripts may read come in another order',
    'Access-Control-Expose-Headers',
    '',
    'Link, X-WP-TotalPages, X-WP-Total',
  ),
  {
    id: 'digest-weak',
    title: 'who has the digest of an answer is sent nothing, whatever the digest is',
    before: versioned(['ETag', '"a"'], 'if-none-match'),
    behaviour: versioned(['ETag', 'W/"b"'], 'if-none-match'),
  },
  {
    id: 'digest-compared',
    title: 'who has the digest of an answer is sent nothing any more',
    before: versioned(['ETag', '"a"'], 'if-none-match', false),
    behaviour: versioned(['ETag', '"a"'], 'if-none-match'),
  },
  spelt('relations-bare', 'relations have no quotes', 'Link', (links) =>
    links.replaceAll(/rel="(\w+)"/g, 'rel=$1'),
  ),
];

/** Records that somebody changed meanwhile. */
function content(id: string, title: string, turn: (record: JsonObject) => JsonObject): Twin {
  return { id, title, behaviour: turningRecords((record) => changed(turn(record), '2031')) };
}

function changed(record: JsonObject, year: string): JsonObject {
  return dated(record, ['modified', 'modified_gmt'], (date) => date.replace(/^\d{4}/, year));
}

/** The record with other dates. */
function dated(record: JsonObject, names: readonly string[], turn: (date: string) => string): JsonObject {
  return names.reduce((left, name) => withMember(left, name, (date) => turn(String(date))), record);
}

/** Another value of the same kind. */
function member(id: string, title: string, path: string, turn: (value: Json) => Json): Twin {
  return content(id, title, (record) => withAt(record, path, turn));
}

/** An additional member of the site, with other values. */
function added(
  id: string,
  title: string,
  name: string,
  before: Json | ((record: JsonObject) => Json),
  after: typeof before,
): Twin {
  const showing = (value: typeof before, year: string): Twin['behaviour'] =>
    turningRecords((record) => ({
      ...changed(record, year),
      [name]: typeof value === 'function' ? value(record) : value,
    }));
  return { id, title, before: showing(before, '2030'), behaviour: showing(after, '2031') };
}

/** Changes one record of three. */
function ofSome(turn: (record: JsonObject) => JsonObject): (record: JsonObject) => JsonObject {
  return (record) => (Number(record.id) % 3 === 0 ? turn(record) : record);
}

function pictured(...sizes: readonly string[]): JsonObject {
  const size = { file: 'a.png', width: 150, source_url: 'https://media.example/a.png' };
  return { width: 640, sizes: Object.fromEntries(sizes.map((name) => [name, size])) };
}

/** Records in equivalent text. */
function printed(id: string, title: string, spell: (text: string) => string): Twin {
  return { id, title, behaviour: answering(isOfRecords, spelling(spell)) };
}

const PRINTED: readonly Twin[] = [
  printed('blank-lines', 'blank lines stand around answers', (json) => `\n\n${json}\n`),
  printed('slashes-escaped', 'slashes are escaped', (json) => json.replaceAll('/', '\\/')),
  printed('whole-as-fraction', 'whole numbers have a fraction of zero', (json) =>
    json.replaceAll(/"menu_order":(\d+)/g, '"menu_order":$1.0'),
  ),
];

const CONTENT: readonly Twin[] = [
  {
    id: 'older-records',
    title: 'all records are older',
    behaviour: turningRecords((record) => dated(record, DATES, (date) => date.replace(/^\d{4}/, '2001'))),
  },
  {
    id: 'some-dates-zero',
    title: 'some records have no date',
    behaviour: turningRecords(ofSome((record) => dated(record, DATES, () => NO_DATE))),
  },
  member('other-titles', 'titles are other ones', 'title.rendered', (title) => `On ${String(title)}`),
  content(
    'marked-titles',
    'some titles have markup',
    ofSome((record) => withAt(record, 'title.rendered', (title) => `<em>${String(title)}</em>`)),
  ),
  member(
    'escaped-titles',
    'titles have other entities',
    'title.rendered',
    (title) => `${String(title)} &amp; A`,
  ),
  content(
    'no-excerpts',
    'some excerpts are empty',
    ofSome((record) => withAt(record, 'excerpt.rendered', () => '')),
  ),
  member('long-content', 'content is long', 'content.rendered', (text) => String(text).repeat(20)),
  member(
    'mail-in-text',
    'texts name a mail address',
    'content.rendered',
    (text) => text && `${String(text)} Write to office@site.example.`,
  ),
  content(
    'more-protected',
    'some records ask for a password',
    ofSome((record) =>
      typeof Object(record.title).raw === 'string'
        ? record
        : withMember(record, 'content', (text) => ({ ...Object(text), protected: true, rendered: '' })),
    ),
  ),
  member('other-authors', 'authors are others', 'author', (id) => Number(id) + 100),
  member('no-pictures', 'no record has a picture', 'featured_media', () => 0),
  member('all-pictures', 'every record has a picture', 'featured_media', (id) => Number(id) + 40),
  member('no-order', 'no record has a place in menus', 'menu_order', () => 0),
  member('other-slugs', 'slugs are numbers', 'slug', (slug) => String(String(slug).length)),
  member('templates', 'every record has a template', 'template', () => 'wide'),
  member('more-classes', 'records have more classes', 'class_list', (list) =>
    Array.isArray(list) ? [...list, 'wide'] : list,
  ),
  member('deeper-links', 'links have a path', 'link', (link) => String(link).replace('/?p=', '/2024/05/')),
  member('more-links', 'records have more links', '_links', (links) => ({
    ...Object(links),
    related: [{ href: 'https://api.example/related' }],
  })),
  {
    id: 'self-pretty',
    title: 'records link to themselves under the other form of the address',
    behaviour: turningAt('_links.self', (links) =>
      Array.isArray(links)
        ? links.map((link) =>
            withMember(Object(link), 'href', (href) => String(href).replace(/index\.php.*=/, 'wp-json')),
          )
        : links,
    ),
  },
  added(
    'avatars-elsewhere',
    'avatars are on one other host and not another',
    'avatar',
    'https://a.example/1',
    'https://b.example/1',
  ),
  added(
    'map-of-numbers',
    'a map by number has other numbers',
    'prices_by_option',
    { 17: '1.00', 18: '2.00' },
    (record) => ({ [Number(record.id) + 17]: '1.00', 18: '2.00' }),
  ),
  added(
    'price-whole',
    'all prices are whole numbers',
    'price',
    ({ id }) => Number(id) + 0.5,
    ({ id }) => Number(id),
  ),
  added('one-null', 'one record of many has null', 'weight', 1, ({ id }) =>
    Number(id) % 12 === 0 ? null : 1,
  ),
  added(
    'sizes-more',
    'pictures have one more size',
    'media_details',
    pictured('thumbnail'),
    pictured('thumbnail', 'large'),
  ),
];

const isRefusal: Which = (_, { status }) => status >= 400;

const ANSWERS: readonly Twin[] = [
  {
    id: 'other-words',
    title: 'refusals are in another language',
    behaviour: answering(isRefusal, (shown) =>
      withObject(shown, (body) => withMember(body, 'message', () => 'Nein.')),
    ),
  },
  {
    id: 'refusal-more',
    title: 'refusals have more members',
    behaviour: answering(isRefusal, (shown) =>
      withObject(shown, (body) => ({ ...body, additional_errors: [] })),
    ),
  },
  {
    id: 'options-more',
    title: 'OPTIONS shows one member more',
    behaviour: describing((body) => ({ ...body, more: {} })),
  },
  {
    id: 'envelope-more',
    title: 'an envelope holds one member more',
    behaviour: answering(asking('_envelope'), (shown) =>
      withObject(shown, (body) => ({ ...body, took: 12 })),
    ),
  },
  {
    id: 'embed-more',
    title: 'more is embedded',
    behaviour: answering(both(asking('_embed'), isOfRecords), (shown) =>
      withRecords(shown, (record) => ({
        ...record,
        _embedded: { ...Object(record._embedded), reader: [{ id: 1, name: 'Ann' }] },
      })),
    ),
  },
  {
    id: 'terms-change-by-themselves',
    title: 'a member of a list is a number at one time and a text at another',
    before: withTerms((term) => ({ ...term, weight: 1 })),
    // Every second reading of the first page has a text.
    behaviour: withTerms((term, at) => ({ ...term, weight: at % 2 === 0 ? 1 : 'heavy' })),
  },
  {
    id: 'other-refusal-of-drafts',
    title: 'a caller without the right is denied drafts in other words',
    behaviour: answering(
      ({ anonymous, query }, { body }) =>
        anonymous && query.get('status') === 'draft' && !(body instanceof Text),
      (shown) => ({ ...shown, body: { ...Object(shown.body), message: 'Nein.' } }),
    ),
  },
];

/** Differences between two sites of one software that a comparison of answers must not report as breaking. */
export const TWINS: readonly Twin[] = [
  ...VARIANTS_ANSWERS.filter(({ id }) => SILENT_VARIANTS.includes(id)),
  ...HEADERS,
  ...PRINTED,
  ...CONTENT,
  ...ANSWERS,
];
