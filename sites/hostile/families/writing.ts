import type { ProxyAnswer } from '../../proxy.ts';
import { isObject, type UnknownObject } from '../../reference/json.ts';
import {
  actionOf,
  answering,
  type Exchange,
  eachRecord,
  type Handler,
  isList,
  json,
  partsOf,
  subjectOf,
  turned,
  turnedJson,
} from '../exchange.ts';
import { type Description, expecting, family, type HostileServer, runs, WRITING_CHECKS } from '../server.ts';

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

/** Some records remain, whatever the answers say. */
const leaves = expecting([1, 4], 'whole', 'early');
/** What was made before the first deletion may remain, and nothing else is made. */
const stops = expecting([3, 4], 'early', 'unreached');
/** Whatever the answers say, nothing may remain, and nothing else may be touched. */
const either = expecting([0, 1], 'whole', 'early');

/** Sites of any vocabulary that lie about ids, tags and deletions. */
export const LIARS: readonly HostileServer[] = family(
  'liars',
  {
    'foreign-ids': runs.failsSomehow.remembering(
      'a creation answers with an id that was there',
      ({ foreign }) => creations(({ collection }) => foreign[collection][0]),
    ),
    'foreign-ids-of-uploads': runs.failsSomehow.remembering(
      'an upload answers with an id that was there',
      ({ foreign }) => creations(({ collection }) => (collection === 'media' ? foreign.media[0] : undefined)),
    ),
    'ids-before': runs.failsSomehow.remembering('a creation answers with the id of the one before', () => {
      const before = new Map<string, number>();
      return creations(({ collection }, id) => {
        const last = before.get(collection);
        before.set(collection, id);
        return last;
      });
    }),
    'ids-of-nothing': runs.failsSomehow.everywhere(
      'a creation answers with an id that is nowhere',
      creations((_, id) => id + 100_000),
    ),
    'foreign-ids-with-the-tag': runs.failsSomehow.remembering(
      'a creation answers with an id that was there, and its reads show the tag',
      ({ foreign }) => {
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
    ),
    'hidden-foreign-ids': leaves.remembering(
      'a creation answers with an id that lists hide',
      ({ foreign }) => {
        const lying = creations(({ collection }) => foreign[collection][0]);
        const hidden = Object.values(foreign).map(([first]) => first);
        const hiding = filtering(({ id }) => !hidden.some((one) => one === id));
        return (exchange) => (isList(exchange) ? hiding(exchange) : lying(exchange));
      },
    ),
    // The answer to a search for own records is only a control: without it, nothing is concluded.
    'tag-on-foreign-records': either.remembering(
      'a search shows the tag on records that were there',
      ({ foreign }) =>
        answering((answer, exchange) => {
          const word = queryOf(exchange).get('search');
          const { collection = 'posts' } = subjectOf(exchange.route) ?? {};
          if (!isList(exchange) || word === null) return answer;
          const found = foreign[collection].slice(0, 3).map((id) => marked({ id }, word));
          return turnedJson(answer, (list) => (Array.isArray(list) ? [...found, ...list] : list));
        }),
    ),
    'no-tag': leaves.everywhere('the tag is kept in no text', async (exchange) =>
      exchange.send(await withoutTag(exchange)),
    ),
    'deletions-are-denied': deletions(403, stops),
    'deletions-are-not-found': deletions(404),
    'deletions-do-nothing': deletions(200),
    'shows-the-deleted': leaves.remembering('a read still shows what is deleted', () => {
      const known = new Map<string, ProxyAnswer>();
      return answering((answer, { route, seen }) => {
        const { id, below } = subjectOf(route) ?? {};
        if (seen.method !== 'GET' || id === undefined || below !== '') return answer;
        if (answer.status === 200) known.set(route, answer);
        return known.get(route) ?? answer;
      });
    }),
    'batches-delete-nothing': runs.failsSomehow.where(
      'a batch claims to have deleted everything',
      batchesDeletions,
      (exchange) => answerBatch(exchange, 200),
    ),
    'batches-of-others': either.remembering(
      'a batch answers with the ids of other records',
      ({
        foreign: {
          posts: [id],
        },
      }) =>
        answering((answer, exchange) =>
          turned(answer, (value) => {
            if (!isBatch(exchange) || !Array.isArray(value.responses)) return value;
            const responses = value.responses.map((part: unknown) =>
              isObject(part) && isObject(part.body) ? { ...part, body: { ...part.body, id } } : part,
            );
            return { ...value, responses };
          }),
        ),
    ),
    'lists-fail-at-the-end': leaves.where(
      'the lists fail at the end',
      (exchange) => isList(exchange) && isLastLook(exchange),
      (exchange) => exchange.json({ code: 'failed' }, 500),
    ),
    'lists-hide-statuses': runs.failsSomehow.where(
      'the lists hide statuses',
      isList,
      filtering(({ status }) => !['draft', 'pending', 'private', 'future', 'trash'].includes(String(status))),
    ),
    'updates-of-others': runs.failsSomehow.remembering(
      'an update answers with another record',
      ({ foreign }) =>
        answering((answer, { route, seen }) => {
          const { collection = 'posts', id, below } = subjectOf(route) ?? {};
          if (id === undefined || below !== '' || !['POST', 'PUT', 'PATCH'].includes(seen.method))
            return answer;
          return turned(answer, (record) => ({ ...record, id: foreign[collection][0] }));
        }),
    ),
    'autosaves-of-others': runs.failsSomehow.remembering(
      'an autosave answers with another parent',
      ({ foreign }) =>
        answering((answer, { route, seen }) => {
          const { collection = 'posts', below } = subjectOf(route) ?? {};
          if (seen.method !== 'POST' || below !== '/autosaves') return answer;
          return turned(answer, (record) => ({ ...record, parent: foreign[collection][0] }));
        }),
    ),
  },
  { mode: 'write', only: LIED_TO },
);

/** Lies about the id of a created record. @param choose the id to answer; undefined for the true one */
function creations(
  choose: (created: NonNullable<ReturnType<typeof subjectOf>>, id: number) => number | undefined,
): Handler {
  return answering((answer, { route, seen }) => {
    const about = subjectOf(route);
    if (seen.method !== 'POST' || about === undefined || about.id !== undefined) return answer;
    return turned(answer, (record) =>
      typeof record.id === 'number' ? { ...record, id: choose(about, record.id) ?? record.id } : record,
    );
  });
}

/** Answers deletions, alone and in batches, without doing them. */
function deletions(status: number, servers = leaves): Description {
  return servers.everywhere(`a deletion answers ${status} and does nothing`, (exchange) => {
    if (batchesDeletions(exchange)) return answerBatch(exchange, status);
    const id = subjectOf(exchange.route)?.id;
    if (exchange.seen.method !== 'DELETE' || id === undefined) return exchange.pass();
    return exchange.json(status === 200 ? { deleted: true, previous: { id } } : REFUSED, status);
  });
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

const passing: Handler = (exchange) => exchange.pass();
const silent: Handler = () => undefined;
const mayBeDenied = expecting([0, 1, 3], 'whole', 'early');
/** Requests without an answer fail, and their records are found or listed. */
const unanswered = expecting([1, 3, 4], 'whole', 'early');

function to(...actions: readonly ReturnType<typeof actionOf>[]): (exchange: Exchange) => boolean {
  return (exchange) => actions.includes(actionOf(exchange));
}

function creating(turn: Handler): Handler {
  return async (exchange) => {
    await exchange.forward();
    await turn(exchange);
  };
}

/** Creations that are carried out, and answered otherwise. */
function creates(title: string, turn: Handler, servers = runs.failsSomehow): Description {
  return servers.where(title, to('create'), creating(turn));
}

function answersId(what: string, id: (real: number) => unknown): Description {
  return runs.failsSomehow.where(`creations answer ${what} as the id`, to('create'), async (exchange) =>
    exchange.send(turned(await exchange.forward(), (record) => ({ ...record, id: id(Number(record.id)) }))),
  );
}

/** Servers that lie about writes: about ids, tags, deletions and results. */
export const WRITING: readonly HostileServer[] = family(
  'writing',
  {
    'creation-answers-no-id': answersId('nothing', () => undefined),
    'creation-answers-a-text': answersId('a text', (real) => String(real)),
    'creation-answers-a-path': answersId('a path to a foreign record', (real) => `${real}/../1`),
    'creation-answers-zero': answersId('zero', () => 0),
    'creation-answers-a-negative-id': answersId('a negative number', (real) => -real),
    'creation-answers-a-fraction': answersId('a fraction that rounds to a foreign one', () => 1.4),
    'creation-answers-a-huge-id': answersId('10^21', () => 1e21),
    'creation-creates-nothing': runs.failsSomehow.where(
      'creations answer a foreign record as their own, and create nothing',
      to('create'),
      async (exchange) => {
        const url = '/?rest_route=/cms/v2/posts/1&context=edit';
        const foreign = await exchange.forward({ method: 'GET', url, body: Buffer.of() });
        const tag = tagIn(exchange) ?? '';
        const own = turned(foreign, (record) => ({
          ...record,
          slug: tag,
          title: { raw: tag, rendered: tag },
        }));
        exchange.send({ ...own, status: 201 });
      },
    ),
    'creation-creates-twice': creates('every creation creates two records', passing, either),
    'creation-fails-and-creates': creates('creations answer 500 and create', json({}, 500)),
    'creation-is-denied-and-creates': creates('creations answer 403 and create', json({}, 403), mayBeDenied),
    'creation-is-never-answered': creates('creations create and are never answered', silent, unanswered),
    'deletion-is-gone': deletions(410),
    'deletion-breaks': deletions(500),
    'deletion-is-throttled': deletions(429),
    'deletion-goes-to-the-trash': leaves.where(
      'deletions for good go to the trash',
      to('delete', 'batch'),
      async (exchange) => {
        if (actionOf(exchange) === 'batch') return exchange.json({}, 500);
        const url = exchange.seen.url.replace('force=true', 'force=false');
        exchange.send(await exchange.forward({ url }));
      },
    ),
    'deletion-hangs': leaves.where('deletions are never answered', to('delete'), silent),
    'batch-does-nothing': runs.failsSomehow.where(
      'batches say that all is done, and do nothing',
      to('batch'),
      (exchange) => {
        const part = (at: number): object => ({
          status: 200,
          headers: {},
          body: { id: at + 1, deleted: true },
        });
        exchange.json({ responses: partsOf(exchange.seen).map((_, at) => part(at)) }, 207);
      },
    ),
    'tag-everywhere': runs.failsSomehow.remembering(
      'every record carries the tag of the run once it is known',
      taggingForeign,
    ),
    'search-finds-nothing': either.where(
      'searches find nothing',
      ({ seen }) => seen.method === 'GET' && seen.url.includes('search='),
      json([]),
    ),
    'gone-after-ten-creations': leaves.remembering('nothing is answered after ten creations', () => {
      let created = 0;
      return (exchange) => {
        if (actionOf(exchange) === 'create') created += 1;
        return created > 10 ? undefined : exchange.pass();
      };
    }),
  },
  { mode: 'write', only: WRITING_CHECKS },
);

function tagIn({ seen }: Exchange): string | undefined {
  const text = `${seen.url} ${seen.body.subarray(0, 100_000).toString('latin1')}`;
  return /\bsc-\d{14}-[0-9a-f]+/.exec(text)?.[0];
}

/** Shows the tag of the run on records of others. */
function taggingForeign(): (exchange: Exchange) => Promise<void> {
  let tag: string | undefined;
  return async (exchange) => {
    tag = tagIn(exchange) ?? tag;
    if (tag === undefined || exchange.route === '/') return exchange.pass();
    // Without the search, so that everything is found.
    const answer = await exchange.forward({ url: exchange.seen.url.replace(/&search=[^&]*/, '') });
    const word = `${tag}-9`;
    exchange.send(
      eachRecord(answer, (record) => ({ ...record, slug: word, title: { raw: word, rendered: word } })),
    );
  };
}
