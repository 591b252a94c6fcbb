import type { ProxyAnswer } from '../../proxy.ts';
import { type Exchange, family, type HostileServer, WRITING_CHECKS } from '../server.ts';
import { anyhow, conforms, evaluated, expecting, fails, failsSomehow, json, withHeaders } from '../turns.ts';

const EVERYTHING = 'everything but the index answers';
const denied = expecting([3], 'whole', 'unreached');
const page = Buffer.from('<!doctype html><title>Welcome</title>');

/** Servers that lie. */
export const LIES: readonly HostileServer[] = family('lies', {
  'denies-everything': denied.beyondIndex(`${EVERYTHING} 403`, json({}, 403)),
  'denies-everything-to-strangers': denied
    .but({ anonymous: true })
    .beyondIndex(`${EVERYTHING} 401`, json({}, 401)),
  'knows-nothing': failsSomehow.beyondIndex(`${EVERYTHING} 404`, json({}, 404)),
  'is-broken': failsSomehow.beyondIndex(`${EVERYTHING} 500`, json({}, 500)),
  'accepts-everything': fails.beyondIndex(`${EVERYTHING} 200 and an empty object`, json({})),
  'lists-nothing': fails.beyondIndex(`${EVERYTHING} 200 and an empty list`, json([])),
  'says-null': fails.beyondIndex(`${EVERYTHING} 200 and null`, json('null')),
  'says-nothing': fails.beyondIndex(`${EVERYTHING} 200 and nothing`, json('')),
  'shows-a-page': fails.beyondIndex(`${EVERYTHING} 200 and a page`, (exchange) =>
    exchange.send({ status: 200, headers: { 'content-type': 'text/html' }, body: page }),
  ),
  'echoes-arguments': fails.beyondIndex(`${EVERYTHING} with its arguments`, (exchange) => {
    const query = Object.fromEntries(new URLSearchParams(exchange.seen.url.replace(/^[^?]*\?/, '')));
    exchange.json([{ id: 1, ...query }]);
  }),
  'answers-at-random': failsSomehow.everywhere('one answer in three has a status at random', (exchange) => {
    if (exchange.route === '/' || exchange.nth % 3 !== 0) return exchange.pass();
    const statuses = [200, 204, 301, 400, 404, 418, 500, 502, 599];
    return exchange.json({}, statuses[(exchange.nth * 7) % statuses.length]);
  }),
  'answers-others': failsSomehow.remembering(
    'every request is answered with what the one before it asked for',
    answeringOthers,
  ),
  'ignores-arguments': failsSomehow.atLists('lists ignore all of their arguments', async (exchange) => {
    exchange.send(await exchange.forward({ url: `/index.php?rest_route=${exchange.route}` }));
  }),
  'another-index-every-time': evaluated.turningText(
    'the index is another one at every request',
    (text, { route, nth }) => (route === '/' ? text.replace('"name":"', `"name":"${nth} `) : text),
  ),
  'another-record-every-time': evaluated.turningRecords(
    'titles of records are others at every request',
    (record, { nth }) => ({ ...record, title: { rendered: `Title ${nth}` } }),
  ),
  'ids-at-random': anyhow.turningRecords('ids of records are others at every request', (record, { nth }) => ({
    ...record,
    id: Number(record.id) + nth * 1000,
  })),
  'a-clock-that-jumps': anyhow.turningAnswers(
    'dates, the one of the answer too, jump by centuries at every request',
    (answer, { nth }) => {
      const year = 1000 + ((nth * 397) % 9000);
      const text = answer.body.toString('utf8').replaceAll(/"\d{4}(-\d\d-\d\dT)/g, `"${year}$1`);
      const date = `Sat, 01 Jan ${year} 00:00:00 GMT`;
      return { ...answer, headers: { ...answer.headers, date }, body: Buffer.from(text) };
    },
  ),
  'totals-beyond-measure': anyhow.atLists(
    'lists say that they have 10^15 records on as many pages',
    async (exchange) => {
      const totals = { 'x-wp-total': '1000000000000000', 'x-wp-totalpages': '1000000000000000' };
      exchange.send(withHeaders(await exchange.forward(), totals));
    },
  ),
  'lists-without-an-end': anyhow.atLists('lists have another page after each', answerEndlessly),
  'lists-without-an-end-when-writing': expecting([0, 1, 3, 4], 'whole', 'early', 'unreached')
    .but({ mode: 'write', only: WRITING_CHECKS, hurried: true })
    .atLists('lists have another page after each, and records are written', answerEndlessly),
  'wrong-type': evaluated.turningAnswers('every answer claims to be a picture', (answer) =>
    withHeaders(answer, { 'content-type': 'image/png' }),
  ),
  'unstated-members': conforms.turningIndex(
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
