import { isObject, type UnknownObject } from '../../reference/json.ts';
import { type Description, type Exchange, family, type HostileServer } from '../server.ts';
import { actionOf, expecting, turned } from '../turns.ts';

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
export const STAGING: readonly HostileServer[] = family(
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
