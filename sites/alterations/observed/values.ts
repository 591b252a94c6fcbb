import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Alter } from '../../reference/site.ts';
import { without } from '../handling.ts';
import { breaking, type Exhibit, turningAt, turningRecords, unknown, usual, withMember } from './exhibit.ts';

type Turn = (value: Json) => Json;

/** A member of another type. @param before the earlier value, if the usual site lacks it */
function typed(id: string, title: string, path: string, turn: Turn, before?: Turn): Exhibit {
  return breaking(id, title, 'answer-type', path, turningAt(path, turn), before && turningAt(path, before));
}

/** A member with another value. */
function valued(id: string, title: string, path: string, turn: Turn, before?: Turn): Exhibit {
  return breaking(id, title, 'answer-value', path, turningAt(path, turn), before && turningAt(path, before));
}

type Value = (record: JsonObject) => Json;

/** Adds a member to records. */
function adding(name: string, value: Value): Alter {
  return turningRecords((record) => ({ ...record, [name]: value(record) }));
}

/** An additional member of the site, of another type. */
function retyped(id: string, title: string, path: string, before: Value, after: Value): Exhibit {
  const [name = ''] = path.split('.');
  return breaking(id, title, 'answer-type', path, adding(name, after), adding(name, before));
}

/** Texts of unchanged records that are equal for programs. */
function rendered(id: string, title: string, name: string, behaviour: Alter, before?: Alter): Exhibit {
  return unknown(breaking(id, title, 'answer-rendered', name, behaviour, before));
}

const half = ({ id }: JsonObject): number => Number(id) + 0.5;

const TYPES: readonly Exhibit[] = [
  typed('id-text', 'ids are texts', 'id', String),
  typed('author-text', 'the author is a text', 'author', String),
  typed('author-object', 'the author is an object', 'author', (id) => ({ id })),
  typed('media-null', 'records without a picture have null for it', 'featured_media', (id) => id || null),
  typed('sticky-number', 'sticky is 1 or 0', 'sticky', Number),
  typed('sticky-text', 'sticky is "1" or an empty text, as PHP prints it', 'sticky', (is) => (is ? '1' : '')),
  typed('order-fraction', 'the order in menus is a fraction', 'menu_order', (order) => Number(order) + 0.5),
  typed('order-text', 'the order in menus is a text', 'menu_order', String),
  typed('parent-null', 'pages without a parent have null for it', 'parent', (id) => id || null),
  typed('parent-false', 'pages without a parent have false for it', 'parent', (id) => id || false),
  typed('classes-map', 'the list of classes is an object', 'class_list', (list) => ({ ...Object(list) })),
  typed('title-text', 'the title is a text', 'title', (title) => JSON.stringify(title)),
  typed('rendered-null', 'rendered titles are null', 'title.rendered', () => null),
  typed('protected-text', 'whether content is protected is a text', 'content.protected', String),
  typed('content-text', 'content is a text', 'content', (content) => String(Object(content).rendered)),
  typed('template-null', 'records without a template have null for it', 'template', (name) => name || null),
  typed('status-list', 'the status is a list', 'status', (status) => [status]),
  typed('comments-boolean', 'whether comments are open is a boolean', 'comment_status', isOpen),
  typed('status-boolean', 'pings are open or not, as a boolean', 'ping_status', isOpen),
  typed('date-null', 'dates are null', 'date', () => null),
  typed('modified-number', 'the date of a change is a number', 'modified_gmt', (date) =>
    Date.parse(`${String(date)}Z`),
  ),
  typed('type-object', 'the type is an object', 'type', (name) => ({ name })),
  typed('excerpt-list', 'excerpts are empty lists', 'excerpt', () => []),
  typed('terms-objects-by-id', 'categories are an object by id', 'categories', (ids) =>
    Array.isArray(ids) ? Object.fromEntries(ids.map((id) => [String(id), { id }])) : ids,
  ),
  typed(
    'meta-list',
    'an object without members that are set is an empty list',
    'meta',
    () => [],
    () => ({ note: '' }),
  ),
  breaking(
    'tag-objects',
    'tags are objects',
    'answer-type',
    'tags[]',
    turningAt('tags', (tags) => (Array.isArray(tags) ? tags.map((id) => ({ id })) : tags)),
  ),
  breaking(
    'tag-slugs',
    'tags are slugs',
    'answer-type',
    'tags[]',
    turningAt('tags', (tags) => (Array.isArray(tags) ? tags.map((id) => `tag-${String(id)}`) : tags)),
  ),
  breaking(
    'tags-map',
    'a list without tags is an empty object',
    'answer-type',
    'tags',
    turningRecords((record) => withFewTags(record, {})),
    turningRecords((record) => withFewTags(record, [])),
  ),
  retyped(
    'none-false',
    'what is not there is false, and no object',
    'seo',
    () => ({ title: 'A', noindex: false }),
    () => false,
  ),
  retyped(
    'none-empty',
    'what is not there is an empty text, and not null',
    'reviewed',
    () => null,
    () => '',
  ),
  retyped(
    'own-fields-list',
    'fields of a plugin are an empty list',
    'acf',
    () => OWN_FIELDS,
    () => [],
  ),
  retyped(
    'own-fields-false',
    'fields of a plugin are false',
    'acf',
    () => OWN_FIELDS,
    () => false,
  ),
  retyped('price-text', 'a price is a text', 'price', half, (record) => half(record).toFixed(2)),
  retyped(
    'count-number',
    'a number that was a text is one',
    'count',
    ({ id = null }) => String(id),
    ({ id = null }) => id,
  ),
  retyped(
    'picture-number',
    'a picture is the id of it, and no address',
    'picture',
    () => 'https://media.example/a.png',
    () => 745,
  ),
  retyped(
    'caption-object',
    'a caption is an object with the text in it',
    'subtitle',
    () => 'A',
    () => ({ rendered: 'A' }),
  ),
  retyped(
    'sizes-list',
    'a picture without sizes has an empty list of them',
    'media_details.sizes',
    () => sized(SIZE),
    () => ({ width: 640, sizes: [] }),
  ),
];

