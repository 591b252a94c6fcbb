import type { Description, Exchange, Expected, ForwardedAnswer, Handler, HostileServer } from '../server.ts';
import { EXPECTED, family, WRITING_CHECKS } from '../server.ts';
import { type Action, actionOf, eachRecord, everywhere, remembering, turned, where } from '../turns.ts';

/** Some records remain, whatever the answers say. */
const LEAVES: Expected = { codes: [1, 4], endings: ['whole', 'early'] };
/** Requests without an answer fail, and their records are found or listed. */
const UNANSWERED: Expected = { codes: [1, 3, 4], endings: ['whole', 'early'] };
/** Whatever the answers say, nothing may remain, and nothing else may be touched. */
const EITHER: Expected = { codes: [0, 1], endings: ['whole', 'early'] };

/** A site for writes that answers some of them with this handler. */
function writing(
  title: string,
  expected: Expected,
  actions: Action | readonly Action[],
  turn: Handler,
): Description {
  return where(title, expected, (exchange) => [actions].flat().includes(actionOf(exchange)), turn);
}

/** A site that answers deletions without doing them. */
function keeps(how: string, status: number): Description {
  return writing(
    `deletions are ${how} and nothing is deleted, in batches too`,
    LEAVES,
    ['delete', 'batch'],
    (exchange) => {
      if (actionOf(exchange) === 'delete') return exchange.json({ deleted: status === 200 }, status);
      if (!exchange.seen.body.includes('"DELETE"')) return exchange.pass();
      return answerParts(exchange, () => ({ status, body: {} }));
    },
  );
}

/** Answers the parts of a batch without doing them. */
function answerParts(exchange: Exchange, part: (at: number) => object): void {
  const responses = Array.from({ length: 25 }, (_, at) => ({ ...part(at), headers: {} }));
  exchange.json({ responses }, 207);
}

/** An earlier record, as an editor sees it. */
function forwardForeign(exchange: Exchange): Promise<ForwardedAnswer> {
  const url = '/?rest_route=/cms/v2/posts/1&context=edit';
  return exchange.forward({ method: 'GET', url, body: Buffer.of() });
}

/** A site that creates records and answers with this handler. */
function creates(title: string, expected: Expected, turn: Handler): Description {
  return writing(title, expected, 'create', async (exchange) => {
    await exchange.forward();
    await turn(exchange);
  });
}

/** A site that creates records and answers another id. */
function answersId(what: string, expected: Expected, id: (real: number) => unknown): Description {
  return writing(`creations answer ${what} as the id`, expected, 'create', async (exchange) => {
    exchange.send(turned(await exchange.forward(), (record) => ({ ...record, id: id(Number(record.id)) })));
  });
}

