import { isObject, type UnknownObject } from '../../reference/json.ts';
import { type Description, type Exchange, type Expected, family, type HostileServer } from '../server.ts';
import { eachRecord, turned, wishOf } from '../turns.ts';

/** Whatever is said of it, nothing may stay unsaid and nothing else may be touched. */
const LISTED: Expected = { codes: [0, 1, 4], endings: ['whole', 'early'] };

const RECORDS = /^\/cms\/v2\/(?:posts|pages|media)(?:\/\d+)?$/;

/** A site that answers batches and creations in another way. */
function staged(title: string, turn: (exchange: Exchange) => void | Promise<void>): Description {
  return {
    title,
    expected: LISTED,
    handler: () => (exchange) =>
      ['create', 'batch'].includes(wishOf(exchange)) ? turn(exchange) : exchange.pass(),
  };
}

/** The answer with the bodies of the parts of a batch, or with the one record of a creation, turned. */
function turningMade(
  turn: (record: UnknownObject, at: number) => UnknownObject,
): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
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
  };
}

/** Sites that lie while a run makes the records which its checks need. */
export const STAGING: readonly HostileServer[] = family(
  'staging',
  {
    'answers-foreign-ids': staged(
      'creations and parts of batches answer records that were there before',
      turningMade((record, at) => ({ ...record, id: at + 1 })),
    ),
    'answers-one-id': staged(
      'all creations and all parts of batches answer the id of the first',
      (() => {
        let first: unknown;
        return turningMade((record) => {
          first ??= record.id;
          return { ...record, id: first };
        });
      })(),
    ),
    'answers-parts-in-disorder': {
      title: 'batches answer the parts in the opposite order',
      expected: LISTED,
      handler: () => async (exchange) => {
        const answer = await exchange.forward();
        if (wishOf(exchange) !== 'batch') return exchange.send(answer);
        exchange.send(
          turned(answer, (value) => ({
            ...value,
            responses: Array.isArray(value.responses) ? value.responses.toReversed() : value.responses,
          })),
        );
      },
    },
    'makes-more-than-asked': staged(
      'every creation and every batch is carried out ten times',
      async (exchange) => {
        for (let time = 1; time < 10; time += 1) await exchange.forward();
        await exchange.pass();
      },
    ),
    'keeps-what-came-first': {
      title: 'the first twenty records that are made are never deleted',
      expected: { codes: [1, 4], endings: ['whole', 'early'] },
      handler: () => {
        const kept = new Set<string>();
        return async (exchange) => {
          const wish = wishOf(exchange);
          const id = /\/(\d+)$/.exec(exchange.route)?.[1] ?? '';
          if (wish === 'delete' && kept.has(id)) return exchange.json({ code: 'kept' }, 403);
          if (wish === 'batch' && exchange.seen.body.includes('"DELETE"')) return exchange.json({}, 500);
          const answer = await exchange.forward();
          if (wish === 'create' && kept.size < 20) {
            const made = /"id":(\d+)/.exec(answer.body.toString('latin1'))?.[1];
            if (made !== undefined) kept.add(made);
          }
          exchange.send(answer);
        };
      },
    },
    'shows-other-tags': {
      title: 'records show the tag of another run in place of their own',
      expected: LISTED,
      handler: () => async (exchange) => {
        const answer = await exchange.forward();
        if (!RECORDS.test(exchange.route)) return exchange.send(answer);
        const text = answer.body
          .toString('latin1')
          .replaceAll(/sc-\d{14}-[0-9a-f]{6}/g, 'sc-20200101000000-abcdef');
        exchange.send({ ...answer, body: Buffer.from(text, 'latin1') });
      },
    },
    'publishes-everything': {
      title: 'every record that is made shows as sticky, without an author, of long ago',
      expected: LISTED,
      handler: () => async (exchange) =>
        exchange.send(
          RECORDS.test(exchange.route)
            ? eachRecord(await exchange.forward(), (record) => ({
                ...record,
                sticky: true,
                author: 0,
                date: '0001-01-01T00:00:00',
                date_gmt: null,
              }))
            : await exchange.forward(),
        ),
    },
  },
  {
    mode: 'write',
    only: ['posts.list/**', 'pages.list/**', 'media.list/**', 'posts.create/{record,once}', 'batch/one'],
    further: ['--stage', 'always'],
  },
);
