import { type Command, Option } from 'commander';
import { diffCommand } from './diff-command.ts';

/** Adds the command `diff`. @param done takes the exit code */
export function addDiffCommand(program: Command, done: (code: number) => void): void {
  program
    .command('diff')
    .description('what changed from one run or snapshot to another, and whether it breaks callers')
    .argument('<before>', 'results.json, snapshot.json, or a folder that holds one')
    .argument('<after>', 'the same for the later one')
    .addOption(
      new Option('--fail-on <what>', 'the changes that end with exit code 1')
        .choices(['breaking', 'any', 'none'])
        .default('breaking'),
    )
    .addOption(new Option('--json', 'print comparison.json').conflicts('markdown'))
    .option('--markdown', 'print Markdown')
    .option('--html <file>', 'write the page into this file')
    .option(
      '--out <dir>',
      'write comparison.json, comparison.md and the page comparison.html into this folder',
    )
    .action((before, after, options) => {
      done(diffCommand(before, after, options));
    });
}
