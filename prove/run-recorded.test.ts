import { expect, it, onTestFinished } from 'vitest';
import { Client } from '../client/client.ts';
import { testCheck, testSession } from '../engine/session.fixture.ts';
import { fixture } from '../engine/session.ts';
import { type RecordedExchange, serveExchanges } from '../sites/recordings/recording.ts';
import { noteUnknown } from './run-recorded.ts';

const KNOWN = { method: 'GET', route: '/known' } as const;
const UNKNOWN = { method: 'GET', route: '/unknown' } as const;
const EXCHANGE: RecordedExchange = {
  ...{ who: 'anonymous', method: 'GET', route: '/known', query: '', status: 200, headers: {} },
  body: { json: {} },
};

const both = fixture('both', ({ ask }) => ask(UNKNOWN));
const other = fixture('other', ({ ask }) => ask(KNOWN));

it('notes checks that are answered with what was not recorded, themselves or through others', async () => {
  const replay = await serveExchanges([EXCHANGE]);
  onTestFinished(() => replay.close());
  const own = new Client({ base: new URL(replay.url), mode: 'read', concurrency: 1, timeout: 5 });
  onTestFinished(() => own.close());
  const plain = testSession();
  const noted = noteUnknown([
    testCheck('asks/known', async ({ ask }) => [{ kind: 'warning', message: (await ask(KNOWN)).answer }]),
    testCheck('asks/unknown', async ({ ask }) => ask(UNKNOWN).then(() => [])),
    testCheck('asks/unknown-again', async ({ ask }) => ask(UNKNOWN).then(() => [])),
    testCheck('sends/unknown', async ({ client }) => client.request(UNKNOWN).then(() => [])),
    testCheck('leads/to-unknown', async () => session.client.request(UNKNOWN).then(() => [])),
    testCheck('shares/first', async (one) => both(one).then(() => [])),
    testCheck('shares/second', async (one) => both(one).then(() => [])),
    testCheck('shares/known', async (one) => other(one).then(() => [])),
    testCheck('asks/nothing', ({ client }) => [{ kind: 'warning', message: client.redact('a') }]),
  ]);
  const client = noted.client(own);
  const session = { ...plain, client, ask: client.request };

  const found = await Promise.allSettled(noted.checks.map(async (check) => check.run(session)));

  expect([...noted.inconclusive].toSorted()).toEqual([
    'asks/unknown',
    'asks/unknown-again',
    'leads/to-unknown',
    'sends/unknown',
    'shares/first',
    'shares/second',
  ]);
  expect(found[0]).toMatchObject({ value: [{ message: 'accepted' }] });
  expect(found.at(-1)).toMatchObject({ value: [{ message: 'a' }] });
});

it('numbers words for each check by itself', async () => {
  const words: string[][] = [];
  const about = (ids: readonly string[]): Promise<unknown> => {
    const own: string[] = [];
    words.push(own);
    const shared = fixture('shared', async () => own.push(`shared ${noted.nextWord()}`));
    const noted = noteUnknown(
      ids.map((id) =>
        testCheck(id, async (session) => {
          own.push(`${id} ${noted.nextWord()}`);
          await shared(session);
          own.push(`${id} ${noted.nextWord()}`);
          return [];
        }),
      ),
    );
    return Promise.all(noted.checks.map(async (check) => check.run(testSession())));
  };

  await about(['one', 'two']);
  await about(['new', 'two']);

  const [first = [], second = []] = words.map((list) => list.filter((word) => word.startsWith('two')));
  expect(first).toEqual(second);
  expect(new Set(words[0]?.map((word) => word.split(' ')[1])).size).toBe(words[0]?.length);
});
