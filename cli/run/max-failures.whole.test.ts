import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { resultIn, testFile, tryMain } from '../try-main.fixture.ts';
import { at, wrongSite } from './wrong-site.fixture.ts';

const ONLY = [
  '--only',
  '{posts,pages,media}.list/{page,per_page,order,context}/**',
  '--skip',
  '**/{filters,beyond}{,/**}',
  '--reporter',
  'json',
];
const STOPPED = { kind: 'ended', why: '2 checks failed, and --max-failures allows no more' };

/** A site whose index has errors in two lists, so that none of them is the same everywhere. */
async function manyFailures(): Promise<string> {
  const site = await wrongSite('core', (index) => {
    for (const type of ['posts', 'pages']) {
      const args = at(index, 'routes', `/cms/v2/${type}`, 'endpoints', 0, 'args');
      for (const name of ['page', 'per_page', 'order']) at(args, name).default = 20;
    }
  });
  return site.url;
}

function failed({ checks }: RunResult): CheckResult[] {
  return checks.filter(({ verdict }) => verdict === 'fail');
}

it('stops a run after a number of failures, and reports the rest as not run with the reason', async () => {
  const [url, out] = [await manyFailures(), testFolder()];
  const { code } = await tryMain('run', url, ...ONLY, '--out', out, '--max-failures', '2');
  const stopped = resultIn(out);

  expect(code).toBe(1);
  expect(stopped).toMatchObject({ conclusion: 'nonconformant', run: { ended: STOPPED.why } });
  expect(stopped.reason).toContain('the run ended early');
  expect(failed(stopped).length).toBeGreaterThanOrEqual(2);
  expect(stopped.checks.filter(({ skip }) => skip?.kind === 'ended').length).toBeGreaterThan(0);
  expect(stopped.checks.find(({ skip }) => skip?.kind === 'ended')).toMatchObject({ skip: STOPPED });
});

it('does not count accepted and known failures', async () => {
  const [url, out] = [await manyFailures(), testFolder()];
  const [first, again] = [join(out, 'first'), join(out, 'again')];
  await tryMain('run', url, ...ONLY, '--out', first);
  const options = ['--baseline', first, '--max-failures', '1'];

  expect(failed(resultIn(first)).length).toBeGreaterThan(2);
  expect(await tryMain('run', url, ...ONLY, '--out', again, ...options)).toMatchObject({ code: 0 });
  expect(resultIn(again).run.ended).toBeUndefined();
});

it('may be set in a configuration file, for each target of a fleet', { timeout: 60_000 }, async () => {
  const [url, out] = [await manyFailures(), testFolder()];
  const config = testFile('config.json', { maxFailures: 2, targets: { one: { url } } });
  const fleet = join(out, 'fleet');

  expect(await tryMain('run', '--config', config, '--all-targets', ...ONLY, '--out', fleet)).toMatchObject({
    code: 1,
  });
  expect(resultIn(join(fleet, 'one')).run.ended).toBe(STOPPED.why);
});

it('refuses a number that would stop a run before it begins', async () => {
  const { code, lines } = await tryMain('run', '--max-failures', '0');

  expect({ code, lines }).toEqual({ code: 2, lines: [expect.stringMatching(/whole number from 1 to/)] });
});
