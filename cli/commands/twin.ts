import type { Command } from 'commander';
import { showBase } from '../../client/address.ts';
import { redactorFor } from '../../client/redact.ts';
import { TargetError } from '../../client/target-error.ts';
import { readClient } from '../../compare/clients/uses.ts';
import { askTwins } from '../../compare/twin/ask.ts';
import { compareTwins, siteSide } from '../../compare/twin/twin.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import { callersOf, contractOf, type RunConfig } from '../../suites/run.ts';
import { loadConfig } from '../config.ts';
import type { RunSettings } from '../options.ts';
import { optionFor } from '../read-options.ts';
import { resolveTargets, settleTargets } from '../run/configure.ts';
import { type Ready, readyTarget } from '../run/ready-target.ts';
import { UsageError } from '../shell/errors.ts';
import { productVersion } from '../shell/version.ts';
import type { CommandContext } from './context.ts';
import { addComparisonOptions, type ComparisonOptions, concludeComparison } from './diff.ts';

/** What both sites are asked with. */
const SETTINGS = [
  'config',
  'user',
  'deployment',
  'vocabulary',
  'header',
  'insecure',
  'timeout',
  'rate',
  'concurrency',
  'budget',
  'seed',
  'examples',
] as const;
/** Sets of arguments that are drawn for each list unless a number is given. */
const EXAMPLES = 10;
const SEED = 1;
const EVERY_MS = 1000;

type TwinSettings = Pick<RunSettings, (typeof SETTINGS)[number]>;
type TwinOptions = ComparisonOptions & TwinSettings;

/** Adds the command `twin`. */
export function defineTwin(program: Command, { ends }: CommandContext): void {
  const command = program
    .command('twin')
    .description('ask two sites the same reads, and say what the second answers otherwise')
    .argument('<before>', 'the address of a site, or a name in the configuration')
    .argument('<after>', 'the same for the site that is compared with it');
  for (const name of SETTINGS) command.addOption(optionFor(name));
  addComparisonOptions(command).action(async (before: string, after: string, options: TwinOptions) => {
    ends(await twinCommand(before, after, options));
  });
}

/**
 * The command `twin`: sends every read to both sites, in mode read whatever the configuration says.
 * @returns the exit code: 3 when nothing can be concluded, 1 when there is a change that counts as a failure
 * @throws UsageError for settings of the two that do not go together; TargetError naming the side that cannot be asked
 */
async function twinCommand(before: string, after: string, options: TwinOptions): Promise<number> {
  for (const path of options.asClient ?? []) readClient(path);
  const [first, second] = [await configOf(before, options), await configOf(after, options)];
  guardAlike(first, second);
  const started = new Date().toISOString();
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const ready: Ready[] = [];
  try {
    for (const [when, config] of [['before', first] as const, ['after', second] as const]) {
      ready.push(await naming(when, config, () => readyTarget(config, stopping.signal)));
    }
    const [was, is] = ready.map(({ config, preflight }) => ({
      options: config,
      index: preflight.takeIndex().index,
    }));
    if (was === undefined || is === undefined) throw new Error('a side is missing');
    const shared = callersOf(second);
    const asked = await askTwins(was, is, {
      contract: contractOf(first),
      seed: options.seed ?? SEED,
      examples: options.examples ?? EXAMPLES,
      callers: callersOf(first).filter((name) => shared.includes(name)),
      signal: stopping.signal,
      progress: progressLine(options),
    });
    const [earlier, later] = [was, is].map(({ options: own, index }) => {
      const redact = redactorFor(own);
      return siteSide(redact(showBase(own.base)), index.document, redact, started);
    });
    if (earlier === undefined || later === undefined) throw new Error('a side is missing');
    print(process.stderr, `${plural(asked.requests, 'request')} to both sites together\n`);
    return concludeComparison(compareTwins(earlier, later, asked, productVersion()), earlier, options);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    for (const one of ready) await one.close();
  }
}

/** What a side is asked with: the command line wins over its target in the configuration, but for the mode. */
async function configOf(site: string, options: TwinOptions): Promise<RunConfig> {
  const given = Object.fromEntries(
    SETTINGS.flatMap((name) =>
      name === 'config' || options[name] === undefined ? [] : [[name, options[name]]],
    ),
  );
  const file = loadConfig(options.config);
  const resolved = resolveTargets({ ...given, target: site, mode: 'read' }, file, process.env);
  const [config] = await settleTargets(resolved, process.env, report);
  if (config === undefined) throw new UsageError(`${site}: is no site`);
  return { ...config, mode: 'read' };
}

/** @throws UsageError where what one side answers says nothing of the other */
function guardAlike(first: RunConfig, second: RunConfig): void {
  if ((first.user === undefined) !== (second.user === undefined)) {
    throw new UsageError('a user is named for one of the two sites only: name one for both, or for neither');
  }
  if (contractOf(first).vocabulary !== contractOf(second).vocabulary) {
    throw new UsageError('the two sites speak other vocabularies: compare runs of them with "diff"');
  }
}

/** Names the side that cannot be asked. */
async function naming<T>(when: string, { base }: RunConfig, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new TargetError(error.problem, `${when}, ${showBase(base)}: ${error.message}`);
  }
}

function report(line: string): void {
  print(process.stderr, `${visibleLine(line)}\n`);
}

/** Says how many requests were sent, every second, where somebody watches. */
function progressLine({ json }: ComparisonOptions): (requests: number) => void {
  let last = Date.now();
  return (requests) => {
    if (json === true || !process.stderr.isTTY || Date.now() - last < EVERY_MS) return;
    last = Date.now();
    print(process.stderr, `${plural(requests, 'request')} sent\n`);
  };
}
