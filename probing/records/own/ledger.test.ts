import { expect, test } from 'vitest';
import { loadContract } from '../../../specs/contract.ts';
import { InTurn, switchesOf } from './ledger.ts';

const NAMING = [
  { method: 'POST', body: { json: { pinned: true } } },
  { method: 'POST', body: { form: [['pinned', '1']] } },
  { method: 'POST', query: [['pinned', 'true']] },
  { method: 'POST', body: { json: { requests: [{ method: 'DELETE', path: '/books/1' }] } } },
  { method: 'DELETE' },
] as const;

test('sends writes that name a word one at a time, though one of them fails', async () => {
  const turns = new InTurn(['pinned']);
  let running = 0;
  let most = 0;
  const send = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (most === 1) throw new Error('broken');
  };
  const sent = await Promise.allSettled(NAMING.map((spec) => turns.send(spec, send)));
  expect(most).toBe(1);
  expect(sent.map(({ status }) => status)).toEqual(NAMING.map(() => 'rejected'));
});

test.each([
  [['pinned'], { method: 'POST', body: { json: { title: 'one' } } }],
  [['pinned'], { method: 'POST', body: { bytes: Buffer.from('pinned'), type: 'image/png' } }],
  [[], { method: 'DELETE' }],
] as const)('sends others at once', async (words, spec) => {
  const turns = new InTurn(words);
  let started = 0;
  const send = (): Promise<void> => {
    started += 1;
    return Promise.resolve();
  };
  const both = [turns.send(spec, send), turns.send(spec, send)];
  expect(started).toBe(2);
  await Promise.all(both);
});

test('finds the switches in the words of the target', () => {
  expect(switchesOf(loadContract({ deployment: 'core', vocabulary: 'wordpress' }))).toEqual(['sticky']);
});
