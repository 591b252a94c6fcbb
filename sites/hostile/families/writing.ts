import type { ProxyAnswer } from '../../proxy.ts';
import type { Description, Exchange, Handler, HostileServer } from '../server.ts';
import { family, WRITING_CHECKS } from '../server.ts';
import { type Action, actionOf, eachRecord, expecting, failsSomehow, json, turned } from '../turns.ts';

/** Some records remain, whatever the answers say. */
const leaves = expecting([1, 4], 'whole', 'early');
/** Requests without an answer fail, and their records are found or listed. */
const unanswered = expecting([1, 3, 4], 'whole', 'early');
/** Whatever the answers say, nothing may remain, and nothing else may be touched. */
const either = expecting([0, 1], 'whole', 'early');

function to(...actions: readonly Action[]): (exchange: Exchange) => boolean {
  return (exchange) => actions.includes(actionOf(exchange));
}

function keeps(how: string, status: number): Description {
  const title = `deletions are ${how} and nothing is deleted, in batches too`;
  return leaves.where(title, to('delete', 'batch'), (exchange) => {
    if (actionOf(exchange) === 'delete') return exchange.json({ deleted: status === 200 }, status);
    if (!exchange.seen.body.includes('"DELETE"')) return exchange.pass();
    return answerParts(exchange, () => ({ status, body: {} }));
  });
}

function answerParts(exchange: Exchange, part: (at: number) => object): void {
  const responses = Array.from({ length: 25 }, (_, at) => ({ ...part(at), headers: {} }));
  exchange.json({ responses }, 207);
}

/** An earlier record, as an editor sees it. */
function forwardForeign(exchange: Exchange): Promise<ProxyAnswer> {
  const url = '/?rest_route=/cms/v2/posts/1&context=edit';
  return exchange.forward({ method: 'GET', url, body: Buffer.of() });
}

function creating(turn: Handler): Handler {
  return async (exchange) => {
    await exchange.forward();
    await turn(exchange);
  };
}

function answersId(what: string, id: (real: number) => unknown): Description {
  return failsSomehow.where(`creations answer ${what} as the id`, to('create'), async (exchange) =>
    exchange.send(turned(await exchange.forward(), (record) => ({ ...record, id: id(Number(record.id)) }))),
  );
}

/** Servers that lie about writes: about ids, tags, deletions and results. */
export const WRITING: readonly HostileServer[] = family(
  'writing',
  {
    'creation-answers-a-foreign-id': answersId('one that was there before', () => 1),
    'creation-answers-foreign-ids-in-turn': answersId(
      'ever others that were there before',
      (real) => (real % 20) + 1,
    ),
    'creation-answers-the-id-before': answersId('the one that the creation before had', (real) => real - 1),
    'creation-answers-one-id': answersId('always one and the same', () => 1_000_000),
    'creation-answers-no-id': answersId('nothing', () => undefined),
    'creation-answers-a-text': answersId('a text', (real) => String(real)),
    'creation-answers-a-path': answersId('a path to a foreign record', (real) => `${real}/../1`),
    'creation-answers-zero': answersId('zero', () => 0),
    'creation-answers-a-negative-id': answersId('a negative number', (real) => -real),
    'creation-answers-a-fraction': answersId('a fraction that rounds to a foreign one', () => 1.4),
    'creation-answers-a-huge-id': answersId('10^21', () => 1e21),
    'creation-creates-nothing': failsSomehow.where(
      'creations answer a foreign record as their own, and create nothing',
      to('create'),
      async (exchange) => {
        const foreign = await forwardForeign(exchange);
        const tag = tagIn(exchange) ?? '';
        const own = turned(foreign, (record) => ({
          ...record,
          slug: tag,
          title: { raw: tag, rendered: tag },
        }));
        exchange.send({ ...own, status: 201 });
      },
    ),
    'creation-creates-twice': either.where(
      'every creation creates two records',
      to('create'),
      creating((exchange) => exchange.pass()),
    ),
    'creation-fails-and-creates': failsSomehow.where(
      'creations answer 500 and create',
      to('create'),
      creating(json({}, 500)),
    ),
    'creation-is-denied-and-creates': expecting([0, 1, 3], 'whole', 'early').where(
      'creations answer 403 and create',
      to('create'),
      creating(json({}, 403)),
    ),
    'creation-is-never-answered': unanswered.where(
      'creations create and are never answered',
      to('create'),
      creating(() => undefined),
    ),
    'deletion-does-nothing': keeps('answered with 200', 200),
    'deletion-is-not-found': keeps('answered with 404', 404),
    'deletion-is-gone': keeps('answered with 410', 410),
    'deletion-is-denied': keeps('answered with 403', 403),
    'deletion-breaks': keeps('answered with 500', 500),
    'deletion-is-throttled': keeps('answered with 429', 429),
    'deletion-goes-to-the-trash': leaves.where(
      'deletions for good go to the trash',
      to('delete', 'batch'),
      async (exchange) => {
        if (actionOf(exchange) === 'batch') return exchange.json({}, 500);
        const url = exchange.seen.url.replace('force=true', 'force=false');
        exchange.send(await exchange.forward({ url }));
      },
    ),
    'deletion-hangs': leaves.where('deletions are never answered', to('delete'), () => undefined),
    'batch-does-nothing': failsSomehow.where(
      'batches say that all is done, and do nothing',
      to('batch'),
      (exchange) => answerParts(exchange, (at) => ({ status: 200, body: { id: at + 1, deleted: true } })),
    ),
    'update-answers-another-record': failsSomehow.where(
      'updates answer another record',
      to('update'),
      async (exchange) => {
        await exchange.forward();
        exchange.send(await forwardForeign(exchange));
      },
    ),
    // The answer to a search for own records is only a control: without it, nothing is
    // concluded and nothing else touched.
    'tag-on-foreign-records': either.remembering(
      'searches for the tag of the run find every record, each with the tag',
      () => taggingForeign('search'),
    ),
    'tag-everywhere': failsSomehow.remembering(
      'every record carries the tag of the run once it is known',
      () => taggingForeign('always'),
    ),
    'tag-is-not-kept': failsSomehow.everywhere('no record shows the tag of the run', async (exchange) => {
      const answer = await exchange.forward();
      const text = answer.body.toString('latin1').replaceAll(/sc-\d{14}-[0-9a-f]+/g, 'untagged');
      exchange.send({ ...answer, body: Buffer.from(text, 'latin1') });
    }),
    'search-finds-nothing': either.where(
      'searches find nothing',
      ({ seen }) => seen.method === 'GET' && seen.url.includes('search='),
      json([]),
    ),
    'lists-fail-at-the-end': leaves.remembering(
      'lists answer 500 once something has been deleted',
      failingAfterDeletion,
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
