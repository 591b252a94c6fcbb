import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { refusal, resultIn, testFile, tryMain, tryRun } from '../try-main.fixture.ts';
import { wrongDefault } from './wrong-site.fixture.ts';

const CLOSED = ['--target', 'http://127.0.0.1:9', '--deployment', 'core'];
const CORE = { url: 'http://127.0.0.1:9/', deployment: 'core', vocabulary: 'neutral', index: '' };

function keep(results: unknown): string {
  return testFolder({ 'results.json': results });
}

function results(changes: Partial<RunResult> = {}): RunResult {
  return sampleResult([sampleCheck({})], { target: CORE, ...changes });
}

describe.each(['--baseline', '--rerun'])('%s', (option) => {
  it.each<[string, () => string, RegExp]>([
    ['what is not there', () => join(testFolder(), 'none.json'), /none\.json: cannot be read/],
    ['format 2', () => keep({ ...results(), format: 2 }), /is not the results\.json of a run \(format 1\)/],
    ['half a file', () => keep(JSON.stringify(results()).slice(0, 200)), /results\.json: .*JSON/],
    ['what fits no schema', () => keep({ ...results(), reason: 1 }), /results\.json: \/?reason.*\(schema: /],
    ['a snapshot', () => testFile('s.json', { kind: 'snapshot' }), /is a snapshot, which holds no verdicts/],
    ['a folder without results', testFolder, /holds no results\.json/],
    ['deployment a', () => keep(sampleResult([sampleCheck({})])), /results of deployment "a".*checks "core"/],
    ['a run that came to no check', () => keep(results({ checks: [] })), /came to no check/],
  ])('refuses %s in one line, sends nothing and leaves nothing', async (_what, path, line) => {
    const { code, lines, left } = await tryRun(...CLOSED, option, path());

    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines[0]).toContain(`site-conformance: ${option} `);
    expect({ code, left }).toEqual({ code: 2, left: [] });
  });
});

describe('a baseline in the folder for reports', () => {
  it('is kept after wrong usage', async () => {
    const out = testFolder({ 'results.json': results({ format: 1 }), 'events.ndjson': '' });
    const before = readFileSync(join(out, 'results.json'), 'utf8');
    for (const wrong of [
      ['--deployment', 'a'],
      ['--only', 'nothing/like/it'],
      ['--mode', 'wirte'],
    ]) {
      const { code } = await tryMain('run', ...CLOSED, '--out', out, '--baseline', out, ...wrong);

      expect(code).toBe(2);
    }

    expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(before);
  });

  it('is read before it is replaced', async () => {
    const out = testFolder();
    const deployment = smallDeployment();
    const site = await closedAfter(serve({ deployment }));
    const about = [
      'run',
      '--target',
      site.url,
      '--deployment',
      deployment,
      '--only',
      'index/**',
      '--out',
      out,
    ];
    await tryMain(...about);
    const first = resultIn(out);
    const { code, stdout } = await tryMain(...about, '--baseline', join(out, 'results.json'));

    expect(resultIn(out)).toMatchObject({
      baseline: { run: first.run.id, new: [], still: [] },
      news: 'none',
    });
    expect(stdout).toContain('against the baseline: nothing new');
    expect(code).toBe(0);
  }, 60_000);
});

it('the parts of a run of several deployments are each compared with their own part', async () => {
  const folder = testFolder({
    'a/results.json': results({ target: { ...CORE, deployment: 'a' } }),
    'b/results.json': results(),
  });

  expect(await tryRun('--baseline', folder)).toMatchObject(
    refusal(/deployment "core", and this run checks "b"/),
  );
  expect(readdirSync(folder)).toEqual(['a', 'b']);
});

it('a failure of the baseline whose waiver has expired counts again, and is no longer a known failure', async () => {
  const [first, second] = [testFolder(), testFolder()];
  const { deployment, ...site } = await wrongDefault();
  const id = 'posts.list/per_page/default';
  const waivers = (expires: string): string => {
    const waiver = { check: id, reason: 'known', owner: 'us', expires };
    return testFile('waivers.json', { format: 1, waivers: [waiver] });
  };
  const about = ['run', '--target', site.url, '--deployment', deployment, '--only', 'posts.list/per_page'];
  const waived = await tryMain(...about, '--waivers', waivers('2999-01-01'), '--out', first);
  const again = [...about, '--baseline', first, '--out', second];
  const still = await tryMain(...again, '--waivers', waivers('2999-01-01'));
  const expired = await tryMain(...again, '--waivers', waivers('2020-01-01'));

  expect([waived.code, still.code, expired.code]).toEqual([0, 0, 1]);
  expect(still.stdout).toContain('1 persisting, 1 of them waived');
  expect(resultIn(second)).toMatchObject({
    baseline: { new: [], still: [id], unwaived: [id] },
    news: 'new',
  });
  expect(expired.stdout).toContain('against the baseline: 1 failure no longer waived');
}, 60_000);
