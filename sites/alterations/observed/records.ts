import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, Text } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { declaring, dropping, sending, setting, withObject, without, withRecords } from '../handling.ts';
import {
  adding,
  answering,
  asking,
  both,
  breaking,
  by,
  type Exhibit,
  exhibit,
  turningRecords,
  unknown,
  usual,
  type Which,
} from './exhibit.ts';

/** A member that records lose. @param given the site that has it; default: every site */
function lost(kind: string) {
  return (id: string, path: string, given: Alter = usual): Exhibit => {
    const after = together(turningAt(path, always(undefined)), given);
    return exhibit(kind, path, id, after, given === usual ? undefined : given);
  };
}

/** Answers about one record. */
const isOfRecord: Which = ({ route }) => /\/\d+$/.test(route);

function always<T>(value: T): () => T {
  return () => value;
}

const [fieldLost, memberLost] = [lost('field-removed'), lost('answer-member-removed')];

/** A member that gets another name in records. @param given the site that has it; default: every site */
function renamed(kind: string, id: string, path: string, to: string, given: Alter = usual): Exhibit {
  const [, holder = '', from = ''] = /^(?:(.+)\.)?([^.]+)$/.exec(path) ?? [];
  const rename = (object: Json): Json =>
    isObject(object) && from in object ? { ...without(object, from), [to]: object[from] ?? null } : object;
  const turn = holder === '' ? turningRecords((one) => Object(rename(one))) : turningAt(holder, rename);
  return exhibit(kind, path, id, together(turn, given), given === usual ? undefined : given);
}

/** Makes another value. */
export type Turn = (value: Json) => Json;

/** Exhibits with another value at a path of records. @param before the earlier value, if the usual site lacks it */
function changed(kind: string) {
  return (id: string, path: string, turn: Turn, before?: Turn): Exhibit =>
    exhibit(kind, path, id, turningAt(path, turn), before && turningAt(path, before));
}

const typed = changed('answer-type');
const valued = changed('answer-value');

/** An additional member of the site, of another type. @param before a value, and @param after one, of any record */
function retyped(
  id: string,
  path: string,
  before: Parameters<typeof adding>[1],
  after: typeof before,
): Exhibit {
  const [name = ''] = path.split('.');
  return exhibit('answer-type', path, id, adding(name, after), adding(name, before));
}

/** Adds to a text that is not empty. */
export function plus(end: string): Turn {
  return (text) => text && `${String(text)}${end}`;
}

const ownId = ({ id = null }: JsonObject): Json => id;
const idText = ({ id }: JsonObject): string => String(id);
const half = ({ id }: JsonObject): number => Number(id) + 0.5;
const isOpen: Turn = (word) => word === 'open';

const SIZE = { file: 'a.png', width: 150, mime_type: 'image/png', source_url: 'https://media.example/a.png' };
const SIZED = { width: 640, sizes: { thumbnail: SIZE } };
const AVATARS = 'https://avatars.example';
const FIELDS = { subtitle: 'A', width: 3 };

const TYPES: readonly Exhibit[] = [
  typed('id-text', 'id', String),
  typed('author-text', 'author', String),
  typed('author-object', 'author', (id) => ({ id })),
  typed('media-null', 'featured_media', (id) => id || null),
  typed('sticky-number', 'sticky', Number),
  // As PHP prints it.
  typed('sticky-text', 'sticky', (is) => (is ? '1' : '')),
  typed('order-fraction', 'menu_order', (order) => Number(order) + 0.5),
  typed('order-text', 'menu_order', String),
  typed('parent-null', 'parent', (id) => id || null),
  typed('parent-false', 'parent', (id) => id || false),
  typed('classes-map', 'class_list', (list) => ({ ...Object(list) })),
  typed('title-text', 'title', (title) => JSON.stringify(title)),
  typed('rendered-null', 'title.rendered', () => null),
  typed('protected-text', 'content.protected', String),
  typed('content-text', 'content', (content) => String(Object(content).rendered)),
  typed('template-null', 'template', (name) => name || null),
  typed('status-list', 'status', (status) => [status]),
  typed('comments-boolean', 'comment_status', isOpen),
  typed('status-boolean', 'ping_status', isOpen),
  typed('date-null', 'date', () => null),
  typed('modified-number', 'modified_gmt', (date) => Date.parse(`${String(date)}Z`)),
  typed('type-object', 'type', (name) => ({ name })),
  typed('excerpt-list', 'excerpt', () => []),
  typed('terms-objects-by-id', 'categories', (ids) =>
    Array.isArray(ids) ? Object.fromEntries(ids.map((id) => [String(id), { id }])) : ids,
  ),
  typed('meta-list', 'meta', always([]), always({ note: '' })),
  typed('tag-objects', 'tags[]', (id) => ({ id })),
  typed('tag-slugs', 'tags[]', (id) => `tag-${String(id)}`),
  exhibit('answer-type', 'tags', 'tags-map', withFewTags({}), withFewTags([])),
  exhibit(
    'answer-type',
    'author',
    'author-text-one-by-one',
    turningRecords((record) => withAt(record, 'author', String), isOfRecord),
  ),
  retyped('none-false', 'seo', { title: 'A', noindex: false }, false),
  retyped('none-empty', 'reviewed', null, ''),
  retyped('own-fields-list', 'acf', FIELDS, []),
  retyped('own-fields-false', 'acf', FIELDS, false),
  retyped('price-text', 'price', half, (record) => half(record).toFixed(2)),
  retyped('count-number', 'count', idText, ownId),
  retyped('picture-number', 'picture', 'https://media.example/a.png', 745),
  retyped('caption-object', 'subtitle', 'A', { rendered: 'A' }),
  retyped('sizes-list', 'media_details.sizes', SIZED, { width: 640, sizes: [] }),
];

