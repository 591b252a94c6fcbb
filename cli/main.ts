import { realpathSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { schemeHint } from '../client/address.ts';
import type { Redactor } from '../client/redact.ts';
import { visibleLine, visibleText } from '../engine/text.ts';
import { productVersion } from '../engine/version.ts';
import { print } from '../reports/print.ts';
import { suggestion, UsageError } from '../specs/validators.ts';
import { addHelp } from './commands/help.ts';
import type { CommandContext } from './read-options.ts';
import { explainError, inOwnWords } from './shell/errors.ts';
import { hideSecrets } from './shell/hide-secrets.ts';
import { ignoreBrokenPipes } from './shell/output.ts';

/** The module of a command. Its default export adds the command to the program. */
interface CommandModule {
  default(program: Command, context: CommandContext): void;
}

/** The commands in the order of the help. Their modules are loaded on demand. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  run: () => import('./commands/run.ts'),
  plan: () => import('./commands/plan.ts'),
  init: () => import('./commands/init.ts'),
  serve: () => import('./commands/serve.ts'),
  clean: () => import('./commands/clean.ts'),
  snapshot: () => import('./commands/snapshot.ts'),
  diff: () => import('./commands/diff.ts'),
  twin: () => import('./commands/twin.ts'),
  blame: () => import('./commands/blame.ts'),
  client: () => import('./commands/client.ts'),
  report: () => import('./commands/report.ts'),
  history: () => import('./commands/history.ts'),
  explain: () => import('./commands/explain.ts'),
  verify: () => import('./commands/verify.ts'),
  export: () => import('./commands/export.ts'),
  waivers: () => import('./commands/waivers.ts'),
  completion: () => import('./commands/completion.ts'),
};

/** The commands to define for some arguments: the named one, or all for the help. */
function wantedBy([word]: readonly string[]): readonly string[] {
  const all = Object.keys(COMMANDS);
  if (word === undefined || isAddress(word)) return ['run'];
  if (word === '--version' || word === '-V') return [];
  return word !== 'completion' && all.includes(word) ? [word] : all;
}

/**
 * The command line. @param args the arguments after the name of the program
 * @returns the exit code: 0 conformant, 1 a failure, 2 wrong usage, 3 nothing can be concluded, 4 a fault of the suite
 */
export async function main(args: readonly string[]): Promise<number> {
  ignoreBrokenPipes([process.stdout, process.stderr]);
  const hide = hideSecrets(args);
  try {
    const words = isAddress(args[0]) ? ['run', ...args] : args;
    guardCommand(words[0], Object.keys(COMMANDS));
    const { program, exitCode } = await commandLine(hide, wantsAll(args), wantedBy(args));
    await program.parseAsync([...words], { from: 'user' });
    return exitCode();
  } catch (error) {
    return await complain(error, args, hide);
  }
}

function isAddress(word: string | undefined): boolean {
  return word?.includes('://') === true;
}

/** Validates the first word as a command, because the default command would take it as an argument. */
function guardCommand(word: string | undefined, commands: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || word === 'help' || commands.includes(word)) return;
  const hint = suggestion(word, commands, schemeHint(word));
  throw new UsageError(
    `unknown command "${word}": expected one of ${commands.join(', ')}, or an address${hint}`,
  );
}

function wantsAll(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => arg === '--help' || arg === '-h');
  return at !== -1 && args[at + 1] === 'all';
}

/**
 * Defines commands. @param all whether the help shows everything; @param wanted the commands; default: all
 * @returns the program, and the exit code of the command that ran
 */
export async function commandLine(
  hide: Redactor,
  all: boolean = false,
  wanted: readonly string[] = Object.keys(COMMANDS),
): Promise<{ program: Command; exitCode(): number }> {
  let exitCode = 0;
  const ends = (code: number): void => {
    exitCode = code;
  };
  const program = new Command('site-conformance')
    .description('Checks a site against its contract: the index, its routes, and how it behaves.')
    .version(productVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => print(process.stdout, text),
      writeErr: (text) => print(process.stderr, text),
      // A suggestion comes on a line of its own.
      outputError: (text, write) =>
        write(`site-conformance: ${visibleLine(hide(inOwnWords(text).replaceAll(/\s*\n\s*/g, ' ')))}\n`),
    });
  for (const name of wanted) (await COMMANDS[name]?.())?.default(program, { hide, ends });
  addHelp(program, all);
  for (const command of program.commands) command.exitOverride().showSuggestionAfterError();
  return { program, exitCode: () => exitCode };
}

/** Prints an error, unless commander has. Wrong usage of `run` replaces the report of an earlier run. */
async function complain(error: unknown, args: readonly string[], hide: Redactor): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { code, line, details } = explainError(error, hide);
  if (!(error instanceof CommanderError)) {
    const words = details === undefined ? line : `fault of the suite itself: ${visibleText(details)}`;
    print(process.stderr, `site-conformance: ${words}\n`);
  } else if (args[0] === undefined || args[0] === 'run' || args[0].startsWith('-') || isAddress(args[0])) {
    const { recordMisuse } = await import('./run/failed-run.ts');
    await recordMisuse(args, { code, reason: line });
  }
  return code;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2));
}
