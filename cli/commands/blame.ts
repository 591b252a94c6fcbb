import { addAbortListener } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { showBase } from '../../client/address.ts';
import { digestOfJson } from '../../client/json.ts';
import type { Redactor } from '../../client/redact.ts';
import { TargetError } from '../../client/target-error.ts';
import { type Blamed, blamedIn, type SiteReading } from '../../compare/blame/ask.ts';
import type { BlameDocument } from '../../compare/blame/document.ts';
import { costOf } from '../../compare/blame/search.ts';
import { type Comparison, compareSides, readComparison } from '../../compare/comparison.ts';
import { readSide, type Side } from '../../compare/side.ts';
import { messageOf, plural } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import { jsonText } from '../../reports/files.ts';
import { note } from '../../reports/print.ts';
import { blamePlanView, blameView } from '../../reports/views/blame.ts';
import { readValidated, UsageError } from '../../specs/validators.ts';
import { aboveZero, type RunSettings } from '../options.ts';
import { ASKED_WITH, type CommandContext, given, optionFor } from '../read-options.ts';
import { DOWN, Inconclusive, searchSteps } from '../run/blame-search.ts';
import { settleOne } from '../run/configure.ts';
import { CommandFailed, type NamedCommand, SteppedSite } from '../run/stepped-site.ts';
import { lockFolder } from '../shell/lock-folder.ts';
import { interruptible } from '../shell/on-interrupt.ts';
import { printView, showDocument, writeOutput } from '../shell/output.ts';

const SETTINGS = ['target', ...ASKED_WITH, 'mode', 'confirmHost'] as const;
const MOST_STEPS = 500;

interface BlameOptions extends Pick<RunSettings, (typeof SETTINGS)[number]> {
  readonly before: string;
  readonly change: string;
  readonly comparison?: string;
  readonly reset: string;
  readonly step: readonly NamedCommand[];
  readonly out: string;
  readonly fresh?: boolean;
  readonly dryRun?: boolean;
  readonly stepTimeout: number;
  readonly siteTimeout: number;
  readonly json?: boolean;
}

/** Adds the command `blame`. */
export function defineBlame(program: Command, { ends, hide }: CommandContext): void {
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
  let isReset = true;
  if (document.found === undefined) {
    note(`${plural(steps.length, 'step')}: ${plan.reason?.toString() ?? ''}`);
    isReset = await perform({ options, given, before, document, hide, blamed });
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

/** Searches, stores the result in the document, and resets the site. @returns whether the reset worked */
async function perform(performance: {
  readonly options: BlameOptions;
  readonly given: RunSettings;
  readonly before: Side;
  readonly document: BlameDocument;
  readonly hide: Redactor;
  readonly blamed: readonly Blamed[] | undefined;
}): Promise<boolean> {
  const { options, given, document, hide } = performance;
  using stopping = interruptible(() => leaveAtOnce(site));
  const site = new SteppedSite({
    reset: { name: '--reset', command: options.reset },
    steps: options.step,
    timeouts: { command: options.stepTimeout, site: options.siteTimeout },
    config: await settleOne(given),
    settings: given,
    hide,
    signal: stopping.signal,
    spent: document.spent,
  });
  const keep = (): void => writeOutput(fileOf(options), jsonText(document));
  using _noting = addAbortListener(stopping.signal, () =>
    note('interrupted: the command under way ends, and the site is reset; once more leaves it as it is'),
  );
  let found: SiteReading | undefined;
  try {
    found = await site.read('requests', []).catch((error: unknown) => {
      if (!(error instanceof TargetError)) throw error;
      return undefined;
    });
    const blamed = performance.blamed ?? (await learn(options, performance.before, document, site));
    document.blamed = blamed.map(({ id, headline }) => ({ id, headline }));
    keep();
    await searchSteps({ site, document, keep }, blamed);
  } catch (error) {
    const reason = stopping.signal.aborted
      ? 'interrupted; the same command goes on from what is known'
      : reasonOf(error, hide);
    if (reason === undefined) throw error;
    document.inconclusive = reason;
  } finally {
    const left = await leave(site, found);
    if (left !== undefined) document.left = left;
    keep();
  }
  return site.has !== undefined;
}

/** Why nothing can be concluded; undefined for a fault of the suite. */
function reasonOf(error: unknown, hide: Redactor): string | undefined {
  if (error instanceof Inconclusive || error instanceof CommandFailed) return error.message;
  return error instanceof TargetError ? hide(error.message) : undefined;
}

/** Finds what all steps together change, with one complete run. A comparison of an interrupted search is reused. */
async function learn(
  options: BlameOptions,
  before: Side,
  document: BlameDocument,
  site: SteppedSite,
): Promise<readonly Blamed[]> {
  const path = join(options.out, 'comparison.json');
  const { change } = options;
  let comparison: Comparison;
  if (document.blamed !== undefined && existsSync(path)) comparison = readComparison(path);
  else {
    note('all steps are applied, and everything is run once, to see what they change');
    await site.go([], true);
    await site.go(options.step.map((_, at) => at));
    const extent = before.run === undefined ? 'requests' : 'everything';
    try {
      comparison = compareSides(before, (await site.read(extent, [])).side);
    } catch (error) {
      if (error instanceof TargetError && change === 'any') return [DOWN];
      throw error;
    }
    writeOutput(path, jsonText(comparison));
  }
  const blamed = blamedIn(comparison, change);
  if (blamed.length > 0) return blamed;
  throw new Inconclusive(
    `all steps together do not show ${change === 'any' ? 'any change that breaks' : change}: ${path} has what they change`,
  );
}

/** Resets the site. @returns how it differs from its initial state */
async function leave(site: SteppedSite, found: SiteReading | undefined): Promise<string | undefined> {
  try {
    await site.leave();
    if (found === undefined) return undefined;
    const { changes } = compareSides(found.side, (await site.read('requests', [])).side);
    if (changes.length === 0) return undefined;
    return `the site is as the reset makes it, which is not as it was found: its index differs in ${plural(changes.length, 'thing')}, such as ${changes[0]?.place} ${changes[0]?.subject}`;
  } catch (error) {
    return `the site could not be reset at the end (${messageOf(error)}): reset it by hand`;
  }
}

/** The second interruption: nothing is reset, and the applied steps are named. */
function leaveAtOnce({ has }: SteppedSite): never {
  const state = has === undefined ? 'some of the steps' : has.length === 0 ? 'no step' : has.join(', ');
  note(`left at once: the site has ${state}; reset it by hand`);
  process.exit(3);
}
