import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sendJson, testServer } from '../client/server.fixture.ts';
import type { RunResult } from '../engine/result.ts';
import { serve } from '../reference/serve.ts';
import { spawnMain } from './spawn-main.fixture.ts';
import { temporaryFolder } from './try-main.fixture.ts';

/** A site that shows its index to everybody and denies everything else. */
async function denyingSite(): Promise<string> {
  const site = await serve({ deployment: 'core' });
  onTestFinished(() => site.close());
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
  const target = await denyingSite();
  const whole = temporaryFolder();
  const index = temporaryFolder();
  const all = await spawnMain(['run', '--target', target, '--out', whole]).ended;
  const narrowed = await spawnMain(['run', '--target', target, '--out', index, '--only', 'index/**']).ended;
  const resultsIn = (folder: string): RunResult =>
    JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));

  expect(all.code).toBe(3);
  expect(resultsIn(whole)).toMatchObject({
    conclusion: 'inconclusive',
    reason: expect.stringMatching(
      /^none of \d+ checks of what the site does could be judged; .* \(\d+\.\d %\) could not tell/,
    ),
  });
  expect(resultsIn(whole)).not.toHaveProperty('partial');
  expect(narrowed.code).toBe(0);
  expect(resultsIn(index).partial?.share).toBeLessThan(0.1);
  expect(readFileSync(join(index, 'junit.xml'), 'utf8')).toMatch(
    /<property name="partial" value="\d+ of [\d,]+ planned checks \(\d\.\d %\)"\/>/,
  );
  expect(narrowed.stdout).toMatch(/^CONFORMANT \(PARTIAL\) {2}/m);
});
