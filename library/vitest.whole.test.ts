import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { wrongDefault } from '../cli/run/wrong-site.fixture.ts';
import { runNode } from '../cli/spawn-main.fixture.ts';
import { serve } from '../sites/reference/serve.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import { callerProject, runVitest } from './caller-project.fixture.ts';

const PATIENT = { timeout: 240_000 };

/** A vitest file of a user, in a project that is impatient and tries again. */
function project(options: object, more = ''): string {
  return callerProject({
    'vitest.config.ts': 'export default { test: { testTimeout: 1, hookTimeout: 1, retry: 2 } };',
    'own.test.ts': "import { it } from 'vitest';\nit('is a test of their own', () => {});",
    'site.test.ts': [
      "import { defineCheck, failure } from 'site-conformance';",
      "import { conformance } from 'site-conformance/vitest';",
      `conformance({ ...${JSON.stringify(options)}, ${more} });`,
    ].join('\n'),
  });
}

describe('conformance() in a vitest project', () => {
  it(
    'adds every check as a test beside those of the caller, with one that fails for the one failure',
    PATIENT,
    async () => {
      const { deployment, url } = await wrongDefault();
      const own =
        "checks: [defineCheck({ id: 'acme/shown', title: 'there is a banner', run: () => [failure('no banner')] })]";

      const folder = project(
        { target: url, deployment, out: 'out', only: ['posts.list/per_page/**', 'acme/**'] },
        own,
      );
      const { code, text } = await runVitest(folder);

      expect({ code, text }).toMatchObject({
        code: 1,
        // What `only` leaves out is no test.
        text: expect.stringMatching(/Tests +2 failed \| \d+ passed (\| \d skipped )?\(\d{1,2}\)/),
      });
      expect(text).toContain('[posts.list/per_page/default]');
      expect(text).toContain('no banner (§own, acme/shown)');
      expect(readFileSync(join(folder, 'out/results.json'), 'utf8')).toContain('"acme/shown"');
    },
  );

  it('asks only what -t asks for, writes where it may, and leaves no record', PATIENT, async () => {
    const deployment = smallDeployment();
    const site = await serve({ deployment });
    onTestFinished(() => site.close());
    process.env.SITE_CONFORMANCE_PASSWORD = site.password;
    onTestFinished(() => void delete process.env.SITE_CONFORMANCE_PASSWORD);

    const folder = project({ target: site.url, deployment, mode: 'write', user: site.user, out: 'out' });
    const { code, text } = await runVitest(folder, '-t', 'posts\\.create/title');

    expect({ code, text }).toMatchObject({ code: 0 });
    const { checks, writing }: { checks: { id: string; verdict: string }[]; writing: { left: unknown[] } } =
      JSON.parse(readFileSync(join(folder, 'out/results.json'), 'utf8'));
    const asked = checks.filter(({ verdict }) => verdict !== 'skip');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ id }) => !id.startsWith('posts.create/title'))).toEqual([]);
    expect(writing.left).toEqual([]);
    expect(readdirSync(join(folder, 'out/journals'))).toEqual([]);
  });

  it.each([
    ['a site that is not there', { target: 'http://127.0.0.1:9' }, /nothing listens there/],
    [
      'a misspelt option',
      { tarrget: 'http://127.0.0.1:9' },
      /does not know "tarrget"; did you mean "target"\?/,
    ],
    [
      'a deployment that only the site tells',
      { target: 'http://127.0.0.1:9', deployment: 'auto' },
      /cannot be auto/,
    ],
  ])('fails with one line for %s', PATIENT, async (_what, options, line) => {
    const { code, text } = await runVitest(project(options));

    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringMatching(line) });
    expect(text).not.toMatch(/node_modules\/site-conformance|\/library\/|\/cli\//);
  });
});

describe('the examples of docs/library.md', () => {
  const document = readFileSync(join(import.meta.dirname, '../docs/library.md'), 'utf8');
  const programs = [...document.matchAll(/^```ts\n\/\/ ([\w.-]+)\n(.*?)^```/gms)].map(
    ([, name = '', text = '']) => [name, text] as const,
  );

  it('are there', () => {
    expect(programs.map(([name]) => name)).toEqual([
      'check.ts',
      'site.test.ts',
      'banner.ts',
      'own-checks.ts',
      'compare.ts',
    ]);
  });

  it('do what they say', PATIENT, async () => {
    const site = await serve({ deployment: 'core' });
    onTestFinished(() => site.close());
    const folder = callerProject({});
    for (const [name, text] of programs) {
      const mine = text
        .replaceAll('https://staging.example.org', site.url)
        .replaceAll(/'(?:before|after)\/results\.json'/g, "'reports/staging/results.json'");
      writeFileSync(join(folder, name), mine);
      const { code, text: said } = name.endsWith('.test.ts')
        ? await runVitest(folder, name)
        : await runNode(folder, [name]);
      expect({ name, code, said }).toMatchObject({ code: 0 });
    }
  });
});
