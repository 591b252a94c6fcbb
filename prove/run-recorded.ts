import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '../client/client.ts';
import type { RunMode } from '../client/mode.ts';
import type { Observation } from '../client/observation.ts';
import type { Check } from '../engine/check.ts';
import { wholeCheck } from '../engine/family.ts';
import { STANDARD_FUZZ } from '../engine/fuzz-options.ts';
import { plan } from '../engine/plan.ts';
import type { CheckResult } from '../engine/result.ts';
import type { Session } from '../engine/session.ts';
import { temporaryFolder } from '../engine/temporary-folder.ts';
import { beginJournal } from '../probing/records/clean-up/census.ts';
import { cleanUp } from '../probing/records/clean-up/clean-up.ts';
import { mostRecords } from '../probing/records/own/most-records.ts';
import { NOT_RECORDED } from '../sites/recordings/recording.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runChecks } from '../suites/run-checks.ts';

/** Who sends a request: a check, or a shared fixture. */
interface Asker {
  /** The id of the check, or the name of the fixture. */
  readonly name: string;
  unknown: boolean;
  words: number;
}

/** Notes which checks receive an answer marked `NOT_RECORDED`, directly or through shared fixtures. */
function noteUnknown(checks: readonly Check[]) {
  const inconclusive = new Set<string>();
  const askers = new AsyncLocalStorage<Asker>();
  const shared = new Map<string, Asker>();
  const nobody = askerOf('');

  const noted = async (asking: Promise<Observation>): Promise<Observation> => {
    const observation = await asking;
    const asker = askers.getStore();
    if (asker !== undefined) asker.unknown ||= NOT_RECORDED in observation.headers;
    return observation;
  };

  const sharedBy = (name: string): Asker => {
    const own = shared.get(name) ?? askerOf(name);
    shared.set(name, own);
    return own;
  };

  const noting = (session: Session): Session => ({
    ...session,
    ask: (spec) => noted(session.ask(spec)),
    watch: {
      make: (name, make) => askers.run(sharedBy(name), make),
      async use(name, made) {
        try {
          return await made;
        } finally {
          const asker = askers.getStore();
          if (asker !== undefined) asker.unknown ||= sharedBy(name).unknown;
        }
      },
    },
  });

  const all = checks.map((check): Check => {
    const asker = askerOf(check.id);
    const run: Check['run'] = async (session) => {
      try {
        return await askers.run(asker, async () => check.run(noting(session)));
      } finally {
        if (asker.unknown) inconclusive.add(check.id);
      }
    };
    return { ...wholeCheck(check), run };
  });
  return {
    checks: all,
    inconclusive,
    client: (own: Client) => notingClient(own, noted),
    /** A slug for a record. Each check has its own numbering, so that other checks do not shift it. */
    nextWord(): string {
      const asker = askers.getStore() ?? nobody;
      asker.words += 1;
      const name = hash('sha256', asker.name).slice(0, 8);
      return `${name}-${asker.words}`;
    },
  };
}

function askerOf(name: string): Asker {
  return { name, unknown: false, words: 0 };
}

function notingClient(client: Client, noted: (asking: Promise<Observation>) => Promise<Observation>): Client {
  const request: Client['request'] = (spec) => noted(client.request(spec));
  return new Proxy(client, {
    get(own, name) {
      if (name === 'request') return request;
      const value: unknown = Reflect.get(own, name, own);
      return typeof value === 'function' ? value.bind(own) : value;
    },
  });
}

/** A run to record and replay. */
export interface RecordedRun {
  readonly name: string;
  /** The recording. */
  readonly file: string;
  readonly mode: RunMode;
  /** Whether it has credentials. */
  readonly withUser: boolean;
}

/** All runs in the order of recording. The writing one comes last. */
export const RECORDED_RUNS: readonly RecordedRun[] = [
  { name: 'anonymous', file: fileOf('anonymous'), mode: 'read', withUser: false },
  { name: 'read', file: fileOf('read'), mode: 'read', withUser: true },
  { name: 'write', file: fileOf('write'), mode: 'write', withUser: true },
];

function fileOf(name: string): string {
  return join(import.meta.dirname, '../sites/recordings', `wordpress-7.1.1-${name}.ndjson`);
}

/** The seed of every recorded run. */
const SEED = 1;

/** The tag of own records, always the same, because a replay must send the same requests. */
const TAG = 'sc-7e9a11';

interface RecordedResults {
  readonly seed: number;
  readonly results: ReadonlyMap<string, CheckResult>;
  /** By check id, without skips. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** Checks that sent a replay an unrecorded request. */
  readonly inconclusive: ReadonlySet<string>;
}

/**
 * Runs every check of `core` in the words of WordPress, one request after the other, so that the same site receives the
 * same requests in the same order.
 * @param site address and, for a run with credentials, the user
 * @param options `beforeCleanUp` is called after all checks, and then records are removed. Without it none are, because
 * a replay has none. `only` are globs of checks; default: all
 * @throws TargetError if the site has no index
 */
export async function runRecorded(
  { mode, withUser }: RecordedRun,
  site: { readonly url: string; readonly user: string; readonly password: string },
  { beforeCleanUp, only = [] }: { beforeCleanUp?: () => void; only?: readonly string[] } = {},
): Promise<RecordedResults> {
  const contract = loadContract({ deployment: 'core', vocabulary: 'wordpress' });
  const noted = noteUnknown(allChecks(contract));
  using folder = temporaryFolder('recorded');
  await using own = new Client({
    base: new URL(site.url),
    mode,
    concurrency: 1,
    timeout: 60,
    ...(withUser && { user: site.user, password: site.password }),
  });
  const client = noted.client(own);
  const path = join(folder.path, 'journal.ndjson');
  const selected = plan(noted.checks, { only, skip: [], mode, hasUser: withUser });
  const { examples } = STANDARD_FUZZ;
  // The limit that is shown to owners applies here too.
  const most = mostRecords(contract, { plan: selected, stage: 'auto', examples });
  const journal = mode === 'write' ? { path, tag: TAG, most } : undefined;
  if (journal !== undefined) {
    await beginJournal(client, contract, journal, { target: site.url, user: site.user });
  }
  const { results } = await runChecks({
    client,
    contract,
    checks: noted.checks,
    only,
    seed: SEED,
    journal,
    parallel: 1,
    nextSlug: () => `${TAG}-${noted.nextWord()}`,
  });
  beforeCleanUp?.();
  if (journal !== undefined && beforeCleanUp !== undefined) await cleanUp(client, contract, path);
  return { seed: SEED, results, verdicts: verdictsOf(results), inconclusive: noted.inconclusive };
}

function verdictsOf(results: RecordedResults['results']): RecordedResults['verdicts'] {
  return Object.fromEntries(
    [...results.values()].filter(({ verdict }) => verdict !== 'skip').map(({ id, verdict }) => [id, verdict]),
  );
}
