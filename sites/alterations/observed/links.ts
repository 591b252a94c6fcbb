import type { Json, JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, Text } from '../../reference/site.ts';
import { sending, withObject, without, withRecords } from '../handling.ts';
import {
  answering,
  both,
  breaking,
  by,
  type Exhibit,
  isOfRecords,
  turningAt,
  turningRecords,
  unknown,
  type Which,
} from './exhibit.ts';

/** A removed member. */
function went(id: string, title: string, subject: string, behaviour: Alter, before?: Alter): Exhibit {
  return breaking('answer-member-removed', subject)(id, title, behaviour, before);
}

/** Records with additional links. */
function linked(name: string, links: Json): Alter {
  return turningAt('_links', (all) => ({ ...Object(all), [name]: links }));
}

const TEMPLATE = { name: 'wp', href: 'https://api.w.org/{rel}' };
const CURIES = linked('curies', [{ ...TEMPLATE, templated: true }]);
const AUTHOR_LINK = { href: '/users/1' };

const LINKS: readonly Exhibit[] = [
  breaking('field-removed', '_links')(
    'links-dropped',
    'records have no links',
    turningRecords((record) => without(record, '_links')),
  ),
  went(
    'collection-dropped',
    'records do not link to their collection',
    '_links.collection',
    turningAt('_links', (links) => without(Object(links), 'collection')),
  ),
  went(
    'href-renamed',
    'links have another name for their address',
    '_links.self[].href',
    turningAt('_links.self', (links) =>
      Array.isArray(links)
        ? links.map((link) => ({ ...without(Object(link), 'href'), url: Object(link).href }))
        : links,
    ),
  ),
  went(
    'curies-gone',
    'links do not name their templates',
    '_links.curies',
    turningAt('_links', (links) => without(Object(links), 'curies')),
    CURIES,
  ),
  went(
    'template-not-marked',
    'templates of links are not marked as such',
    '_links.curies[].templated',
    linked('curies', [TEMPLATE]),
    CURIES,
  ),
  went(
    'not-embeddable',
    'links do not say what can be embedded',
    '_links.author[].embeddable',
    linked('author', [AUTHOR_LINK]),
    linked('author', [{ ...AUTHOR_LINK, embeddable: true }]),
  ),
  breaking('answer-type', '_links.author')(
    'link-object',
    'a relation has one link, and no list',
    linked('author', AUTHOR_LINK),
    linked('author', [AUTHOR_LINK]),
  ),
];

/** Selects answers to requests with a parameter. */
export function asking(name: string): Which {
  return ({ query }) => query.has(name);
}

/** Records with certain embedded records, or none. */
function embedding(embedded?: JsonObject): Alter {
  return answering(both(asking('_embed'), isOfRecords), (shown) =>
    withRecords(shown, (record) => ({
      ...without(record, '_embedded'),
      ...(embedded !== undefined && { _embedded: embedded }),
    })),
  );
}

const AUTHOR = { id: 1, name: 'Ann', slug: 'ann', description: '' };
const TERMS = [[{ id: 7, name: 'Birds', slug: 'birds', taxonomy: 'category' }]];
const PICTURE = { id: 9, source_url: 'https://media.example/a.png', media_type: 'image' };

const EMBEDDED: readonly Exhibit[] = [
  went('embed-ignored', 'nothing is embedded', '_embedded', embedding(), embedding({ author: [AUTHOR] })),
  went(
    'embed-less',
    'terms are not embedded',
    '_embedded.wp:term',
    embedding({ author: [AUTHOR] }),
    embedding({ author: [AUTHOR], 'wp:term': TERMS }),
  ),
  went(
    'embed-refused',
    'what is embedded is a refusal',
    '_embedded.author[].*',
    embedding({ author: [{ code: 'rest_user_invalid_id', message: 'No.', data: { status: 404 } }] }),
    embedding({ author: [AUTHOR] }),
  ),
  went(
    'embedded-without-file',
    'embedded pictures do not name their file',
    '_embedded.wp:featuredmedia[].source_url',
    embedding({ 'wp:featuredmedia': [without(PICTURE, 'source_url')] }),
    embedding({ 'wp:featuredmedia': [PICTURE] }),
  ),
];

/** Changes the content of an envelope. */
function wrapped(turn: (body: JsonObject) => Answer['body']): Alter {
  return sending((shown, { query }) =>
    query.has('_envelope') && isWrapped(shown.body) ? { ...shown, body: turn(shown.body) } : shown,
  );
}

function isWrapped(body: Answer['body']): body is JsonObject {
  return typeof body === 'object' && body !== null && !(body instanceof Text) && 'body' in body;
}

const chosen = breaking('answer-chosen', '_fields');
const form = breaking('answer-form', 'the answer');

const ASKED: readonly Exhibit[] = [
  chosen(
    'fields-nested-lost',
    'members of members cannot be chosen',
    answering(asking('_fields'), (shown) => withRecords(shown, ({ id = null }) => ({ id }))),
  ),
  unknown(
    chosen(
      'fields-ignored',
      'answers hold more than was asked for',
      answering(asking('_fields'), (shown) =>
        withRecords(shown, (record) => ({ ...record, date: '', link: '', status: '' })),
      ),
    ),
  ),
  form(
    'envelope-lost',
    'answers are not wrapped where that is asked for',
    wrapped(({ body = null }) => body),
  ),
  went(
    'envelope-less',
    'an envelope does not hold the status',
    'status',
    wrapped((body) => without(body, 'status')),
  ),
  went(
    'options-without-endpoints',
    'OPTIONS does not show the endpoints',
    'endpoints',
    describing((body) => without(body, 'endpoints')),
  ),
  form(
    'options-empty',
    'OPTIONS has no body',
    answering(by('OPTIONS'), (shown) => ({ ...shown, status: 204, body: new Text('', '') })),
  ),
  went(
    'options-without-schema',
    'OPTIONS does not show the schema',
    'schema',
    describing((body) => without(body, 'schema')),
    describing((body) => ({ ...body, schema: { title: 'post', type: 'object' } })),
  ),
  went(
    'options-of-records-without-endpoints',
    'OPTIONS of a record does not show the endpoints',
    'endpoints',
    describingRecords((body) => without(body, 'endpoints')),
  ),
  went(
    'options-of-records-without-schema',
    'OPTIONS of a record does not show the schema',
    'schema',
    describingRecords((body) => without(body, 'schema')),
    describingRecords((body) => ({ ...body, schema: { title: 'post', type: 'object' } })),
  ),
];

/** Changes answers to OPTIONS of single records. */
function describingRecords(turn: (body: JsonObject) => JsonObject): Alter {
  return answering(
    both(by('OPTIONS'), ({ route }) => /\/\d+$/.test(route)),
    (shown) => withObject(shown, turn),
  );
}

/** Changes answers to OPTIONS. */
export function describing(turn: (body: JsonObject) => JsonObject): Alter {
  return answering(by('OPTIONS'), (shown) => withObject(shown, turn));
}

/** Changed links, embedded records, and answers to special requests. */
export const LINK_EXHIBITS: readonly Exhibit[] = [...LINKS, ...EMBEDDED, ...ASKED];
