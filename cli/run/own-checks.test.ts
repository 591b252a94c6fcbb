import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { refusal, testFile, tryMain } from '../try-main.fixture.ts';

const BANNER = `{ id: 'acme/banner/shown', title: 'the index shows the banner', run: () => [] }`;

const SMALL = smallDeployment(afterAll);

function moduleOf(text: string, name = 'own.ts'): string {
  return testFile(name, text);
}

function planOf(...paths: string[]): ReturnType<typeof tryMain> {
  return tryMain('plan', '--deployment', SMALL, '--only', 'acme/**', '--json', '--checks', ...paths);
}

const idsIn = (stdout: string): string[] => JSON.parse(stdout).map(({ id }: { id: string }) => id);

describe("checks of a user's own", () => {
  it.each<[string, string, string]>([
    ['a check', `export default ${BANNER};`, 'own.mjs'],
    ['a list of them', `export default [${BANNER}];`, 'own.mjs'],
    ['a module of CommonJS', `module.exports = ${BANNER};`, 'own.cjs'],
    [
      'one that imports the suite where it is not installed',
      `import { defineCheck } from 'site-conformance';\nexport default defineCheck(${BANNER});`,
      'own.ts',
    ],
  ])('come from %s', async (_what, text, name) => {
    expect(idsIn((await planOf(moduleOf(text, name))).stdout)).toEqual(['acme/banner/shown']);
  });

  it.each(['own.ts', 'own.js'])('come from %s beside a package of CommonJS', async (name) => {
    const folder = testFolder({ [name]: `export default ${BANNER};`, 'package.json': { type: 'commonjs' } });

    expect(idsIn((await planOf(join(folder, name))).stdout)).toEqual(['acme/banner/shown']);
  });

  it('say how to name what a module imports from a package of CommonJS', async () => {
    const folder = testFolder({
      'own.ts': `import { own } from './helper.ts';\nexport default own;`,
      'package.json': { type: 'commonjs' },
      'helper.ts': `export const own = ${BANNER};`,
    });

    expect((await planOf(join(folder, 'own.ts'))).lines.join()).toContain('.mts');
  });

  it('come from the current version of a module', async () => {
    const path = moduleOf(`export default ${BANNER};`);
    await planOf(path);
    writeFileSync(path, `export default ${BANNER.replace('shown', 'seen')};`);
    utimesSync(path, 1, 1);

    expect(idsIn((await planOf(path)).stdout)).toEqual(['acme/banner/seen']);
  });

  it('are named by the configuration, relative to its folder', async () => {
    const folder = testFolder({
      'own.ts': `export default ${BANNER};`,
      'config.json': { deployment: SMALL, checks: ['own.ts'] },
    });
    const config = join(folder, 'config.json');
    const { stdout } = await tryMain('plan', '--config', config, '--only', 'acme/**', '--json');

    expect(idsIn(stdout)).toEqual(['acme/banner/shown']);
  });

  it('are reported by explain', async () => {
    const path = moduleOf(`export default ${BANNER};`);
    const { code, stdout } = await tryMain('explain', 'acme/banner/shown', '--checks', path);

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('shows the banner') });
  });

  it('are not part of the coverage of the contract', async () => {
    const path = moduleOf(`export default ${BANNER};`);
    const { stdout } = await tryMain('plan', '--coverage', '--json', '--deployment', SMALL, '--checks', path);

    expect(stdout).not.toContain('acme/');
  });

  it.each<[string, string, RegExp]>([
    ['no module', 'export default {', /--checks .*own\.ts: the module cannot be loaded \(.+\)$/],
    ['a module that throws', 'throw new Error("a slip")', /the module cannot be loaded \(a slip\)$/],
    ['no default export', `export const banner = ${BANNER};`, /expected a module whose def/],
    ['an empty list', 'export default [];', /own\.ts: expected a module whose default export is a check or/],
    ['a number', 'export default 7;', /own\.ts: 7 is no check: expected an object$/],
    ['a check without run', `export default { id: 'a/b', title: 'x' };`, /: a\/b has no function "run"/],
    ['the second of a list', `export default [${BANNER}, {}];`, /: the check at 1: the id undefined is none/],
    [
      'a misspelt member',
      `export default { ...${BANNER}, dependOn: [] };`,
      /shown: a check has no "dependOn"; did you mean "dependsOn"\?$/,
    ],
    [
      'a word that there is not',
      `export default { ...${BANNER}, mode: 'wirte' };`,
      /shown: mode "wirte": expected one of read, validate, write, full$/,
    ],
    [
      'an id of the contract',
      `export default { ...${BANNER}, id: 'index/name/type' };`,
      /two checks share the id index\/name\/type: give your own another one$/,
    ],
    [
      'a root that there is not',
      `export default { ...${BANNER}, dependsOn: ['index/name/typ'] };`,
      /shown depends on index\/name\/typ, and no check has this id; did you mean "index\/name\/type"\?$/,
    ],
    [
      'a check that waits for itself',
      `const other = { ...${BANNER}, id: 'acme/other', dependsOn: ['acme/banner/shown'] };
       export default [other, { ...${BANNER}, dependsOn: ['acme/other'] }];`,
      /acme\/other depends on itself/,
    ],
  ])('are refused in one line for %s', async (_what, text, line) => {
    expect(await planOf(moduleOf(text))).toMatchObject(refusal(line));
  });

  it('are refused if the module is missing, or is a folder', async () => {
    const folder = testFolder();

    expect((await planOf(join(folder, 'none.ts'))).lines).toEqual([expect.stringMatching(/does not exist$/)]);
    expect((await planOf(folder)).lines).toEqual([expect.stringMatching(/is no file$/)]);
  });
});
