import type { ProxyAnswer } from '../proxy.ts';
import { isObject, type UnknownObject } from '../reference/json.ts';
import type { Census } from './open-server.ts';
import { type Collection, type Exchange, type Handler, partsOf, type Subject, subjectOf } from './server.ts';
import { answering, turned, turnedJson } from './turns.ts';

/** The checks for a run against a liar: every way to create, change, batch and delete own records. */
export const LIED_TO: readonly string[] = [
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

type Foreign = Readonly<Record<Collection, readonly number[]>>;

/** The ids of the records of a site, the oldest first. */
export function foreignIn(census: Census): Foreign {
  const ids = (collection: Collection): number[] =>
    [...census.keys()]
      .flatMap((place) => (place.startsWith(`${collection}/`) ? [Number(place.split('/')[1])] : []))
      .toSorted((one, other) => one - other);
  return { posts: ids('posts'), pages: ids('pages'), media: ids('media') };
}

/** A lying server with a state of its own, in front of a site of any vocabulary. */
type Liar = (foreign: Foreign) => Handler;

/** Sites that lie about ids, tags and deletions, by name. */
export const LIARS: Readonly<Record<string, Liar>> = {
  'a creation answers with an id that was there': (foreign) =>
    creations(({ collection }) => foreign[collection][0]),
  'an upload answers with an id that was there': (foreign) =>
    creations(({ collection }) => (collection === 'media' ? foreign.media[0] : undefined)),
  'a creation answers with the id of the one before': () => {
    const before = new Map<Collection, number>();
    return creations(({ collection }, id) => {
      const last = before.get(collection);
      before.set(collection, id);
      return last;
    });
  },
  'a creation answers with an id that is nowhere': () => creations((_, id) => id + 100_000),
  'a creation answers with an id that was there, and its reads show the tag': (foreign) => {
    let word: string | undefined;
    const lying = creations(({ collection }) => foreign[collection][0]);
    return async (exchange) => {
      const { seen, route } = exchange;
      word = /sc-\w+-\w+/.exec(`${seen.body.toString('latin1')} ${seen.url}`)?.[0] ?? word;
      const tag = word;
      const { collection = 'posts', id } = subjectOf(route) ?? {};
      const isForeign = id !== undefined && foreign[collection].includes(id);
      if (seen.method !== 'GET' || !isForeign || tag === undefined) return lying(exchange);
      exchange.send(turned(await exchange.forward(), (record) => marked(record, tag)));
    };
  },
  'a creation answers with an id that lists hide': (foreign) => {
    const lying = creations(({ collection }) => foreign[collection][0]);
    const hidden = Object.values(foreign).map(([first]) => first);
    const hiding = filtering(({ id }) => !hidden.some((one) => one === id));
    return (exchange) => (isList(exchange) ? hiding(exchange) : lying(exchange));
  },
  'a search shows the tag on records that were there': (foreign) =>
    answering((answer, exchange) => {
      const word = queryOf(exchange).get('search');
      const { collection = 'posts' } = subjectOf(exchange.route) ?? {};
      if (!isList(exchange) || word === null) return answer;
      const found = foreign[collection].slice(0, 3).map((id) => marked({ id }, word));
      return turnedJson(answer, (list) => (Array.isArray(list) ? [...found, ...list] : list));
    }),
  'the tag is kept in no text': () => async (exchange) => exchange.send(await withoutTag(exchange)),
  'a deletion answers 404 and does nothing': () => deletions(404),
  'a deletion answers 200 and does nothing': () => deletions(200),
  'a deletion answers 403': () => deletions(403),
  'a read still shows what is deleted': () => {
    const known = new Map<string, ProxyAnswer>();
    return answering((answer, { route, seen }) => {
      const { id, below } = subjectOf(route) ?? {};
      if (seen.method !== 'GET' || id === undefined || below !== '') return answer;
      if (answer.status === 200) known.set(route, answer);
      return known.get(route) ?? answer;
    });
  },
  'a batch claims to have deleted everything': () => (exchange) =>
    batchesDeletions(exchange) ? answerBatch(exchange, 200) : exchange.pass(),
  'a batch answers with the ids of other records': ({ posts: [id] }) =>
    answering((answer, exchange) =>
      turned(answer, (value) => {
        if (!isBatch(exchange) || !Array.isArray(value.responses)) return value;
        const responses = value.responses.map((part: unknown) =>
          isObject(part) && isObject(part.body) ? { ...part, body: { ...part.body, id } } : part,
        );
        return { ...value, responses };
      }),
    ),
  'the lists fail at the end': () => (exchange) =>
    isList(exchange) && isLastLook(exchange) ? exchange.json({ code: 'failed' }, 500) : exchange.pass(),
  'the lists hide statuses': () => {
    const hidden = ['draft', 'pending', 'private', 'future', 'trash'];
    const hiding = filtering(({ status }) => !hidden.includes(String(status)));
    return (exchange) => (isList(exchange) ? hiding(exchange) : exchange.pass());
  },
  'an update answers with another record': (foreign) =>
    answering((answer, { route, seen }) => {
      const { collection = 'posts', id, below } = subjectOf(route) ?? {};
      if (id === undefined || below !== '' || !['POST', 'PUT', 'PATCH'].includes(seen.method)) return answer;
      return turned(answer, (record) => ({ ...record, id: foreign[collection][0] }));
    }),
  'an autosave answers with another parent': (foreign) =>
    answering((answer, { route, seen }) => {
      const { collection = 'posts', below } = subjectOf(route) ?? {};
      if (seen.method !== 'POST' || below !== '/autosaves') return answer;
      return turned(answer, (record) => ({ ...record, parent: foreign[collection][0] }));
    }),
};

/** Lies about the id of a created record. @param choose the id to answer; undefined for the true one */
function creations(choose: (created: Subject, id: number) => number | undefined): Handler {
  return answering((answer, { route, seen }) => {
    const about = subjectOf(route);
    if (seen.method !== 'POST' || about === undefined || about.id !== undefined) return answer;
    return turned(answer, (record) =>
      typeof record.id === 'number' ? { ...record, id: choose(about, record.id) ?? record.id } : record,
    );
  });
}

/** Answers deletions, alone and in batches, without doing them. */
function deletions(status: number): Handler {
  return (exchange) => {
    if (batchesDeletions(exchange)) return answerBatch(exchange, status);
    const id = subjectOf(exchange.route)?.id;
    if (exchange.seen.method !== 'DELETE' || id === undefined) return exchange.pass();
    return exchange.json(status === 200 ? { deleted: true, previous: { id } } : REFUSED, status);
  };
}

const REFUSED = { code: 'no', message: 'No.' };

function isBatch({ route }: Exchange): boolean {
  return route.startsWith('/batch/');
}

function batchesDeletions(exchange: Exchange): boolean {
  return isBatch(exchange) && partsOf(exchange.seen).some(({ method }) => method === 'DELETE');
}

function answerBatch(exchange: Exchange, status: number): void {
  const body = status === 200 ? { deleted: true } : REFUSED;
  exchange.json({ responses: partsOf(exchange.seen).map(() => ({ status, headers: {}, body })) }, 207);
}

function isList({ seen, route }: Exchange): boolean {
  const about = subjectOf(route);
  return seen.method === 'GET' && about !== undefined && about.id === undefined;
}

function queryOf({ seen }: Exchange): URLSearchParams {
  return new URL(seen.url, 'http://127.0.0.1').searchParams;
}

/** Whether a request is a list of the clean-up: by the tag alone, or ids in every status in the edit context. */
function isLastLook(exchange: Exchange): boolean {
  const query = queryOf(exchange);
  if (/^sc-\w+-\w+$/.test(query.get('search') ?? '')) return true;
  const everyStatus = query.get('status')?.includes(',') === true;
  return query.has('include') && query.get('context') === 'edit' && everyStatus;
}

function filtering(keep: (record: UnknownObject) => boolean): Handler {
  return answering((answer) =>
    turnedJson(answer, (list) =>
      Array.isArray(list) ? list.filter((one: unknown) => isObject(one) && keep(one)) : list,
    ),
  );
}

function marked(record: UnknownObject, word: string): UnknownObject {
  const title = { raw: `${word}-1 title`, rendered: `${word}-1 title` };
  return { ...record, slug: `${word}-1`, title, content: { raw: word, rendered: word } };
}

/** The answer to a request without the tag in its texts and file name. */
function withoutTag(exchange: Exchange): Promise<ProxyAnswer> {
  const { method, url, headers, body } = exchange.seen;
  if (method === 'GET' || method === 'DELETE') return exchange.forward();
  const untagged = (text: string): string => text.replaceAll(/sc-[\w-]+/g, 'untagged');
  const { 'content-disposition': disposition, 'content-type': type = '' } = headers;
  return exchange.forward({
    url: untagged(url),
    headers: {
      ...headers,
      ...(disposition !== undefined && { 'content-disposition': untagged(disposition) }),
    },
    body: /json|urlencoded/.test(type) ? Buffer.from(untagged(body.toString('utf8'))) : body,
  });
}
