import { realpathSync } from 'node:fs';
import { Argument, Command, CommanderError, Option } from 'commander';
import type { Redactor } from '../client/redact.ts';
import { visibleLine, visibleText } from '../engine/text.ts';
import { print } from '../reports/print.ts';
import { outliveReaders } from './closed-output.ts';
import { cleanCommand } from './commands/clean.ts';
import { completedCommands, completionScript, SHELLS } from './commands/completion.ts';
import { addDiffCommand } from './commands/diff.ts';
import { explainCommand } from './commands/explain.ts';
import { addExportOptions, exportCommand } from './commands/export.ts';
import { fleetCommand, isFleet } from './commands/fleet.ts';
import { addHelp, wantsAll } from './commands/help.ts';
import { historyCommand } from './commands/history.ts';
import { initCommand } from './commands/init.ts';
import { isMerge, mergeCommand } from './commands/merge.ts';
import { planCommand } from './commands/plan.ts';
import { reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { snapshotCommand } from './commands/snapshot.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addWaiversCommand } from './commands/waivers.ts';
import { readWatching, watchCommand } from './commands/watch.ts';
import { standsIn } from './earlier-run.ts';
import { explain, inOwnWords } from './errors.ts';
import { recordFailure } from './failed-run.ts';
import { hideSecrets } from './hide-secrets.ts';
import {
  aboveZero,
  addCertifyOptions,
  addFleetOptions,
  addRunOptions,
  addSelectionOptions,
  addShowingOptions,
  CHECKS,
  HEADER,
  INSECURE,
  reporterOption,
  USER,
  wholeNumber,
} from './options.ts';
import { DEFAULT_OUT } from './resolve-targets.ts';
import { productVersion } from './version.ts';
import { guardCommand, isAddress, withSite } from './with-site.ts';

/**
 * The command line.
 * @param args the arguments after the name of the program
 * @returns the exit code: 0 conformant, 1 a failure, 2 wrong usage, 3 nothing can be concluded, 4 a fault of the suite
 */
export async function main(args: readonly string[]): Promise<number> {
  outliveReaders([process.stdout, process.stderr]);
  const hide = hideSecrets(args, process.env);
  const { program, exitCode } = createProgram(hide, wantsAll(args));
  try {
    const words = isAddress(args[0]) ? ['run', ...args] : args;
    guardCommand(
      words[0],
      program.commands.map((command) => command.name()),
    );
    await program.parseAsync([...words], { from: 'user' });
    return exitCode();
  } catch (error) {
    return await complain(error, args, hide);
  }
}

/**
 * The commands with their options.
 * @param hide masks what must not be said
 * @param all whether a help leaves out nothing
 * @returns the program, and how the command that it ran has ended
 */
export function createProgram(
  hide: Redactor,
  all: boolean = false,
): { program: Command; exitCode(): number } {
  let exitCode = 0;
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

  const run = program.command('run', { isDefault: true }).argument('[site...]', 'the same as --target');
  addShowingOptions(addCertifyOptions(addFleetOptions(addRunOptions(addSelectionOptions(run)))))
    .description('check a site, or the embedded deployments A and B (the default command)')
    .action(async (sites, { allTargets, targets, parallel, shard, watch, watchFile, ...given }) => {
      const options = withSite(run, sites, given);
      const fleet = { allTargets, targets, parallel, shard };
      const watching = readWatching({ watch, watchFile }, isFleet(fleet));
      if (watching !== undefined) exitCode = await watchCommand(options, watching, hide);
      else
        exitCode = isFleet(fleet)
          ? await fleetCommand(options, fleet, hide)
          : await runCommand(options, hide);
    });
  addSelectionOptions(program.command('plan'))
    .optionsGroup('Output:')
    .description('list the checks of a selection; sends nothing but what auto asks the site for')
    .option('--json', 'as JSON')
    .option('--coverage', 'what all checks cover, requirement by requirement')
    .option('--hints-wanted', 'what a hints file could say, operation by operation')
    .option('--html <file>', 'with --coverage: write it as a page')
    .option(
      '--results <file>',
      'with --coverage: the results.json of a run, for what its fuzz checks did try',
    )
    .action(async (options) => {
      exitCode = await planCommand(options);
    });
  program
    .command('init')
    .description('make a configuration and a contract of what a site publishes; reads only')
    .option(
      '--target <url>',
      'the base address of a site; unless given, the one that the working folder is of',
    )
    .option('--user <name>', USER)
    .option('--header <header...>', HEADER)
    .option('--insecure', INSECURE)
    .option(
      '--contract <file...>',
      'built-in operation files that stay the measure where the site publishes otherwise, or all',
    )
    .option(
      '--schemas <n>',
      'how many routes are asked for the schema of their records',
      wholeNumber(0, 100_000),
    )
    .option('--yes', 'write what the site has changed since the last time')
    .option('--check', 'write nothing; exit code 1 where something would be written')
    .option('--out <dir>', 'the working folder', '.')
    .action(async (options) => {
      exitCode = await initCommand(options, process.env);
    });
  program
    .command('serve')
    .description('serve the reference deployment on this machine')
    .requiredOption('--deployment <name>', 'a, b, core, or the path of a deployment file')
    .option('--port <n>', 'the port; a free one unless given', wholeNumber(1, 65535))
    .option('--mutant <id>', 'break it in one way')
    .option('--empty', 'without any content')
    .option('--list-mutants', 'list the ids of all mutants that the deployment can have, and serve nothing')
    .action(async (options) => {
      exitCode = await serveCommand(options);
    });
  program
    .command('clean')
    .description('remove what interrupted runs have left; the password comes from SITE_CONFORMANCE_PASSWORD')
    .option('--run <id>', 'the id of one run; without it, of all that the folder for reports knows')
    .option('--out <dir>', 'the folder for reports of those runs (reports/out)')
    .option('--header <header...>', HEADER)
    .option('--insecure', INSECURE)
    .option('--confirm-host <host...>', 'the hosts that records are deleted on (needed off loopback)')
    .action(async (options) => {
      exitCode = await cleanCommand(options, process.env);
    });
  program
    .command('snapshot')
    .description('keep the index of a site in a file, to compare it later; one request')
    .requiredOption('--target <url>', 'the base address of a site')
    .option('--header <header...>', "headers for the request, each as 'Name: value'")
    .option('--insecure', INSECURE)
    .option('--timeout <seconds>', 'seconds for one exchange', aboveZero, 30)
    .option('--out <file>', 'the file', 'snapshot.json')
    .option('--force', 'replace the file when it is there')
    .action(async (options) => {
      exitCode = await snapshotCommand(options);
    });
  addDiffCommand(program, (code) => {
    exitCode = code;
  });
  program
    .command('report')
    .description('make the reports of a run again from its events, also of one that died')
    .argument('[dir]', 'the folder for reports of the run')
    .addOption(reporterOption())
    .option('--open', 'open the page with the program that this machine has for pages')
    .option('--merge <dir...>', 'make one fleet of the parts that run --shard made, all of them')
    .option('--json', 'with --merge: print fleet.json')
    .option('--out <dir>', 'where they go; beside the events unless given, and nowhere with --merge')
    .action(async (folder, options) => {
      exitCode = isMerge(folder, options)
        ? await mergeCommand(options)
        : await reportCommand(folder, options, hide);
    });
  program
    .command('history')
    .description('a folder of results, run by run: what is new, what fails how long, what is unstable')
    .argument(
      '<folder>',
      'holds results.json files, in folders at any depth, or other *.json files of results',
    )
    .option('--last <n>', 'list the latest runs of each series only', wholeNumber(1, 100_000))
    .option('--one-site', 'runs of one deployment and mode are of one site, whatever their address')
    .addOption(new Option('--json', 'print history.json').conflicts('markdown'))
    .option('--markdown', 'print Markdown')
    .option('--out <dir>', 'write history.json, history.md and the page history.html into this folder')
    .action((folder, options) => {
      exitCode = historyCommand(folder, options);
    });
  program
    .command('explain')
    .description('what a check asks, why, how it decides, what it sends, and what to do when it fails')
    .argument('<id>', 'the id of a check or a finding, a glob of several, or a verdict such as inconclusive')
    .option('--deployment <name>', 'core, a, b, or the path of a deployment file')
    .option('--vocabulary <name>', 'neutral, wordpress, or the path of a vocabulary file')
    .option('--checks <file...>', CHECKS)
    .option('--results <file>', 'the results.json of a run: shows what it reported of the check')
    .option('--json', 'as JSON')
    .action(async (id, options) => {
      exitCode = await explainCommand(id, options);
    });
  addVerifyCommand(program, hide, (code) => {
    exitCode = code;
  });
  addExportOptions(program.command('export')).action(async (options) => {
    exitCode = await exportCommand(options);
  });
  addWaiversCommand(program, (code) => {
    exitCode = code;
  });
  program
    .command('completion')
    .description('print the script that completes these commands in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell) => {
      print(process.stdout, completionScript(shell, completedCommands(program)), Number.POSITIVE_INFINITY);
    });
  addHelp(program, all);
  for (const command of program.commands) command.exitOverride().showSuggestionAfterError();
  return { program, exitCode: () => exitCode };
}

/** Says what went wrong, unless the library has; wrong usage of `run` leaves no report of an earlier run standing. */
async function complain(error: unknown, args: readonly string[], hide: Redactor): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { code, line, details } = explain(error, hide);
  if (!(error instanceof CommanderError)) {
    print(
      process.stderr,
      `site-conformance: ${details === undefined ? line : `fault of the suite itself: ${visibleText(details)}`}\n`,
    );
  } else if (args[0] === undefined || args[0] === 'run' || args[0].startsWith('-') || isAddress(args[0])) {
    const out = valueIn(args, '--out') ?? DEFAULT_OUT;
    if (!standsIn(out, valueIn(args, '--baseline'))) await recordFailure(out, { code, reason: line });
  }
  return code;
}

/** The value of an option as far as it can be told from arguments that are wrong. */
function valueIn(args: readonly string[], option: string): string | undefined {
  const joined = args.findLast((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1);
  const at = args.lastIndexOf(option);
  return at === -1 ? joined : args[at + 1];
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2));
}
