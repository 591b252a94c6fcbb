import type { Description, Exchange, ForwardedAnswer, HostileServer } from '../server.ts';
import { EXPECTED, family, WRITING_CHECKS } from '../server.ts';
import {
  atLists,
  beyondIndex,
  everywhere,
  remembering,
  turningAnswers,
  turningIndex,
  turningRecords,
  turningText,
  withHeaders,
} from '../turns.ts';

/** A site that answers everything but its index in one way. */
function everything(
  what: string,
  expected: Description['expected'],
  turn: (exchange: Exchange) => void,
): Description {
  return beyondIndex(`everything but the index answers ${what}`, expected, turn);
}

const DENIED: Description['expected'] = { codes: [3], endings: ['whole', 'unreached'] };

/** Servers that lie. */
export const LIES: readonly HostileServer[] = family('lies', {
  'denies-everything': everything('403', DENIED, (exchange) => exchange.json({}, 403)),
  'denies-everything-to-strangers': {
    ...everything('401', DENIED, (exchange) => exchange.json({}, 401)),
    anonymous: true,
  },
  'knows-nothing': everything('404', EXPECTED.failsSomehow, (exchange) => exchange.json({}, 404)),
  'is-broken': everything('500', EXPECTED.failsSomehow, (exchange) => exchange.json({}, 500)),
  'accepts-everything': everything('200 and an empty object', EXPECTED.fails, (exchange) =>
    exchange.json({}),
  ),
  'lists-nothing': everything('200 and an empty list', EXPECTED.fails, (exchange) => exchange.json([])),
  'says-null': everything('200 and null', EXPECTED.fails, (exchange) => exchange.json('null')),
  'says-nothing': everything('200 and nothing', EXPECTED.fails, (exchange) => exchange.json('')),
  'shows-a-page': everything('200 and a page', EXPECTED.fails, (exchange) =>
    exchange.send({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>Welcome</title>'),
    }),
  ),
  'echoes-arguments': everything('with its arguments', EXPECTED.fails, (exchange) => {
    const query = Object.fromEntries(new URLSearchParams(exchange.seen.url.replace(/^[^?]*\?/, '')));
    exchange.json([{ id: 1, ...query }]);
  }),
  'answers-at-random': everywhere(
    'one answer in three has a status at random',
    EXPECTED.failsSomehow,
    (exchange) => {
      if (exchange.route === '/' || exchange.nth % 3 !== 0) return exchange.pass();
      const statuses = [200, 204, 301, 400, 404, 418, 500, 502, 599];
      return exchange.json({}, statuses[(exchange.nth * 7) % statuses.length]);
    },
  ),
  'answers-others': remembering(
    'every request is answered with what the one before it asked for',
    EXPECTED.failsSomehow,
    answeringOthers,
  ),
  'ignores-arguments': atLists(
    'lists ignore all of their arguments',
    EXPECTED.failsSomehow,
    async (exchange) => {
      exchange.send(await exchange.forward({ url: `/index.php?rest_route=${exchange.route}` }));
    },
  ),
  'another-index-every-time': turningText(
    'the index is another one at every request',
    EXPECTED.evaluated,
    (text, { route, nth }) => (route === '/' ? text.replace('"name":"', `"name":"${nth} `) : text),
  ),
  'another-record-every-time': turningRecords(
    'titles of records are others at every request',
    EXPECTED.evaluated,
    (record, { nth }) => ({ ...record, title: { rendered: `Title ${nth}` } }),
  ),
  'ids-at-random': turningRecords(
    'ids of records are others at every request',
    EXPECTED.anyhow,
    (record, { nth }) => ({ ...record, id: Number(record.id) + nth * 1000 }),
  ),
  'a-clock-that-jumps': turningAnswers(
    'dates, the one of the answer too, jump by centuries at every request',
    EXPECTED.anyhow,
    (answer, { nth }) => {
      const year = 1000 + ((nth * 397) % 9000);
      const text = answer.body.toString('utf8').replaceAll(/"\d{4}(-\d\d-\d\dT)/g, `"${year}$1`);
      const date = `Sat, 01 Jan ${year} 00:00:00 GMT`;
      return { ...answer, headers: { ...answer.headers, date }, body: Buffer.from(text) };
    },
  ),
  'totals-beyond-measure': atLists(
    'lists say that they have 10^15 records on as many pages',
    EXPECTED.anyhow,
    async (exchange) => {
      const totals = { 'x-wp-total': '1000000000000000', 'x-wp-totalpages': '1000000000000000' };
      exchange.send(withHeaders(await exchange.forward(), totals));
    },
  ),
  'lists-without-an-end': atLists('lists have another page after each', EXPECTED.anyhow, answerEndlessly),
  'lists-without-an-end-when-writing': {
    mode: 'write',
    only: WRITING_CHECKS,
    hurried: true,
    ...atLists(
      'lists have another page after each, and records are written',
      { codes: [0, 1, 3, 4], endings: ['whole', 'early', 'unreached'] },
      answerEndlessly,
    ),
  },
  'wrong-type': turningAnswers('every answer claims to be a picture', EXPECTED.evaluated, (answer) =>
    withHeaders(answer, { 'content-type': 'image/png' }),
  ),
  'unstated-members': turningIndex(
    'the index has members that look like results of this suite',
    EXPECTED.conforms,
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
  let last: ForwardedAnswer | undefined;
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
