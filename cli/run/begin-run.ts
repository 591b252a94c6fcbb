import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { showBase } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { JournalError, type JournalState, readJournal } from '../../client/journal.ts';
import { includesMode } from '../../client/mode.ts';
import { holdsSecret, type Redactor, redactJson, redactorFor } from '../../client/redact.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { placesOf } from '../../compare/owners.ts';
import { looksLike, surfaceOf } from '../../compare/surface.ts';
import type { FuzzOptions, SearchesOfRun } from '../../engine/fuzz-options.ts';
import { isWriting } from '../../engine/plan.ts';
import type { Notice, RunResult, WritingReport } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import type { JournalPlace } from '../../engine/session.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { messageOf, plural } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import type { Census, ExplainedChanges } from '../../probing/records/clean-up/census.ts';
import {
  beginJournal,
  compareCensus,
  newestTerms,
  takeCensus,
  termsSince,
  uncountedIn,
} from '../../probing/records/clean-up/census.ts';
import { cleanUp } from '../../probing/records/clean-up/clean-up.ts';
import { describeMost, mostRecords } from '../../probing/records/own/most-records.ts';
import { cleanUpLines } from '../../reports/views/run/details.ts';
import type { ContractOptions } from '../../specs/contract.ts';
import { type DeploymentFile, isBuiltIn } from '../../specs/deployment.ts';
import type { Contract } from '../../specs/model.ts';
import { beyondOf, noticesOf } from '../../suites/index/notices.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { isUnderWay, JOURNALS, journalsIn, uploadsWithoutRecord } from '../shell/leftovers.ts';
import type { Ready } from './ready-target.ts';
import { againLine, cleanLine, lasting, reachedOf } from './suggest.ts';

/** What is known of a run before its first check. */
export interface RunHead extends Pick<RunResult, 'tool' | 'target' | 'notices'> {
  readonly run: Extract<RunEvent, { event: 'start' }>['run'];
  /** The index, where the suite reads it. */
  readonly kept: KeptIndex;
}

/** What a journal notes of its run. */
interface RunNames {
  readonly run: Pick<RunHead['run'], 'id' | 'started'>;
  readonly target: Pick<RunHead['target'], 'url'>;
}

/**
 * Names a run. The index is written to a file and let go of here: a large one is not held while the checks run.
 * @param indexPath where the index goes, masked
 */
export function headOf(
  ready: RunConfig,
  { takeIndex }: Pick<Ready['preflight'], 'takeIndex'>,
  indexPath: string,
  started: Date,
): RunHead {
  const { index, text } = takeIndex();
  const contract = contractOf(ready);
  const purpose = ready.required === undefined ? ready.purpose : 'certify';
  const redact = redactorFor(ready);
  const stamp = started.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return {
    tool: { ...productTool(), contract: contract.digest },
    target: {
      url: showBase(ready.base),
      deployment: contract.deployment,
      vocabulary: contract.vocabulary,
      ...deploymentFileOf(ready, dirname(indexPath)),
      ...(ready.composed !== undefined && { composed: partsOf(ready.composed) }),
      index: index.digest,
      beyond: beyondOf(contract, index).map((one) => ({ ...one, namespace: redact(one.namespace) })),
      ...(ready.software !== undefined && { software: ready.software }),
      ...(ready.insecure === true && { insecure: true }),
      as: ready.user === undefined ? 'anonymous' : 'user',
      operations: placesOf(contract),
    },
    run: {
      id: `${stamp}-${randomBytes(3).toString('hex')}`,
      started: started.toISOString(),
      mode: ready.mode,
      seed: ready.seed,
      ...(purpose !== undefined && { purpose }),
      again: redact(againLine(ready, dirname(indexPath))),
      ...(ready.fuzz.replay !== true && { searches: searchesOf(ready.fuzz, redact) }),
    },
    notices: [...noticesOf(contract, index), ...softwareNotice(ready, index)].map(({ id, message }) => ({
      id: redact(id),
      message: redact(message),
    })),
    kept: keepIndex(indexPath, index.document, text, redact),
  };
}

