#!/usr/bin/env -S node --max-semi-space-size=4 --heap-growing-percent=20
import { realpathSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { visibleLine } from '../reports/visible-text.ts';
import { SpecError } from '../specs/spec-error.ts';
import type { Redactor } from '../target/redact.ts';
import { TargetError } from '../target/target-error.ts';
import { cleanCommand } from './clean-command.ts';
import { closest } from './closest.ts';
import { hideSecrets } from './hide-secrets.ts';
import { addRunOptions, addSelectionOptions, wholeNumber } from './options.ts';
import { planCommand } from './plan-command.ts';
import { runCommand } from './run-command.ts';
import { serveCommand } from './serve-command.ts';
import { UsageError } from './usage-error.ts';
import { productVersion } from './version.ts';

/**
 * The command line.
 * @param args the arguments after the name of the program
 * @returns the exit code: 0 conformant, 1 a failure, 2 wrong usage, 3 nothing can be concluded, 4 a fault of the suite
 */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const hide = hideSecrets(args, process.env);
  const program = new Command('site-conformance')
    .description('Checks a site against its contract: the index, its routes, and how it behaves.')
    .version(productVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      // A suggestion comes on a line of its own.
      outputError: (text, write) =>
        write(
          `site-conformance: ${hide(
            text
              .replace(/^error: /, '')
              .trim()
              .replaceAll(/\s*\n\s*/g, ' '),
          )}\n`,
        ),
    });

  addRunOptions(addSelectionOptions(program.command('run', { isDefault: true })))
    .description('check a site; without --target the embedded deployments A and B (the default command)')
    .action(async (options) => {
      exitCode = await runCommand(options);
    });
  addSelectionOptions(program.command('plan'))
    .description('list the checks of a selection; sends nothing')
    .option('--json', 'as JSON')
    .option('--coverage', 'what all checks cover, requirement by requirement')
    .option('--html <file>', 'with --coverage: write it as a page')
    .action((options) => {
      exitCode = planCommand(options);
    });
  program
    .command('serve')
    .description('serve the reference deployment on this machine')
    .requiredOption('--deployment <name>', 'a, b, core, or the path of a deployment file')
    .option('--port <n>', 'the port; a free one unless given', wholeNumber(1, 65535))
    .option('--fault <id>', 'break it in one way')
    .option('--list-faults', 'list the ids of all faults that the deployment can have, and serve nothing')
    .action(async (options) => {
      exitCode = await serveCommand(options);
    });
  program
    .command('clean')
    .description('remove what an interrupted run has left; the password comes from SITE_CONFORMANCE_PASSWORD')
    .requiredOption('--run <id>', 'the id of the run')
    .option('--out <dir>', 'the folder for reports of that run (reports/out)')
    .option('--header <header...>', "headers for every request, each as 'Name: value'")
    .option('--confirm-host <host>', 'the host that records are deleted on (needed off loopback)')
    .action(async (options) => {
      exitCode = await cleanCommand(options, process.env);
    });
  for (const command of program.commands) command.exitOverride().showSuggestionAfterError();

  try {
    guardCommand(
      args[0],
      program.commands.map((command) => command.name()),
    );
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, hide);
  }
}

/** A first word that is no option is a command; without this the default command would take it for an argument. */
function guardCommand(word: string | undefined, commands: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || word === 'help' || commands.includes(word)) return;
  const near = closest(word, commands);
  throw new UsageError(
    `unknown command "${word}": expected one of ${commands.join(', ')}${near === undefined ? '' : `; did you mean "${near}"?`}`,
  );
}

/** One clear line for what went wrong, and the exit code for it. */
function explain(error: unknown, hide: Redactor): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  const expected = error instanceof UsageError || error instanceof SpecError || error instanceof TargetError;
  const text = expected
    ? visibleLine(hide(message))
    : `fault of the suite itself: ${error instanceof Error ? (error.stack ?? message) : message}`;
  process.stderr.write(`site-conformance: ${hide(text)}\n`);
  if (error instanceof TargetError) return error.problem === 'address' ? 2 : 3;
  return expected ? 2 : 4;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2));
}
