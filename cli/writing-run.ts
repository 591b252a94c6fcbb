import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions } from '../client/client.ts';
import { JournalError, type JournalState, readJournal } from '../client/journal.ts';
import { includesMode } from '../client/mode.ts';
import type { WritingReport } from '../engine/result.ts';
import { ownCollections } from '../specs/find-resource.ts';
import type { Contract } from '../specs/model.ts';
import {
  beginJournal,
  type Census,
  compareCensus,
  type ExplainedChanges,
  takeCensus,
  uncountedIn,
  type WritingAbout,
} from '../suites/records/clean-up/census.ts';
import { cleanUp } from '../suites/records/clean-up/clean-up.ts';
import { cleanLine } from './suggest.ts';

const FOLDER = 'journals';
/** Some hundred thousand records; what is larger, or is a pipe or a device, no run wrote. */
const LARGEST_JOURNAL = 64_000_000;
/** Seconds for cleaning up after a run that has a budget, at least: what stays costs more than the time. */
const RESERVE = 30;

/** What a run that may write begins with. */
export interface WritingStart {
  readonly client: ClientOptions;
  readonly contract: Contract;
  /** The folder for reports, which keeps the journals; undefined for an embedded target, which nothing outlives. */
  readonly folder: string | undefined;
  readonly about: Required<Omit<WritingAbout, 'source' | 'reached'>> &
    Pick<WritingAbout, 'source' | 'reached'>;
  /** How many checks of the plan write. */
  readonly checks: number;
  /** Says one line to the user. */
  readonly say: (line: string) => void;
}

/** A run that may write: where its journal is, and how it ends. */
export interface WritingRun {
  readonly journal: { readonly path: string; readonly tag: string };
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
  const folder = join(start.folder ?? mkdtempSync(join(tmpdir(), 'site-conformance-')), FOLDER);
  if (start.folder !== undefined) await removeLeftovers(client, contract, folder, about.target, say);
  const tag = `sc-${about.run}`;
  const path = join(folder, `${about.run}.ndjson`);
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
    say(
      `writing to ${about.target} as ${about.user}: ${start.checks} checks write, about` +
        ` ${aboutHowMany(start.checks)} ${whatIsMade(contract)}, each with ${tag} in slug and title or text, all removed at the end`,
    );
  }
  return {
    journal: { path, tag },
    async end() {
      const reserve = Math.max(RESERVE, start.client.timeout) * 1000;
      client.endAt(start.client.deadline === undefined ? undefined : Date.now() + reserve);
      try {
        const { report, journalProblem } = await finish(client, contract, path, tag, before);
        if (journalProblem !== undefined) say(`the journal could not be kept to the end (${journalProblem})`);
        if (report.left.length === 0 && report.doubts.length === 0) rmSync(path);
        else say(`${howItStands(report)}; to try again: ${cleanLine(about, join(folder, '..'))}`);
        if (start.folder === undefined) rmSync(join(folder, '..'), { recursive: true, force: true });
        return report;
      } finally {
        await client.close();
      }
    },
  };
}

/** Checks share their records: about one record for four checks, in tens. */
function aboutHowMany(checks: number): number {
  return Math.ceil(checks / 40) * 10;
}

/** The kinds of records that a run makes, for a reader. */
function whatIsMade(contract: Contract): string {
  const made = ownCollections(contract).map(({ id, kind }) => (kind === 'uploads' ? 'small files' : id));
  return new Intl.ListFormat('en-GB').format(new Set(made));
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

/** Removes what runs that died have left on this target. */
async function removeLeftovers(
  client: Client,
  contract: Contract,
  folder: string,
  target: string,
  say: (line: string) => void,
): Promise<void> {
  for (const { path, state } of journalsIn(folder)) {
    if (isAlive(state.head.pid)) continue;
    if (state.head.target !== target) {
      say(
        `run ${state.head.run} left records on ${state.head.target}; to remove them: ${cleanLine(state.head, join(folder, '..'))}`,
      );
      continue;
    }
    const { removed, left, doubts } = await cleanUp(client, contract, path);
    say(`removed ${removed} records that run ${state.head.run} had left`);
    for (const { collection, id, why } of left) say(`${collection} ${id} is still there: ${why}`);
    for (const doubt of doubts) say(doubt);
    if (left.length === 0 && doubts.length === 0) rmSync(path);
  }
}

/** The journals of a folder that can be read, and where they are. */
export function journalsIn(folder: string): { path: string; state: JournalState }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => {
      const path = join(folder, name);
      try {
        const about = statSync(path);
        return about.isFile() && about.size <= LARGEST_JOURNAL ? [{ path, state: readJournal(path) }] : [];
      } catch {
        // A journal that died before its first line was whole has created nothing.
        return [];
      }
    });
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
