import { expect, it } from 'vitest';
import { testIndex } from './index.fixture.ts';

const core = testIndex('core');

it('a word more as the status of posts and pages, and not of uploads, is one failure', async () => {
  const { problems, results } = await core.run((index) => {
    for (const [key, { endpoints }] of Object.entries(index.routes)) {
      if (!/^.cms.v2.(posts|pages)/.test(key)) continue;
      for (const { args } of endpoints)
        if (args.status?.items === undefined) args.status?.enum?.push('auto-draft');
    }
  });

  expect(problems).toEqual(['fail posts.create/status/enum']);
  expect(results.find(({ verdict }) => verdict === 'fail')?.message).toContain(
    '5 other checks find the same: ',
  );
});
