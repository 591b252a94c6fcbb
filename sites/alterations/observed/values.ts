import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Alter } from '../../reference/site.ts';
import { without } from '../handling.ts';
import {
  breaking,
  type Exhibit,
  turningAt,
  turningRecords,
  unknown,
  usual,
  withAt,
  withMember,
} from './exhibit.ts';

type Turn = (value: Json) => Json;

/** A member of another type. @param before the earlier value, if the usual site lacks it */
function typed(id: string, title: string, path: string, turn: Turn, before?: Turn): Exhibit {
  const was = before && turningAt(path, before);
  return breaking('answer-type', path)(id, title, turningAt(path, turn), was);
}

/** A member with another value. */
function valued(id: string, title: string, path: string, turn: Turn, before?: Turn): Exhibit {
  const was = before && turningAt(path, before);
  return breaking('answer-value', path)(id, title, turningAt(path, turn), was);
}

/** A list in each record with other entries. */
function listed(id: string, title: string, name: string, turn: Turn): Exhibit {
  const each: Turn = (list) => (Array.isArray(list) ? list.map(turn) : list);
  return breaking('answer-type', `${name}[]`)(id, title, turningAt(name, each));
}

type Value = (record: JsonObject) => Json;

/** Adds a member to records. */
function adding(name: string, value: Value): Alter {
  return turningRecords((record) => ({ ...record, [name]: value(record) }));
}

/** An additional member of the site, of another type. @param before a value, and @param after one, of any record */
function retyped(
  id: string,
  title: string,
  path: string,
  before: Value | Json,
  after: Value | Json,
): Exhibit {
  const [name = ''] = path.split('.');
  const showing = (value: Value | Json): Alter =>
    adding(name, typeof value === 'function' ? value : () => value);
  return breaking('answer-type', path)(id, title, showing(after), showing(before));
}

/** Texts of unchanged records that are equal for programs. */
function rendered(id: string, title: string, path: string, turn: Turn, before?: Turn): Exhibit {
  const [name = ''] = path.split('.');
  const was = before && turningAt(path, before);
  return unknown(breaking('answer-rendered', name)(id, title, turningAt(path, turn), was));
}

/** A text with something added, if it is not empty. */
function plus(end: string): Turn {
  return (text) => text && `${String(text)}${end}`;
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
  listed('tag-objects', 'tags are objects', 'tags', (id) => ({ id })),
  listed('tag-slugs', 'tags are slugs', 'tags', (id) => `tag-${String(id)}`),
  breaking('answer-type', 'tags')(
    'tags-map',
    'a list without tags is an empty object',
    turningRecords((record) => withFewTags(record, {})),
    turningRecords((record) => withFewTags(record, [])),
  ),
  retyped(
    'none-false',
    'what is not there is false, and no object',
    'seo',
    { title: 'A', noindex: false },
    false,
  ),
  retyped('none-empty', 'what is not there is an empty text, and not null', 'reviewed', null, ''),
  retyped('own-fields-list', 'fields of a plugin are an empty list', 'acf', { subtitle: 'A', width: 3 }, []),
  retyped('own-fields-false', 'fields of a plugin are false', 'acf', { subtitle: 'A', width: 3 }, false),
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
    'https://media.example/a.png',
    745,
  ),
  retyped('caption-object', 'a caption is an object with the text in it', 'subtitle', 'A', { rendered: 'A' }),
  retyped(
    'sizes-list',
    'a picture without sizes has an empty list of them',
    'media_details.sizes',
    () => sized(SIZE),
    { width: 640, sizes: [] },
  ),
];

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
  breaking('answer-value', '_links.self[].href')(
    'self-elsewhere',
    'records link to themselves on another host',
    turningAt('_links.self', (links) =>
      Array.isArray(links) ? links.map((link) => withMember(Object(link), 'href', elsewhere)) : links,
    ),
  ),
  breaking('answer-value', 'avatar_urls.*')(
    'avatars-relative',
    'addresses of avatars are relative',
    adding('avatar_urls', ({ id }) => avatars(`/avatar/${Number(id)}`)),
    adding('avatar_urls', ({ id }) => avatars(`https://avatars.example/${Number(id)}`)),
  ),
  breaking('answer-member-removed', 'avatar_urls.48')(
    'avatar-size-gone',
    'one size of avatars is gone',
    adding('avatar_urls', () => ({ 24: AVATAR, 96: AVATAR })),
    adding('avatar_urls', () => ({ 24: AVATAR, 48: AVATAR, 96: AVATAR })),
  ),
  unknown(
    valued('content-plain', 'content has no markup', 'content.rendered', (text) =>
      String(text).replaceAll(/<[^>]*>/g, ''),
    ),
  ),
  valued('titles-empty', 'titles are empty', 'title.rendered', () => ''),
  rendered('author-none', 'nobody is the author', 'author', () => 0),
  rendered('status-word', 'a status has another name', 'status', (word) => `${String(word)}ed`),
  rendered('date-shifted', 'dates are those of another zone', 'date', (date) =>
    String(date).replace(/:\d\d/, ':59'),
  ),
  rendered(
    'entities-missing',
    'entities in titles are characters',
    'title.rendered',
    (title) => `${String(title)} – A`,
    (title) => `${String(title)} &#8211; A`,
  ),
  rendered(
    'shortcodes-left',
    'shortcodes are not rendered',
    'content.rendered',
    plus('<p>[gallery ids="1"]</p>'),
    plus('<div class="gallery"></div>'),
  ),
  unknown(
    breaking('answer-rendered', 'price')(
      'price-comma',
      'prices have a comma',
      adding('price', ({ id }) => `${String(id)},50`),
      adding('price', ({ id }) => `${String(id)}.50`),
    ),
  ),
  valued('content-empty', 'content is empty', 'content.rendered', () => ''),
  rendered(
    'text-other',
    'texts of records that nobody changed are rendered otherwise',
    'content.rendered',
    plus('<p>Read on.</p>'),
  ),
  rendered(
    'titles-escaped-twice',
    'entities in titles are escaped twice',
    'title.rendered',
    (title) => `${String(title)} &amp;#8211; A`,
    (title) => `${String(title)} &#8211; A`,
  ),
  rendered(
    'links-without-slash',
    'links lose the slash at their end',
    'link',
    (link) => link,
    (link) => `${String(link)}/`,
  ),
];

