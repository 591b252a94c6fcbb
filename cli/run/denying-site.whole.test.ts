import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closedAfter, sendJson, testServer } from '../../client/server.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { resultIn, tryMain } from '../try-main.fixture.ts';

async function denyingSite(deployment: string): Promise<string> {
  const site = await closedAfter(serve({ deployment }));
  const { url } = await testServer(async (request, response) => {
    const asked = new URL(request.url ?? '', site.url);
    if (asked.searchParams.get('rest_route') === '/') {
      sendJson(response, JSON.parse(await (await fetch(asked)).text()));
    } else sendJson(response, { code: 'denied' }, 403);
  });
  return url;
}

it('calls a site that denies everything but its index inconclusive, and what selects the index alone conformant', {
  timeout: 60_000,
}, async () => {
  const deployment = smallDeployment();
  const target = ['--target', await denyingSite(deployment), '--deployment', deployment];
  const whole = testFolder();
  const index = testFolder();
  const all = await tryMain('run', ...target, '--out', whole);
  const narrowed = await tryMain('run', ...target, '--out', index, '--only', 'index/**');

  expect(all.code).toBe(3);
  expect(resultIn(whole)).toMatchObject({
    conclusion: 'inconclusive',
    reason: expect.stringMatching(
      /^none of \d+ checks of what the site does could be evaluated; .* \(\d+\.\d %\) inconclusive/,
    ),
  });
  expect(resultIn(whole)).not.toHaveProperty('partial');
  expect(narrowed.code).toBe(0);
  expect(resultIn(index).partial?.share).toBeLessThan(0.1);
  expect(readFileSync(join(index, 'junit.xml'), 'utf8')).toMatch(
    /<property name="partial" value="\d+ of [\d,]+ planned checks \(\d\.\d %\)"\/>/,
  );
  expect(narrowed.stdout).toMatch(/^CONFORMANT \(PARTIAL\) {2}/m);
});
