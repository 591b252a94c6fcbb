import { assert } from 'vitest';
import { answer } from '../../reference/answer.ts';
import type { Behaviour } from '../../reference/behaviour.ts';
import type { Call, Handler } from '../../reference/handler.ts';
import { isObject, type JsonObject } from '../../reference/json.ts';
import { Refusal } from '../../reference/refusal.ts';
import type { StoredRecord } from '../../reference/store.ts';
import type { Writer } from '../../reference/writers.ts';
import type { Change } from './change.ts';

const CREATES = ['posts.create', 'pages.create', 'media.create'];
const UPDATES = ['posts.update', 'pages.update', 'media.update'];
const OBJECTS = ['title', 'content', 'excerpt', 'caption', 'description'];

/** Another behaviour where nothing is stated about it, by the id of the silence. */
export const BEHAVIOUR_CHANGES: Readonly<Record<string, Change>> = {
  'whole-field-contexts': {
    behaviour: ({ contexts }) => ({
      contexts: {
        ...contexts,
        comment_status: ['edit'],
        ping_status: ['view', 'embed', 'edit'],
        template: ['embed', 'edit'],
        menu_order: ['edit'],
        password: ['view', 'edit'],
      },
    }),
  },
  'unnamed-contexts': {
    behaviour: ({ contexts }) => ({
      contexts: {
        ...contexts,
        'excerpt.protected': ['edit'],
        'caption.rendered': ['view'],
        'description.rendered': ['embed', 'edit'],
      },
    }),
  },
  'object-field-types': {
    behaviour: (usual) =>
      rereading(usual, (given) =>
        mapNamed(given, OBJECTS, (value) => (isObject(value) ? value : { raw: String(value) })),
      ),
  },
  'null-for-a-field': {
    behaviour: (usual) =>
      rereading(usual, (given) =>
        Object.fromEntries(
          Object.entries(given).filter(([name, value]) => value !== null || name.startsWith('date')),
        ),
      ),
  },
  'normalised-text': {
    behaviour: ({ writers }) => ({
      writers: {
        ...writers,
        ...after(writers, 'title', (record) => {
          record.title = record.title.replaceAll(/ {2,}/g, ' ').replaceAll(/<[^>]*>/g, '');
        }),
        ...after(writers, 'content', (record) => {
          record.content = `${record.content.trim()}\n`;
        }),
      },
    }),
  },
  'id-of-nothing': {
    behaviour: ({ writers }) => ({
      writers: {
        ...writers,
        author: (record, value) => {
          if (typeof value === 'number' && value > 0) record.author = value;
        },
      },
    }),
  },
  'status-against-date': {
    behaviour: (usual) =>
      settling(usual, CREATES.slice(0, 2), (record, args) => {
        if (args.status === 'future' && record.status === 'publish') record.status = 'future';
      }),
  },
  'media-status': {
    behaviour: (usual) =>
      settling(usual, ['media.create', 'media.update'], (record, args) => {
        if (typeof args.status === 'string') record.status = args.status;
      }),
  },
  'draft-slugs': {
    behaviour: (usual) =>
      settling(usual, CREATES, (record, { slug }) => {
        if (typeof slug === 'string' && ['draft', 'inherit'].includes(record.status)) record.slug = slug;
      }),
  },
  'content-transitions': {
    behaviour: (usual) =>
      wrapped(usual, UPDATES.slice(0, 2), (call, next) => {
        const { status } = call.args;
        const before = recordOf(call)?.status;
        if (before === 'publish' && typeof status === 'string' && status !== before) {
          throw new Refusal('no_way_back', 'What is published stays so.', 400);
        }
        return next(call);
      }),
  },
  'media-without-force': {
    behaviour: (usual) =>
      wrapped(usual, ['media.delete'], (call, next) => {
        const record = recordOf(call);
        if (call.args.force === true || record === undefined || call.request.account === undefined)
          return next(call);
        record.status = 'trash';
        return answer({ moved: true });
      }),
  },
  'list-order-of-ties': {
    behaviour: ({ orders }) => ({
      orders: Object.fromEntries(
        Object.entries(orders).map(([name, order]) => [
          name,
          {
            ...order,
            compare: (query) => (one, other) =>
              order.compare(query)(one, other) || ((one.id * 7) % 11) - ((other.id * 7) % 11),
          },
        ]),
      ),
    }),
  },
  'media-modifiers': {
    behaviour: (usual) =>
      rereading(usual, (given, id) => {
        if (id === 'media.edit' && JSON.stringify(given.modifiers ?? []).includes('"horizontal"')) {
          throw new Refusal('odd_flip', 'A flip needs an axis.', 400);
        }
        return given;
      }),
  },
};

type Wrapper = (call: Call, next: Handler) => ReturnType<Handler>;

function wrapped({ handlers }: Behaviour, ids: readonly string[], wrapper: Wrapper): Partial<Behaviour> {
  const changed = ids.map((id) => {
    const next = handlers[id];
    assert(next !== undefined, `no handler of ${id}`);
    return [id, (call: Call) => wrapper(call, next)] as const;
  });
  return { handlers: { ...handlers, ...Object.fromEntries(changed) } };
}

/** Changes the record that was written, once it was, and answers it as it is then. */
function settling(
  usual: Behaviour,
  ids: readonly string[],
  settle: (record: StoredRecord, args: JsonObject) => void,
): Partial<Behaviour> {
  return wrapped(usual, ids, async (call, next) => {
    const done = await next(call);
    const body = isObject(done.body) ? done.body : {};
    const record = typeof body.id === 'number' ? call.site.store.get(body.id) : undefined;
    if (record === undefined) return done;
    settle(record, call.args);
    return { ...done, body: { ...body, status: record.status, slug: record.slug } };
  });
}

function recordOf({ site, args }: Call): StoredRecord | undefined {
  return typeof args.id === 'number' ? site.store.get(args.id) : undefined;
}

function rereading(
  usual: Behaviour,
  read: (given: JsonObject, id: string) => JsonObject,
): Partial<Behaviour> {
  return {
    readArguments: (parameters, given, asked) =>
      usual.readArguments(parameters, read(given, asked.operation.id), asked),
  };
}

function mapNamed(
  given: JsonObject,
  names: readonly string[],
  change: (value: JsonObject[string]) => JsonObject[string],
): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      names.includes(name) && typeof value !== 'string' ? change(value) : value,
    ]),
  );
}

function after(
  writers: Behaviour['writers'],
  name: string,
  then: (record: StoredRecord) => void,
): Record<string, Writer> {
  return {
    [name]: (record, value, site) => {
      writers[name]?.(record, value, site);
      then(record);
    },
  };
}
