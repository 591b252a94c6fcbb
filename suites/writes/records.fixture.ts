import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Client, NamedCaller } from '../../client/client.ts';
import { testClient } from '../../client/server.fixture.ts';
import type { CheckResult, Verdict } from '../../engine/result.ts';
import { beginJournal, compareCensus, takeCensus } from '../../probing/records/clean-up/census.ts';
import { cleanUp } from '../../probing/records/clean-up/clean-up.ts';
import { runOnReference } from '../../prove/kill.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import type { Alter, Writer } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { allChecks } from '../all-checks.ts';
import { runChecks } from '../run-checks.ts';
import { recordChecks } from './writing-checks.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const CHECKS = allChecks(CONTRACT);
const OF_RECORDS = recordChecks(CONTRACT);

type Results = ReadonlyMap<string, CheckResult>;

const usual: Alter = () => ({});

/** Runs checks in mode write against a new deployment of `core`, altered or not. @param only globs */
export async function writingRun(
  only: readonly string[],
  behaviour: Alter = usual,
  seed = 1,
): Promise<Results> {
  const run = { deployment: 'core', contract: CONTRACT, checks: CHECKS, mode: 'write', only, seed } as const;
  return (await runOnReference({ ...run, alterations: [{ behaviour }] })).results;
}

/** How to run the checks of records. */
interface RecordRunOptions {
  /** How the site differs from a healthy one. */
  readonly behaviour?: Alter;
  /** Content of the site before the run. */
  readonly seed?: 'full' | 'empty';
  /** Whether batches and sequences are checked too. */
  readonly batches?: true;
  /** Globs of the checks; default: all. */
  readonly only?: readonly string[];
  /** The timeout of an exchange in seconds. */
  readonly timeout?: number;
  /** Further callers besides the user of the run. */
  readonly callers?: readonly NamedCaller[];
  /** Starts a proxy between the suite and the site, and returns its address. */
  readonly through?: (site: Served) => Promise<string>;
}

/** The results of a run, and what it left on the site. */
export interface RecordRun {
  readonly results: Results;
  readonly cleaned: Awaited<ReturnType<typeof cleanUp>>;
  readonly difference: ReturnType<typeof compareCensus>;
  readonly requests: number;
  /** Why the run ended early. */
  readonly ended: string | undefined;
}

/** Runs the checks of own records in mode write, cleans up, and counts the records before and after. */
export async function recordRun(options: RecordRunOptions = {}): Promise<RecordRun> {
  const { behaviour = usual, seed = 'full', only = [], timeout = 10, through, callers, batches } = options;
  const site = await serve({ deployment: 'core', seed, behaviour });
  const { user, password } = site;
  const open = (url: string, seconds: number): Client =>
    testClient(url, { mode: 'write', user, password, callers, timeout: seconds });
  const client = open((await through?.(site)) ?? site.url, timeout);
  const counting = open(site.url, 10);
  onTestFinished(() => site.close());
  const tag = `sc-${randomUUID().slice(0, 8)}`;
  const journal = { path: join(testFolder(), 'journal.ndjson'), tag };
  const before = await beginJournal(counting, CONTRACT, journal, { target: site.url, user });
  const run = { client, contract: CONTRACT, checks: batches === true ? CHECKS : OF_RECORDS, only, journal };
  const { results, ended } = await runChecks(run);
  const { requests } = client.traffic;
  const cleaned = await cleanUp(counting, CONTRACT, journal.path);
  const difference = compareCensus(before, await takeCensus(counting, CONTRACT));
  return { results, cleaned, difference, requests, ended };
}

/** The ids of the checks with one of the verdicts. */
export function idsWith(results: Results, ...verdicts: Verdict[]): string[] {
  return [...results.values()].filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}

/** The sorted ids of the checks with one of the verdicts. */
export function idsOf({ results }: RecordRun, ...verdicts: Verdict[]): string[] {
  return idsWith(results, ...verdicts).sort();
}

/** A site that writes a field differently. @param turn also gets what the usual site does */
export function writing(
  name: string,
  turn: (write: () => void, ...given: Parameters<Writer>) => void,
): Alter {
  return ({ writers }) => {
    const write: Writer = (record, ...given) => {
      turn(() => Object.assign(record, writers[name]?.(record, ...given)), record, ...given);
      return {};
    };
    return { writers: { ...writers, [name]: write } };
  };
}
