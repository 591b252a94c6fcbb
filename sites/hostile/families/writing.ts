import {
  type Description,
  type Exchange,
  type Expected,
  family,
  type Handler,
  type HostileServer,
  WRITING_CHECKS,
} from '../server.ts';
import { eachRecord, everywhere, tagIn, turned, type Wish, where, wishOf } from '../turns.ts';

/** Something failed; records may be left, and are then listed. */
const WRONG: Expected = { codes: [1], endings: ['whole', 'early'] };
/** Records are left, whatever else is said. */
const LEAVES: Expected = { codes: [1, 4], endings: ['whole', 'early'] };
/** What nobody answers fails, and what it made is found or listed. */
const UNANSWERED: Expected = { codes: [1, 3, 4], endings: ['whole', 'early'] };
/** Whatever is said of it, nothing may stay and nothing else may be touched. */
const EITHER: Expected = { codes: [0, 1], endings: ['whole', 'early'] };

/** A site that is written to, and that answers some wishes in another way. */
function writing(
  title: string,
  expected: Expected,
  wishes: Wish | readonly Wish[],
  turn: Handler,
): Description {
  return where(title, expected, (exchange) => [wishes].flat().includes(wishOf(exchange)), turn);
}

/** A site on which deletions are answered without being done. */
function keeps(how: string, status: number, expected: Expected = LEAVES): Description {
  return writing(
    `deletions are ${how} and nothing is deleted, in batches too`,
    expected,
    ['delete', 'batch'],
    (exchange) => {
      if (wishOf(exchange) === 'delete') return exchange.json({ deleted: status === 200 }, status);
      return exchange.seen.body.includes('"DELETE"')
        ? exchange.json(
            { responses: Array.from({ length: 25 }, () => ({ status, body: {}, headers: {} })) },
            207,
          )
        : exchange.pass();
    },
  );
}

/** A site that creates and answers another id. */
function answersId(what: string, expected: Expected, id: (real: number) => unknown): Description {
  return writing(`creations answer ${what} as the id`, expected, 'create', async (exchange) => {
    exchange.send(turned(await exchange.forward(), (record) => ({ ...record, id: id(Number(record.id)) })));
  });
}