/** Which software the index looks like, where nobody named it. */
function softwareNotice({ base, software }: RunConfig, { document }: SiteIndex): Notice[] {
  const guess = software === undefined ? looksLike(surfaceOf(document, showBase(base))) : undefined;
  if (guess === undefined) return [];
  return [
    { id: 'software/looks-like', message: `the index looks like ${guess}; --software names it for sure` },
  ];
}

/** A path that leads to the file from wherever both are moved to together. */
function deploymentFileOf(
  { deployment, composed }: RunConfig,
  folder: string,
): Pick<RunResult['target'], 'deploymentFile'> {
  if (composed !== undefined || isBuiltIn(deployment)) return {};
  return { deploymentFile: relative(resolve(folder), resolve(deployment)).split(sep).join('/') };
}

/** What a later run needs to ask the same; a set in which a secret would be masked is another one. */
function searchesOf({ examples, further, kept }: FuzzOptions, redact: Redactor): SearchesOfRun {
  const known = kept.filter(
    ({ known: isKnown, args }) =>
      isKnown === true && JSON.stringify(redactJson(args, redact)) === JSON.stringify(args),
  );
  return { examples, ...(further !== undefined && { further, known }) };
}

function partsOf({
  operations,
  features = [],
}: DeploymentFile): NonNullable<RunResult['target']['composed']> {
  return { operations: [...operations], features: [...features] };
}

/** What the contract of a run is loaded from, wherever the next command is started. */
function sourceOf({ deployment, vocabulary, composed }: RunConfig): ContractOptions {
  return {
    deployment: lasting(deployment),
    vocabulary: lasting(vocabulary),
    ...(composed !== undefined && { composed }),
  };
}

/** The index of a run on the disk. */
interface KeptIndex {
  /** The file that the checks read: the index as it came. */
  readonly file: string;
  /** Takes away what is not a report. */
  release(): void;
}

/**
 * Writes the index as a report, masked. What is evaluated is the index as it came: where masking changed anything, that is
 * kept apart in a file of this user alone, until `release`.
 * @param path where the report goes
 * @param document what `text` was parsed to
 */
export function keepIndex(path: string, document: unknown, text: string, redact: Redactor): KeptIndex {
  if (!holdsSecret(document, redact)) {
    writeFileSync(path, text);
    return { file: path, release: () => undefined };
  }
  // Masked value by value and written anew: masking a text could leave something that is no JSON.
  writeFileSync(path, JSON.stringify(redactJson(document, redact)));
  const folder = temporaryFolder('index');
  const file = join(folder.path, 'index.json');
  writeFileSync(file, text, { mode: 0o600 });
  return { file, release: () => folder[Symbol.dispose]() };
}

/** Seconds for cleaning up after a run that has a budget, at least: what stays costs more than the time. */
const RESERVE = 30;

/** A run that may write: where its journal is, and how it ends. */
interface WritingRun {
  readonly journal: JournalPlace;
  /** Removes what the run made, looks whether anything was left, and reports it. */
  end(): Promise<WritingReport>;
}

/**
 * Prepares a run that may write: removes what an earlier one left on the same target, counts what is there, says what
 * will happen, and opens the journal.
 * @param out keeps the journals; an embedded target needs none, because nothing outlives it
 * @param say says one line to the user
 * @returns undefined when the mode or missing credentials do not let the run write
 */