const OWN_FIELDS = { subtitle: 'A', width: 3 };
const SIZE = { file: 'a.png', width: 150, mime_type: 'image/png', source_url: 'https://media.example/a.png' };

/** One size of a picture. */
function sized(size: JsonObject): JsonObject {
  return { width: 640, sizes: { thumbnail: size } };
}

function isOpen(word: Json): boolean {
  return word === 'open';
}

/** Every second record has no tags. */
function withFewTags(record: JsonObject, none: Json): JsonObject {
  return Number(record.id) % 2 === 0 ? withMember(record, 'tags', () => none) : record;
}

const VALUES: readonly Exhibit[] = [
  valued('date-blank', 'dates have a blank', 'date', (date) => String(date).replace('T', ' ')),
  valued('date-fraction', 'dates have a fraction', 'date', (date) => `${String(date)}.000`),
  valued('date-zone', 'dates have a zone', 'date_gmt', (date) => `${String(date)}+00:00`),
  valued('date-zone-local', 'dates have the zone of the site', 'date', (date) => `${String(date)}+02:00`),
  valued(
    'date-zone-lost',
    'dates have no zone',
    'modified',
    (date) => date,
    (date) => (typeof date === 'string' ? `${date}Z` : date),
  ),
  valued('date-zeros', 'dates are zeros', 'date_gmt', () => '0000-00-00T00:00:00'),
  valued(
    'date-before-all',
    'dates are zeros that were reckoned with',
    'modified_gmt',
    () => '-0001-11-30T00:00:00',
  ),
  valued('date-day', 'dates are days', 'modified', (date) => String(date).slice(0, 10)),
  valued('date-number-text', 'dates are seconds in a text', 'modified_gmt', (date) =>
    String(Date.parse(`${String(date)}Z`) / 1000),
  ),
  valued('date-words', 'dates are words for readers', 'date', (date) => `May ${String(date).slice(8, 10)}`),
  valued('link-relative', 'links are relative', 'link', relative),
  valued('link-elsewhere', 'links lead to another host', 'link', elsewhere),
  valued('links-secure', 'links have another scheme', 'link', (link) =>
    String(link).replace('http:', 'https:'),
  ),
  valued('guid-relative', 'identifiers are relative', 'guid.rendered', relative),
  breaking(
    'self-elsewhere',
    'records link to themselves on another host',
    'answer-value',
    '_links.self[].href',
    turningAt('_links.self', (links) =>
      Array.isArray(links) ? links.map((link) => withMember(Object(link), 'href', elsewhere)) : links,
    ),
  ),
  breaking(
    'avatars-relative',
    'addresses of avatars are relative',
    'answer-value',
    'avatar_urls.*',
    adding('avatar_urls', ({ id }) => avatars(`/avatar/${Number(id)}`)),
    adding('avatar_urls', ({ id }) => avatars(`https://avatars.example/${Number(id)}`)),
  ),
  unknown(
    valued('content-plain', 'content has no markup', 'content.rendered', (text) =>
      String(text).replaceAll(/<[^>]*>/g, ''),
    ),
  ),
  ...(
    [
      ['titles-empty', 'titles are empty', 'title.rendered', () => ''],
      ['author-none', 'nobody is the author', 'author', () => 0],
      ['status-word', 'a status has another name', 'status', (word) => `${String(word)}ed`],
      [
        'date-shifted',
        'dates are those of another zone',
        'date',
        (date) => String(date).replace(/:\d\d/, ':59'),
      ],
    ] as const satisfies readonly (readonly [string, string, string, Turn])[]
  ).map(([id, title, path, turn]) => rendered(id, title, path.replace(/\..*/, ''), turningAt(path, turn))),
  rendered(
    'entities-missing',
    'entities in titles are characters',
    'title',
    turningAt('title.rendered', (title) => `${String(title)} – A`),
    turningAt('title.rendered', (title) => `${String(title)} &#8211; A`),
  ),
  rendered(
    'shortcodes-left',
    'shortcodes are not rendered',
    'content',
    turningAt('content.rendered', (text) => text && `${String(text)}<p>[gallery ids="1"]</p>`),
    turningAt('content.rendered', (text) => text && `${String(text)}<div class="gallery"></div>`),
  ),
  rendered(
    'price-comma',
    'prices have a comma',
    'price',
    adding('price', ({ id }) => `${String(id)},50`),
    adding('price', ({ id }) => `${String(id)}.50`),
  ),
  rendered(
    'content-empty',
    'content is empty',
    'content',
    turningAt('content.rendered', () => ''),
  ),
  rendered(
    'text-other',
    'texts of records that nobody changed are rendered otherwise',
    'content',
    turningAt('content.rendered', (text) => text && `${String(text)}<p>Read on.</p>`),
  ),
  rendered(
    'titles-escaped-twice',
    'entities in titles are escaped twice',
    'title',
    turningAt('title.rendered', (title) => `${String(title)} &amp;#8211; A`),
    turningAt('title.rendered', (title) => `${String(title)} &#8211; A`),
  ),
  rendered(
    'links-without-slash',
    'links lose the slash at their end',
    'link',
    usual,
    turningAt('link', (link) => `${String(link)}/`),
  ),
];

