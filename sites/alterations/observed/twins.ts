import type { Json, JsonObject } from '../../reference/json.ts';
import type { Alter } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { setting, withObject } from '../handling.ts';
import { VARIANTS_ANSWERS } from '../variants/answer-variants.ts';
import {
  adding,
  answering,
  asking,
  heading,
  isOfRecords,
  page,
  rewriting,
  spelling,
  type Twin,
  turningHeaders,
  turningRecords,
  twin,
  type Which,
} from './exhibit.ts';
import { PAGES, versioned, withTerms } from './lists.ts';
import { describing, withAt } from './records.ts';

/** Variants of the contract without a difference in answers that affects clients. */
const SILENT_VARIANTS: readonly string[] = [
  ...['plugin-members', 'reversed-records', 'slow', 'throttling', 'gzip', 'closing'],
  ...['white-space', 'indented', 'escaped'],
];

/** A header with another value. @param before empty if it is new */
function headed(id: string, name: string, before: string, after: string): Twin {
  return twin(id, heading({ [name]: after }), before === '' ? undefined : heading({ [name]: before }));
}

function spelt(id: string, name: string, turn: (value: string) => string): Twin {
  return twin(id, rewriting(name, turn));
}

const DATES = ['date', 'date_gmt', 'modified', 'modified_gmt'];
const NO_DATE = '0000-00-00T00:00:00';

const DAYS = ['Mon, 06 May 2024 07:08:09 GMT', 'Tue, 07 May 2024 07:08:09 GMT'] as const;

/** A site with such a digest of its answers. @param isCompared whether who has it is sent nothing */
function digested(etag: string, isCompared = true): Alter {
  return versioned(['ETag', etag], 'if-none-match', isCompared);
}

const HEADERS: readonly Twin[] = [
  headed('age', 'Age', '', '12'),
  headed('cache-hit', 'X-Cache', '', 'HIT'),
  headed('proxy', 'CF-Ray', 'a', 'b'),
  headed('other-server', 'Server', '', 'nginx'),
  headed('powered-by', 'X-Powered-By', 'PHP/8.2', 'PHP/8.4'),
  headed('etag', 'ETag', '', '"abc"'),
  headed('etag-other', 'ETag', '"a"', 'W/"b"'),
  headed('changed-other', 'Last-Modified', ...DAYS),
  headed('max-age-other', 'Cache-Control', 'max-age=60', 'max-age=300'),
  headed('allow-order', 'Allow', 'GET, POST', 'POST, GET'),
  headed(
    'expose-more',
    'Access-Control-Allow-Headers',
    'Authorization, X-WP-Nonce',
    'X-WP-Nonce, Authorization, Content-MD5',
  ),
  headed('origin-any', 'Access-Control-Allow-Origin', 'https://elsewhere.example', '*'),
  headed('nonce-other', 'X-WP-Nonce', '0123456789', 'abcdef0123'),
  // With the digest of another address in its name.
  headed(
    'cookie-digest',
    'Set-Cookie',
    'wordpress_test_0123456789abcdef=1',
    'wordpress_test_fedcba9876543210=1',
  ),
  twin(
    'more-allowed',
    turningHeaders((own) => ({ Allow: 'GET', ...own })),
  ),
  spelt('charset-spelling', 'Content-Type', (type) => type.replace('; charset=UTF-8', ';charset=utf-8')),
  spelt('charset-quoted', 'Content-Type', (type) => type.replace('UTF-8', '"UTF-8"')),
  spelt('link-titles', 'Link', (links) => links.replaceAll('; rel', '; title="Page"; rel')),
  spelt('link-first-bare', 'Link', (links) => links.replaceAll(/([?&])page=1(?=[&>])&?/g, '$1')),
  spelt('link-order', 'Link', (links) => links.split(', ').toReversed().join(', ')),
  headed('security', 'Strict-Transport-Security', '', 'max-age=31536000'),
  headed('timing', 'Server-Timing', '', 'total;dur=12'),
  headed('exposed-order', 'Access-Control-Expose-Headers', '', 'Link, X-WP-TotalPages, X-WP-Total'),
  twin('digest-weak', digested('W/"b"'), digested('"a"')),
  twin('digest-compared', digested('"a"'), digested('"a"', false)),
  spelt('relations-bare', 'Link', (links) => links.replaceAll(/rel="(\w+)"/g, 'rel=$1')),
];