export async function beginWriting(
  config: RunConfig,
  { run, target }: RunNames,
  out: string,
  say: (line: string) => void,
): Promise<WritingRun | undefined> {
  const { plan, stage, fuzz, timeout, deadline } = config;
  if (!includesMode(config.mode, 'write') || config.user === undefined) return undefined;
  const contract = contractOf(config);
  const client = new Client(config);
  const about = {
    run: run.id,
    target: target.url,
    user: config.user,
    reached: reachedOf(config),
    started: run.started,
    source: sourceOf(config),
  };
  const own = config.embedded ? temporaryFolder('journal') : { path: out, [Symbol.dispose]: () => {} };
  const folder = own.path;
  if (!config.embedded) await removeLeftovers(client, contract, folder, about.target, say);
  const tag = `sc-${about.run}`;
  const path = join(folder, JOURNALS, `${about.run}.ndjson`);
  const most = mostRecords(contract, { plan, stage, examples: fuzz.examples });
  let before: Before;
  try {
    const census = await beginJournal(client, contract, { path, tag }, about);
    before = { census, terms: await newestTerms(client, contract) };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    say(`nothing is written to ${about.target}: ${error.message}`);
    own[Symbol.dispose]();
    await client.close();
    return undefined;
  }
  if (!config.embedded) {
    const checks = plan.filter(isWriting).length;
    say(
      `writing to ${about.target} as ${about.user}: ${plural(checks, 'check')} ${checks === 1 ? 'writes' : 'write'}, ${describeMost(contract, most)},` +
        ` each with ${tag} in slug and title or text, all removed at the end`,
    );
  }
  return {
    journal: { path, tag, most },
    async end() {
      const reserve = Math.max(RESERVE, timeout) * 1000;
      client.endAt(deadline === undefined ? undefined : Date.now() + reserve);
      try {
        const { report, journalProblem } = await finish(client, contract, path, tag, before);
        if (journalProblem !== undefined) say(`the journal could not be kept to the end (${journalProblem})`);
        if (report.left.length === 0 && report.doubts.length === 0) rmSync(path);
        else say(`${howItStands(report)}; to try again: ${cleanLine(about, folder)}`);
        own[Symbol.dispose]();
        return report;
      } finally {
        await client.close();
      }
    },
  };
}

/** What was on a site before a run wrote there. */
interface Before {
  readonly census: Census;
  readonly terms: Awaited<ReturnType<typeof newestTerms>>;
}

async function finish(
  client: Client,
  contract: Contract,
  path: string,
  tag: string,
  before: Before,
): Promise<{ report: WritingReport; journalProblem?: string | undefined }> {
  const state = readJournal(path);
  const { created, ids, unanswered } = state;
  const files = uploadsWithoutRecord(contract, state);
  const about = {
    tag,
    created,
    uncounted: uncountedIn(before.census, 'before'),
    ...(files > 0 && { files }),
  };
  try {
    const { removed, left, doubts, journalProblem } = await cleanUp(client, contract, path);
    const after = await takeCensus(client, contract);
    const explained: ExplainedChanges = { ids: [...idsByCollection(ids), ...left], unanswered };
    const terms = await termsSince(client, contract, before.terms, explained.ids);
    const census = [...compareCensus(before.census, after, explained), ...terms];
    const uncounted = [...about.uncounted, ...uncountedIn(after, 'after')];
    return {
      report: { ...about, removed, left: [...left], doubts: [...doubts], census, uncounted },
      journalProblem,
    };
  } catch (error) {
    const why = client.redact(messageOf(error));
    const doubts = [`cleaning up stopped: ${why}`];
    return { report: { ...about, removed: 0, left: [], doubts, census: [] } };
  }
}

function idsByCollection(ids: JournalState['ids']): ExplainedChanges['ids'] {
  return [...ids].flatMap(([collection, known]) => known.map((id) => ({ collection, id })));
}

/** Tells records that are still there from records whose state is unknown. */
function howItStands({ left }: WritingReport): string {
  return left.length > 0
    ? 'not everything was removed'
    : 'it could not be verified that everything was removed';
}

/** Removes what runs that died have left on this target. @param folder the one for reports */
async function removeLeftovers(
  client: Client,
  contract: Contract,
  folder: string,
  target: string,
  say: (line: string) => void,
): Promise<void> {
  for (const journal of journalsIn(folder)) {
    const { path, state } = journal;
    if (isUnderWay(journal) || state.head.target !== target) continue;
    const { removed, left, doubts } = await cleanUp(client, contract, path);
    say(`removed ${plural(removed, 'record')} that run ${state.head.run} had left`);
    const files = uploadsWithoutRecord(contract, state);
    for (const line of cleanUpLines({ left, doubts, files, tag: state.head.tag })) say(line);
    if (left.length === 0 && doubts.length === 0) rmSync(path);
  }
}
