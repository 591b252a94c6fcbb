import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { commandLine } from '../main.ts';
import { tryMain, tryMainAs } from '../try-main.fixture.ts';

const ID = 'posts.list/per_page/maximum';
const SMALL = ['--deployment', smallDeployment(afterAll)];

function runs(): { folder: string; before: string; after: string } {
  const failing = sampleCheck({ id: ID, verdict: 'fail', message: 'wider' });
  const folder = testFolder({
    'before/results.json': sampleResult([sampleCheck({ id: ID })]),
    'after/results.json': sampleResult([failing]),
  });
  return { folder, before: join(folder, 'before'), after: join(folder, 'after') };
}

/** Commands with `--json` that need no site, and no tests of their own. */
const COMMANDS: readonly (readonly [string, () => string[]])[] = [
  ['plan', () => ['plan', ...SMALL, '--only', `${ID}/**`]],
  ['plan of nothing', () => ['plan', ...SMALL, '--only', ID, '--skip', ID]],
  ['plan --hints-wanted', () => ['plan', ...SMALL, '--hints-wanted']],
  ['explain of a check', () => ['explain', ID]],
  ['explain of a verdict', () => ['explain', 'inconclusive']],
  [
    'explain with results',
    () => ['explain', ID, '--deployment', 'core', '--results', join(runs().after, 'results.json')],
  ],
  [
    'diff',
    () => {
      const { before, after } = runs();
      return ['diff', before, after];
    },
  ],
  ['history', () => ['history', runs().folder]],
];

it.each(COMMANDS)(
  '%s --json writes one document to standard output, and nothing else',
  async (_what, args) => {
    const { stdout, lines } = await tryMain(...args(), '--json');

    expect(lines).toEqual([]);
    expect(typeof JSON.parse(stdout)).toBe('object');
  },
);

it('is tried for every command that has it', async () => {
  const { program } = await commandLine((text) => text);
  const having = program.commands
    .filter(({ options }) => options.some(({ long }) => long === '--json'))
    .map((command) => command.name());

  expect(having.toSorted()).toEqual([
    'blame',
    'diff',
    'explain',
    'history',
    'plan',
    'report',
    'run',
    'twin',
    'verify',
  ]);
});

it.each(['diff', 'history'])('%s refuses two documents at once on standard output', async (command) => {
  const { before, after, folder } = runs();
  const where = command === 'diff' ? [before, after] : [folder];
  const { code, stdout, lines } = await tryMain(command, ...where, '--json', '--markdown');

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(lines).toEqual([expect.stringContaining("'--json' cannot be used with option '--markdown'")]);
});

it('keeps notes about the site off standard output', async () => {
  const plan = ['plan', '--target', 'http://127.0.0.1:9', '--only', ID, '--json'];
  const { stdout, lines } = await tryMainAs({ password: 'abcd' }, ...plan);

  expect(lines).toEqual([
    expect.stringMatching(
      /^SITE_CONFORMANCE_PASSWORD is set, and no --user names whose password it is.*asked without a user/,
    ),
  ]);
  expect(JSON.parse(stdout).length).toBeGreaterThan(0);
});