function records(id: string, turn: (record: JsonObject) => JsonObject, which?: Which): Twin {
  return twin(id, turningRecords(turn, which));
}

/** Records that somebody changed meanwhile. */
function content(id: string, turn: (record: JsonObject) => JsonObject): Twin {
  return records(id, (record) => changed(turn(record), '2031'));
}

function changed(record: JsonObject, year: string): JsonObject {
  return dated(record, ['modified', 'modified_gmt'], (date) => date.replace(/^\d{4}/, year));
}

function dated(record: JsonObject, names: readonly string[], turn: (date: string) => string): JsonObject {
  return names.reduce((left, name) => withAt(left, name, (date) => turn(String(date))), record);
}

function member(id: string, path: string, turn: (value: Json) => Json): Twin {
  return content(id, (record) => withAt(record, path, turn));
}

/** An additional member of the site, with other values. */
function added(id: string, name: string, before: Parameters<typeof adding>[1], after: typeof before): Twin {
  const showing = (value: typeof before, year: string): Alter => {
    const dating = turningRecords((record) => changed(record, year));
    return together(dating, adding(name, value));
  };
  return twin(id, showing(after, '2031'), showing(before, '2030'));
}

const isSome = ({ id }: JsonObject): boolean => Number(id) % 3 === 0;

function ofSome(id: string, path: string, turn: (value: Json) => Json): Twin {
  return content(id, (record) => (isSome(record) ? withAt(record, path, turn) : record));
}

function pictured(...sizes: readonly string[]): JsonObject {
  const size = { file: 'a.png', width: 150, source_url: 'https://media.example/a.png' };
  return { width: 640, sizes: Object.fromEntries(sizes.map((name) => [name, size])) };
}

function printed(id: string, spell: (text: string) => string): Twin {
  return twin(id, answering(isOfRecords, spelling(spell)));
}

const PRINTED: readonly Twin[] = [
  printed('blank-lines', (json) => `\n\n${json}\n`),
  printed('slashes-escaped', (json) => json.replaceAll('/', '\\/')),
  printed('whole-as-fraction', (json) => json.replaceAll(/"menu_order":(\d+)/g, '"menu_order":$1.0')),
];

const WITH_TOKENS = adding('token', () => String(Math.random()));

/** Content of unmodified records that ends otherwise. */
function ending(id: string, before: string, after: string): Twin {
  const plus = (end: string): Alter =>
    turningRecords((record) => withAt(record, 'content.rendered', (text) => text && `${String(text)}${end}`));
  return twin(id, plus(after), plus(before));
}

