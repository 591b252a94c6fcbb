import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Served, serve } from '../../../reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';
import { type InProcessResults, runInProcess } from '../../run-in-process.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });

async function emptySite(): Promise<Served> {
  const site = await serve({ deployment: 'core', seed: 'empty' });
  onTestFinished(() => site.close());
  return site;
}

async function runOn(site: Served): Promise<InProcessResults> {
  const folder = mkdtempSync(join(tmpdir(), 'stage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return runInProcess({
    url: site.url,
    mode: 'write',
    user: site,
    contract: CONTRACT,
    checks: allChecks(CONTRACT),
    journal: { path: join(folder, 'journal.ndjson'), tag: 'sc-stage-c0de' },
    stage: 'auto',
  });
}

function idsWith({ results }: InProcessResults, ...verdicts: string[]): string[] {
  return [...results.values()].flatMap(({ id, verdict }) => (verdicts.includes(verdict) ? [id] : [])).sort();
}

it('tells everything on an empty site, and leaves it empty', {
  timeout: 240_000,
}, async () => {
  const site = await emptySite();
  const run = await runOn(site);

  expect(idsWith(run, 'fail', 'warn', 'inconclusive', 'error', 'skip')).toEqual([]);
  expect(run.stage?.missing).toEqual([]);
  for (const collection of ['posts', 'pages', 'media']) {
    const list = await fetch(`${site.url}/?rest_route=/cms/v2/${collection}`);
    expect(await list.json()).toEqual([]);
  }
});

it('reports nothing false while somebody else writes to the same site', { timeout: 240_000 }, async () => {
  const site = await emptySite();
  const authorization = `Basic ${Buffer.from(`${site.editor.user}:${site.editor.password}`).toString('base64')}`;
  let count = 0;
  const busy = setInterval(() => {
    count += 1;
    void fetch(`${site.url}/?rest_route=/cms/v2/posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ title: `Somebody else ${count}`, status: 'publish' }),
    });
  }, 500);
  onTestFinished(() => clearInterval(busy));
  const run = await runOn(site);
  clearInterval(busy);

  expect(count).toBeGreaterThan(0);
  expect(idsWith(run, 'fail', 'warn', 'error')).toEqual([]);
  const list = await fetch(`${site.url}/?rest_route=/cms/v2/posts&per_page=100`);
  const left: unknown = await list.json();
  expect(JSON.stringify(left)).not.toContain('sc-stage-c0de');
  expect(JSON.stringify(left)).toContain('Somebody else 1');
});
