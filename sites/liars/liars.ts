import { isObject, type UnknownObject } from '../reference/json.ts';
import { type Asked, type Liar, type LiarContext, type Reply, replying, withJson } from './lying-proxy.ts';

/** The checks that a run against a liar needs: every way to create, change, batch and delete own records. */
export const WRITING_CHECKS: readonly string[] = [
  'posts.create/record',
  'posts.create/once',
  'media.create/record',
  'posts.update/changes/*',
  'states/posts/**',
  'states/media/force',
  'autosaves/posts/**',
  'batch/**',
  'media/**',
];

/** Sites that lie about ids, tags and deletions, by name. */
export const LIARS: Readonly<Record<string, Liar>> = {
  'a creation answers with an id that was there': creations(
    ({ foreign }, { collection }) => foreign[collection][0],
  ),
  'an upload answers with an id that was there': creations(({ foreign }, { collection }) =>
    collection === 'media' ? foreign.media[0] : undefined,
  ),
  'a creation answers with the id of the one before': creations(({ memory }, { collection, id }) => {
    const before = memory.get(collection);
    memory.set(collection, id);
    return typeof before === 'number' ? before : undefined;
  }),
  'a creation answers with an id that is nowhere': creations((_, { id }) => id + 100_000),
  'a creation answers with an id that was there, and its reads show the tag': async (asked, stage) => {
    rememberWord(asked, stage);
    const reply = await creations(({ foreign }, { collection }) => foreign[collection][0])(asked, stage);
    const foreign =
      asked.about?.id !== undefined && stage.foreign[asked.about.collection].includes(asked.about.id);
    return asked.method === 'GET' && foreign ? forged(reply, stage) : reply;
  },
  'a creation answers with an id that lists hide': async (asked, stage) => {
    const hide = (id: unknown): boolean => Object.values(stage.foreign).some((ids) => ids[0] === id);
    const reply = await creations(({ foreign }, { collection }) => foreign[collection][0])(asked, stage);
    return isList(asked) ? filtered(reply, ({ id }) => !hide(id)) : reply;
  },
  'a search shows the tag on records that were there': async (asked, stage) => {
    const reply = await stage.forward(asked);
    const word = asked.url.searchParams.get('search');
    if (!isList(asked) || word === null || !Array.isArray(reply.json)) return reply;
    const ids = asked.about === undefined ? [] : stage.foreign[asked.about.collection].slice(0, 3);
    return withJson(reply, [...ids.map((id) => marked({ id }, word)), ...reply.json]);
  },
  'the tag is kept in no text': (asked, stage) => stage.forward(withoutTag(asked)),
  'a deletion answers 404 and does nothing': deletions(404),
  'a deletion answers 200 and does nothing': deletions(200),
  'a deletion answers 403': deletions(403),
  'a read still shows what is deleted': async (asked, { forward, memory }) => {
    const key = asked.about?.id === undefined ? '' : `${asked.about.collection}/${asked.about.id}`;
    const reply = await forward(asked);
    if (asked.method !== 'GET' || key === '' || asked.about?.below !== '') return reply;
    if (reply.status === 200) memory.set(key, reply.json);
    const known = memory.get(key);
    return reply.status === 200 || known === undefined ? reply : replying(known);
  },
  'a batch claims to have deleted everything': async (asked, { forward }) =>
    asked.parts.some(({ method }) => method === 'DELETE') ? batchReply(asked, 200) : forward(asked),
  'a batch answers with the ids of other records': async (asked, { forward, foreign }) => {
    const reply = await forward(asked);
    if (asked.parts.length === 0 || !isObject(reply.json) || !Array.isArray(reply.json.responses))
      return reply;
    const responses = reply.json.responses.map((part: unknown) =>
      isObject(part) && isObject(part.body)
        ? { ...part, body: { ...part.body, id: foreign.posts[0] } }
        : part,
    );
    return withJson(reply, { ...reply.json, responses });
  },
  'the lists fail at the end': async (asked, { forward }) =>
    isList(asked) && isLastLook(asked) ? replying({ code: 'failed' }, 500) : forward(asked),
  'the lists hide statuses': async (asked, { forward }) => {
    const reply = await forward(asked);
    const hidden = ['draft', 'pending', 'private', 'future', 'trash'];
    return isList(asked) ? filtered(reply, ({ status }) => !hidden.includes(String(status))) : reply;
  },
  'an update answers with another record': async (asked, { forward, foreign }) => {
    const reply = await forward(asked);
    const { about, method } = asked;
    if (about?.id === undefined || about.below !== '' || !['POST', 'PUT', 'PATCH'].includes(method))
      return reply;
    return renamed(reply, 'id', foreign[about.collection][0]);
  },
  'an autosave answers with another parent': async (asked, { forward, foreign }) => {
    const reply = await forward(asked);
    const { about, method } = asked;
    if (method !== 'POST' || about?.below !== '/autosaves') return reply;
    return renamed(reply, 'parent', foreign[about.collection][0]);
  },
};

