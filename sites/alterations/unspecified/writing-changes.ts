import { isObject, type Json, type JsonObject, mapped } from '../../reference/json.ts';
import type { Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Schema } from '../../reference/schema.ts';
import { type Alter, answer, type Behaviour, type Writer } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { handling, shownRecord, withObject } from '../handling.ts';
import { isOwnWrite, on, recordOf } from '../selecting.ts';
import { type Change, type Request, rereading } from './change.ts';

const PAST = '2001-02-03T04:05:06';
const AHEAD = '2093-02-03T04:05:06';
/** An image of the reference deployment. */
const IMAGE = 'media/59';
const FLIP = { type: 'flip', args: { flip: { horizontal: true, vertical: false } } };
const OBJECTS = ['title', 'content', 'excerpt', 'caption', 'description'];

/** Changes of writes where nothing is stated, by the id of the unspecified point. */
export const WRITING_CHANGES: Readonly<Record<string, Change>> = {
  'object-field-types': {
    behaviour: rereading((given) =>
      mapObjects(given, (value) => {
        if (typeof value === 'string') throw new Refusal('plain', 'A text is an object.', 400);
        return isObject(value) ? value : { raw: String(value) };
      }),
    ),
    shows: [write('posts/1', { title: 5 }), write('posts/1', { title: 'plain' })],
  },
  'number-for-a-boolean': {
    behaviour: rereading((given, { operation }) => {
      const isNumber = ([name, { type }]: [string, Schema]): boolean =>
        type === 'boolean' && /^[01]$/.test(String(given[name]));
      if (Object.entries(operation.parameters.properties).some(isNumber))
        throw new Refusal('no_boolean', 'A number is no boolean.', 400);
      return given;
    }),
    shows: [write('posts/1', { sticky: 0 })],
  },
  'queries-in-batches': {
    behaviour: rereading((given, { operation }) => {
      if (operation.id !== 'batch.run' || !Array.isArray(given.requests)) return given;
      const isPlain = (part: Json): boolean => !isObject(part) || !String(part.path).includes('?');
      return {
        ...given,
        requests: given.requests.map((part) => (isPlain(part) ? part : { path: '/nowhere' })),
      };
    }),
    shows: [
      { method: 'POST', route: '/batch/v1', body: { requests: [{ path: '/cms/v2/posts/1?slug=by-query' }] } },
      { route: '/cms/v2/posts/1' },
    ],
  },
  'null-for-a-field': {
    behaviour: rereading((given, { operation, request }) => {
      const nulls = Object.entries(request.json ?? {}).filter(
        ([name, value]) => value === null && !name.startsWith('date'),
      );
      if (isOwnWrite(operation) && nulls.length > 0) throw new Refusal('nothing', 'Nothing is nothing.', 400);
      return given;
    }),
    shows: [write('posts/1', { comment_status: null })],
  },
  'normalised-text': {
    behaviour: ({ writers }) => ({
      writers: {
        ...writers,
        ...after(writers, 'title', (text) => text.replaceAll(/ {2,}/g, ' ').replaceAll(/<[^>]*>/g, '')),
        ...after(writers, 'content', (text) => `${text.trim()}\n`),
      },
    }),
    shows: [write('posts/1', { title: 'a   <b>b</b>' }), write('posts/1', { content: 'c' })],
  },
  'id-of-nothing': {
    behaviour: ({ writers }) => ({
      writers: {
        ...writers,
        // The usual site refuses one and drops the other.
        author: ({ author }, value, { accounts }) => ({
          author: accounts.find(({ id }) => id === value)?.id ?? author,
        }),
        featured_media: (_, value) => ({ featuredMedia: Number(value) }),
      },
    }),
    shows: [write('posts/1', { author: 77777 }), write('posts/6', { featured_media: 77777 })],
  },
  'status-against-date': {
    behaviour: settling(on('records', 'create', 'update'), (record, args) => {
      if (args.status === 'future' && record.status === 'publish') record.status = 'future';
      else if (args.status === 'publish' && record.status === 'future') record.status = 'publish';
    }),
    shows: [
      write('posts', { title: 'a', status: 'future', date: PAST }),
      write('posts', { title: 'a', status: 'publish', date: AHEAD }),
    ],
  },
  'media-status': {
    behaviour: settling(on('uploads', 'create', 'update'), (record, args) => {
      if (typeof args.status === 'string') record.status = args.status;
    }),
    shows: [write(IMAGE, { status: 'draft' })],
  },
  'draft-slugs': {
    behaviour: settling(
      (one) => isOwnWrite(one) && one.role === 'create',
      (record, { slug }) => {
        if (typeof slug === 'string' && ['draft', 'inherit'].includes(record.status)) record.slug = slug;
      },
    ),
    shows: [write('posts', { title: 'a', slug: 'same' }), write('posts', { title: 'a', slug: 'same' })],
  },
  'content-transitions': {
    behaviour: handling(on('records', 'update'), (call, next) => {
      const { status } = call.args;
      const before = recordOf(call)?.status;
      if (before === 'publish' && typeof status === 'string' && status !== before) {
        throw new Refusal('no_way_back', 'What is published stays so.', 400);
      }
      return next(call);
    }),
    shows: [write('posts/1', { status: 'draft' })],
  },
  'media-without-force': {
    behaviour: handling(on('uploads', 'delete'), (call, next) => {
      const record = recordOf(call);
      if (call.args.force === true || record === undefined || call.request.account === undefined)
        return next(call);
      record.status = 'trash';
      return answer({ moved: true });
    }),
    shows: [
      { method: 'DELETE', route: `/cms/v2/${IMAGE}` },
      { route: `/cms/v2/${IMAGE}`, query: { context: 'edit' } },
    ],
  },
  'media-modifiers': {
    behaviour: rereading((given, { operation }) => {
      const odd = JSON.stringify(given.modifiers ?? []).includes('"horizontal"');
      if (on('uploads', 'edit')(operation) && odd)
        throw new Refusal('odd_flip', 'A flip needs an axis.', 400);
      return given;
    }),
    shows: [write(`${IMAGE}/edit`, { src: '{site}/uploads/2024/05/lamp.png', modifiers: [FLIP] })],
  },
};

function write(path: string, body: object): Request {
  return { method: 'POST', route: `/cms/v2/${path}`, body };
}

function mapObjects(
  given: JsonObject,
  change: (value: JsonObject[string]) => JsonObject[string],
): JsonObject {
  return mapped(given, (value, name) =>
    OBJECTS.includes(name) && typeof value !== 'string' ? change(value) : value,
  );
}

function after(
  writers: Behaviour['writers'],
  name: 'title' | 'content',
  then: (text: string) => string,
): Record<string, Writer> {
  return { [name]: (...about) => ({ [name]: then(writers[name]?.(...about)[name] ?? '') }) };
}

/** Changes a record after each write, and answers with the changed one. */
function settling(
  meant: (operation: Operation) => boolean,
  settle: (record: StoredRecord, args: JsonObject) => void,
): Alter {
  return handling(meant, async (call, next) => {
    const done = await next(call);
    const record = shownRecord(done, call);
    if (record === undefined) return done;
    settle(record, call.args);
    return withObject(done, (body) => ({ ...body, status: record.status, slug: record.slug }));
  });
}
