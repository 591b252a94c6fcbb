import type { Json, JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, Text } from '../../reference/site.ts';
import { sending, withObject, without, withRecords } from '../handling.ts';
import {
  answering,
  both,
  breaking,
  by,
  type Exhibit,
  lost,
  renamed,
  turningAt,
  turningRecords,
  unknown,
  type Which,
} from './exhibit.ts';

function went(id: string, subject: string, behaviour: Alter, before?: Alter): Exhibit {
  return breaking('answer-member-removed', subject)(id, behaviour, before);
}

function linked(name: string, links: Json): Alter {
  return turningAt('_links', (all) => ({ ...Object(all), [name]: links }));
}

const CURIES = linked('curies', [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }]);
const AUTHOR_LINKS = [{ href: '/users/1', embeddable: true }];

const LINKS: readonly Exhibit[] = [
  lost('field-removed', 'links-dropped', '_links'),
  lost('answer-member-removed', 'collection-dropped', '_links.collection'),
  renamed('answer-member-removed', 'href-renamed', '_links.self[].href', 'url'),
  lost('answer-member-removed', 'curies-gone', '_links.curies', CURIES),
  lost('answer-member-removed', 'template-not-marked', '_links.curies[].templated', CURIES),
  lost(
    'answer-member-removed',
    'not-embeddable',
    '_links.author[].embeddable',
    linked('author', AUTHOR_LINKS),
  ),
  breaking('answer-type', '_links.author')(
    'link-object',
    linked('author', AUTHOR_LINKS[0] ?? null),
    linked('author', AUTHOR_LINKS),
  ),
];

/** Selects answers to requests with a parameter. */
export function asking(name: string): Which {
  return ({ query }) => query.has(name);
}

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
const PICTURE = { id: 9, source_url: 'https://media.example/a.png', media_type: 'image' };

const EMBEDDED: readonly Exhibit[] = [
  went('embed-ignored', '_embedded', embedding(), AUTHOR),
  lost(
    'answer-member-removed',
    'embed-less',
    '_embedded.wp:term',
    embedding({ author: [ANN], 'wp:term': TERMS }),
  ),
  went(
    'embed-refused',
    '_embedded.author[].*',
    embedding({ author: [{ code: 'rest_user_invalid_id', message: 'No.', data: { status: 404 } }] }),
    AUTHOR,
  ),
  lost(
    'answer-member-removed',
    'embedded-without-file',
    '_embedded.wp:featuredmedia[].source_url',
    embedding({ 'wp:featuredmedia': [PICTURE] }),
  ),
];

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
const isOfRecord: Which = ({ route }) => /\/\d+$/.test(route);
const withSchema = (body: JsonObject): JsonObject => ({ ...body, schema: { title: 'post', type: 'object' } });

/** A member that answers to OPTIONS lose. @param which of them; default: all */
function undescribed(id: string, name: string, which?: Which): Exhibit {
  const before = name === 'schema' ? describing(withSchema, which) : undefined;
  return went(
    id,
    name,
    describing((body) => without(body, name), which),
    before,
  );
}

const ASKED: readonly Exhibit[] = [
  chosen(
    'fields-nested-lost',
    answering(asking('_fields'), (shown) => withRecords(shown, ({ id = null }) => ({ id }))),
  ),
  unknown(
    chosen(
      'fields-ignored',
      answering(asking('_fields'), (shown) =>
        withRecords(shown, (record) => ({ ...record, date: '', link: '', status: '' })),
      ),
    ),
  ),
  form(
    'envelope-lost',
    wrapped(({ body = null }) => body),
  ),
  went(
    'envelope-less',
    'status',
    wrapped((body) => without(body, 'status')),
  ),
  undescribed('options-without-endpoints', 'endpoints'),
  form(
    'options-empty',
    answering(by('OPTIONS'), (shown) => ({ ...shown, status: 204, body: new Text('', '') })),
  ),
  undescribed('options-without-schema', 'schema'),
  undescribed('options-of-records-without-endpoints', 'endpoints', isOfRecord),
  undescribed('options-of-records-without-schema', 'schema', isOfRecord),
];

/** Changes answers to OPTIONS. */
export function describing(turn: (body: JsonObject) => JsonObject, which: Which = () => true): Alter {
  return answering(both(by('OPTIONS'), which), (shown) => withObject(shown, turn));
}

/** Changed links, embedded records, and answers to special requests. */
export const LINK_EXHIBITS: readonly Exhibit[] = [...LINKS, ...EMBEDDED, ...ASKED];
