import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { SHELLS } from './commands/completion.ts';
import { commandLine } from './main.ts';
import { testFile, tryMain } from './try-main.fixture.ts';

const { program } = await commandLine((text) => text);

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, lines } = await tryMain('completion', shell);
  expect({ code, lines }).toEqual({ code: 0, lines: [] });
  return stdout;
}

const BASH = await scriptFor('bash');

function offered(...words: string[]): string[] {
  const file = testFile('script', BASH);
  const script = `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _site_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, '-', file, 'site-conformance', ...words], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  it.each<[string, string[], string[]]>([
    ['commands', ['pl'], ['plan']],
    ['options of the default command', ['--vocab'], ['--vocabulary']],
    ['options of a command', ['run', '--mo'], ['--mode']],
    ['no options of another', ['diff', '--mo'], []],
    ['choices', ['run', '--mode', 'w'], ['write']],
    ['built-in deployments', ['plan', '--deployment', 'a'], ['a', 'auto']],
    ['vocabularies', ['--vocabulary', 'neu'], ['neutral']],
    ['reporters', ['report', '--reporter', 'sa'], ['sarif']],
    ['commands of a command', ['waivers', 'pr'], ['prune']],
    ['options of those', ['waivers', 'make', '--ow'], ['--owner']],
    ['shells', ['completion', 'fi'], ['fish']],
    ['files', ['run', '--baseline', 'main.te'], ['main.test.ts']],
  ])('offers %s in bash', (_what, given, expected) => {
    // Files are offered in addition to words.
    const words = offered(...given);
    expect(words.filter((word) => !/\w-\w.*\.ts$/.test(word))).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0) expect(words).toEqual([]);
  });

  it.each<[string, string[], string[]]>([
    ['modes', ['run', '--mode', ''], ['read', 'validate', 'write', 'full']],
    ['deployments', ['run', '--deployment', ''], ['a', 'auto', 'b', 'core']],
    ['deployments of a command that asks no site', ['serve', '--deployment', ''], ['a', 'b', 'core']],
    ['vocabularies', ['run', '--vocabulary', ''], ['auto', 'neutral', 'wordpress']],
    ['waivers', ['run', '--waivers', ''], ['known']],
    ['verdicts', ['explain', 'inc'], ['inconclusive']],
    ['releases', ['run', '--contract', '1.0'], ['1.0']],
  ])('offers %s before any file in bash', (_what, words, expected) => {
    expect(offered(...words).toSorted()).toEqual(expected.toSorted());
  });

  it('offers files if no word fits, unless only words are accepted', () => {
    expect(offered('run', '--deployment', 'main.te')).toEqual(['main.test.ts']);
    expect(offered('run', '--mode', 'main.te')).toEqual([]);
  });

  it.each(SHELLS)('knows every command and every option in %s', async (shell) => {
    const script = await scriptFor(shell);
    const words = program.commands.flatMap((command) => [
      command.name(),
      ...command.options.map((option) => option.name()),
    ]);

    expect(words.filter((word) => !script.includes(word))).toEqual([]);
  });

  it('names the supported shells for an unknown one', async () => {
    expect(await tryMain('completion', 'tcsh')).toMatchObject({
      code: 2,
      lines: ['site-conformance: unknown shell "tcsh". Allowed choices are bash, zsh, fish.'],
    });
  });
});

const MOST_LINES = 2 * 24;
const WIDTH = 80;
const GROUPS = ['Target', 'Safety', 'Selection', 'Comparison', 'Fuzzing', 'Reports', 'Fleets', 'Certificate'];

describe('the help of each command', () => {
  it.each(program.commands.map((command) => [command.name(), command] as const))(
    'has examples with options that %s has',
    async (name, command) => {
      const known = [command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long));
      const { code, stdout } = await tryMain(name, '--help', 'all');
      const [, examples = ''] = stdout.split('\nExamples:\n');
      const used = examples.match(/(?<=^ {2}[^#].* )--[a-z][\w-]*/gm) ?? [];

      expect(examples).toContain(name);
      expect(used.filter((option) => !known.includes(option))).toEqual([]);
      expect(code).toBe(0);
    },
  );

  it.each([
    [],
    ...program.commands.flatMap((command) => [
      [command.name()],
      ...command.commands.map((own) => [command.name(), own.name()]),
    ]),
  ])('fits two screens: %s %s', async (...words) => {
    const { code, stdout } = await tryMain(...words.filter(Boolean), '--help');
    const [text = ''] = stdout.split('\nExamples:\n');

    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(MOST_LINES);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(WIDTH);
  });

  it('shows the options of a run in groups, and every one with --help all', async () => {
    const { stdout: short } = await tryMain('run', '--help');
    const { stdout: all } = await tryMain('run', '--help', 'all');
    const options = program.commands.find((one) => one.name() === 'run')?.options ?? [];
    const missing = (text: string): number =>
      options.filter(({ flags }) => !text.includes(`  ${flags}`)).length;

    for (const text of [short, all]) {
      expect(text.match(/^[A-Z][a-z]+(?=:$)/gm)?.filter((one) => GROUPS.includes(one))).toEqual(GROUPS);
    }
    expect(missing(all)).toBe(0);
    expect(missing(short)).toBeGreaterThan(10);
    expect(short).toContain(`\n${missing(short)} more options: site-conformance run --help all\n`);
  });
});
