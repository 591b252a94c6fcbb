import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../../cli/main.ts';
import { ROOT } from '../../../tests/project-files.ts';
import { parseCommand } from '../../wordpress/parse-command.ts';
import { notRunFor } from './not-run.ts';
import type { Call } from './read-call.ts';
import { type Ended, runMain } from './run-main.ts';

/** Programs of the project that name their options with `--help`. */
const HELPFUL: Readonly<Record<string, string>> = {
  bench: 'tools/bench/main.ts',
  hostile: 'prove/hostile.ts',
  mutants: 'prove/mutants.ts',
};

/**
 * Does what a command in a document asks for: runs the command line, or, of what cannot be run, judges whether it could be meant.
 * @param until what is printed when it is time for Ctrl-C
 */
export async function answerCall(call: Call, until: string | undefined): Promise<Ended> {
  const { words, folder, env } = call;
  const reason = notRunFor(words);
  const own = reason === undefined || words[0] === 'podman' ? ownArguments(words) : undefined;
  try {
    if (own !== undefined) return await runMain(own, { folder, env, until });
    if (reason === undefined) throw new Error(`nothing is known of this command: ${words.join(' ')}`);
    await judge(words, folder);
    return { code: 0, stdout: '', stderr: '' };
  } catch (error) {
    return { code: 125, stdout: '', stderr: error instanceof Error ? error.message : String(error) };
  }
}

/** What the words say to the command line of the suite; undefined where they are for another program. */
function ownArguments(words: readonly string[]): readonly string[] | undefined {
  const [program, first] = words;
  const rest = words.slice(1);
  if (program === 'site-conformance') return rest;
  if (program === 'npx' && first === 'site-conformance') return rest.slice(1);
  if (program === 'npm' && first === 'start') return rest[1] === '--' ? rest.slice(2) : rest.slice(1);
  if (program === 'podman' && first === 'run') return rest.slice(rest.indexOf('site-conformance') + 1);
  return undefined;
}

/** @throws Error where a command that is not run names what is not there */
async function judge(words: readonly string[], folder: string): Promise<void> {
  const [program, action = '', name = ''] = words;
  const missing = words
    .filter((word, at) => /\.(?:json|md|ts)$|^\.ci\//.test(word) && !/^--?o/.test(words[at - 1] ?? ''))
    .filter((word) => !existsSync(join(folder, word)) && !existsSync(join(ROOT, word)));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
  const own = ownArguments(words);
  if (own !== undefined) return parseOnly(own);
  if (program === 'npx' && action === 'vitest') return judgeVitest(words);
  if (program !== 'npm' || (action !== 'run' && action !== 'test')) return;
  const script = action === 'test' ? 'test' : name;
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (!Object.hasOwn(scripts, script)) throw new Error(`package.json has no script "${script}"`);
  const split = words.indexOf('--');
  const args = split === -1 ? [] : words.slice(split + 1);
  if (script === 'wordpress') return judgeWordpress(args, folder);
  const options = args.filter((arg) => arg.startsWith('--'));
  const file = HELPFUL[script];
  if (options.length === 0) return;
  const help =
    file === undefined
      ? ''
      : execFileSync(process.execPath, [join(ROOT, file), '--help'], { encoding: 'utf8' });
  const unknown = options.filter((option) => !new RegExp(`^ +${option}\\b`, 'm').test(help));
  if (unknown.length > 0) throw new Error(`${script} knows no ${unknown.join(', ')}`);
}

/** Has the command line read its arguments, and do nothing. @throws CommanderError */
async function parseOnly(args: readonly string[]): Promise<void> {
  const { program } = commandLine((text) => text);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    command.action(() => undefined).exitOverride();
  }
  await program.parseAsync([...args], { from: 'user' });
}

async function judgeWordpress(args: readonly string[], folder: string): Promise<void> {
  const command = parseCommand(args);
  if (command.name === 'exec') await judge([command.command, ...command.args], folder);
}

function judgeVitest(words: readonly string[]): void {
  const project = words[words.indexOf('--project') + 1] ?? '';
  if (!['unit', 'whole', 'browser', 'conformance'].includes(project)) {
    throw new Error(`vitest.config.ts has no project "${project}"`);
  }
}
