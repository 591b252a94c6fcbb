import { type Command, InvalidArgumentError, Option } from 'commander';
import { MODES } from '../client/mode.ts';
import { PROFILES } from '../engine/fuzz-options.ts';
import type { FailOn } from '../engine/result.ts';
import { STAGE_MODES } from '../engine/run-options.ts';
import { LEVELS } from '../specs/releases.ts';

/** What `--checks` takes. */
export const CHECKS = "modules with checks of one's own, beside those of the contract";

/** What `--insecure` does. */
export const INSECURE = 'take any TLS certificate: whoever is between can read the password';

/** Adds the options that choose a target and its checks; `run` and `plan` share them. */
export function addSelectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--target <url>',
        'the base address of a site, or the name of a target in the configuration file',
      ).argParser(onlyOne),
    )
    .option(
      '--deployment <name>',
      'core, a, b, auto (what the site serves), or the path of a deployment file',
    )
    .option('--vocabulary <name>', 'neutral, wordpress, auto, or the path of a vocabulary file')
    .addOption(new Option('--mode <mode>', 'what may be sent').choices([...MODES]))
    .option('--user <name>', 'a user of the site; the password comes from SITE_CONFORMANCE_PASSWORD')
    .option(
      '--only <glob...>',
      'run only the checks with such ids, or of such routes of the site, and below; * stays within one part, ** crosses /',
    )
    .option(
      '--skip <glob...>',
      'leave out the checks with such ids, or of such routes of the site, and below',
    )
    .option('--hints <file>', 'good values that only the owner of the site knows')
    .option('--checks <file...>', CHECKS)
    .option('--config <file>', 'the configuration file (site-conformance.config.json when it is there)');
}

/** Adds the options that only a run has. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--confirm-host <host>', 'the host that a mode above read may touch (needed off loopback)')
    .option('--header <header...>', "headers for every request, each as 'Name: value'")
    .option('--insecure', INSECURE)
    .option('--concurrency <n>', 'requests under way at once', wholeNumber(1, 64))
    .option('--rate <n>', 'requests a second at most', aboveZero)
    .option('--timeout <seconds>', 'seconds for one exchange', aboveZero)
    .option('--seed <n>', 'the seed of everything random', wholeNumber(0, 2 ** 31 - 1))
    .option(
      '--examples <n>',
      'sets of arguments that fuzz checks try, for each operation and property',
      wholeNumber(0, 1_000_000),
    )
    .addOption(
      new Option('--profile <name>', 'how many examples (standard unless given)').choices(
        Object.keys(PROFILES),
      ),
    )
    .option(
      '--examples-file <file>',
      'sets of arguments that failed earlier: tried first, new ones are added',
    )
    .option('--replay <id>', 'judge again exactly what a fuzz check found: still there, gone, or cannot tell')
    .option('--results <file>', 'the results.json that --replay reads (that of the last run in --out)')
    .option('--rerun <file>', 'run again what failed in these results, and what that hangs on')
    .addOption(
      new Option(
        '--stage <when>',
        'records that a run in mode write makes for its checks: what the site lacks (auto), none, or all',
      ).choices([...STAGE_MODES]),
    )
    .option('--budget <seconds>', 'seconds for the whole run', aboveZero)
    .option('--baseline <file>', 'the results.json of an earlier run: only what fails newly counts')
    .addOption(
      new Option(
        '--fail-on <what...>',
        'beside a baseline, what counts as new does: found, what searches find that the baseline did not ask',
      ).choices(['found'] satisfies FailOn[]),
    )
    .option(
      '--waivers <file...>',
      'accepted failures, which stay visible and are not counted; known: those of published software',
    )
    .option('--software <name>', "the software of the site with its version, such as 'WordPress 7.1.1'")
    .option(
      '--strict',
      'a check that could not tell ends the run with exit code 3, a waiver that is no longer needed with 1',
    )
    .option('--allure', 'short for --reporter allure, beside the usual reports')
    .option(
      '--har [file]',
      'short for --reporter har, beside the usual reports: the exchanges, secrets masked',
    )
    .addOption(reporterOption())
    .option('--out <dir>', 'the folder for reports (reports/out)');
}

/** Adds the options of a run that certifies. They are about one run: no file and no variable holds them. */
export function addCertifyOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--certify <level>',
        'make a certificate: all that a level of the contract requires',
      ).choices([...LEVELS]),
    )
    .option('--implementation <name>', "with --certify: what is certified, such as 'Acme 1.2'")
    .option('--contract <version>', 'with --certify: the release of the contract (the newest)')
    .option('--key <file>', 'with --certify: sign with this private ed25519 key (PEM)');
}

/** The reports that `run` and `report` make. */
export function reporterOption(): Option {
  return new Option(
    '--reporter <name>',
    'a report to write, also as NAME=FILE, or the path of a module; - is standard output; repeatable (junit)',
  ).argParser((value: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), value]);
}

/** Adds the options of a run of many targets of the configuration. */
export function addFleetOptions(command: Command): Command {
  return command
    .option(
      '--all-targets',
      'check every target of the configuration, each with reports in a folder of its own',
    )
    .option('--targets <glob...>', 'the same for the targets with such names')
    .option('--parallel <n>', 'targets under way at once (2 to 4, by the processors)', wholeNumber(1, 64))
    .option('--shard <i/n>', 'of those targets, part I of N; report --merge makes one fleet of the parts');
}

/** A run is about one site; the way to several is a fleet. */
function onlyOne(value: string, earlier: string | undefined): string {
  if (earlier === undefined) return value;
  throw new InvalidArgumentError(
    'One run checks one site. Name several under "targets" of site-conformance.config.json, and use --all-targets or --targets NAME.',
  );
}

/** A parser for a whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

function aboveZero(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}