/** Servers that lie about writes: about ids, tags, deletions and results. */
export const WRITING: readonly HostileServer[] = family(
  'writing',
  {
    'creation-answers-a-foreign-id': answersId('one that was there before', EXPECTED.failsSomehow, () => 1),
    'creation-answers-foreign-ids-in-turn': answersId(
      'ever others that were there before',
      EXPECTED.failsSomehow,
      (real) => (real % 20) + 1,
    ),
    'creation-answers-the-id-before': answersId(
      'the one that the creation before had',
      EXPECTED.failsSomehow,
      (real) => real - 1,
    ),
    'creation-answers-one-id': answersId('always one and the same', EXPECTED.failsSomehow, () => 1_000_000),
    'creation-answers-no-id': answersId('nothing', EXPECTED.failsSomehow, () => undefined),
    'creation-answers-a-text': answersId('a text', EXPECTED.failsSomehow, (real) => String(real)),
    'creation-answers-a-path': answersId(
      'a path to a foreign record',
      EXPECTED.failsSomehow,
      (real) => `${real}/../1`,
    ),
    'creation-answers-zero': answersId('zero', EXPECTED.failsSomehow, () => 0),
    'creation-answers-a-negative-id': answersId('a negative number', EXPECTED.failsSomehow, (real) => -real),
    'creation-answers-a-fraction': answersId(
      'a fraction that rounds to a foreign one',
      EXPECTED.failsSomehow,
      () => 1.4,
    ),
    'creation-answers-a-huge-id': answersId('10^21', EXPECTED.failsSomehow, () => 1e21),
    'creation-creates-nothing': writing(
      'creations answer a foreign record as their own, and create nothing',
      EXPECTED.failsSomehow,
      'create',
      async (exchange) => {
        const foreign = await forwardForeign(exchange);
        const tag = tagIn(exchange) ?? '';
        exchange.send({
          ...turned(foreign, (record) => ({ ...record, slug: tag, title: { raw: tag, rendered: tag } })),
          status: 201,
        });
      },
    ),
    'creation-creates-twice': creates('every creation creates two records', EITHER, (exchange) =>
      exchange.pass(),
    ),
    'creation-fails-and-creates': creates(
      'creations answer 500 and create',
      EXPECTED.failsSomehow,
      (exchange) => exchange.json({}, 500),
    ),
    'creation-is-denied-and-creates': creates(
      'creations answer 403 and create',
      { codes: [0, 1, 3], endings: ['whole', 'early'] },
      (exchange) => exchange.json({}, 403),
    ),
    'creation-is-never-answered': creates(
      'creations create and are never answered',
      UNANSWERED,
      () => undefined,
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
        if (actionOf(exchange) === 'batch') return exchange.json({}, 500);
        exchange.send(
          await exchange.forward({ url: exchange.seen.url.replace('force=true', 'force=false') }),
        );
      },
    ),
    'deletion-hangs': writing('deletions are never answered', LEAVES, 'delete', () => undefined),
    'batch-does-nothing': writing(
      'batches say that all is done, and do nothing',
      EXPECTED.failsSomehow,
      'batch',
      (exchange) => answerParts(exchange, (at) => ({ status: 200, body: { id: at + 1, deleted: true } })),
    ),
    'update-answers-another-record': writing(
      'updates answer another record',
      EXPECTED.failsSomehow,
      'update',
      async (exchange) => {
        await exchange.forward();
        exchange.send(await forwardForeign(exchange));
      },
    ),
    // The answer to a search for own records is only a control: without it, nothing is
    // concluded and nothing else touched.
    'tag-on-foreign-records': remembering(
      'searches for the tag of the run find every record, each with the tag',
      EITHER,
      () => taggingForeign('search'),
    ),
    'tag-everywhere': remembering(
      'every record carries the tag of the run once it is known',
      EXPECTED.failsSomehow,
      () => taggingForeign('always'),
    ),
    'tag-is-not-kept': everywhere(
      'no record shows the tag of the run',
      EXPECTED.failsSomehow,
      async (exchange) => {
        const answer = await exchange.forward();
        const text = answer.body.toString('latin1').replaceAll(/sc-\d{14}-[0-9a-f]+/g, 'untagged');
        exchange.send({ ...answer, body: Buffer.from(text, 'latin1') });
      },
    ),
    'search-finds-nothing': everywhere('searches find nothing', EITHER, (exchange) =>
      exchange.seen.method === 'GET' && exchange.seen.url.includes('search=')
        ? exchange.json([])
        : exchange.pass(),
    ),
    'lists-fail-at-the-end': remembering(
      'lists answer 500 once something has been deleted',
      LEAVES,
      failingAfterDeletion,
    ),
    'gone-after-ten-creations': remembering('nothing is answered after ten creations', LEAVES, () => {
      let created = 0;
      return (exchange) => {
        if (actionOf(exchange) === 'create') created += 1;
        return created > 10 ? undefined : exchange.pass();
      };
    }),
  },
  { mode: 'write', only: WRITING_CHECKS },
);

/** The tag of the run anywhere in a request. */
function tagIn({ seen }: Exchange): string | undefined {
  const text = `${seen.url} ${seen.body.subarray(0, 100_000).toString('latin1')}`;
  return /\bsc-\d{14}-[0-9a-f]+/.exec(text)?.[0];
}

/** Shows the tag of the run on records of others. */
function taggingForeign(when: 'search' | 'always'): (exchange: Exchange) => Promise<void> {
  let tag: string | undefined;
  return async (exchange) => {
    tag = tagIn(exchange) ?? tag;
    const searched = exchange.seen.method === 'GET' && exchange.seen.url.includes('search=sc-');
    if (tag === undefined || (when === 'search' && !searched) || exchange.route === '/')
      return exchange.pass();
    // Without the search, so that everything is found.
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
    const action = actionOf(exchange);
    deleted ||= action === 'delete' || (action === 'batch' && exchange.seen.body.includes('"DELETE"'));
    return deleted && exchange.seen.method === 'GET' ? exchange.json({}, 500) : exchange.pass();
  };
}
