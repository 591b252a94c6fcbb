import type { Json, JsonObject } from '../../reference/json.ts';
import type { Alter } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';
import { sending, withObject, withRecords } from '../handling.ts';
import {
  answering,
  type Exhibit,
  isOfRecords,
  turningHeaders,
  turningRecords,
  withInner,
} from './exhibit.ts';

type Twin = Alteration & Pick<Exhibit, 'before'>;

/** What differs between two sites and harms no client, beside what people reported; a tour of the index sees it. */
export const REPORTED_TWINS: readonly Twin[] = [
  rewritten('charset-spelling', 'the charset is spelt otherwise', 'Content-Type', (type) =>
    type.replace('; charset=UTF-8', ';charset=utf-8'),
  ),
  rewritten('charset-quoted', 'the charset has quotes', 'Content-Type', (type) =>
    type.replace('UTF-8', '"UTF-8"'),
  ),
  rewritten('relations-bare', 'relations have no quotes', 'Link', (links) =>
    links.replaceAll(/rel="(\w+)"/g, 'rel=$1'),
  ),
  headed('allow-order', 'methods are listed in another order', 'Allow', 'GET, POST', 'POST, GET'),
  headed(
    'expose-more',
    'scripts may read one header more',
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
  headed('etag-other', 'answers have another digest', 'ETag', '"a"', 'W/"b"'),
  headed(
    'changed-other',
    'answers changed on another day',
    'Last-Modified',
    'Mon, 06 May 2024 07:08:09 GMT',
    'Tue, 07 May 2024 07:08:09 GMT',
  ),
  headed('max-age-other', 'answers are kept longer', 'Cache-Control', 'max-age=60', 'max-age=300'),
  headed('proxy', 'a proxy names itself', 'CF-Ray', 'a', 'b'),
  headed('powered-by', 'the language has another version', 'X-Powered-By', 'PHP/8.2', 'PHP/8.4'),
  {
    id: 'self-pretty',
    title: 'records link to themselves under the other form of the address',
    behaviour: turningRecords((record) =>
      withInner(record, '_links', 'self', (links) =>
        Array.isArray(links)
          ? links.map((link) => ({ href: String(Object(link).href).replace(/index\.php.*=/, 'wp-json') }))
          : links,
      ),
    ),
  },
  member(
    'avatars-elsewhere',
    'avatars are on one other host and not another',
    'avatar',
    () => 'https://a.example/1',
    () => 'https://b.example/1',
  ),
  member(
    'price-whole',
    'all prices are whole numbers',
    'price',
    ({ id }) => Number(id) + 0.5,
    ({ id }) => Number(id),
  ),
  member(
    'one-null',
    'one record of many has null',
    'weight',
    () => 1,
    ({ id }) => (Number(id) % 12 === 0 ? null : 1),
  ),
  {
    id: 'options-more',
    title: 'OPTIONS shows one member more',
    behaviour: answering(
      ({ method }) => method === 'OPTIONS',
      (shown) => withObject(shown, (body) => ({ ...body, schema: {} })),
    ),
  },
  {
    id: 'refusal-more',
    title: 'refusals have more members',
    behaviour: answering(
      (_, { status }) => status >= 400,
      (shown) => withObject(shown, (body) => ({ ...body, additional_errors: [] })),
    ),
  },
  {
    id: 'embed-more',
    title: 'more is embedded',
    behaviour: sending((shown, asked) =>
      asked.query.has('_embed') && isOfRecords(shown, asked)
        ? withRecords(shown, (record) => ({ ...record, _embedded: { author: [{ id: 1, name: 'Ann' }] } }))
        : shown,
    ),
  },
];

function headed(id: string, title: string, name: string, before: string, after: string): Twin {
  const adding = (value: string): Alter => turningHeaders((own) => ({ ...own, [name]: value }));
  return { id, title, before: adding(before), behaviour: adding(after) };
}

function rewritten(id: string, title: string, name: string, turn: (value: string) => string): Twin {
  const behaviour = turningHeaders((own) => ({
    ...own,
    ...(own[name] !== undefined && { [name]: turn(own[name]) }),
  }));
  return { id, title, behaviour };
}

type Value = (record: JsonObject) => Json;

function member(id: string, title: string, name: string, before: Value, after: Value): Twin {
  // Somebody has changed the records in between.
  const showing = (value: Value, modified: string): Alter =>
    turningRecords((record) => ({
      ...record,
      ...(record.modified !== undefined && { modified, modified_gmt: modified }),
      [name]: value(record),
    }));
  return {
    id,
    title,
    before: showing(before, '2030-01-01T00:00:00'),
    behaviour: showing(after, '2031-01-01T00:00:00'),
  };
}
