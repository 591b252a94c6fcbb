import { join } from 'node:path';
import type { Command } from 'commander';
import { showBase } from '../../client/address.ts';
import type { RequestSpec } from '../../client/observation.ts';
import { redactorFor } from '../../client/redact.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { TargetError } from '../../client/target-error.ts';
import type { Change } from '../../compare/change.ts';
import { readClients } from '../../compare/clients/uses.ts';
import { type Comparison, readComparison } from '../../compare/comparison.ts';
import { saidOf } from '../../compare/groups/words.ts';
import { ANONYMOUS } from '../../compare/twin/argument-search.ts';
import { type AskedTwins, type TwinOptions as AskOptions, askTwins } from '../../compare/twin/ask.ts';
import { compareTwins, siteSide } from '../../compare/twin/twin.ts';
import { plural } from '../../engine/text.ts';
import { note, say } from '../../reports/print.ts';
import { twinsView } from '../../reports/views/twins.ts';
import { UsageError } from '../../specs/validators.ts';
import { callersOf, contractOf, type RunConfig } from '../../suites/run-config.ts';
import type { RunSettings } from '../options.ts';
import { ASKED_WITH, type CommandContext, given, optionFor } from '../read-options.ts';
import { settleOne } from '../run/configure.ts';
import { readyTarget } from '../run/ready-target.ts';
import { interruptible } from '../shell/on-interrupt.ts';
import { printJson, showDocument, writeDocument } from '../shell/output.ts';
import { addComparisonOptions, type ComparisonOptions, concludeComparison, showComparison } from './diff.ts';

const SETTINGS = [...ASKED_WITH, 'budget', 'seed', 'examples'] as const;
const EXAMPLES = 10;
const SEED = 1;
const EVERY_MS = 1000;
const EVERY_MS_IN_LOGS = 30_000;

type TwinOptions = ComparisonOptions & Pick<RunSettings, 'rerun' | (typeof SETTINGS)[number]>;

/** Adds the command `twin`. */
export default function defineTwin(program: Command, { ends }: CommandContext): void {
  const command = program
    .command('twin')
    .description('send the same reads to two sites or more, and show what differs')
    .argument('<before>', 'the address of a site, or a name in the configuration')
    .argument('<after>', 'the same for the site that is compared with it')
    .argument('[others...]', 'further sites, compared with the first');
  for (const name of SETTINGS) command.addOption(optionFor(name));
  addComparisonOptions(command)
    .option('--rerun <id>', 'only what shows this change of what is in --out')
    .action(async (before: string, after: string, others: string[], options: TwinOptions) =>
      ends(await twinCommand(before, after, others, options)),
    );
}

/** @returns the exit code, the worst of several sites: 3 if nothing can be concluded, 1 if a change is a failure */
async function twinCommand(
  before: string,
  after: string,
  others: readonly string[],
  options: TwinOptions,
): Promise<number> {
  readClients(options.asClient);
  const [first, second, ...more] = await Promise.all([
    configOf(before, options),
    configOf(after, options),
    ...others.map((name) => configOf(name, options)),
  ]);
  for (const one of [second, ...more]) guardAlike(first, one);
  if (options.rerun !== undefined) {
    if (more.length > 0) throw new UsageError('--rerun is about two sites');
    return rerunCommand(first, second, options.rerun, options);
  }
  if (more.length > 0) {
    if (options.writeAccept === undefined) {
      return compareSeveral(first, [after, ...others], [second, ...more], options);
    }
    throw new UsageError('--write-accept is for one other site: what one of several lacks would be dropped');
  }
  const { comparison, earlier } = await compareLive(first, second, options);
  return showComparison(comparison, earlier, options);
}

async function compareSeveral(
  first: RunConfig,
  names: readonly string[],
  configs: readonly RunConfig[],
  options: TwinOptions,
): Promise<number> {
  const { out, html, ...rest } = options;
  const sites: (ReturnType<typeof concludeComparison> & { readonly name: string })[] = [];
  for (const [at, config] of configs.entries()) {
    const { comparison, earlier } = await compareLive(first, config, options);
    const folder = `${at + 1}-${comparison.after.url.replaceAll(/\W+/g, '-')}`;
    const place = out !== undefined && { out: join(out, folder) };
    sites.push({ name: names[at] ?? '', ...concludeComparison(comparison, earlier, { ...rest, ...place }) });
  }
  const view = twinsView(showBase(first.base), sites);
  const all = sites.map(({ comparison }) => comparison);
  const files = sites.flatMap((one) => one.files);
  writeDocument('comparison', all, view, { html });
  showDocument(all, view, options, files);
  return Math.max(...sites.map(({ code }) => code));
}

