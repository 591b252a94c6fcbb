import type { Command } from 'commander';
import {
  type CheckOptions,
  listCommand,
  type MakeOptions,
  makeCommand,
  pruneCommand,
  refreshCommand,
} from './waivers-command.ts';

const RESULTS = 'results.json of a run, or the folder that holds it';

/** Adds the command `waivers` and its own. @param ends takes the exit code */
export function addWaiversCommand(program: Command, ends: (code: number) => void): void {
  const waivers = program
    .command('waivers')
    .description('make, refresh, prune and list a file of accepted failures');
  waivers
    .command('make')
    .description('a waiver for each failure of a run that none covers')
    .argument('<results>', RESULTS)
    .requiredOption('--owner <name>', 'who accepts them')
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--expires <date>', 'the last day on which they count, such as 2027-01-31')
    .option('--out <file>', 'the file; standard output unless given')
    .option('--force', 'replace the file when it is there')
    .action((results: string, options: MakeOptions) => ends(makeCommand(results, options)));
  waivers
    .command('refresh')
    .description('note in a file when a run has seen the failures; adds none')
    .argument('<file>', 'the file of waivers')
    .argument('<results>', RESULTS)
    .option('--check', 'write nothing: say what would change, with exit code 1 where something would')
    .action((file: string, results: string, options: CheckOptions) =>
      ends(refreshCommand(file, results, options)),
    );
  waivers
    .command('prune')
    .description('remove from a file what matches no check, and what covers only checks that pass')
    .argument('<file>', 'the file of waivers')
    .argument('<results>', RESULTS)
    .option('--check', 'write nothing: say what would change, with exit code 1 where something would')
    .action((file: string, results: string, options: CheckOptions) =>
      ends(pruneCommand(file, results, options)),
    );
  waivers
    .command('list')
    .description('the waivers of a file, with the days that each has left')
    .argument('<file>', 'the file of waivers')
    .action((file: string) => ends(listCommand(file, new Date())));
  for (const command of waivers.commands) command.exitOverride().showSuggestionAfterError();
}