/** Every second record has no tags. */
function withFewTags(none: Json): ReturnType<typeof turningRecords> {
  return turningRecords((record) =>
    Number(record.id) % 2 === 0 ? withAt(record, 'tags', () => none) : record,
  );
}

const VALUES: readonly Exhibit[] = [
  valued('date-blank', 'date', (date) => String(date).replace('T', ' ')),
  valued('date-fraction', 'date', plus('.000')),
  valued('date-zone', 'date_gmt', plus('+00:00')),
  valued('date-zone-local', 'date', plus('+02:00')),
  valued('date-zone-lost', 'modified', (date) => date, plus('Z')),
  valued('date-zeros', 'date_gmt', () => '0000-00-00T00:00:00'),
  // Zeros that were reckoned with.
  valued('date-before-all', 'modified_gmt', () => '-0001-11-30T00:00:00'),
  valued('date-day', 'modified', (date) => String(date).slice(0, 10)),
  valued('date-number-text', 'modified_gmt', (date) => String(Date.parse(`${String(date)}Z`) / 1000)),
  valued('date-words', 'date', (date) => `May ${String(date).slice(8, 10)}`),
  valued('link-relative', 'link', relative),
  valued('link-elsewhere', 'link', elsewhere),
  valued('links-secure', 'link', (link) => String(link).replace('http:', 'https:')),
  valued('guid-relative', 'guid.rendered', relative),
  valued('self-elsewhere', '_links.self[].href', elsewhere),
  exhibit('answer-value', 'avatar_urls.*', 'avatars-relative', avatars(''), avatars(AVATARS)),
  memberLost('avatar-size-gone', 'avatar_urls.48', avatars(AVATARS)),
  went(
    'all-avatar-sizes-but-one-gone',
    'avatar_urls.48',
    adding('avatar_urls', { 24: AVATARS }),
    avatars(AVATARS),
  ),
  unknown(valued('content-plain', 'content.rendered', (text) => String(text).replaceAll(/<[^>]*>/g, ''))),
  valued('titles-empty', 'title.rendered', () => ''),
  unknown(valued('author-none', 'author', () => 0)),
  unknown(exhibit('answer-value', 'price', 'price-comma', priced(','), priced('.'))),
  valued('content-empty', 'content.rendered', () => ''),
];

function relative(link: Json): string {
  return String(link).replace(/^https?:\/\/[^/]+/, '');
}

function elsewhere(link: Json): string {
  return `https://old.example${relative(link)}`;
}

function avatars(site: string): Alter {
  return adding('avatar_urls', ({ id }) => {
    const address = `${site}/avatar/${Number(id)}`;
    return { 24: address, 48: address, 96: address };
  });
}

function priced(point: string): Alter {
  return adding('price', ({ id }) => `${String(id)}${point}50`);
}

const PICTURED = adding('media_details', SIZED);
const THUMBNAIL = 'media_details.sizes.thumbnail';

/** Two files are pictures. */
const TWO_PICTURED = turningRecords((record) =>
  'media_details' in record && Number(record.id) % 4 === 0 ? { ...record, media_details: SIZED } : record,
);

