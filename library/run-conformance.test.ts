import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { serve } from '../sites/reference/serve.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import type { Check, ConformanceOptions } from './index.ts';
import { compare, defineCheck, failure, runConformance } from './index.ts';

const ONLY = ['posts.list/per_page/**', 'acme/**'];

async function smallSite(): Promise<ConformanceOptions> {
  const deployment = smallDeployment();
  const site = await serve({ deployment });
  onTestFinished(() => site.close());
  return { target: site.url, deployment, only: ONLY, seed: 1 };
}

function banner(): Check {
  return defineCheck({
    id: 'acme/banner/shown',
    title: 'the index shows the banner',
    run: async (session) => {
      const { status } = await session.ask({ method: 'GET', route: '/' });
      return [failure('there is no banner', { expected: 'a banner', observed: `status ${status}` })];
    },
  });
}

describe('runConformance', () => {
  it('returns the result, prints nothing, and leaves no file and no password', async () => {
    const reported: string[] = [];
    const site = await smallSite();
    const before = process.env[PASSWORD_VARIABLE];

    const { result, exitCode } = await runConformance({
      ...site,
      only: ['posts.list/per_page/**'],
      onCheck: ({ id }) => reported.push(id),
    });

    expect({ exitCode, conclusion: result.conclusion, fail: result.counts.fail }).toEqual({
      exitCode: 0,
      conclusion: 'conformant',
      fail: 0,
    });
    expect(result.counts.pass).toBeGreaterThan(0);
    expect(reported.sort()).toEqual(result.checks.map(({ id }) => id).sort());
    expect(process.env[PASSWORD_VARIABLE]).toBe(before);
  });

  it('checks the embedded deployment without a target, and forgets its password', async () => {
    const before = process.env[PASSWORD_VARIABLE];

    const { result } = await runConformance({ deployment: smallDeployment(), only: ['posts.list/per_page'] });

    expect(result.counts.pass).toBeGreaterThan(0);
    expect(process.env[PASSWORD_VARIABLE]).toBe(before);
  });

  it('has a check of the caller in every report, compared with a baseline and accepted by a waiver', async () => {
    const site = await smallSite();
    const folder = testFolder();
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const waivers = join(folder, 'waivers.json');
    const words = { reason: 'no banner yet', owner: 'the shop', expires: '2999-12-31' };
    writeFileSync(
      waivers,
      JSON.stringify({ format: 1, waivers: [{ check: 'acme/banner/shown', ...words }] }),
    );

    const failing = await runConformance({
      ...site,
      checks: [banner()],
      out: first,
      reporter: ['json', 'junit', 'sarif', 'markdown', 'html'],
    });
    const known = await runConformance({ ...site, checks: [banner()], out: second, baseline: first });
    const waived = await runConformance({ ...site, checks: [banner()], waivers });

    const ofBanner = (run: typeof known) => run.result.checks.find(({ id }) => id === 'acme/banner/shown');
    expect([failing.exitCode, known.exitCode, waived.exitCode]).toEqual([1, 0, 0]);
    expect(ofBanner(failing)).toMatchObject({
      verdict: 'fail',
      section: 'own',
      message: 'there is no banner',
    });
    expect(ofBanner(known)).toMatchObject({ verdict: 'fail', standing: 'still' });
    expect(ofBanner(waived)).toMatchObject({ verdict: 'fail', waived: { owner: 'the shop' } });
    for (const name of ['results.json', 'junit.xml', 'results.sarif', 'report.md', 'report.html']) {
      expect(existsSync(join(first, name)) ? readFileSync(join(first, name), 'utf8') : name).toContain(
        'acme/banner/shown',
      );
    }
    expect(compare(first, second).counts).toMatchObject({ breaking: 0 });
    expect(compare(failing.result, waived.result).counts).toMatchObject({ breaking: 0 });
  });

  it('ends early at a signal, and says so', async () => {
    const interruption = new AbortController();
    const site = await smallSite();

    const { result, exitCode } = await runConformance({
      ...site,
      only: [],
      signal: interruption.signal,
      onCheck: () => interruption.abort(),
    });

    expect({ exitCode, reason: result.reason }).toEqual({
      exitCode: 3,
      reason: expect.stringContaining('interrupted'),
    });
  });

  it.each<[string, object, RegExp]>([
    ['a wrong setting', { depolyment: 'core' }, /^the options: .*"depolyment".* did you mean "deployment"\?/],
    ['a value of another kind', { timeout: 'long' }, /^the options: \/timeout/],
    ['writing without a journal', { mode: 'write' }, /^mode write: needs "out"/],
    ['one check twice', { checks: [banner(), banner()] }, /two checks share the id acme\/banner\/shown/],
    ['an unknown deployment', { deployment: 'z' }, /unknown deployment "z"/],
  ])('refuses %s in one line', async (_what, wrong, line) => {
    const { target } = await smallSite();

    await expect(
      (async () => runConformance({ ...(target !== undefined && { target }), ...wrong }))(),
    ).rejects.toThrow(line);
  });
});

describe('defineCheck', () => {
  const run = () => [];

  it.each<[string, Parameters<typeof defineCheck>[0], RegExp]>([
    ['a blank id', { id: 'my check', title: 'x', run }, /^defineCheck: the id "my check" is none: expected/],
    ['an id with a glob', { id: 'a/*', title: 'x', run }, /the id "a\/\*" is none/],
    ['an empty part', { id: 'a//b', title: 'x', run }, /the id "a\/\/b" is none/],
    ['no title', { id: 'a/b', title: '', run }, /^defineCheck: a\/b has no title/],
  ])('refuses %s', (_what, check, line) => {
    expect(() => defineCheck(check)).toThrow(line);
  });

  it('puts a check into the area that it names, or that of the first part of its id', () => {
    const check = { id: 'acme/banner/shown', title: 'x', run };

    expect(defineCheck(check).area).toBe('acme');
    expect(defineCheck({ ...check, area: 'banners' }).area).toBe('banners');
  });

  it.each([
    [{}, 'reads'],
    [{ mode: 'validate' }, 'validates'],
    [{ effect: 'writes' }, 'writes'],
    [{ mode: 'full', effect: 'writes' }, 'alters-site'],
  ] as const)('plans one with %j as one that %s', (needs, effect) => {
    expect(defineCheck({ id: 'acme/banner/shown', title: 'x', run, ...needs }).effect).toBe(effect);
  });

  it('reports a fault of its own as a fault and nothing else', async () => {
    const site = await smallSite();
    const broken = defineCheck({
      id: 'acme/broken',
      title: 'breaks',
      run: () => {
        throw new Error('a slip');
      },
    });

    const { result, exitCode } = await runConformance({ ...site, only: ['acme/**'], checks: [broken] });

    expect(exitCode).toBe(4);
    expect(result.checks.find(({ id }) => id === 'acme/broken')).toMatchObject({ verdict: 'error' });
  });
});