function relative(link: Json): string {
  return String(link).replace(/^https?:\/\/[^/]+/, '');
}

function elsewhere(link: Json): string {
  return `https://old.example${relative(link)}`;
}

function avatars(address: string): JsonObject {
  return { 24: address, 48: address };
}

/** A field of the contract that records lack. */
function dropped(id: string, title: string, path: string, turn: (record: JsonObject) => JsonObject): Exhibit {
  return breaking(id, title, 'field-removed', path, turningRecords(turn));
}

/** A removed member of pictures. */
function lessSized(id: string, title: string, path: string, after: JsonObject): Exhibit {
  // Members of members of a field are not fields of the contract.
  const kind = path.split('.').length > 2 ? 'answer-member-removed' : 'field-removed';
  return breaking(
    id,
    title,
    kind,
    path,
    adding('media_details', () => after),
    adding('media_details', () => sized(SIZE)),
  );
}

const GONE: readonly Exhibit[] = [
  dropped('slug-dropped', 'records have no slug', 'slug', (record) => without(record, 'slug')),
  dropped('slug-renamed', 'the slug has another name', 'slug', (record) => ({
    ...without(record, 'slug'),
    ...(record.slug !== undefined && { post_name: record.slug }),
  })),
  dropped('rendered-dropped', 'titles are not rendered', 'title.rendered', (record) =>
    withMember(record, 'title', (title) => (isObject(title) ? without(title, 'rendered') : title)),
  ),
  dropped('protected-dropped', 'whether content is protected is not said', 'content.protected', (record) =>
    withMember(record, 'content', (content) => (isObject(content) ? without(content, 'protected') : content)),
  ),
  dropped('raw-dropped', 'titles to edit are not raw', 'title.raw', (record) =>
    withMember(record, 'title', (title) => (isObject(title) ? without(title, 'raw') : title)),
  ),
  dropped('file-dropped', 'media do not name their file', 'source_url', (record) =>
    without(record, 'source_url'),
  ),
  lessSized('sizes-gone', 'pictures have no sizes', 'media_details.sizes', { width: 640 }),
  lessSized(
    'size-without-address',
    'sizes of pictures have no address',
    'media_details.sizes.thumbnail.source_url',
    sized(without(SIZE, 'source_url')),
  ),
  lessSized(
    'size-member-renamed',
    'the type of a picture has another name',
    'media_details.sizes.thumbnail.mime_type',
    sized({ ...without(SIZE, 'mime_type'), 'mime-type': 'image/png' }),
  ),
  breaking(
    'own-field-gone',
    'a field that a plugin showed is gone',
    'field-removed',
    'acf',
    usual,
    adding('acf', () => ({ subtitle: 'A' })),
  ),
  breaking(
    'own-field-renamed',
    'a field of a plugin is spelt otherwise',
    'field-removed',
    'seo.metaTitle',
    adding('seo', () => ({ meta_title: 'A', noindex: false })),
    adding('seo', () => ({ metaTitle: 'A', noindex: false })),
  ),
];

/** Changed records: types and forms of values, and removed members. */
export const VALUE_EXHIBITS: readonly Exhibit[] = [...TYPES, ...VALUES, ...GONE];
