import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { resultIn, tryMain } from '../try-main.fixture.ts';

it('ends with 0 for the embedded deployments, and writes a folder of reports for each and a summary', {
  timeout: 60_000,
}, async () => {
  const out = testFolder();
  const args = ['--out', out, '--only', 'index/**', 'namespaces/**', '--seed', '7'];
  const { code, stdout } = await tryMain('run', ...args);

  expect(code).toBe(0);
  expect(stdout.match(/^CONFORMANT /gm)).toHaveLength(2);
  expect(stdout).toContain(`results  ${join(out, 'a', 'results.json')}`);
  expect(readdirSync(out).toSorted()).toEqual(['a', 'b', 'summary.json']);
  for (const deployment of ['a', 'b']) {
    const folder = join(out, deployment);
    const { conclusion, counts, run: about, target } = resultIn(folder);
    const events = readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n');

    expect(readdirSync(folder).toSorted()).toEqual([
      'events.ndjson',
      'index.json',
      'junit.xml',
      'report.html',
      'results.json',
      'terminal.txt',
    ]);
    expect(stdout).toContain(readFileSync(join(folder, 'terminal.txt'), 'utf8'));
    expect({ conclusion, fail: counts.fail, seed: about.seed, deployment: target.deployment }).toEqual({
      conclusion: 'conformant',
      fail: 0,
      seed: 7,
      deployment,
    });
    expect(counts.pass).toBeGreaterThan(30);
    expect(events[0]).toMatch(/^\{"event":"start"/);
    expect(events.at(-1)).toMatch(/^\{"event":"end","conclusion":"conformant"/);
  }
});