const WITH_SEO = adding('seo', { metaTitle: 'A', noindex: false });
const PRICED_SOME = turningRecords((record) =>
  Number(record.id) % 3 === 0 ? record : { ...record, price: '1.00' },
);

function undeclared(parameter: string, member: string): (index: JsonObject) => void {
  return ({ routes }) => {
    const endpoints = Object.values(Object(routes)).flatMap((route) => Object(route).endpoints);
    for (const { args } of endpoints) delete args?.[parameter]?.properties?.[member];
  };
}

const GONE: readonly Exhibit[] = [
  fieldLost('slug-dropped', 'slug'),
  renamed('field-removed', 'slug-renamed', 'slug', 'post_name'),
  fieldLost('rendered-dropped', 'title.rendered'),
  fieldLost('protected-dropped', 'content.protected'),
  fieldLost('raw-dropped', 'title.raw'),
  fieldLost('file-dropped', 'source_url'),
  fieldLost('sizes-gone', 'media_details.sizes', PICTURED),
  // Members of members of a field are not fields of the contract.
  memberLost('size-without-address', `${THUMBNAIL}.source_url`, PICTURED),
  unknown(renamed('answer-member-removed', 'size-of-two-renamed', THUMBNAIL, 'thumb', TWO_PICTURED)),
  renamed('answer-member-removed', 'size-member-renamed', `${THUMBNAIL}.mime_type`, 'mime-type', PICTURED),
  exhibit('field-removed', 'acf', 'own-field-gone', usual, adding('acf', { subtitle: 'A' })),
  went('own-field-gone-of-some', 'price', PRICED_SOME, adding('price', '1.00')),
  renamed('field-removed', 'own-field-renamed', 'seo.metaTitle', 'meta_title', WITH_SEO),
  // Nobody may write it either.
  exhibit(
    'constraint',
    'meta properties/footnotes',
    'meta-key-unregistered',
    together(turningAt('meta.footnotes', always(undefined)), declaring(undeclared('meta', 'footnotes'))),
  ),
  // Few records are read one by one, but every record of their lists has it.
  went('author-gone-one-by-one', 'author', turningRecords(dropping('author'), isOfRecord)),
];

function went(id: string, subject: string, behaviour: Alter, before?: Alter): Exhibit {
  return exhibit('answer-member-removed', subject, id, behaviour, before);
}

function linked(name: string, links: Json): Alter {
  return turningAt('_links', (all) => ({ ...Object(all), [name]: links }));
}

const CURIES = linked('curies', [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }]);
const AUTHOR_LINK = { href: '/users/1', embeddable: true };
const LINKED_AUTHOR = linked('author', [AUTHOR_LINK]);

const LINKS: readonly Exhibit[] = [
  fieldLost('links-dropped', '_links'),
  memberLost('collection-dropped', '_links.collection'),
  unknown(
    exhibit(
      'answer-rendered',
      '_links.collection',
      'collection-other',
      linked('collection', [{ href: '/users' }]),
      linked('collection', [{ href: '/posts' }]),
    ),
  ),
  renamed('answer-member-removed', 'href-renamed', '_links.self[].href', 'url'),
  memberLost('curies-gone', '_links.curies', CURIES),
  memberLost('template-not-marked', '_links.curies[].templated', CURIES),
  memberLost('not-embeddable', '_links.author[].embeddable', LINKED_AUTHOR),
  exhibit('answer-type', '_links.author', 'link-object', linked('author', AUTHOR_LINK), LINKED_AUTHOR),
];

function embedding(embedded?: JsonObject): Alter {
  return turningRecords(
    (record) => ({
      ...without(record, '_embedded'),
      ...(embedded !== undefined && { _embedded: embedded }),
    }),
    asking('_embed'),
  );
}

const ANN = { id: 1, name: 'Ann', slug: 'ann', description: '' };
const AUTHOR = embedding({ author: [ANN] });
const TERMS = [[{ id: 7, name: 'Birds', slug: 'birds', taxonomy: 'category' }]];
const NOBODY = { code: 'rest_user_invalid_id', message: 'No.', data: { status: 404 } };
const PICTURE = {
  'wp:featuredmedia': [{ id: 9, source_url: 'https://media.example/a.png', media_type: 'image' }],
};

/** Records embed their author, and every second one links to a picture. @param embedded what it embeds as well */
function picturing(embedded: JsonObject): Alter {
  const add = (name: string, more: JsonObject) => (record: JsonObject) =>
    Number(record.id) % 2 === 0 ? { ...record, [name]: { ...Object(record[name]), ...more } } : record;
  const link = turningRecords(add('_links', { 'wp:featuredmedia': [AUTHOR_LINK] }));
  return together(turningRecords(add('_embedded', embedded), asking('_embed')), AUTHOR, link);
}

