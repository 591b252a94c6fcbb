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

/** What `--header` takes. */
export const HEADER = "headers for every request, each as 'Name: value'";

/** What `--user` takes. */
export const USER = 'a user of the site; password: SITE_CONFORMANCE_PASSWORD';

/** The groups that the help of a command shows its options in. */
const GROUPS = {
  target: 'Target:',
  safety: 'Safety:',
  selection: 'Selection:',
  comparison: 'Comparison:',
  fuzzing: 'Fuzzing:',
  reports: 'Reports:',
  fleets: 'Fleets:',
  certificate: 'Certificate:',
} as const;

/** Options that `--help` leaves to `--help all`. */
const RARE = new WeakSet<Option>();

/** Marks an option as one that few callers need. */
function rare(option: Option): Option {
  RARE.add(option);
  return option;
}

/** Whether `--help` leaves an option to `--help all`. */
export function isRare(option: Option): boolean {
  return RARE.has(option);
}

/** Adds the options that choose a target and its checks; `run` and `plan` share them. */
export function addSelectionOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.target)
    .addOption(
      new Option('--target <url>', 'the address of a site, or a name in the configuration').argParser(
        onlyOne,
      ),
    )
    .option('--deployment <name>', 'core, a, b, auto (what the site serves), or a file')
    .option('--user <name>', USER)
    .addOption(rare(new Option('--vocabulary <name>', 'neutral, wordpress, auto, or a file')))
    .addOption(rare(new Option('--hints <file>', 'good values that only the owner of the site knows')))
    .addOption(
      rare(
        new Option(
          '--config <file>',
          'the configuration file (site-conformance.config.json when it is there)',
        ),
      ),
    )
    .optionsGroup(GROUPS.safety)
    .addOption(new Option('--mode <mode>', 'what may be sent').choices([...MODES]))
    .optionsGroup(GROUPS.selection)
    .option('--only <glob...>', 'only checks with such ids, or of such routes, and below')
    .option('--skip <glob...>', 'leave those out; * stays within one part, ** crosses /')
    .addOption(rare(new Option('--checks <file...>', CHECKS)));
}

/** Adds the options that only a run has. */
export function addRunOptions(command: Command): Command {
  command
    .optionsGroup(GROUPS.target)
    .addOption(rare(new Option('--header <header...>', HEADER)))
    .addOption(rare(new Option('--insecure', INSECURE)))
    .addOption(rare(new Option('--timeout <seconds>', 'seconds for one exchange').argParser(aboveZero)))
    .addOption(
      rare(
        new Option(
          '--software <name>',
          "the software of the site with its version, such as 'WordPress 7.1.1'",
        ),
      ),
    )
    .optionsGroup(GROUPS.safety)
    .option('--confirm-host <host>', 'the host that a mode above read may touch')
    .option('--rate <n>', 'requests a second at most', aboveZero)
    .addOption(
      rare(new Option('--concurrency <n>', 'requests under way at once').argParser(wholeNumber(1, 64))),
    )
    .addOption(rare(new Option('--budget <seconds>', 'seconds for the whole run').argParser(aboveZero)))
    .addOption(
      rare(
        new Option(
          '--stage <when>',
          'fixtures of a run in mode write: records that the site lacks, none, or all',
        ).choices([...STAGE_MODES]),
      ),
    )
    .optionsGroup(GROUPS.selection)
    .option('--rerun <file>', 'only what failed there, and what that depends on');
  addComparisonOptions(command);
  addFuzzingOptions(command);
  return command
    .optionsGroup(GROUPS.reports)
    .addOption(reporterOption())
    .option('--out <dir>', 'the folder for reports (reports/out)')
    .addOption(rare(new Option('--allure', 'short for --reporter allure, beside the usual reports')))
    .addOption(
      rare(
        new Option(
          '--har [file]',
          'short for --reporter har, beside the usual reports: the exchanges, secrets masked',
        ),
      ),
    );
}

function addComparisonOptions(command: Command): void {
  command
    .optionsGroup(GROUPS.comparison)
    .option('--baseline <file>', 'results.json of an earlier run: only new failures count')
    .addOption(
      rare(
        new Option(
          '--fail-on <what...>',
          'also count, beside a baseline: what its searches did not ask',
        ).choices(['found'] satisfies FailOn[]),
      ),
    )
    .option('--waivers <file...>', 'accepted failures: shown, not counted')
    .addOption(
      rare(
        new Option(
          '--strict',
          'exit code 3 where a check is inconclusive, 1 where a waiver is no longer needed',
        ),
      ),
    );
}

function addFuzzingOptions(command: Command): void {
  command
    .optionsGroup(GROUPS.fuzzing)
    .addOption(
      rare(new Option('--seed <n>', 'the seed of everything random').argParser(wholeNumber(0, 2 ** 31 - 1))),
    )
    .addOption(new Option('--profile <name>', 'how many examples').choices(Object.keys(PROFILES)))
    .option('--replay <id>', 'check again exactly what a fuzz check found')
    .addOption(
      rare(
        new Option(
          '--results <file>',
          'the results.json that --replay reads (that of the last run in --out)',
        ),
      ),
    )
    .addOption(
      rare(
        new Option(
          '--examples <n>',
          'sets of arguments that fuzz checks try, for each operation and property',
        ).argParser(wholeNumber(0, 1_000_000)),
      ),
    )
    .addOption(
      rare(
        new Option(
          '--examples-file <file>',
          'sets of arguments that failed earlier: tried first, new ones are added',
        ),
      ),
    );
}

/** Adds the options of a run that certifies. They are about one run: no file and no variable holds them. */
export function addCertifyOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.certificate)
    .addOption(new Option('--certify <level>', 'make a certificate').choices([...LEVELS]))
    .addOption(
      rare(new Option('--implementation <name>', "with --certify: what is certified, such as 'Acme 1.2'")),
    )
    .addOption(
      rare(new Option('--contract <version>', 'with --certify: the release of the contract (the newest)')),
    )
    .addOption(rare(new Option('--key <file>', 'with --certify: sign with this private ed25519 key (PEM)')));
}

/** The reports that `run` and `report` make. */
export function reporterOption(): Option {
  return new Option('--reporter <name>', 'a report (junit, html), NAME=FILE, NAME=-, or a module').argParser(
    (value: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), value],
  );
}

/** Adds the options of how the command line shows a run. */
export function addShowingOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.reports)
    .option('--json', 'print results.json and nothing else')
    .option('--quiet', 'print the conclusion only, and no progress')
    .optionsGroup(GROUPS.selection)
    .option('--watch', 'at each Enter, run again what did not pass')
    .addOption(
      rare(new Option('--watch-file <file>', 'with --watch: also each time that this file changes')),
    );
}

/** Adds the options of a run of many targets of the configuration. */
export function addFleetOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.fleets)
    .option('--all-targets', 'check every target of the configuration')
    .addOption(rare(new Option('--targets <glob...>', 'the same for the targets with such names')))
    .addOption(
      rare(
        new Option('--parallel <n>', 'targets under way at once (2 to 4, by the processors)').argParser(
          wholeNumber(1, 64),
        ),
      ),
    )
    .addOption(
      rare(
        new Option(
          '--shard <i/n>',
          'of those targets, part I of N; report --merge makes one fleet of the parts',
        ),
      ),
    );
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

/** A number above zero, as an option has it. */
export function aboveZero(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}
