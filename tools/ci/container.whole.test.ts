import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outputOf } from '../../cli/spawn-main.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A check of a user's own, which imports the suite. */
const OWN = `import { defineCheck } from 'site-conformance';
export default defineCheck({ id: 'acme/a', title: 'is asked', run: () => [] });
`;

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

function lastStage(): Instruction[] {
  const lines = readFileSync(join(ROOT, 'Containerfile'), 'utf8').split('\n');
  const all = lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, rest }];
  });
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
}

function lastOf(stage: readonly Instruction[], name: string): string {
  return stage.findLast((one) => one.name === name)?.rest ?? '';
}

/** Copies what the stage copies, as a builder does. @returns the folder of the suite, and one to work in */
function build(stage: readonly Instruction[]): { suite: string; work: string } {
  const folder = testFolder();
  const [suite, work] = [join(folder, 'suite'), join(folder, 'work')];
  mkdirSync(suite);
  mkdirSync(work);
  symlinkSync(join(ROOT, 'node_modules'), join(suite, 'node_modules'));
  for (const { rest } of stage.filter((one) => one.name === 'COPY' && !one.rest.startsWith('--from='))) {
    const words = rest.split(' ');
    const to = words.pop() ?? '';
    for (const from of words)
      cpSync(join(ROOT, from), join(suite, to, to.endsWith('/') ? from : ''), { recursive: true });
  }
  return { suite, work };
}

it('starts as another user than root, and without a shell', () => {
  const stage = lastStage();

  expect(lastOf(stage, 'USER')).toBe('node');
  expect(JSON.parse(lastOf(stage, 'ENTRYPOINT'))[0]).toBe('node');
  expect(stage.filter(({ name }) => name === 'CMD' || name === 'ADD')).toEqual([]);
});

it('holds everything that a run takes, and no tests of the tree or tools', { timeout: 120_000 }, async () => {
  const stage = lastStage();
  const { suite, work } = build(stage);
  const [, ...words]: string[] = JSON.parse(lastOf(stage, 'ENTRYPOINT'));
  const program = words.map((word) => word.replace('/suite/', `${suite}/`));
  writeFileSync(join(work, 'own.ts'), OWN);
  const selection = [
    '--deployment',
    'core',
    '--only',
    'index/name/**',
    'acme/**',
    '--checks',
    'own.ts',
    '--json',
  ];
  const child = spawn(process.execPath, [...program, 'run', ...selection], { cwd: work });
  const output = outputOf(child);
  const [code] = await once(child, 'close');
  const { stdout, stderr } = output;

  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ conclusion: 'conformant' });
  expect(stdout).toContain('"acme/a"');
  expect(readdirSync(join(work, 'reports/out'))).toContain('results.json');
  expect(readdirSync(suite)).not.toContain('tools');
});
