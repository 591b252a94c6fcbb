import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { looksLikeIndex, readIndex } from '../client/site-index.ts';
import { TargetError } from '../client/target-error.ts';
import { PROFILES } from '../engine/fuzz-options.ts';
import { matchesAny } from '../engine/plan.ts';
import { temporaryFolder } from '../engine/temporary-folder.ts';
import { type Alteration, type Mutant, together } from '../sites/alterations/alteration.ts';
import { mutantsOf } from '../sites/alterations/catalogue.ts';
import { indexDocument } from '../sites/reference/dispatch.ts';
import { loadContract as loadRaw, type Contract as RawContract } from '../sites/reference/load-contract.ts';
import { type Served, type ServeOptions, serve } from '../sites/reference/serve.ts';
import type { Behaviour } from '../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../sites/reference/standard-behaviour.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { decidedByIndex } from '../suites/index/declared-checks.ts';
import { type ChecksRan, checkDeclarations, type InProcessRun, runInProcess } from '../suites/run-checks.ts';
import { EXCEPTIONS, exceptionFor, type Outcome } from './matrix.ts';

/** Sites that are tested at once. */
const AT_A_TIME = 4;

/** The ids of all checks of a deployment. */
export function checkIds(deployment: string): string[] {
  return allChecks(loadContract({ deployment, vocabulary: 'neutral' })).map(({ id }) => id);
}

function trialsOf(deployment: string) {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const raw = loadRaw(deployment);
  const all = allChecks(contract);
  return {
    contract,
    raw,
    /** @param everything whether all checks run; default: those of the altered topic @returns the checks that reported something, too */
    async tried(alterations: readonly Alteration[], everything = false) {
      const globs = alterations.flatMap(({ breaks = '' }) => globsFor(breaks, raw));
      // Mutants that only sets of arguments show need as many sets with others as alone.
      const examples = alterations.flatMap((one) => examplesFor(one) ?? []);
      const running = runOnReference({
        deployment,
        alterations,
        contract,
        // Planning all checks would cost more than running a few.
        checks: everything ? all : all.filter(({ id }) => matchesAny(id, globs)),
        mode: 'full',
        seed: 1,
        ...(examples.length > 0 && { fuzz: { examples: Math.max(...examples), kept: [] } }),
      });
      try {
        const { results } = await running;
        return { failed: noticedIn(results, alterations), results };
      } catch (error) {
        if (error instanceof TargetError) return { failed: ['index'], results: new Map() };
        throw error;
      }
    },
  };
}

/**
 * Runs the checks against a site with each alteration, in mode `full`; declarations against an index document only.
 * @param everything whether each mutant runs against the whole plan, as other alterations do
 */
export async function kill(
  deployment: string,
  alterations: readonly Alteration[],
  everything: boolean,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const { contract, raw, tried } = trialsOf(deployment);
  const offline = decidedByIndex(contract);
  const url = 'http://127.0.0.1:9';

  async function noticed(one: Alteration): Promise<readonly string[]> {
    const declare = one.breaks === undefined ? undefined : onlyDeclaration(one);
    if (declare === undefined) return (await tried([one], everything || one.breaks === undefined)).failed;
    const document = indexDocument(raw, {
      name: 'Reference',
      description: 'A site in memory',
      url,
    });
    declare(document);
    if (!looksLikeIndex(document)) return ['index'];
    const results = await checkDeclarations(contract, offline, readIndex(document, ''), { url, seed: 1 });
    return noticedIn(results ?? new Map(), [one]);
  }

  const run = async (one: Alteration): Promise<void> => {
    const started = performance.now();
    const failed = await noticed(one);
    const milliseconds = Math.round(performance.now() - started);
    onOutcome({ id: one.id, end: endOf(one, failed), failed, milliseconds });
  };
  // Slow answers must not be slowed down further by other sites.
  const concurrency = alterations.every(({ breaks }) => breaks !== undefined) ? AT_A_TIME : 1;
  await Readable.from(alterations).forEach(run, { concurrency });
}

function onlyDeclaration({ behaviour }: Alteration): Behaviour['declare'] | undefined {
  const { declare, ...others } = behaviour(STANDARD_BEHAVIOUR);
  return Object.keys(others).length === 0 ? declare : undefined;
}

/** Checks of other topics that also run. If they fail, dependencies are missing. */
const BESIDE = ['posts.read/answers/**', 'pages.list/per_page/**', 'slugs/pages/**'];

/** Mutants that only sets of arguments or sequences show need more examples than the default. */
function examplesFor({ breaks = '' }: Pick<Alteration, 'breaks'>): number | undefined {
  if (breaks.endsWith('/fuzz/robust') || breaks.startsWith('lifecycle/')) return PROFILES.deep;
  return breaks.includes('/fuzz/') ? PROFILES.nightly : undefined;
}

/** The globs of the checks for a mutant: those of its operation or topic, and a few others. */
function globsFor(breaks: string, { operations }: RawContract): string[] {
  const [first = '', second] = breaks.split('/');
  const topic = first.includes('.') || second === undefined ? first : `${first}/${second}`;
  const { resource, role } = operations.find(({ id }) => id === first) ?? {};
  const own = resource?.kind === 'revisions' && role === 'list' ? [`revisions/${resource.parent?.id}`] : [];
  // Checks of every answer need the answers to others.
  const lists = [`${second}.list`, `${second}.read`, `protected/${resource?.id}/*`];
  const shown = breaks.includes('/every-answer') ? lists : [];
  return [...new Set([breaks, topic, ...own, ...shown, ...BESIDE])];
}

