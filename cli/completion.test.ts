import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesOf } from './command-examples.ts';
import { SHELLS } from './completion-scripts.ts';
import { createProgram } from './main.ts';
import { temporaryFolder, tryMain } from './try-main.fixture.ts';

const { program } = createProgram((text) => text);

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, lines } = await tryMain('completion', shell);
  expect({ code, lines }).toEqual({ code: 0, lines: [] });
  return stdout;
}

/** What bash offers for the last of some words. */
async function offered(...words: string[]): Promise<string[]> {
  const file = join(temporaryFolder(), 'script');
  writeFileSync(file, await scriptFor('bash'));
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
  ])('offers %s in bash', async (_what, words, expected) => {
    // Files of the folder are offered beside words.
    expect((await offered(...words)).filter((word) => !/\w-\w.*\.ts$/.test(word)).toSorted()).toEqual(
      expect.arrayContaining(expected),
    );
    if (expected.length === 0) expect(await offered(...words)).toEqual([]);
  });

  it.each(SHELLS)('knows every command and every option in %s', async (shell) => {
    const script = await scriptFor(shell);
    const words = program.commands.flatMap((command) => [
      command.name(),
      ...command.options.map((option) => option.name()),
    ]);

    expect(words.filter((word) => !script.includes(word))).toEqual([]);
  });

  it('names the shells where there is no script', async () => {
    const { code, lines } = await tryMain('completion', 'tcsh');

    expect(lines).toEqual([expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
    expect(code).toBe(2);
  });
});

describe('the help of each command', () => {
  it.each(program.commands.map((command) => [command.name(), command] as const))(
    'has examples with options that %s has',
    async (name, command) => {
      const examples = examplesOf(command);
      const known = [command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long));
      const used = examples.flatMap(({ line }) => line.match(/(?<= )--[a-z][\w-]*/g) ?? []);
      const { code, stdout } = await tryMain(name, '--help');

      expect(examples.length).toBeGreaterThan(0);
      expect(used.filter((option) => !known.includes(option))).toEqual([]);
      expect(code).toBe(0);
      for (const { line } of examples) expect(stdout).toContain(line);
    },
  );
});
