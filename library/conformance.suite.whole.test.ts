import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { wrongDefault } from '../cli/run/wrong-site.fixture.ts';
import { runNode } from '../cli/spawn-main.fixture.ts';
import { resultIn, tryMain } from '../cli/try-main.fixture.ts';
import { Client } from '../client/client.ts';
import type { Census } from '../client/ownership.ts';
import { takeCensus } from '../probing/records/clean-up/census.ts';
import { Refusal } from '../sites/reference/request.ts';
import { type Served, serve } from '../sites/reference/serve.ts';
import { STANDARD_BEHAVIOUR } from '../sites/reference/standard-behaviour.ts';
import { loadContract } from '../specs/contract.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';

const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const PATIENT = { timeout: 240_000 };

interface AllureResult {
  readonly name: string;
  readonly status: string;
}

interface VitestRun {
  readonly code: unknown;
  readonly text: string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly message: string;
}

interface VitestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

async function runVitest(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  folder: string = testFolder(),
): Promise<VitestRun> {
  const path = join(folder, 'report.json');
  const given = Object.entries(settings).map(([name, value]) => [`SITE_CONFORMANCE_${name}`, value]);
  const reporters = ['--reporter=json', `--outputFile=${path}`];
  const command = [VITEST, 'run', '--root', ROOT, '--project', 'conformance', ...reporters, ...args];
  const { code, text } = await runNode(folder, command, Object.fromEntries(given));
  const report: VitestReport = JSON.parse(readFileSync(path, 'utf8'));
  const titles = (status: string): string[] =>
    report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter((one) => one.status === status).map(({ title }) => title),
    );
  const message = report.testResults.map((one) => one.message).join('\n');
  return { code, text, passed: titles('passed'), failed: titles('failed'), message };
}

async function census(deployment: string, { url, user, password }: Served): Promise<Census> {
  await using client = new Client({
    base: new URL(url),
    mode: 'read',
    concurrency: 2,
    timeout: 30,
    user,
    password,
  });
  return await takeCensus(client, loadContract({ deployment, vocabulary: 'neutral' }));
}

it(
  'runs only what -t asks for on a target of the configuration, writes, and leaves no record',
  PATIENT,
  async () => {
    const deployment = smallDeployment();
    const site = await serve({ deployment });
    onTestFinished(() => site.close());
    const out = testFolder();
    const config = join(out, 'my.config.json');
    const here = { url: site.url, deployment, user: site.user, mode: 'write' };
    writeFileSync(config, JSON.stringify({ out, targets: { here } }));
    const before = await census(deployment, site);

    const { code, text, passed, failed } = await runVitest(['-t', 'posts\\.create/title'], {
      CONFIG: config,
      TARGET: 'here',
      PASSWORD: site.password,
    });

    expect({ code, failed, text }).toMatchObject({ code: 0, failed: [] });
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.filter((title) => !title.includes('[posts.create/title'))).toEqual([]);
    const { checks, writing } = resultIn(out);
    const ran = checks.filter(({ verdict }) => verdict !== 'skip').map(({ id }) => id);
    expect(ran.filter((id) => !id.startsWith('posts.create/title'))).toEqual([]);
    expect(writing?.left).toEqual([]);
    expect(text).toContain(`writing to ${site.url}`);
    expect(readdirSync(join(out, 'journals'))).toEqual([]);
    expect(await census(deployment, site)).toEqual(before);
  },
);

it('is not green if records of its own may be left', PATIENT, async () => {
  const deployment = smallDeployment();
  const site = await serve({
    deployment,
    behaviour: { handlers: { ...STANDARD_BEHAVIOUR.handlers, 'posts.delete': refuse, 'batch.run': refuse } },
  });
  onTestFinished(() => site.close());
  const out = testFolder();

  const { code, failed, message } = await runVitest(['-t', 'posts\\.create/title'], {
    TARGET: site.url,
    DEPLOYMENT: deployment,
    MODE: 'write',
    USER: site.user,
    PASSWORD: site.password,
    OUT: out,
  });

  expect({ code, failed, message }).toMatchObject({
    code: 1,
    failed: [],
    message: expect.stringMatching(/^records of run [\w-]+ may remain on http\S+$/),
  });
  expect(readdirSync(join(out, 'journals'))).toHaveLength(1);
});

