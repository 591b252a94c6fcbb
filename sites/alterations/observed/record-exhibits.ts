import type { Json, JsonObject } from '../../reference/json.ts';
import { without } from '../handling.ts';
import { breaking, type Exhibit, turningRecords, unknown, withInner, withMember } from './exhibit.ts';

/** Records that are otherwise than before: types and forms of values, and members that went. */
export const RECORD_EXHIBITS: readonly Exhibit[] = [
  typed('author-text', 'the author is a text', 'author', String),
  typed('author-object', 'the author is an object', 'author', (id) => ({ id })),
  typed('media-null', 'records without a picture have null for it', 'featured_media', (id) => id || null),
  typed('sticky-number', 'sticky is 1 or 0', 'sticky', Number),
  typed('order-fraction', 'the order in menus is a fraction', 'menu_order', (order) => Number(order) + 0.5),
  breaking(
    'tags-map',
    'a list without tags is an empty object',
    'answer-type',
    'tags',
    turningRecords((record) => withFewTags(record, {})),
    turningRecords((record) => withFewTags(record, [])),
  ),
  inner('tag-objects', 'tags are objects', 'answer-type', 'tags[]', (record) =>
    withMember(record, 'tags', (tags) => (Array.isArray(tags) ? tags.map((id) => ({ id })) : tags)),
  ),
  typed('classes-map', 'the list of classes is an object', 'class_list', (list) => ({ ...Object(list) })),
  typed('title-text', 'the title is a text', 'title', (title) => JSON.stringify(title)),
  inner('rendered-null', 'rendered titles are null', 'answer-type', 'title.rendered', (record) =>
    withInner(record, 'title', 'rendered', () => null),
  ),
  inner(
    'protected-text',
    'whether content is protected is a text',
    'answer-type',
    'content.protected',
    (record) => withInner(record, 'content', 'protected', String),
  ),
  typed('template-null', 'records without a template have null for it', 'template', (name) => name || null),
  typed('status-list', 'the status is a list', 'status', (status) => [status]),
  typed(
    'comments-boolean',
    'whether comments are open is a boolean',
    'comment_status',
    (word) => word === 'open',
  ),
  typed('modified-number', 'the date of a change is a number', 'modified_gmt', (date) =>
    Date.parse(`${String(date)}Z`),
  ),
  typed('type-object', 'the type is an object', 'type', (name) => ({ name })),
  typed('excerpt-list', 'excerpts are empty lists', 'excerpt', () => []),
  valued('date-blank', 'dates have a blank', 'date', (date) => String(date).replace('T', ' ')),
  valued('date-zone', 'dates have a zone', 'date_gmt', (date) => `${String(date)}+00:00`),
  valued('date-day', 'dates are days', 'modified', (date) => String(date).slice(0, 10)),
  valued('link-relative', 'links are relative', 'link', relative),
  valued('link-elsewhere', 'links lead to another host', 'link', elsewhere),
  inner('guid-relative', 'identifiers are relative', 'answer-value', 'guid.rendered', (record) =>
    withInner(record, 'guid', 'rendered', relative),
  ),
  inner(
    'self-elsewhere',
    'records link to themselves on another host',
    'answer-value',
    '_links.self[].href',
    (record) =>
      withInner(record, '_links', 'self', (links) =>
        Array.isArray(links) ? links.map((link) => withMember(Object(link), 'href', elsewhere)) : links,
      ),
  ),
  unknown(
    inner('content-plain', 'content has no markup', 'answer-value', 'content.rendered', (record) =>
      withInner(record, 'content', 'rendered', (text) => String(text).replaceAll(/<[^>]*>/g, '')),
    ),
  ),
  inner('slug-dropped', 'records have no slug', 'field-removed', 'slug', (record) => without(record, 'slug')),
  inner('slug-renamed', 'the slug has another name', 'field-removed', 'slug', (record) => ({
    ...without(record, 'slug'),
    ...(record.slug !== undefined && { post_name: record.slug }),
  })),
  inner('rendered-dropped', 'titles are not rendered', 'field-removed', 'title.rendered', (record) =>
    withMember(record, 'title', (title) => without(Object(title), 'rendered')),
  ),
  inner(
    'protected-dropped',
    'content does not tell whether it is protected',
    'field-removed',
    'content.protected',
    (record) => withMember(record, 'content', (content) => without(Object(content), 'protected')),
  ),
  inner('raw-dropped', 'titles to edit are not raw', 'field-removed', 'title.raw', (record) =>
    withMember(record, 'title', (title) => without(Object(title), 'raw')),
  ),
  inner('links-dropped', 'records have no links', 'field-removed', '_links', (record) =>
    without(record, '_links'),
  ),
  inner(
    'collection-dropped',
    'records do not link to their collection',
    'answer-member-removed',
    '_links.collection',
    (record) => withMember(record, '_links', (links) => without(Object(links), 'collection')),
  ),
  inner(
    'href-renamed',
    'links have another name for their address',
    'answer-member-removed',
    '_links.self[].href',
    (record) =>
      withInner(record, '_links', 'self', (links) =>
        Array.isArray(links)
          ? links.map((link) => ({ ...without(Object(link), 'href'), url: Object(link).href }))
          : links,
      ),
  ),
];

/** Every second record has no tags. */
function withFewTags(record: JsonObject, none: Json): JsonObject {
  return Number(record.id) % 2 === 0 ? withMember(record, 'tags', () => none) : record;
}

function relative(link: Json): string {
  return String(link).replace(/^https?:\/\/[^/]+/, '');
}

function elsewhere(link: Json): string {
  return `https://old.example${relative(link)}`;
}

type Turn = (value: Json) => Json;

/** A member with a value of another type. */
function typed(id: string, title: string, name: string, turn: Turn): Exhibit {
  return inner(id, title, 'answer-type', name, (record) => withMember(record, name, turn));
}

/** A member with a value that looks otherwise. */
function valued(id: string, title: string, name: string, turn: Turn): Exhibit {
  return inner(id, title, 'answer-value', name, (record) => withMember(record, name, turn));
}

function inner(
  ...[id, title, kind, subject, turn]: [string, string, string, string, (record: JsonObject) => JsonObject]
): Exhibit {
  return breaking(id, title, kind, subject, turningRecords(turn));
}
