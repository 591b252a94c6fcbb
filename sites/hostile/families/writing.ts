import type { Description, Exchange, Handler, HostileServer } from '../server.ts';
import { family, partsOf, WRITING_CHECKS } from '../server.ts';
import { type Action, actionOf, eachRecord, expecting, failsSomehow, json, turned } from '../turns.ts';
import { deletions, either, leaves } from './liars.ts';

/** Requests without an answer fail, and their records are found or listed. */
const unanswered = expecting([1, 3, 4], 'whole', 'early');

function to(...actions: readonly Action[]): (exchange: Exchange) => boolean {
  return (exchange) => actions.includes(actionOf(exchange));
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
    'deletion-hangs': leaves.where('deletions are never answered', to('delete'), () => undefined),
    'batch-does-nothing': failsSomehow.where(
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
    'tag-everywhere': failsSomehow.remembering(
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
