import { expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { testCheck, testSession } from '../test-session.ts';
import { noteUnknown } from './note-unknown.ts';

const KNOWN = { method: 'GET', route: '/known' } as const;
const UNKNOWN = { method: 'GET', route: '/unknown' } as const;

it('notes checks that ask for what is not known, themselves or through others', async () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const session = testSession({ contract, timeout: 1 });
  const { checks, untold } = noteUnknown(
    [
      testCheck('asks/known', async ({ ask }) => [{ kind: 'warning', message: (await ask(KNOWN)).answer }]),
      testCheck('asks/unknown', async ({ ask }) => ask(UNKNOWN).then(() => [])),
      testCheck('sends/unknown', async ({ client }) => client.request(UNKNOWN).then(() => [])),
      testCheck('shares/first', async ({ once, ask }) => once('both', () => ask(UNKNOWN)).then(() => [])),
      testCheck('shares/second', async ({ once, ask }) => once('both', () => ask(UNKNOWN)).then(() => [])),
      testCheck('shares/known', async ({ once, ask }) => once('other', () => ask(KNOWN)).then(() => [])),
      testCheck('asks/nothing', ({ client }) => [{ kind: 'warning', message: client.redact('a') }]),
    ],
    (_method, address) => !address.endsWith('/unknown'),
  );

  const found = await Promise.allSettled(checks.map(async (check) => check.run(session)));

  expect([...untold].toSorted()).toEqual(['asks/unknown', 'sends/unknown', 'shares/first', 'shares/second']);
  expect(found.at(-1)).toMatchObject({ value: [{ message: 'a' }] });
});
