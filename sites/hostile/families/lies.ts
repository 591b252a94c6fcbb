import type { ProxyAnswer } from '../../proxy.ts';
import { isObject, type UnknownObject } from '../../reference/json.ts';
import { actionOf, type Exchange, json, turned, withHeaders } from '../exchange.ts';
import { type Description, expecting, family, type HostileServer, runs, WRITING_CHECKS } from '../server.ts';

const EVERYTHING = 'everything but the index answers';
const denied = expecting([3], 'whole', 'unreached');
const page = Buffer.from('<!doctype html><title>Welcome</title>');

/** Servers that lie. */
const READ: readonly HostileServer[] = family('lies', {
  'denies-everything': denied.beyondIndex(`${EVERYTHING} 403`, json({}, 403)),
  'denies-everything-to-strangers': denied
    .but({ anonymous: true })
    .beyondIndex(`${EVERYTHING} 401`, json({}, 401)),
  'knows-nothing': runs.failsSomehow.beyondIndex(`${EVERYTHING} 404`, json({}, 404)),
  'is-broken': runs.failsSomehow.beyondIndex(`${EVERYTHING} 500`, json({}, 500)),
  'accepts-everything': runs.fails.beyondIndex(`${EVERYTHING} 200 and an empty object`, json({})),
  'lists-nothing': runs.fails.beyondIndex(`${EVERYTHING} 200 and an empty list`, json([])),
  'says-null': runs.fails.beyondIndex(`${EVERYTHING} 200 and null`, json('null')),
  'says-nothing': runs.fails.beyondIndex(`${EVERYTHING} 200 and nothing`, json('')),
  'shows-a-page': runs.fails.beyondIndex(`${EVERYTHING} 200 and a page`, (exchange) =>
    exchange.send({ status: 200, headers: { 'content-type': 'text/html' }, body: page }),
  ),
  'echoes-arguments': runs.fails.beyondIndex(`${EVERYTHING} with its arguments`, (exchange) => {
    const query = Object.fromEntries(new URLSearchParams(exchange.seen.url.replace(/^[^?]*\?/, '')));
    exchange.json([{ id: 1, ...query }]);
  }),
  'answers-at-random': runs.failsSomehow.everywhere(
    'one answer in three has a status at random',
    (exchange) => {
      if (exchange.route === '/' || exchange.nth % 3 !== 0) return exchange.pass();
      const statuses = [200, 204, 301, 400, 404, 418, 500, 502, 599];
      return exchange.json({}, statuses[(exchange.nth * 7) % statuses.length]);
    },
  ),
  'answers-others': runs.failsSomehow.remembering(
    'every request is answered with what the one before it asked for',
    answeringOthers,
  ),
  'ignores-arguments': runs.failsSomehow.atLists('lists ignore all of their arguments', async (exchange) => {
    exchange.send(await exchange.forward({ url: `/index.php?rest_route=${exchange.route}` }));
  }),
  'another-index-every-time': runs.evaluated.turningText(
    'the index is another one at every request',
    (text, { route, nth }) => (route === '/' ? text.replace('"name":"', `"name":"${nth} `) : text),
  ),
  'another-record-every-time': runs.evaluated.turningRecords(
    'titles of records are others at every request',
    (record, { nth }) => ({ ...record, title: { rendered: `Title ${nth}` } }),
  ),
  'ids-at-random': runs.anyhow.turningRecords(
    'ids of records are others at every request',
    (record, { nth }) => ({
      ...record,
      id: Number(record.id) + nth * 1000,
    }),
  ),
  'a-clock-that-jumps': runs.anyhow.turningAnswers(
    'dates, the one of the answer too, jump by centuries at every request',
    (answer, { nth }) => {
      const year = 1000 + ((nth * 397) % 9000);
      const text = answer.body.toString('utf8').replaceAll(/"\d{4}(-\d\d-\d\dT)/g, `"${year}$1`);
      const date = `Sat, 01 Jan ${year} 00:00:00 GMT`;
      return { ...answer, headers: { ...answer.headers, date }, body: Buffer.from(text) };
    },
  ),
  'totals-beyond-measure': runs.anyhow.atLists(
    'lists say that they have 10^15 records on as many pages',
    async (exchange) => {
      const totals = { 'x-wp-total': '1000000000000000', 'x-wp-totalpages': '1000000000000000' };
      exchange.send(withHeaders(await exchange.forward(), totals));
    },
  ),
  'lists-without-an-end': runs.anyhow.atLists('lists have another page after each', answerEndlessly),
  'lists-without-an-end-when-writing': expecting([0, 1, 3, 4], 'whole', 'early', 'unreached')
    .but({ mode: 'write', only: WRITING_CHECKS, hurried: true })
    .atLists('lists have another page after each, and records are written', answerEndlessly),
  'wrong-type': runs.evaluated.turningAnswers('every answer claims to be a picture', (answer) =>
    withHeaders(answer, { 'content-type': 'image/png' }),
  ),
  'unstated-members': runs.conforms.turningIndex(
    'the index has members that look like results of this suite',
    (index) => ({
      ...index,
      verdict: 'pass',
      conclusion: 'conformant',
      checks: [],
      exit: 0,
    }),
  ),
});

function answeringOthers(): (exchange: Exchange) => Promise<void> {
  let last: ProxyAnswer | undefined;
  return async (exchange) => {
    const answer = await exchange.forward();
    const other = exchange.route === '/' ? answer : (last ?? answer);
    if (exchange.route !== '/') last = answer;
    exchange.send(other);
  };
}

/** Each page has a hundred new records. */
function answerEndlessly(exchange: Exchange): void {
  const page = Number(new URLSearchParams(exchange.seen.url).get('page') ?? 1);
  const records = Array.from({ length: 100 }, (_, at) => ({
    id: 1_000_000 + page * 100 + at,
    slug: `endless-${page}-${at}`,
    title: { rendered: 'Endless', raw: 'Endless' },
    status: 'publish',
  }));
  exchange.json(records, 200, { 'x-wp-total': '99999999', 'x-wp-totalpages': '999999' });
}

/** Whatever the answers say, everything that remains must be listed, and nothing else touched. */
const listed = expecting([0, 1, 4], 'whole', 'early');

const RECORDS = /^\/cms\/v2\/(?:posts|pages|media)(?:\/\d+)?$/;

function staged(title: string, turn: (exchange: Exchange) => void | Promise<void>): Description {
  return listed.where(title, (exchange) => ['create', 'batch'].includes(actionOf(exchange)), turn);
}

/** A site that changes the bodies of the parts of a batch, or the record of a creation. */
function made(title: string, turn: (record: UnknownObject, at: number) => UnknownObject): Description {
  return staged(title, async (exchange) => {
    const answer = await exchange.forward();
    exchange.send(
      turned(answer, (value) => {
        if (!Array.isArray(value.responses)) return turn(value, 0);
        const responses = value.responses.map((part: unknown, at: number) =>
          isObject(part) && isObject(part.body) ? { ...part, body: turn(part.body, at) } : part,
        );
        return { ...value, responses };
      }),
    );
  });
}

/** Sites that lie while a run creates its fixtures. */
const STAGING: readonly HostileServer[] = family(
  'staging',
  {
    'answers-foreign-ids': made(
      'creations and parts of batches answer records that were there before',
      (record, at) => ({ ...record, id: at + 1 }),
    ),
    'answers-one-id': listed.remembering(
      'all creations and all parts of batches answer the id of the first',
      (context) => {
        let first: unknown;
        const server = made('', (record) => {
          first ??= record.id;
          return { ...record, id: first };
        });
        return server.handler(context);
      },
    ),
    'answers-parts-in-disorder': listed.turningAnswers(
      'batches answer the parts in the opposite order',
      (answer, exchange) =>
        actionOf(exchange) === 'batch'
          ? turned(answer, (value) => ({
              ...value,
              responses: Array.isArray(value.responses) ? value.responses.toReversed() : value.responses,
            }))
          : answer,
    ),
    'makes-more-than-asked': staged(
      'every creation and every batch is carried out ten times',
      async (exchange) => {
        for (let time = 1; time < 10; time += 1) await exchange.forward();
        await exchange.pass();
      },
    ),
    'keeps-what-came-first': expecting([1, 4], 'whole', 'early').remembering(
      'the first twenty records that are made are never deleted',
      () => {
        const kept = new Set<string>();
        return async (exchange) => {
          const action = actionOf(exchange);
          const id = /\/(\d+)$/.exec(exchange.route)?.[1] ?? '';
          if (action === 'delete' && kept.has(id)) return exchange.json({ code: 'kept' }, 403);
          if (action === 'batch' && exchange.seen.body.includes('"DELETE"')) return exchange.json({}, 500);
          const answer = await exchange.forward();
          if (action === 'create' && kept.size < 20) {
            const made = /"id":(\d+)/.exec(answer.body.toString('latin1'))?.[1];
            if (made !== undefined) kept.add(made);
          }
          exchange.send(answer);
        };
      },
    ),
    'shows-other-tags': listed.turningText(
      'records show the tag of another run in place of their own',
      (text, { route }) =>
        RECORDS.test(route) ? text.replaceAll(/sc-\d{14}-[0-9a-f]{6}/g, 'sc-20200101000000-abcdef') : text,
    ),
    'publishes-everything': listed.turningRecords(
      'every record that is made shows as sticky, without an author, of long ago',
      (record, { route }) =>
        RECORDS.test(route)
          ? { ...record, sticky: true, author: 0, date: '0001-01-01T00:00:00', date_gmt: null }
          : record,
    ),
  },
  {
    mode: 'write',
    only: ['posts.list/**', 'pages.list/**', 'media.list/**', 'posts.create/{record,once}', 'batch/one'],
    further: ['--stage', 'always'],
  },
);

/** Servers that lie to reads, or while fixtures are created. */
export const LIES: readonly HostileServer[] = [...READ, ...STAGING];
