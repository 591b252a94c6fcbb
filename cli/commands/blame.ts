import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { showBase } from '../../client/address.ts';
import { digestOfJson } from '../../client/json.ts';
import type { Redactor } from '../../client/redact.ts';
import { type Blamed, blamedIn } from '../../compare/blame/ask.ts';
import type { BlameDocument } from '../../compare/blame/document.ts';
import { costOf } from '../../compare/blame/search.ts';
import { type Comparison, readComparison } from '../../compare/comparison.ts';
import { readSide, type Side } from '../../compare/side.ts';
import { plural } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import { jsonText } from '../../reports/files.ts';
import { note } from '../../reports/print.ts';
import { blamePlanView, blameView } from '../../reports/views/blame.ts';
import { readValidated, UsageError } from '../../specs/validators.ts';
import { aboveZero, type RunSettings } from '../options.ts';
import { ASKED_WITH, type CommandContext, given, optionFor } from '../read-options.ts';
import { blame, type SearchOptions } from '../run/blame-search.ts';
import type { NamedCommand } from '../run/stepped-site.ts';
import { lockFolder } from '../shell/lock-folder.ts';
import { printView, showDocument, writeOutput } from '../shell/output.ts';

const SETTINGS = ['target', ...ASKED_WITH, 'mode', 'confirmHost'] as const;
const MOST_STEPS = 500;

interface BlameOptions extends SearchOptions, Pick<RunSettings, (typeof SETTINGS)[number]> {
  readonly before: string;
  readonly comparison?: string;
  readonly fresh?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Adds the command `blame`. */
export default function defineBlame(program: Command, { ends, hide }: CommandContext): void {
  const command = program
    .command('blame')
    .description('find which of several steps caused a change, by bisection')
    .requiredOption('--before <side>', 'a run or snapshot of the site without the steps')
    .requiredOption('--change <id>', 'a change, a cause or a check, or any: the first change that breaks')
    .option('--comparison <file>', 'comparison.json of diff with the change; without it all steps run once')
    .requiredOption('--reset <command>', 'brings the site to the state before; run by the shell')
    .addOption(
      new Option('--step <name=command...>', 'a step, run by the shell; once for each, in their order')
        .argParser(readStep)
        .makeOptionMandatory(),
    )
    .option('--out <dir>', 'the folder for blame.json, from which an interrupted search goes on', 'blame')
    .option('--fresh', 'start over, whatever the folder contains')
    .option('--dry-run', 'show the plan, and run nothing')
    .option('--step-timeout <seconds>', 'seconds for each command', aboveZero, 600)
    .option('--site-timeout <seconds>', 'seconds until the site answers after it', aboveZero, 30);
  for (const name of SETTINGS) command.addOption(optionFor(name));
  command
    .option('--json', 'print blame.json')
    .action(async (options: BlameOptions) => ends(await blameCommand(options, hide)));
}

function readStep(text: string, earlier: readonly NamedCommand[] = []): NamedCommand[] {
  const [, name = '', command = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Expected NAME=COMMAND.');
  if (earlier.some((one) => one.name === name))
    throw new InvalidArgumentError(`There are two steps "${name}".`);
  if (earlier.length === MOST_STEPS)
    throw new InvalidArgumentError(`There are more than ${MOST_STEPS} steps.`);
  return [...earlier, { name, command }];
}

/** @returns the exit code: 0 if the steps are found, 3 if nothing can be concluded or the final reset fails */
async function blameCommand(options: BlameOptions, hide: Redactor): Promise<number> {
  const before = readSide(options.before);
  const given = settingsFor(options, before);
  const comparison = options.comparison === undefined ? undefined : readComparison(options.comparison);
  const blamed = comparison && known(comparison, options);
  const { step: steps, json } = options;
  const plan = blamePlanView({
    steps: steps.map(({ name }) => name),
    url: given.target ?? '',
    cost: [await costOf(steps.length, 1), await costOf(steps.length, 2)],
    isLearned: blamed === undefined,
  });
  if (options.dryRun === true) {
    printView(plan);
    return 0;
  }
  mkdirSync(options.out, { recursive: true });
  using _lock = lockFolder(options.out);
  const document = documentFor(options, given, before);
  const keep = (): void => writeOutput(fileOf(options), jsonText(document));
  let isReset = true;
  if (document.found === undefined) {
    note(`${plural(steps.length, 'step')}: ${plan.reason?.toString() ?? ''}`);
    isReset = await blame({ options, given, before, document, keep, hide, blamed });
  }
  showDocument(document, blameView(document), { json }, [{ label: 'search', path: fileOf(options) }]);
  return document.found !== undefined && isReset ? 0 : 3;
}

function settingsFor(options: BlameOptions, { run, url }: Side): RunSettings {
  const { deployment, vocabulary, composed, deploymentFile, as } = run?.target ?? {};
  if (as === 'user' && options.user === undefined && options.header === undefined) {
    throw new UsageError(`--before ${options.before}: was asked as a user; name one with --user`);
  }
  const isBuiltIn = composed === undefined && deploymentFile === undefined;
  return {
    ...(deployment !== undefined && isBuiltIn && { deployment }),
    ...(vocabulary !== undefined && { vocabulary }),
    ...(run !== undefined && { seed: run.run.seed }),
    target: url,
    profile: 'quick',
    ...given(options, SETTINGS),
  };
}

function known(comparison: Comparison, { change, comparison: path }: BlameOptions): Blamed[] {
  const blamed = blamedIn(comparison, change);
  if (blamed.length > 0) return blamed;
  if (change === 'any') throw new UsageError(`--change any: ${path} has no change that breaks`);
  throw new UsageError(`--change ${change}: ${path} has no such change; its ids are those of "diff --json"`);
}

function fileOf({ out }: BlameOptions): string {
  return join(out, 'blame.json');
}

/** The search in the folder, or a new one. @throws UsageError for a search with other commands */
function documentFor(options: BlameOptions, given: RunSettings, before: Side): BlameDocument {
  const { change, reset, step, fresh } = options;
  const url = showBase(new URL(given.target ?? ''));
  const taken = before.run?.run.id ?? before.taken;
  const digest = digestOfJson([taken, url, change, options.comparison === undefined, reset, step]);
  const path = fileOf(options);
  if (fresh !== true && existsSync(path)) {
    const {
      left: _left,
      inconclusive: _why,
      ...found
    } = readValidated<BlameDocument>(path, 'blame.schema.json');
    if (found.digest !== digest) {
      throw new UsageError(
        `--out ${options.out}: holds the search for something else; name another folder, or add --fresh`,
      );
    }
    return found;
  }
  return {
    format: 1,
    kind: 'blame',
    tool: productTool(),
    target: { url },
    digest,
    change,
    steps: step.map(({ name }) => name),
    tests: [],
    spent: { resets: 0, steps: 0, requests: 0 },
  };
}