interface Created {
  readonly collection: 'posts' | 'pages' | 'media';
  readonly id: number;
}

/** Lies about the id of what was created. @param choose the id to tell; the true one where it tells none */
function creations(choose: (stage: LiarContext, created: Created) => number | undefined): Liar {
  return async (asked, stage) => {
    const reply = await stage.forward(asked);
    const { about, method } = asked;
    const id = isObject(reply.json) ? reply.json.id : undefined;
    if (method !== 'POST' || about === undefined || about.id !== undefined || typeof id !== 'number')
      return reply;
    return renamed(reply, 'id', choose(stage, { collection: about.collection, id }));
  };
}

/** Answers deletions, alone and in batches, without carrying them out. */
function deletions(status: number): Liar {
  return async (asked, { forward }) => {
    if (asked.parts.some(({ method }) => method === 'DELETE')) return batchReply(asked, status);
    if (asked.method !== 'DELETE' || asked.about?.id === undefined) return forward(asked);
    const { id } = asked.about;
    return replying(
      status === 200 ? { deleted: true, previous: { id } } : { code: 'no', message: 'No.' },
      status,
    );
  };
}

function batchReply({ parts }: Asked, status: number): Reply {
  const body = status === 200 ? { deleted: true } : { code: 'no', message: 'No.' };
  return replying({ responses: parts.map(() => ({ status, headers: {}, body })) }, 207);
}

function isList({ method, about }: Asked): boolean {
  return method === 'GET' && about !== undefined && about.id === undefined;
}

/** The lists of a clean-up: a search for the tag alone, or ids in every status in the edit context. */
function isLastLook({ url: { searchParams } }: Asked): boolean {
  if (/^sc-\w+-\w+$/.test(searchParams.get('search') ?? '')) return true;
  const everyStatus = searchParams.get('status')?.includes(',') === true;
  return searchParams.has('include') && searchParams.get('context') === 'edit' && everyStatus;
}

function filtered(reply: Reply, keep: (record: UnknownObject) => boolean): Reply {
  if (!Array.isArray(reply.json)) return reply;
  return withJson(
    reply,
    reply.json.filter((one: unknown) => isObject(one) && keep(one)),
  );
}

function renamed(reply: Reply, name: 'id' | 'parent', id: number | undefined): Reply {
  return isObject(reply.json) && id !== undefined ? withJson(reply, { ...reply.json, [name]: id }) : reply;
}

const TAG = /sc-[\w-]+/g;

function rememberWord({ body, url }: Asked, { memory }: LiarContext): void {
  const [word] = /sc-\w+-\w+/.exec(`${body.toString('latin1')} ${url.search}`) ?? [];
  if (word !== undefined) memory.set('word', word);
}

function forged(reply: Reply, { memory }: LiarContext): Reply {
  const word = memory.get('word');
  return isObject(reply.json) && typeof word === 'string' ? withJson(reply, marked(reply.json, word)) : reply;
}

function marked(record: UnknownObject, word: string): UnknownObject {
  const title = { raw: `${word}-1 title`, rendered: `${word}-1 title` };
  return { ...record, slug: `${word}-1`, title, content: { raw: word, rendered: word } };
}

/** A request whose texts, file name included, hold no tag. */
function withoutTag(asked: Asked): Asked {
  if (asked.method === 'GET' || asked.method === 'DELETE') return asked;
  const url = new URL(asked.url);
  for (const [name, value] of asked.url.searchParams)
    url.searchParams.set(name, value.replaceAll(TAG, 'untagged'));
  const headers = Object.fromEntries(
    Object.entries(asked.headers).map(([name, value]) => [
      name,
      name === 'content-disposition' && typeof value === 'string' ? value.replaceAll(TAG, 'untagged') : value,
    ]),
  );
  const type = String(asked.headers['content-type']);
  const isText = /json|urlencoded/.test(type);
  const body = isText ? Buffer.from(asked.body.toString('utf8').replaceAll(TAG, 'untagged')) : asked.body;
  return { ...asked, url, headers, body };
}
