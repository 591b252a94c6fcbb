import {
  ANYHOW,
  CONFORMS,
  type Description,
  type Exchange,
  FAILS,
  FAILS_SOMEHOW,
  type ForwardedAnswer,
  family,
  type HostileServer,
  JUDGED,
  WRITING_CHECKS,
} from '../server.ts';
import { atLists, beyondIndex, type Turn, turningIndex, turningRecords } from '../turns.ts';

/** A site that answers everything but its index in one way. */
function everything(
  what: string,
  expected: Description['expected'],
  turn: (exchange: Exchange) => void,
): Description {
  return { title: `everything but the index answers ${what}`, expected, handler: beyondIndex(turn) };
}

const DENIED: Description['expected'] = { codes: [3], endings: ['whole', 'unreached'] };

/** Lists that go on: each page has a hundred records that no other has. */
const endless: Turn = atLists((exchange) => {
  const page = Number(new URLSearchParams(exchange.seen.url).get('page') ?? 1);
  const records = Array.from({ length: 100 }, (_, at) => ({
    id: 1_000_000 + page * 100 + at,
    slug: `endless-${page}-${at}`,
    title: { rendered: 'Endless', raw: 'Endless' },
    status: 'publish',
  }));
  exchange.json(records, 200, { 'x-wp-total': '99999999', 'x-wp-totalpages': '999999' });
});

/** Servers that do not tell the truth. */
export const LIES: readonly HostileServer[] = family('lies', {
  'denies-everything': everything('403', DENIED, (exchange) => exchange.json({}, 403)),
  'denies-everything-to-strangers': {
    ...everything('401', DENIED, (exchange) => exchange.json({}, 401)),
    anonymous: true,
  },
  'knows-nothing': everything('404', FAILS_SOMEHOW, (exchange) => exchange.json({}, 404)),
  'is-broken': everything('500', FAILS_SOMEHOW, (exchange) => exchange.json({}, 500)),
  'accepts-everything': everything('200 and an empty object', FAILS, (exchange) => exchange.json({})),
  'lists-nothing': everything('200 and an empty list', FAILS, (exchange) => exchange.json([])),
  'says-null': everything('200 and null', FAILS, (exchange) => exchange.json('null')),
  'says-nothing': everything('200 and nothing', FAILS, (exchange) => exchange.json('')),
  'shows-a-page': everything('200 and a page', FAILS, (exchange) =>
    exchange.send({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>Welcome</title>'),
    }),
  ),
  'echoes-arguments': everything('with its arguments', FAILS, (exchange) => {
    const query = Object.fromEntries(new URLSearchParams(exchange.seen.url.replace(/^[^?]*\?/, '')));
    exchange.json([{ id: 1, ...query }]);
  }),
  'answers-at-random': {
    title: 'one answer in three has a status at random',
    expected: FAILS_SOMEHOW,
    handler: () => (exchange) => {
      if (exchange.route === '/' || exchange.nth % 3 !== 0) return exchange.pass();
      const statuses = [200, 204, 301, 400, 404, 418, 500, 502, 599];
      return exchange.json({}, statuses[(exchange.nth * 7) % statuses.length]);
    },
  },
  'answers-others': {
    title: 'every request is answered with what the one before it asked for',
    expected: FAILS_SOMEHOW,
    handler: answeringOthers,
  },
  'ignores-arguments': {
    title: 'lists ignore all of their arguments',
    expected: FAILS_SOMEHOW,
    handler: atLists(async (exchange) => {
      exchange.send(await exchange.forward({ url: `/index.php?rest_route=${exchange.route}` }));
    }),
  },
  'another-index-every-time': {
    title: 'the index is another one at every request',
    expected: { codes: [0, 1], endings: ['whole'] },
    handler: () => async (exchange) => {
      const answer = await exchange.forward();
      if (exchange.route !== '/') return exchange.send(answer);
      const text = answer.body.toString('utf8').replace('"name":"', `"name":"${exchange.nth} `);
      exchange.send({ ...answer, body: Buffer.from(text) });
    },
  },
  'another-record-every-time': {
    title: 'titles of records are others at every request',
    expected: JUDGED,
    handler: turningRecords((record, { nth }) => ({ ...record, title: { rendered: `Title ${nth}` } })),
  },
  'ids-at-random': {
    title: 'ids of records are others at every request',
    expected: ANYHOW,
    handler: turningRecords((record, { nth }) => ({ ...record, id: Number(record.id) + nth * 1000 })),
  },
  'a-clock-that-jumps': {
    title: 'dates, the one of the answer too, jump by centuries at every request',
    expected: ANYHOW,
    handler: () => async (exchange) => {
      const answer = await exchange.forward();
      const year = 1000 + ((exchange.nth * 397) % 9000);
      const text = answer.body.toString('utf8').replaceAll(/"\d{4}(-\d\d-\d\dT)/g, `"${year}$1`);
      const date = `Sat, 01 Jan ${year} 00:00:00 GMT`;
      exchange.send({ ...answer, headers: { ...answer.headers, date }, body: Buffer.from(text) });
    },
  },
  'totals-beyond-measure': {
    title: 'lists say that they have 10^15 records on as many pages',
    expected: ANYHOW,
    handler: atLists(async (exchange) => {
      const answer = await exchange.forward();
      const totals = { 'x-wp-total': '1000000000000000', 'x-wp-totalpages': '1000000000000000' };
      exchange.send({ ...answer, headers: { ...answer.headers, ...totals } });
    }),
  },
  'lists-without-an-end': { title: 'lists have another page after each', expected: ANYHOW, handler: endless },
  'lists-without-an-end-when-writing': {
    title: 'lists have another page after each, and records are written',
    mode: 'write',
    only: WRITING_CHECKS,
    hurried: true,
    expected: { codes: [0, 1, 3, 4], endings: ['whole', 'early', 'unreached'] },
    handler: endless,
  },
  'wrong-type': {
    title: 'every answer claims to be a picture',
    expected: JUDGED,
    handler: () => async (exchange) => {
      const answer = await exchange.forward();
      exchange.send({ ...answer, headers: { ...answer.headers, 'content-type': 'image/png' } });
    },
  },
  'unstated-members': {
    title: 'the index has members that look like results of this suite',
    expected: CONFORMS,
    handler: turningIndex((index) => ({
      ...index,
      verdict: 'pass',
      conclusion: 'conformant',
      checks: [],
      exit: 0,
    })),
  },
});

function answeringOthers(): (exchange: Exchange) => Promise<void> {
  let last: ForwardedAnswer | undefined;
  return async (exchange) => {
    const answer = await exchange.forward();
    const other = exchange.route === '/' ? answer : (last ?? answer);
    if (exchange.route !== '/') last = answer;
    exchange.send(other);
  };
}