/** Mutants that a site had at once, and those that neither their own check reported nor another mutant blocked. */
export interface Together {
  readonly mutants: readonly string[];
  readonly lost: readonly string[];
}

const SIZE = 3;
/** Checks without which nothing else can be evaluated or written. */
const ROOTS = /^(index\/|namespaces\/cms\/v2\/|routes\/(index|cms\/v2)\b|(posts|pages|media)\.list\/answers)/;

/** Random sets of three mutants that do not hide each other, each of another operation or topic; the seed decides. */
export function setsOfThree(deployment: string, count: number, seed: number): Mutant[][] {
  const raw = loadRaw(deployment);
  const mutants = mutantsOf(raw).filter(
    ({ id, breaks }) => !ROOTS.test(breaks) && exceptionFor(id, EXCEPTIONS.survivors) === undefined,
  );
  const topics = new Map(raw.resources.map(({ id, parent }) => [id, parent?.id ?? id]));
  const sets = fc.uniqueArray(fc.constantFrom(...mutants), {
    minLength: SIZE,
    maxLength: SIZE,
    selector: ({ breaks }) => topicOf(breaks, topics),
  });
  return fc.sample(sets, { seed, numRuns: count });
}

/** Runs the checks against sites with several mutants. @param onOutcome gets the outcome of each */
export async function killTogether(
  deployment: string,
  sets: readonly (readonly Mutant[])[],
  onOutcome: (outcome: Together) => void,
): Promise<void> {
  const { tried } = trialsOf(deployment);
  const run = async (set: readonly Mutant[]): Promise<void> => {
    const { failed, results } = await tried(set);
    const isRoot = (check: string): boolean => failed.includes(check) && set.some((one) => isOwn(one, check));
    // A blocked mutant is reported through its root cause.
    const blocked = [...results.values()].flatMap(({ id, skip }) =>
      skip?.kind === 'blocked' && isRoot(skip.by) ? [id] : [],
    );
    const lost = set.filter((one) => ![...failed, ...blocked].some((id) => isOwn(one, id)));
    onOutcome({ mutants: set.map(({ id }) => id), lost: lost.map(({ id }) => id) });
  };
  await Readable.from(sets).forEach(run, { concurrency: AT_A_TIME });
}

/** The topic of a check, within which mutants may hide each other: the records of a resource, or a namespace. */
function topicOf(check: string, topics: ReadonlyMap<string, string>): string {
  const words = check.replace(/^(routes|namespaces)\//, '').split(/[./]/);
  const [records] = words.flatMap((word) => topics.get(word) ?? []);
  return records ?? words[0] ?? '';
}

interface SiteRun extends Omit<InProcessRun, 'url' | 'user' | 'journal'> {
  /** Without credentials, and so without a journal. */
  readonly anonymous?: boolean;
}

let runs = 0;

/** Runs checks against a running site, with a temporary journal. @throws TargetError if the site has no index */
export async function runAgainst(
  { url, user, password }: Pick<Served, 'url' | 'user' | 'password'>,
  { anonymous = false, ...run }: SiteRun,
): Promise<ChecksRan> {
  runs += 1;
  using folder = temporaryFolder('prove');
  const journal = { path: join(folder.path, 'journal.ndjson'), tag: `sc-prove-${process.pid}-${runs}` };
  return await runInProcess({
    ...run,
    url,
    ...(!anonymous && { user: { user, password }, ...(run.mode !== 'read' && { journal }) }),
  });
}

interface ReferenceRun extends SiteRun, Pick<ServeOptions, 'deployment'> {
  /** Its alterations; default: none. */
  readonly alterations?: readonly Pick<Alteration, 'behaviour'>[];
}

/** Runs checks against a reference deployment with some alterations. @throws TargetError if it has no index */
export async function runOnReference({
  deployment,
  alterations = [],
  ...run
}: ReferenceRun): Promise<ChecksRan> {
  const site = await serve({
    deployment,
    behaviour: together(...alterations.map(({ behaviour }) => behaviour)),
  });
  try {
    return await runAgainst(site, run);
  } finally {
    await site.close();
  }
}

/** The ids of the checks that report something of a site. A check that crashes reports no mutant, but no variant may crash one. */
function noticedIn(results: ChecksRan['results'], alterations: readonly Alteration[]): string[] {
  const isOfMutants = alterations.every(({ breaks }) => breaks !== undefined);
  const reported = ['fail', 'warn', ...(isOfMutants ? [] : ['error'])];
  return [...results.values()].filter(({ verdict }) => reported.includes(verdict)).map(({ id }) => id);
}

/** Whether a check tests what a mutant breaks. */
function isOwn({ breaks }: Pick<Alteration, 'breaks'>, check: string): boolean {
  return breaks !== undefined && (check === breaks || check.startsWith(`${breaks}/`));
}

function endOf(alteration: Pick<Alteration, 'breaks'>, failed: readonly string[]): Outcome['end'] {
  if (alteration.breaks === undefined) return failed.length === 0 ? 'spared' : 'reported';
  if (failed.some((check) => isOwn(alteration, check))) return 'killed';
  return failed.length > 0 ? 'elsewhere' : 'survived';
}