const EMBEDDED: readonly Exhibit[] = [
  went('embed-ignored', '_embedded', embedding(), AUTHOR),
  memberLost('embed-less', '_embedded.wp:term', embedding({ author: [ANN], 'wp:term': TERMS })),
  went('embed-refused', '_embedded.author[].*', embedding({ author: [NOBODY] }), AUTHOR),
  went('embed-of-some-gone', '_embedded.wp:featuredmedia', picturing({}), picturing(PICTURE)),
  unknown(
    exhibit(
      'answer-value',
      '_embedded.wp:term[]',
      'embedded-terms-empty',
      embedding({ 'wp:term': [[]] }),
      embedding({ 'wp:term': TERMS }),
    ),
  ),
  memberLost('embedded-without-file', '_embedded.wp:featuredmedia[].source_url', embedding(PICTURE)),
];

function wrapped(turn: (body: JsonObject) => Answer['body']): Alter {
  return sending((shown, { query }) =>
    query.has('_envelope') && isWrapped(shown.body) ? { ...shown, body: turn(shown.body) } : shown,
  );
}

function isWrapped(body: Answer['body']): body is JsonObject {
  return typeof body === 'object' && body !== null && !(body instanceof Text) && 'body' in body;
}

const withSchema = (body: JsonObject): JsonObject => ({ ...body, schema: { title: 'post', type: 'object' } });

/** A member that answers to OPTIONS lose. @param which of them; default: all */
function undescribed(id: string, name: string, which?: Which): Exhibit {
  const before = name === 'schema' ? describing(withSchema, which) : undefined;
  return went(id, name, describing(dropping(name), which), before);
}

function chosen(id: string, turn: (record: JsonObject) => JsonObject): Exhibit {
  const choosing = answering(asking('_fields'), (shown) => withRecords(shown, turn));
  return exhibit('answer-chosen', '_fields', id, choosing);
}

const ASKED: readonly Exhibit[] = [
  chosen('fields-nested-lost', ({ id = null }) => ({ id })),
  unknown(chosen('fields-ignored', setting({ date: '', link: '', status: '' }))),
  ...breaking('answer-form', {
    'envelope-lost': ['the answer with _envelope', wrapped(({ body = null }) => body)],
    'options-empty': [
      'the answer',
      answering(by('OPTIONS'), (shown) => ({ ...shown, status: 204, body: new Text('', '') })),
    ],
  }),
  went('envelope-less', 'status', wrapped(dropping('status'))),
  undescribed('options-without-endpoints', 'endpoints'),
  undescribed('options-without-schema', 'schema'),
  undescribed('options-of-records-without-endpoints', 'endpoints', isOfRecord),
  undescribed('options-of-records-without-schema', 'schema', isOfRecord),
];

/** Changes answers to OPTIONS. */
export function describing(turn: (body: JsonObject) => JsonObject, which: Which = () => true): Alter {
  return answering(both(by('OPTIONS'), which), (shown) => withObject(shown, turn));
}

/** Changed records: their values, members and links, and answers to special requests for them. */
export const RECORD_EXHIBITS: readonly Exhibit[] = [
  ...TYPES,
  ...VALUES,
  ...GONE,
  ...LINKS,
  ...EMBEDDED,
  ...ASKED,
];

/** Changes a value of records. @param path as for `withAt` */
export function turningAt(path: string, turn: TurnValue): Alter {
  return turningRecords((record) => withAt(record, path, turn));
}

type TurnValue = (value: Json) => Json | undefined;

/** An object with a changed value inside it, if it has it. @param path such as `title.rendered` or `_links.self[].href` */
export function withAt(object: JsonObject, path: string, turn: TurnValue): JsonObject {
  const [first = '', ...rest] = path.split('.');
  const name = first.replace('[]', '');
  const value = object[name];
  if (value === undefined) return object;
  const inside = (one: Json): Json | undefined => {
    if (rest.length === 0) return turn(one);
    return isObject(one) ? withAt(one, rest.join('.'), turn) : one;
  };
  const isEach = first !== name && Array.isArray(value);
  const turned = isEach ? value.map(inside).filter((one) => one !== undefined) : inside(value);
  return turned === undefined ? without(object, name) : { ...object, [name]: turned };
}
