import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { testFile, tryRun } from '../try-main.fixture.ts';
import { chooseReporters, printsReport } from './reporters.ts';

function moduleOf(text: string): string {
  return testFile('mine.ts', text);
}

describe('--reporter', () => {
  it.each<[string, string[], RegExp]>([
    ['a typo', ['sariff'], /unknown reporter "sariff": expected one of json, .*; did you mean "sarif"\?$/],
    ['a name without its file', ['sarif='], /--reporter sarif=: the name of a file is missing after the =/],
    ['a module that is not there', ['./none.ts'], /--reporter \.\/none\.ts: .*none\.ts does not exist/],
    ['two reports on standard output', ['sarif=-', 'github'], /sarif and github both go to standard output/],
    ['two reports in one file', ['sarif=x.out', 'markdown=x.out'], /sarif and markdown both go to .*x\.out/],
    ['one file for two deployments', ['sarif=x.sarif'], /sarif: 2 runs do not fit into .*x\.sarif/],
    ['standard output for two targets', ['markdown=-'], /markdown: 2 runs do not fit into standard output/],
  ])('refuses %s in one line, before anything is sent', async (_what, given, line) => {
    const { code, lines, left } = await tryRun(...given.flatMap((one) => ['--reporter', one]));

    expect(lines).toEqual([expect.stringMatching(line)]);
    expect({ code, left }).toEqual({ code: 2, left: [] });
  });

  it.each([
    ['has no default export', 'export const render = () => "";'],
    ['has no file', 'export default { render: () => "" };'],
    ['renders nothing', 'export default { file: "x.txt" };'],
    ['has a file that is no text', 'export default { file: 5, render: () => "" };'],
    ['hears events with no function', 'export default { file: "x", render: () => "", onEvent: 1 };'],
  ])('refuses a module that %s, and says what it expects', async (_what, text) => {
    const path = moduleOf(text);

    await expect(chooseReporters([path], 1)).rejects.toThrow(
      `--reporter ${path}: expected a module whose default export has a text "file" and a function "render" or "write"`,
    );
  });

  it('refuses a report whose package is not installed, with the way to it', async () => {
    const path = moduleOf('export default { file: "x", needs: "no-such-package-here", render: () => "" };');

    await expect(chooseReporters([path], 1)).rejects.toThrow(
      `--reporter ${path}: needs the package no-such-package-here, which is not installed: npm install no-such-package-here`,
    );
    await expect(chooseReporters(['allure'], 1)).resolves.toHaveLength(1);
  });

  it('prints in one line why a module cannot be loaded', async () => {
    await expect(chooseReporters([moduleOf('export default {;')], 1)).rejects.toThrow(
      /the module cannot be loaded \(.*\)$/,
    );
    await expect(chooseReporters([moduleOf('throw new Error("broken\\nhere");')], 1)).rejects.toThrow(
      /the module cannot be loaded \(broken\)$/,
    );
  });

  it.each(['mine.ts', 'mine.js', 'mine.mjs'])('takes a module of the user: %s', async (name) => {
    const path = testFile(name, 'export default { file: "x.txt", render: () => "mine" };');
    const [chosen] = await chooseReporters([path], 1);

    expect(chosen?.reporter).toMatchObject({ file: 'x.txt' });
  });

  it('takes the example of the documents', async () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'reports.md'), 'utf8');
    const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
    const [chosen] = await chooseReporters([moduleOf(example)], 1);
    if (chosen === undefined || !('render' in chosen.reporter)) expect.fail('renders nothing');
    const result = sampleResult([sampleCheck({ id: 'a/b', verdict: 'fail' }), sampleCheck({})]);

    expect(await chosen.reporter.render(result, { folder: '' })).toBe('a/b\n');
  });

  it('refuses a file that cannot be written', async () => {
    const folder = testFolder({ file: '' });
    mkdirSync(join(folder, 'taken'));

    await expect(chooseReporters([`sarif=${join(folder, 'taken')}`], 1)).rejects.toThrow(
      /taken cannot be written \(a folder is in its place\)/,
    );
    await expect(chooseReporters([`sarif=${join(folder, 'file', 'x')}`], 1)).rejects.toThrow(
      /cannot be written/,
    );
  });

  it('takes each report once, and detects those on standard output', async () => {
    const once = await chooseReporters(['junit', 'junit', 'sarif'], 2);

    expect(once.map(({ given }) => given)).toEqual(['junit', 'sarif']);
    expect(printsReport(once)).toBe(false);
    expect(printsReport(await chooseReporters(['github'], 1))).toBe(true);
    expect(printsReport(await chooseReporters(['sarif=-'], 1))).toBe(true);
  });
});