async function rerunCommand(
  first: RunConfig,
  second: RunConfig,
  id: string,
  options: TwinOptions,
): Promise<number> {
  if (options.out === undefined)
    throw new UsageError('--rerun needs an earlier comparison: name its folder with --out');
  const { changes } = readComparison(options.out);
  const change = changes.find((one) => one.digest === id || one.id === id);
  if (change === undefined) throw new UsageError(`${options.out}: no change has the id ${id}`);
  const { comparison, asked } = await compareLive(first, second, options, onlyFor(change));
  const verdict = verdictOf(change, asked, comparison);
  const [code, words] = RERUN[verdict];
  if (options.json === true) printJson({ id: change.digest, verdict });
  else say(`${change.digest} ${words}: ${saidOf(change)}`);
  return code;
}

/** The route and query that showed one change; for a declaration, the index. */
function onlyFor({ calls, about, kind, subject, exchange }: Change): NonNullable<AskOptions['only']> {
  const route = calls?.route ?? about?.route;
  if (route === undefined) return { route: '', query: [] };
  const isShown = kind.startsWith('list-') && exchange !== undefined && !subject.endsWith(ANONYMOUS);
  const query = isShown ? queryOf(exchange.before) : undefined;
  const isDeclared = calls === undefined;
  return { route: shapeOf(route), ...(isDeclared ? { query: [] } : query !== undefined && { query }) };
}

function queryOf(line: string): RequestSpec['query'] {
  const url = /https?:\/\/[^\s'"]+/.exec(line)?.[0];
  if (url === undefined || !URL.canParse(url)) return undefined;
  return [...new URL(url).searchParams].filter(([name]) => name !== 'rest_route');
}

function verdictOf(change: Change, asked: AskedTwins, { changes }: Comparison): keyof typeof RERUN {
  if (asked.ended !== undefined) return 'inconclusive';
  if (asked.shown?.kind === change.kind || changes.some(({ id }) => id === change.id)) return 'persisting';
  return 'fixed';
}

const RERUN = {
  persisting: [1, 'is still there'],
  fixed: [0, 'is gone'],
  inconclusive: [3, 'was not asked to the end'],
} as const;

async function compareLive(
  first: RunConfig,
  second: RunConfig,
  options: TwinOptions,
  only?: AskOptions['only'],
) {
  const started = new Date().toISOString();
  using stopping = interruptible(() => process.exit(3));
  const was = await siteOf('before', first, stopping.signal);
  const is = await siteOf('after', second, stopping.signal);
  const shared = callersOf(second);
  const asked = await askTwins(was, is, {
    contract: contractOf(first),
    seed: options.seed ?? SEED,
    examples: options.examples ?? EXAMPLES,
    callers: callersOf(first).filter((name) => shared.includes(name)),
    ...(only !== undefined && { only }),
    signal: stopping.signal,
    progress: progressLine(options),
  });
  note(`${plural(asked.requests, 'request')} to both sites together`);
  const earlier = sideOf(was, started);
  return { comparison: compareTwins(earlier, sideOf(is, started), asked), earlier, asked };
}

async function siteOf(when: string, target: RunConfig, signal: AbortSignal) {
  try {
    // Nothing is embedded here that would have to be closed.
    const { config, preflight } = await readyTarget(target, signal);
    return { options: config, index: preflight.takeIndex().index };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new TargetError(error.problem, `${when}, ${showBase(target.base)}: ${error.message}`);
  }
}

function sideOf({ options, index }: Awaited<ReturnType<typeof siteOf>>, started: string) {
  const redact = redactorFor(options);
  return siteSide(redact(showBase(options.base)), index.document, redact, started);
}

function configOf(target: string, options: TwinOptions): Promise<RunConfig> {
  return settleOne({ ...given(options, SETTINGS), target, mode: 'read' });
}

function guardAlike(first: RunConfig, second: RunConfig): void {
  if ((first.user === undefined) !== (second.user === undefined)) {
    throw new UsageError('a user is named for one of the two sites only: name one for both, or for neither');
  }
  if (contractOf(first).vocabulary !== contractOf(second).vocabulary) {
    throw new UsageError('the two sites speak other vocabularies: compare runs of them with "diff"');
  }
}

function progressLine({ json }: ComparisonOptions): (requests: number) => void {
  let last = Date.now();
  return (requests) => {
    const pause = process.stderr.isTTY ? EVERY_MS : EVERY_MS_IN_LOGS;
    if (json === true || Date.now() - last < pause) return;
    last = Date.now();
    note(`${plural(requests, 'request')} sent`);
  };
}
