import type { Json, JsonObject } from '../../reference/json.ts';
import type { Alter } from '../../reference/site.ts';
import { sending, withRecords } from '../handling.ts';
import {
  answering,
  breaking,
  type Exhibit,
  isOfRecords,
  turningRecords,
  unknown,
  withInner,
  withMember,
} from './exhibit.ts';

// Breakages that people who read such sites reported over the years, beyond those of the other files; a tour of the index sees them.

const LIST = '/cms/v2/posts';

type Turn = (value: Json) => Json;

/** Members of records of another type, and what they were where the site does not have it by itself. */
function typed(id: string, title: string, name: string, turn: Turn, before?: Turn): Exhibit {
  return breaking(id, title, 'answer-type', name, turningAt(name, turn), before && turningAt(name, before));
}

function valued(id: string, title: string, name: string, turn: Turn, before?: Turn): Exhibit {
  return breaking(id, title, 'answer-value', name, turningAt(name, turn), before && turningAt(name, before));
}

/** Members that went, of what the site sent before. */
function went(id: string, title: string, subject: string, behaviour: Alter, before?: Alter): Exhibit {
  return breaking(id, title, 'answer-member-removed', subject, behaviour, before);
}

function turningAt(path: string, turn: Turn): Alter {
  const [name = '', inner] = path.replaceAll('[]', '').split('.');
  return turningRecords((record) =>
    inner === undefined ? withMember(record, name, turn) : withInner(record, name, inner, turn),
  );
}

/** Records with one more member. */
function adding(name: string, value: (record: JsonObject) => Json): Alter {
  return turningRecords((record) => ({ ...record, [name]: value(record) }));
}

const TYPES: readonly Exhibit[] = [
  typed('id-text', 'ids are texts', 'id', String),
  typed('date-null', 'dates are null', 'date', () => null),
  typed('sticky-text', 'sticky is "1" or an empty text, as PHP prints it', 'sticky', (is) => (is ? '1' : '')),
  typed('status-boolean', 'pings are open or not, as a boolean', 'ping_status', (word) => word === 'open'),
  breaking(
    'meta-list',
    'an object without members that are set is an empty list',
    'answer-type',
    'meta',
    turningRecords((record) => withMember(record, 'meta', () => [])),
    turningRecords((record) => withMember(record, 'meta', () => ({ note: '' }))),
  ),
  breaking(
    'none-false',
    'what is not there is false, and no object',
    'answer-type',
    'seo',
    adding('seo', () => false),
    adding('seo', () => ({ title: 'A', noindex: false })),
  ),
  breaking(
    'none-empty',
    'what is not there is an empty text, and not null',
    'answer-type',
    'reviewed',
    adding('reviewed', () => ''),
    adding('reviewed', () => null),
  ),
  breaking(
    'price-text',
    'a price is a text',
    'answer-type',
    'price',
    adding('price', ({ id }) => (Number(id) + 0.5).toFixed(2)),
    adding('price', ({ id }) => Number(id) + 0.5),
  ),
  breaking(
    'terms-objects-by-id',
    'categories are an object by id',
    'answer-type',
    'categories',
    turningRecords((record) =>
      withMember(record, 'categories', (ids) =>
        Array.isArray(ids) ? Object.fromEntries(ids.map((id) => [String(id), { id }])) : ids,
      ),
    ),
  ),
  typed('content-text', 'content is a text', 'content', (content) => String(Object(content).rendered)),
];

