import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions } from '../client/client.ts';
import { JournalError, type JournalState, readJournal } from '../client/journal.ts';
import { includesMode } from '../client/mode.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import type { WritingReport } from '../engine/result.ts';
import type { JournalPlace } from '../engine/session.ts';
import { plural } from '../engine/text.ts';
import {
  beginJournal,
  type Census,
  compareCensus,
  type ExplainedChanges,
  takeCensus,
  uncountedIn,
  type WritingAbout,
} from '../probing/records/clean-up/census.ts';
import { cleanUp } from '../probing/records/clean-up/clean-up.ts';
import { describeMost, mostRecords, type WritingPlan } from '../probing/records/own/most-records.ts';
import { leftoverLines } from '../reports/own-records.ts';
import type { Contract } from '../specs/model.ts';
import { isUnderWay, JOURNALS, journalsIn } from './leftovers.ts';
import { cleanLine } from './suggest.ts';

/** Seconds for cleaning up after a run that has a budget, at least: what stays costs more than the time. */
const RESERVE = 30;

/** What a run that may write begins with. */
interface WritingStart {
  readonly client: ClientOptions;
  readonly contract: Contract;
  /** The folder for reports, which keeps the journals; undefined for an embedded target, which nothing outlives. */
  readonly folder: string | undefined;
  readonly about: Required<Omit<WritingAbout, 'source' | 'reached'>> &
    Pick<WritingAbout, 'source' | 'reached'>;
  /** What the run is going to write. */
  readonly writing: WritingPlan;
  /** Says one line to the user. */
  readonly say: (line: string) => void;
}

/** A run that may write: where its journal is, and how it ends. */
export interface WritingRun {
  readonly journal: JournalPlace;
  /** Removes what the run made, looks whether anything stayed, and tells. */
  end(): Promise<WritingReport>;
}

/**
 * Prepares a run that may write: removes what an earlier one left on the same target, counts what is there, says what
 * will happen, and opens the journal.
 * @returns undefined when the mode or missing credentials do not let the run write
 */
export async function beginWriting(start: WritingStart): Promise<WritingRun | undefined> {
  const { contract, about, say } = start;
  if (!includesMode(start.client.mode, 'write') || start.client.user === undefined) return undefined;
  const client = new Client(start.client);
  const folder = start.folder ?? mkdtempSync(join(tmpdir(), 'site-conformance-'));
  if (start.folder !== undefined) await removeLeftovers(client, contract, folder, about.target, say);
  const tag = `sc-${about.run}`;
  const path = join(folder, JOURNALS, `${about.run}.ndjson`);
  const most = mostRecords(contract, start.writing);
  let before: Census;
  try {
    before = await beginJournal(client, contract, { path, tag }, about);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    say(`nothing is written to ${about.target}: ${error.message}`);
    await client.close();
    return undefined;
  }
  if (start.folder !== undefined) {
    const checks = start.writing.plan.filter(isWriting).length;
    say(
      `writing to ${about.target} as ${about.user}: ${plural(checks, 'check')} ${checks === 1 ? 'writes' : 'write'}, ${describeMost(contract, most)},` +
        ` each with ${tag} in slug and title or text, all removed at the end`,
    );
  }
  return {
    journal: { path, tag, most },
    async end() {
      const reserve = Math.max(RESERVE, start.client.timeout) * 1000;
      client.endAt(start.client.deadline === undefined ? undefined : Date.now() + reserve);
      try {
        const { report, journalProblem } = await finish(client, contract, path, tag, before);
        if (journalProblem !== undefined) say(`the journal could not be kept to the end (${journalProblem})`);
        if (report.left.length === 0 && report.doubts.length === 0) rmSync(path);
        else say(`${howItStands(report)}; to try again: ${cleanLine(about, folder)}`);
        if (start.folder === undefined) rmSync(folder, { recursive: true, force: true });
        return report;
      } finally {
        await client.close();
      }
    },
  };
}

/** Whether a planned check writes records. */
export function isWriting({ check, skip }: PlannedCheck): boolean {
  return check.effect === 'writes' && skip === undefined;
}

async function finish(
  client: Client,
  contract: Contract,
  path: string,
  tag: string,
  before: Census,
): Promise<{ report: WritingReport; journalProblem?: string | undefined }> {
  const { created, ids, unanswered } = readJournal(path);
  const about = { tag, created, uncounted: uncountedIn(before, 'before') };
  try {
    const { removed, left, doubts, journalProblem } = await cleanUp(client, contract, path);
    const after = await takeCensus(client, contract);
    const explained: ExplainedChanges = { ids: [...idsByCollection(ids), ...left], unanswered };
    const census = compareCensus(before, after, explained);
    const uncounted = [...about.uncounted, ...uncountedIn(after, 'after')];
    return {
      report: { ...about, removed, left: [...left], doubts: [...doubts], census, uncounted },
      journalProblem,
    };
  } catch (error) {
    const why = client.redact(error instanceof Error ? error.message : String(error));
    const doubts = [`cleaning up stopped: ${why}`];
    return { report: { ...about, removed: 0, left: [], doubts, census: [] } };
  }
}

function idsByCollection(ids: JournalState['ids']): ExplainedChanges['ids'] {
  return [...ids].flatMap(([collection, known]) => known.map((id) => ({ collection, id })));
}

/** Records that are there, and records of which nobody knows, are told apart. */
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
    for (const line of leftoverLines({ left, doubts })) say(line);
    if (left.length === 0 && doubts.length === 0) rmSync(path);
  }
}