/** Servers that lie to whoever writes: about ids, tags, deletions and what has been done. */
export const WRITING: readonly HostileServer[] = family(
  'writing',
  {
    'creation-answers-a-foreign-id': answersId('one that was there before', WRONG, () => 1),
    'creation-answers-foreign-ids-in-turn': answersId(
      'ever others that were there before',
      WRONG,
      (real) => (real % 20) + 1,
    ),
    'creation-answers-the-id-before': answersId(
      'the one that the creation before had',
      WRONG,
      (real) => real - 1,
    ),
    'creation-answers-one-id': answersId('always one and the same', WRONG, () => 1_000_000),
    'creation-answers-no-id': answersId('nothing', WRONG, () => undefined),
    'creation-answers-a-text': answersId('a text', WRONG, (real) => String(real)),
    'creation-answers-a-path': answersId('a path to a foreign record', WRONG, (real) => `${real}/../1`),
    'creation-answers-zero': answersId('zero', WRONG, () => 0),
    'creation-answers-a-negative-id': answersId('a negative number', WRONG, (real) => -real),
    'creation-answers-a-fraction': answersId('a fraction that rounds to a foreign one', WRONG, () => 1.4),
    'creation-answers-a-huge-id': answersId('10^21', WRONG, () => 1e21),
    'creation-creates-nothing': writing(
      'creations answer a foreign record as their own, and create nothing',
      WRONG,
      'create',
      async (exchange) => {
        const foreign = await exchange.forward({
          method: 'GET',
          url: '/?rest_route=/cms/v2/posts/1&context=edit',
          body: Buffer.of(),
        });
        const tag = tagIn(exchange) ?? '';
        exchange.send({
          ...turned(foreign, (record) => ({ ...record, slug: tag, title: { raw: tag, rendered: tag } })),
          status: 201,
        });
      },
    ),
    'creation-creates-twice': writing(
      'every creation creates two records',
      EITHER,
      'create',
      async (exchange) => {
        await exchange.forward();
        await exchange.pass();
      },
    ),
    'creation-fails-and-creates': writing(
      'creations answer 500 and create',
      WRONG,
      'create',
      async (exchange) => {
        await exchange.forward();
        exchange.json({}, 500);
      },
    ),
    'creation-is-denied-and-creates': writing(
      'creations answer 403 and create',
      { codes: [0, 1, 3], endings: ['whole', 'early'] },
      'create',
      async (exchange) => {
        await exchange.forward();
        exchange.json({}, 403);
      },
    ),
    'creation-is-never-answered': writing(
      'creations create and are never answered',
      UNANSWERED,
      'create',
      async (exchange) => {
        await exchange.forward();
      },
    ),
    'deletion-does-nothing': keeps('answered with 200', 200),
    'deletion-is-not-found': keeps('answered with 404', 404),
    'deletion-is-gone': keeps('answered with 410', 410),
    'deletion-is-denied': keeps('answered with 403', 403),
    'deletion-breaks': keeps('answered with 500', 500),
    'deletion-is-throttled': keeps('answered with 429', 429),
    'deletion-goes-to-the-trash': writing(
      'deletions for good go to the trash',
      LEAVES,
      ['delete', 'batch'],
      async (exchange) => {
        if (wishOf(exchange) === 'batch') return exchange.json({}, 500);
        exchange.send(
          await exchange.forward({ url: exchange.seen.url.replace('force=true', 'force=false') }),
        );
      },
    ),
    'deletion-hangs': writing('deletions are never answered', LEAVES, 'delete', () => undefined),
    'batch-does-nothing': writing(
      'batches say that all is done, and do nothing',
      WRONG,
      'batch',
      (exchange) =>
        exchange.json(
          {
            responses: Array.from({ length: 25 }, (_, at) => ({
              status: 200,
              body: { id: at + 1, deleted: true },
              headers: {},
            })),
          },
          207,
        ),
    ),
    'update-answers-another-record': writing(
      'updates answer another record',
      WRONG,
      'update',
      async (exchange) => {
        await exchange.forward();
        exchange.send(
          await exchange.forward({
            method: 'GET',
            url: '/?rest_route=/cms/v2/posts/1&context=edit',
            body: Buffer.of(),
          }),
        );
      },
    ),
    'tag-on-foreign-records': {
      title: 'searches for the tag of the run find every record, each with the tag',
      expected: WRONG,
      handler: () => taggingForeign('search'),
    },
    'tag-everywhere': {
      title: 'every record carries the tag of the run once it is known',
      expected: WRONG,
      handler: () => taggingForeign('always'),
    },
    'tag-is-not-kept': everywhere('no record shows the tag of the run', WRONG, async (exchange) => {
      const answer = await exchange.forward();
      const text = answer.body.toString('latin1').replaceAll(/sc-\d{14}-[0-9a-f]+/g, 'untagged');
      exchange.send({ ...answer, body: Buffer.from(text, 'latin1') });
    }),
    'search-finds-nothing': everywhere('searches find nothing', EITHER, (exchange) =>
      exchange.seen.method === 'GET' && exchange.seen.url.includes('search=')
        ? exchange.json([])
        : exchange.pass(),
    ),
    'lists-fail-at-the-end': {
      title: 'lists answer 500 once something has been deleted',
      expected: LEAVES,
      handler: failingAfterDeletion,
    },
    'gone-after-ten-creations': {
      title: 'nothing is answered after ten creations',
      expected: LEAVES,
      handler: () => {
        let created = 0;
        return (exchange) => {
          if (wishOf(exchange) === 'create') created += 1;
          return created > 10 ? undefined : exchange.pass();
        };
      },
    },
  },
  { mode: 'write', only: WRITING_CHECKS },
);

/** Shows the tag of the run on records that it has not made. */
function taggingForeign(when: 'search' | 'always'): (exchange: Exchange) => Promise<void> {
  let tag: string | undefined;
  return async (exchange) => {
    tag = tagIn(exchange) ?? tag;
    const searched = exchange.seen.method === 'GET' && exchange.seen.url.includes('search=sc-');
    if (tag === undefined || (when === 'search' && !searched) || exchange.route === '/')
      return exchange.pass();
    // The search itself is left out, so that everything is found.
    const answer = await exchange.forward({ url: exchange.seen.url.replace(/&search=[^&]*/, '') });
    const word = `${tag}-9`;
    exchange.send(
      eachRecord(answer, (record) => ({ ...record, slug: word, title: { raw: word, rendered: word } })),
    );
  };
}

function failingAfterDeletion(): (exchange: Exchange) => void | Promise<void> {
  let deleted = false;
  return (exchange) => {
    const wish = wishOf(exchange);
    deleted ||= wish === 'delete' || (wish === 'batch' && exchange.seen.body.includes('"DELETE"'));
    return deleted && exchange.seen.method === 'GET' ? exchange.json({}, 500) : exchange.pass();
  };
}
