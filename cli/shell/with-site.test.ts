import { expect, it } from 'vitest';
import { refusal, tryMain, tryRun } from '../try-main.fixture.ts';

it.each([
  [['localhost:8080'], 'http://localhost:8080'],
  [['127.0.0.1:8080/blog'], 'http://127.0.0.1:8080/blog'],
  [['--target', 'shop.example.test'], 'https://shop.example.test'],
])('suggests the whole address for a site without its scheme: %j', async (args, address) => {
  expect(await tryMain(...args, ...(args.length > 1 ? ['--out', 'none'] : []))).toMatchObject({
    code: 2,
    lines: [expect.stringMatching(new RegExp(`; a site is named as ${address}$`))],
  });
});

it.each(['staging', 'what is this?', 'shop.example.test\u001b[31m'])(
  'what can be no site is not taken for one: %j',
  async (word) => {
    expect(await tryRun('--target', word)).toMatchObject({
      lines: [expect.not.stringContaining('a site is named')],
    });
  },
);

it('a vocabulary that is given as a deployment is reported', async () => {
  expect(await tryRun('--deployment', 'wordpress')).toMatchObject(
    refusal(/"wordpress": .*; "wordpress" is a vocabulary: --vocabulary wordpress$/),
  );
});