function relative(link: Json): string {
  return String(link).replace(/^https?:\/\/[^/]+/, '');
}

function elsewhere(link: Json): string {
  return `https://old.example${relative(link)}`;
}

const AVATAR = 'https://avatars.example/1';

function avatars(address: string): JsonObject {
  return { 24: address, 48: address };
}

/** A field of the contract that records lack, or a member of it. */
function dropped(id: string, title: string, path: string): Exhibit {
  const [name = '', inner] = path.split('.');
  return breaking('field-removed', path)(
    id,
    title,
    turningRecords((record) => {
      if (inner === undefined) return without(record, name);
      return withAt(record, name, (value) => (isObject(value) ? without(value, inner) : value));
    }),
  );
}

/** A removed member of pictures. */
function lessSized(id: string, title: string, path: string, after: JsonObject): Exhibit {
  // Members of members of a field are not fields of the contract.
  const kind = path.split('.').length > 2 ? 'answer-member-removed' : 'field-removed';
  const showing = (value: JsonObject): Alter => adding('media_details', () => value);
  return breaking(kind, path)(id, title, showing(after), showing(sized(SIZE)));
}

const GONE: readonly Exhibit[] = [
  dropped('slug-dropped', 'records have no slug', 'slug'),
  breaking('field-removed', 'slug')(
    'slug-renamed',
    'the slug has another name',
    turningRecords(({ slug, ...record }) => ({ ...record, ...(slug !== undefined && { post_name: slug }) })),
  ),
  dropped('rendered-dropped', 'titles are not rendered', 'title.rendered'),
  dropped('protected-dropped', 'whether content is protected is not said', 'content.protected'),
  dropped('raw-dropped', 'titles to edit are not raw', 'title.raw'),
  dropped('file-dropped', 'media do not name their file', 'source_url'),
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
  breaking('field-removed', 'acf')(
    'own-field-gone',
    'a field that a plugin showed is gone',
    usual,
    adding('acf', () => ({ subtitle: 'A' })),
  ),
  breaking('answer-member-removed', 'price')(
    'own-field-gone-of-some',
    'a field that a plugin showed is gone of every third record',
    turningRecords((record) => (Number(record.id) % 3 === 0 ? record : { ...record, price: '1.00' })),
    adding('price', () => '1.00'),
  ),
  breaking('field-removed', 'seo.metaTitle')(
    'own-field-renamed',
    'a field of a plugin is spelt otherwise',
    adding('seo', () => ({ meta_title: 'A', noindex: false })),
    adding('seo', () => ({ metaTitle: 'A', noindex: false })),
  ),
];

/** Changed records: types and forms of values, and removed members. */
export const VALUE_EXHIBITS: readonly Exhibit[] = [...TYPES, ...VALUES, ...GONE];
