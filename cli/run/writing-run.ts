import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../client/client.ts';
import { JournalError, readJournal } from '../../client/journal.ts';
import { includesMode } from '../../client/mode.ts';
import type { Census } from '../../client/ownership.ts';
import { isWriting } from '../../engine/plan.ts';
import type { RunResult, WritingReport } from '../../engine/result.ts';
import type { JournalPlace } from '../../engine/session.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { messageOf, plural } from '../../engine/text.ts';
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
import type { Contract } from '../../specs/model.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { isUnderWay, JOURNALS, journalsBelow, uploadsWithoutRecord } from '../shell/leftovers.ts';
import { cleanLine, lasting, reachedOf } from './suggest.ts';

/** The least seconds for cleaning up after a run with a budget: leftovers are worse than the extra time. */
const RESERVE = 30;

interface WritingRun {
  readonly journal: JournalPlace;
  end(): Promise<WritingReport>;
}

/**
 * Prepares a writing run: removes leftovers of earlier runs on the same target, counts the records, announces what will
 * happen, and opens the journal. @param out folder of the journals; an embedded target needs none
 * @returns undefined if the mode or missing credentials do not let the run write
 */
export async function beginWriting(
  config: RunConfig,
  {
    run,
    target,
  }: { readonly run: Pick<RunResult['run'], 'id' | 'started'>; readonly target: { url: string } },
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
  let before: Parameters<typeof finish>[4];
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
    const isNothing = checks === 0 && Object.values(most).every((count) => count === 0);
    const writes =
      `${plural(checks, 'check writes', 'checks write')}, ${describeMost(contract, most)},` +
      ` each with ${tag} in slug and title or text, all removed at the end`;
    say(`writing to ${about.target} as ${about.user}: ${isNothing ? 'no selected check writes' : writes}`);
  }
  return {
    journal: { path, tag, most },
    async end() {
      const reserve = Math.max(RESERVE, timeout) * 1000;
      client.endAt(deadline === undefined ? undefined : Date.now() + reserve);
      try {
        const { report, journalProblem } = await finish(client, contract, path, tag, before);
        if (journalProblem !== undefined) say(`the journal could not be kept to the end (${journalProblem})`);
        const problem = problemOf(report);
        if (problem === undefined) rmSync(path);
        else say(`${problem}; to try again: ${cleanLine(about, folder)}`);
        own[Symbol.dispose]();
        return report;
      } finally {
        await client.close();
      }
    },
  };
}

/** Records that are left differ from records whose state is unknown. */
function problemOf({ left, doubts }: Pick<WritingReport, 'left' | 'doubts'>): string | undefined {
  if (left.length > 0) return 'not everything was removed';
  return doubts.length > 0 ? 'it could not be verified that everything was removed' : undefined;
}

async function finish(
  client: Client,
  contract: Contract,
  path: string,
  tag: string,
  before: { readonly census: Census; readonly terms: Awaited<ReturnType<typeof newestTerms>> },
): Promise<{ report: WritingReport; journalProblem?: string | undefined }> {
  const state = readJournal(path);
  const { created, ids, unanswered } = state;
  const files = uploadsWithoutRecord(contract, state);
  const uncounted = uncountedIn(before.census, 'before');
  const about = { tag, created, uncounted, ...(files > 0 && { files }) };
  try {
    const { removed, left, doubts, journalProblem } = await cleanUp(client, contract, path);
    const after = await takeCensus(client, contract);
    const own = [...ids].flatMap(([collection, known]) => known.map((id) => ({ collection, id })));
    const explained = { ids: [...own, ...left], unanswered };
    const terms = await termsSince(client, contract, before.terms, explained.ids);
    const census = [...compareCensus(before.census, after, explained), ...terms];
    const all = [...uncounted, ...uncountedIn(after, 'after')];
    const report = { ...about, removed, left: [...left], doubts: [...doubts], census, uncounted: all };
    return { report, journalProblem };
  } catch (error) {
    const doubts = [`cleaning up stopped: ${client.redact(messageOf(error))}`];
    return { report: { ...about, removed: 0, left: [], doubts, census: [] } };
  }
}

async function removeLeftovers(
  client: Client,
  contract: Contract,
  folder: string,
  target: string,
  say: (line: string) => void,
): Promise<void> {
  for (const journal of journalsBelow(folder, 0)) {
    const { path, state } = journal;
    if (isUnderWay(journal) || state.head.target !== target) continue;
    const { removed, left, doubts } = await cleanUp(client, contract, path);
    say(`removed ${plural(removed, 'record')} that run ${state.head.run} had left`);
    const files = uploadsWithoutRecord(contract, state);
    for (const line of cleanUpLines({ left, doubts, files, tag: state.head.tag })) say(line);
    if (left.length === 0 && doubts.length === 0) rmSync(path);
  }
}

function sourceOf({ deployment, vocabulary, composed }: RunConfig): ContractOptions {
  return {
    deployment: lasting(deployment),
    vocabulary: lasting(vocabulary),
    ...(composed !== undefined && { composed }),
  };
}
