import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wrongDefault } from '../cli/run/wrong-site.fixture.ts';
import { type CallerEnd, runNode } from '../cli/spawn-main.fixture.ts';
import { testFolder } from '../specs/folder.fixture.ts';

const PATIENT = { timeout: 240_000 };

const ROOT = join(import.meta.dirname, '..');

/** A vitest file of a user, in a project with this checkout installed, a short timeout and retries. */
function project(options: object, more = ''): string {
  const folder = testFolder({
    'package.json': { type: 'module' },
    'vitest.config.ts': 'export default { test: { testTimeout: 1, hookTimeout: 1, retry: 2 } };',
    'own.test.ts': "import { it } from 'vitest';\nit('is a test of their own', () => {});",
    'site.test.ts': siteTest(options, more),
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/site-conformance'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  return folder;
}

function runVitest(folder: string, ...args: string[]): Promise<CallerEnd> {
  return runNode(folder, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args]);
}

function siteTest(options: object, more = ''): string {
  return [
    "import { defineCheck, failure } from 'site-conformance';",
    "import { conformance } from 'site-conformance/vitest';",
    `conformance({ ...${JSON.stringify(options)}, ${more} });`,
  ].join('\n');
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
        // Checks that `only` leaves out have no test.
        text: expect.stringMatching(/Tests +2 failed \| \d+ passed (\| \d skipped )?\(\d{1,2}\)/),
      });
      expect(text).toContain('[posts.list/per_page/default]');
      expect(text).toMatch(/AssertionError: .*\(§[\d.]+, posts\.list\/per_page\/default\)\s+curl /);
      expect(text).not.toContain('add-tests.ts');
      expect(text).toContain('no banner (§own, acme/shown)');
      expect(readFileSync(join(folder, 'out/results.json'), 'utf8')).toContain('"acme/shown"');
    },
  );

  it('fails with one line in each file that cannot be run', PATIENT, async () => {
    const wrong: readonly (readonly [options: object, line: RegExp])[] = [
      [{ target: 'http://127.0.0.1:9' }, /nothing listens there/],
      [{ tarrget: 'http://127.0.0.1:9' }, /does not know "tarrget"; did you mean "target"\?/],
      [{ target: 'http://127.0.0.1:9', deployment: 'auto' }, /cannot be auto/],
    ];
    const folder = project(wrong[0]?.[0] ?? {});
    for (const [at, [options]] of wrong.slice(1).entries())
      writeFileSync(join(folder, `site-${at}.test.ts`), siteTest(options));
    const { code, text } = await runVitest(folder);

    expect({ code, text }).toMatchObject({
      code: 1,
      text: expect.stringMatching(/Test Files +3 failed \| 1 passed/),
    });
    for (const [, line] of wrong) expect(text).toMatch(line);
    expect(text).not.toMatch(/node_modules\/site-conformance|\/library\/|\/cli\//);
  });
});