const CONTENT: readonly Twin[] = [
  ending(
    'secrets-anew',
    '<iframe src="/?embed=true#?secret=0bpGYBSMGP" data-secret="0bpGYBSMGP"></iframe>',
    '<iframe src="/?embed=true#?secret=BYIcClTuhe" data-secret="BYIcClTuhe"></iframe>',
  ),
  ending(
    'nonces-anew',
    '<input name="_wpnonce" value="3fa4bcd012">',
    '<input name="_wpnonce" value="aa1bb2cc3d">',
  ),
  ending('classes-anew', '<p class="wp-elements-5f2b8c01">A</p>', '<p class="wp-elements-90ae77d4">A</p>'),
  twin('tokens', WITH_TOKENS, WITH_TOKENS),
  records('older-records', (record) => dated(record, DATES, (date) => date.replace(/^\d{4}/, '2001'))),
  records('some-dates-zero', (record) => (isSome(record) ? dated(record, DATES, () => NO_DATE) : record)),
  member('other-titles', 'title.rendered', (title) => `On ${String(title)}`),
  ofSome('marked-titles', 'title.rendered', (title) => `<em>${String(title)}</em>`),
  member('escaped-titles', 'title.rendered', (title) => `${String(title)} &amp; A`),
  ofSome('no-excerpts', 'excerpt.rendered', () => ''),
  member('long-content', 'content.rendered', (text) => String(text).repeat(20)),
  member('mail-in-text', 'content.rendered', (text) => text && `${String(text)} To office@site.example.`),
  // Not for editors.
  content('more-protected', (record) =>
    isSome(record) && typeof Object(record.title).raw !== 'string'
      ? withAt(record, 'content', (text) => ({ ...Object(text), protected: true, rendered: '' }))
      : record,
  ),
  member('other-authors', 'author', (id) => Number(id) + 100),
  member('no-pictures', 'featured_media', () => 0),
  member('all-pictures', 'featured_media', (id) => Number(id) + 40),
  member('no-order', 'menu_order', () => 0),
  member('other-slugs', 'slug', (slug) => String(String(slug).length)),
  member('templates', 'template', () => 'wide'),
  member('more-classes', 'class_list', (list) => (Array.isArray(list) ? [...list, 'wide'] : list)),
  member('deeper-links', 'link', (link) => String(link).replace('/?p=', '/2024/05/')),
  member('more-links', '_links', (links) => ({
    ...Object(links),
    related: [{ href: 'https://api.example/related' }],
  })),
  records('self-pretty', (record) =>
    withAt(record, '_links.self[].href', (href) => String(href).replace(/index\.php.*=/, 'wp-json')),
  ),
  added('avatars-elsewhere', 'avatar', 'https://a.example/1', 'https://b.example/1'),
  added('map-of-numbers', 'prices_by_option', { 17: '1.00', 18: '2.00' }, (record) => ({
    [Number(record.id) + 17]: '1.00',
    18: '2.00',
  })),
  added(
    'price-whole',
    'price',
    ({ id }) => Number(id) + 0.5,
    ({ id }) => Number(id),
  ),
  added('one-null', 'weight', 1, ({ id }) => (Number(id) % 12 === 0 ? null : 1)),
  added('sizes-more', 'media_details', pictured('thumbnail'), pictured('thumbnail', 'large')),
];

function said(id: string, which: Which, turn: (body: JsonObject) => JsonObject): Twin {
  const saying = answering(which, (shown) => withObject(shown, turn));
  return twin(id, saying);
}

function withReader(record: JsonObject): JsonObject {
  return { ...record, _embedded: { ...Object(record._embedded), reader: [{ id: 1, name: 'Ann' }] } };
}

const isRefusal: Which = (_, { status }) => status >= 400;

const isNobodyForDrafts: Which = ({ anonymous, query }) => anonymous && query.get('status') === 'draft';

const ANSWERS: readonly Twin[] = [
  said('other-words', isRefusal, (body) => withAt(body, 'message', () => 'Nein.')),
  said('refusal-more', isRefusal, setting({ additional_errors: [] })),
  twin('options-more', describing(setting({ more: {} }))),
  said('envelope-more', asking('_envelope'), setting({ took: 12 })),
  records('embed-more', withReader, asking('_embed')),
  twin(
    'terms-change-by-themselves',
    // Every second reading of the first page has a text.
    withTerms((term, at) => ({ ...term, weight: at % 2 === 0 ? 1 : 'heavy' })),
    withTerms((term) => ({ ...term, weight: 1 })),
  ),
  // Content, as far as anybody knows.
  twin(
    'terms-recounted',
    withTerms((term) => ({ ...term, count: Number(term.count) + 3 })),
    withTerms(),
  ),
  twin(
    'terms-renamed-but-one',
    withTerms((term) => (term.id === 1 ? term : { ...term, name: `${term.name}!` })),
    withTerms(),
  ),
  twin(
    'pages-readable-now',
    () => ({}),
    answering(isOfRecords, (shown, { route, anonymous }) =>
      anonymous && route === PAGES ? { ...shown, body: page(200).body } : shown,
    ),
  ),
  said('other-refusal-of-drafts', isNobodyForDrafts, setting({ message: 'Nein.' })),
];

/** Differences between two sites of one software that a comparison of answers must not report as breaking. */
export const TWINS: readonly Twin[] = [
  ...VARIANTS_ANSWERS.filter(({ id }) => SILENT_VARIANTS.includes(id)),
  ...HEADERS,
  ...PRINTED,
  ...CONTENT,
  ...ANSWERS,
];