it('passes every check to the selected reporters, with its place for Allure', PATIENT, async () => {
  const { deployment, url } = await wrongDefault();
  const folder = testFolder();

  const { code, passed, failed } = await runVitest(
    ['-t', 'posts\\.list/per_page', '--reporter=allure-vitest/reporter'],
    { TARGET: url, DEPLOYMENT: deployment, ALLURE: 'true' },
    folder,
  );

  const results = join(folder, 'allure-results');
  const reported = readdirSync(results)
    .filter((name) => name.endsWith('-result.json'))
    .map((name): AllureResult => JSON.parse(readFileSync(join(results, name), 'utf8')));
  const named = (status: string): string[] =>
    reported.filter((one) => one.status === status).map(({ name }) => name);
  expect({ code, failed }).toEqual({
    code: 1,
    failed: [expect.stringContaining('[posts.list/per_page/default]')],
  });
  expect(named('passed').toSorted()).toEqual(passed.toSorted());
  expect(named('failed')).toEqual(failed);
  expect(reported.find(({ status }) => status === 'failed')).toMatchObject({
    description: expect.stringMatching(/verdict fail[\s\S]*expected: [\s\S]*curl /),
    labels: expect.arrayContaining([
      { name: 'feature', value: 'posts' },
      { name: 'story', value: 'posts.list' },
      { name: 'tag', value: 'fail' },
    ]),
  });
});

it('has no failing test for a waived failure', PATIENT, async () => {
  const { deployment, url } = await wrongDefault();
  const words = { reason: 'another page size', owner: 'the shop', expires: '2999-12-31' };
  const waivers = join(testFolder(), 'my waivers.json');
  const [needed, idle] = ['default', 'maximum'].map((part) => ({
    check: `posts.list/per_page/${part}`,
    ...words,
  }));
  writeFileSync(waivers, JSON.stringify({ format: 1, waivers: [needed, idle] }));

  const settings = { TARGET: url, DEPLOYMENT: deployment, WAIVERS: waivers };
  const lax = await runVitest(['-t', 'posts\\.list/per_page'], settings);
  const strict = await runVitest(['-t', 'posts\\.list/per_page'], { ...settings, STRICT: 'true' });

  expect({ code: lax.code, failed: lax.failed, text: lax.text }).toMatchObject({ code: 0, failed: [] });
  expect(lax.passed.length).toBeGreaterThan(0);
  expect(strict).toMatchObject({
    code: 1,
    failed: [],
    message: expect.stringContaining('1 waiver no longer needed'),
  });
});

it('is not green if nothing can be concluded, and says so in one line', PATIENT, async () => {
  const nobody = await runVitest([], { TARGET: 'http://127.0.0.1:9' });
  const filtered = await runVitest(['-t', 'no such check'], { DEPLOYMENT: smallDeployment() });

  expect(nobody).toMatchObject({
    code: 1,
    passed: [],
    message: expect.stringMatching(/^127\.0\.0\.1:9: .*nothing listens there.*$/),
  });
  expect(filtered).toMatchObject({
    code: 1,
    passed: [],
    text: expect.stringContaining('site-conformance: nothing can be concluded: no check ran'),
  });
  for (const { text, message } of [nobody, filtered]) expect(text + message).not.toMatch(/\.ts:\d/);
});

it('refuses wrong settings in one line without a secret', PATIENT, async () => {
  const { code, text, message } = await runVitest([], {
    TARGET: 'me:s3cret4711@host.example',
    HEADER: 's3cret4712 and more',
  });

  expect({ code, message }).toEqual({ code: 1, message: expect.stringMatching(/^--target.*$/) });
  expect(text + message).not.toMatch(/s3cret|\.ts:\d/);
});

function refuse(): never {
  throw new Refusal('rest_cannot_delete', 'Nobody may delete here.', 403);
}

it('reports in one line what is new against a baseline, and is red for failures', PATIENT, async () => {
  const out = testFolder();
  const { deployment, ...site } = await wrongDefault();
  const only = 'posts.list/per_page/default';
  await tryMain(...['run', '--target', site.url, '--deployment', deployment, '--out', out, '--only', only]);
  const { code, text, failed } = await runVitest([], {
    TARGET: site.url,
    DEPLOYMENT: deployment,
    ONLY: only,
    BASELINE: out,
    OUT: testFolder(),
  });

  expect(failed).toHaveLength(1);
  expect(text).toMatch(/mode read, seed \d+, run \S+: against run \S+: nothing new, 1 still failing;/);
  expect(code).toBe(1);
});