const VALUES: readonly Exhibit[] = [
  valued('date-zone-local', 'dates have the zone of the site', 'date', (date) => `${String(date)}+02:00`),
  valued('date-number-text', 'dates are seconds in a text', 'modified_gmt', (date) =>
    String(Date.parse(`${String(date)}Z`) / 1000),
  ),
  valued('date-words', 'dates are words for readers', 'date', (date) => `May ${String(date).slice(8, 10)}`),
  valued('links-secure', 'links have another scheme', 'link', (link) =>
    String(link).replace('http:', 'https:'),
  ),
  breaking(
    'avatars-relative',
    'addresses of avatars are relative',
    'answer-value',
    'avatar_urls.*',
    adding('avatar_urls', ({ id }) => ({ 24: `/avatar/${Number(id)}`, 48: `/avatar/${Number(id)}` })),
    adding('avatar_urls', ({ id }) => ({
      24: `https://avatars.example/${Number(id)}`,
      48: `https://avatars.example/${Number(id)}`,
    })),
  ),
  unknown(
    breaking(
      'titles-escaped-twice',
      'entities in titles are escaped twice',
      'answer-rendered',
      'title',
      turningAt('title.rendered', (title) => `${String(title)} &amp;#8211; A`),
      turningAt('title.rendered', (title) => `${String(title)} &#8211; A`),
    ),
  ),
  unknown(
    breaking(
      'links-without-slash',
      'links lose the slash at their end',
      'answer-rendered',
      'link',
      () => ({}),
      turningAt('link', (link) => `${String(link)}/`),
    ),
  ),
  unknown(
    breaking(
      'sticky-first',
      'the last record comes first',
      'answer-order',
      'the first page',
      sending((shown, { route, query }) =>
        route === LIST && !query.has('page') && Array.isArray(shown.body)
          ? { ...shown, body: [...shown.body.slice(-1), ...shown.body.slice(0, -1)] }
          : shown,
      ),
    ),
  ),
];

const CURIES = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** Records whose links hold more. */
function linked(name: string, links: (record: JsonObject) => Json): Alter {
  return turningRecords((record) =>
    withMember(record, '_links', (all) => ({ ...Object(all), [name]: links(record) })),
  );
}

const authorOf = ({ author }: JsonObject): JsonObject => ({ href: `/users/${Number(author)}` });

/** Records that are asked for with others in them hold these. */
function embedding(author: Json): Alter {
  return sending((shown, asked) =>
    asked.query.has('_embed') && isOfRecords(shown, asked)
      ? withRecords(shown, (record) => ({ ...record, _embedded: { author: [author] } }))
      : shown,
  );
}

const AUTHOR = { id: 1, name: 'Ann', slug: 'ann', description: '' };
const NO_AUTHOR = { code: 'rest_user_invalid_id', message: 'No.', data: { status: 404 } };

const LINKS: readonly Exhibit[] = [
  went(
    'curies-gone',
    'links do not name their templates',
    '_links.curies',
    () => ({}),
    linked('curies', () => CURIES),
  ),
  went(
    'template-not-marked',
    'templates of links are not marked as such',
    '_links.curies[].templated',
    linked('curies', () => CURIES.map(({ name, href }) => ({ name, href }))),
    linked('curies', () => CURIES),
  ),
  went(
    'not-embeddable',
    'links do not tell what can be embedded',
    '_links.author[].embeddable',
    linked('author', (record) => [authorOf(record)]),
    linked('author', (record) => [{ ...authorOf(record), embeddable: true }]),
  ),
  breaking(
    'link-object',
    'a relation has one link, and no list',
    'answer-type',
    '_links.author',
    linked('author', authorOf),
    linked('author', (record) => [authorOf(record)]),
  ),
  went('embed-ignored', 'nothing is embedded', '_embedded', () => ({}), embedding(AUTHOR)),
  went(
    'embed-refused',
    'what is embedded is a refusal',
    '_embedded.author[].*',
    embedding(NO_AUTHOR),
    embedding(AUTHOR),
  ),
  breaking(
    'fields-nested-lost',
    'members of members cannot be chosen',
    'answer-chosen',
    '_fields',
    answering(
      ({ query }) => query.has('_fields'),
      (shown) => withRecords(shown, ({ id = null }) => ({ id })),
    ),
  ),
  unknown(
    breaking(
      'fields-ignored',
      'answers hold more than was asked for',
      'answer-chosen',
      '_fields',
      answering(
        ({ query }) => query.has('_fields'),
        (shown) => withRecords(shown, (record) => ({ ...record, date: '', link: '', status: '' })),
      ),
    ),
  ),
];

/** What people reported of records: types, values and links. */
export const REPORTED_RECORDS: readonly Exhibit[] = [...TYPES, ...VALUES, ...LINKS];
