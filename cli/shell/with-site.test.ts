import { expect, it } from 'vitest';
import { tryMain, tryRun } from '../try-main.fixture.ts';

it.each([
  [['localhost:8080'], 'http://localhost:8080'],
  [['127.0.0.1:8080/blog'], 'http://127.0.0.1:8080/blog'],
  [['--target', 'shop.example.test'], 'https://shop.example.test'],
])('suggests the whole address for a site without its scheme: %j', async (args, address) => {
  const { code, lines } = await tryMain(...args, ...(args.length > 1 ? ['--out', 'none'] : []));

  expect(lines).toEqual([expect.stringMatching(new RegExp(`; a site is named as ${address}$`))]);
  expect(code).toBe(2);
});

it.each(['staging', 'what is this?', 'shop.example.test\u001b[31m'])(
  'what can be no site is not taken for one: %j',
  async (word) => {
    const { lines } = await tryRun('--target', word);

    expect(lines).toEqual([expect.not.stringContaining('a site is named')]);
  },
);

it('a vocabulary that is given as a deployment is reported', async () => {
  const { code, lines } = await tryRun('--deployment', 'wordpress');

  expect(lines).toEqual([
    expect.stringMatching(/"wordpress": .*; "wordpress" is a vocabulary: --vocabulary wordpress$/),
  ]);
  expect(code).toBe(2);
});
