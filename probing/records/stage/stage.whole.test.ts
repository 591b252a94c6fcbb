import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { proxiedSite } from '../../../sites/proxy.ts';
import { type Served, serve } from '../../../sites/reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../../suites/all-checks.ts';
import { type InProcessResults, runInProcess } from '../../../suites/run-checks.ts';
import { bareSite } from './bare-site.fixture.ts';
import { revisionsByAge } from './revisions-by-age.fixture.ts';
import { somebodyElse } from './somebody-else.fixture.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });

async function emptySite(): Promise<Served> {
  const site = await serve({ deployment: 'core', seed: 'empty' });
  onTestFinished(() => site.close());
  return site;
}

async function runOn(
  site: Pick<Served, 'url' | 'user' | 'password'>,
  only: readonly string[] = [],
): Promise<InProcessResults> {
  const folder = mkdtempSync(join(tmpdir(), 'stage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return runInProcess({
    url: site.url,
    mode: 'write',
    user: site,
    contract: CONTRACT,
    checks: allChecks(CONTRACT),
    only,
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

it('tells everything on a site with one category and no tag, and leaves it so', {
  timeout: 240_000,
}, async () => {
  const { behaviour, handle, slugs } = bareSite();
  const site = await proxiedSite({ deployment: 'core', seed: 'empty', behaviour }, handle);
  onTestFinished(() => site.close());
  const run = await runOn(site);

  expect(idsWith(run, 'fail', 'warn', 'inconclusive', 'error', 'skip')).toEqual([]);
  expect(run.stage).toMatchObject({ missing: [], made: { categories: 2, tags: 2 } });
  expect(slugs()).toEqual(['uncategorized']);
});

it('tells an order of revisions by those of its own where others are sorted alike by date and by id', async () => {
  const site = await proxiedSite({ deployment: 'core', seed: 'full' }, revisionsByAge);
  onTestFinished(() => site.close());
  const run = await runOn(site, ['post-revisions.list/orderby/filters/id']);

  expect(run.results.get('post-revisions.list/orderby/filters/id')?.verdict).toBe('pass');
  expect(run.stage?.made).toEqual({ posts: 1 });
});

it('reports nothing false beside somebody who writes among hundreds of records, and touches none of theirs', {
  timeout: 240_000,
}, async () => {
  const site = await emptySite();
  const other = await somebodyElse(site);
  const busy = setInterval(() => void other.goOn(), 500);
  onTestFinished(() => clearInterval(busy));
  const run = await runOn(site);
  clearInterval(busy);
  await other.end();

  expect(other.turns()).toBeGreaterThan(3);
  expect(idsWith(run, 'fail', 'warn', 'error')).toEqual([]);
  expect(idsWith(run, 'inconclusive').length).toBeLessThan(40);
  expect(await other.shown()).toEqual(other.expected());
});
