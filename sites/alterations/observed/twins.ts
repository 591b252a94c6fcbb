import type { Json, JsonObject } from '../../reference/json.ts';
import type { Alteration } from '../alteration.ts';
import { sending } from '../handling.ts';
import { VARIANTS_ANSWERS } from '../variants/answer-variants.ts';
import { turningHeaders, turningRecords, withInner, withMember } from './exhibit.ts';

/** Variants of the contract that differ in nothing that clients of answers notice. */
const SILENT_VARIANTS: readonly string[] = [
  'plugin-members',
  'reversed-records',
  'slow',
  'throttling',
  'gzip',
  'closing',
  'white-space',
  'indented',
  'escaped',
];

/** Differences between two sites of one software, of which a comparison of answers must say nothing that breaks. */
export const TWINS: readonly Alteration[] = [
  ...VARIANTS_ANSWERS.filter(({ id }) => SILENT_VARIANTS.includes(id)),
  headed('age', 'a proxy adds an age', { Age: '12' }),
  headed('cache-hit', 'a proxy names what it did', { 'X-Cache': 'HIT', Via: '1.1 proxy' }),
  headed('other-server', 'the server has another name', { Server: 'nginx' }),
  headed('etag', 'answers have a digest', { ETag: '"abc"' }),
  {
    id: 'more-allowed',
    title: 'answers list the methods, where they did not',
    behaviour: turningHeaders((own) => ({ Allow: 'GET', ...own })),
  },
  content('other-titles', 'titles are other ones', (record) =>
    withInner(record, 'title', 'rendered', (title) => `On ${String(title)}`),
  ),
  content('marked-titles', 'some titles have markup', (record) =>
    isSome(record) ? withInner(record, 'title', 'rendered', (title) => `<em>${String(title)}</em>`) : record,
  ),
  content('no-excerpts', 'some excerpts are empty', (record) =>
    isSome(record) ? withInner(record, 'excerpt', 'rendered', () => '') : record,
  ),
  content('long-content', 'content is long', (record) =>
    withInner(record, 'content', 'rendered', (text) => String(text).repeat(20)),
  ),
  content('mail-in-text', 'texts name a mail address', (record) =>
    withInner(record, 'content', 'rendered', (text) => `${String(text)} Write to office@site.example.`),
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
  content('more-links', 'records have more links', (record) =>
    withMember(record, '_links', (links) => ({
      ...Object(links),
      related: [{ href: 'https://api.example/related' }],
    })),
  ),
  {
    id: 'other-words',
    title: 'refusals are in another language',
    behaviour: sending((shown) =>
      shown.status >= 400
        ? { ...shown, body: withMember(Object(shown.body), 'message', () => 'Nein.') }
        : shown,
    ),
  },
];

function headed(id: string, title: string, headers: Readonly<Record<string, string>>): Alteration {
  return { id, title, behaviour: turningHeaders((own) => ({ ...own, ...headers })) };
}

function content(id: string, title: string, turn: (record: JsonObject) => JsonObject): Alteration {
  return { id, title, behaviour: turningRecords((record) => changed(turn(record))) };
}

/** A record that somebody changed since. */
function changed(record: JsonObject): JsonObject {
  return ['modified', 'modified_gmt'].reduce(
    (left, name) => withMember(left, name, (date) => String(date).replace(/^\d{4}/, '2031')),
    record,
  );
}

function member(id: string, title: string, name: string, turn: (value: Json) => Json): Alteration {
  return content(id, title, (record) => withMember(record, name, turn));
}

/** One record of three. */
function isSome({ id }: JsonObject): boolean {
  return Number(id) % 3 === 0;
}
