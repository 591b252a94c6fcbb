import { join } from 'node:path';
import { closedAfter } from '../../client/server.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { together } from '../../sites/alterations/alteration.ts';
import { findMutant } from '../../sites/alterations/catalogue.ts';
import { proxiedSite, withJson } from '../../sites/proxied-site.fixture.ts';
import { forward, type Handle } from '../../sites/proxy.ts';
import { loadContract } from '../../sites/reference/load-contract.ts';
import { resultIn, tryMainAs } from '../try-main.fixture.ts';

/** The failure of every run, and that of the third and fourth run only. */
export const OLD = 'posts.list/per_page/default';
export const FRESH = 'posts.list/order/enum/enforced';
/** The failure at only the first request of a run, from the second run on. */
export const FLICKERING = 'posts.list/per_page/maximum/enforced';

const MUTANTS = { old: `${OLD}~another`, fresh: `${FRESH}~lenient` };
const RUNS = [1, 2, 3, 4, 5] as const;
const SELECTION = ['index/**', 'posts.list/per_page', 'posts.list/order', 'posts.list/answers'];

/** One run: its folder with the reports, and its exit code. */
export interface DailyRun {
  readonly folder: string;
  readonly result: RunResult;
  readonly code: number;
  readonly stdout: string;
}

/** The baseline of each run: the run before, or the first. The first run has none. */
export type DailyBaseline = 'the run before' | 'the first run';

/**
 * Runs a small selection five times on a reference deployment: one failure persists, one appears in the third run and
 * is fixed in the fifth, and one check is unstable from the second run on. @param begun runs of that kind, to go on with
 */
export async function fiveRuns(
  against: DailyBaseline,
  base: string,
  begun: readonly DailyRun[] = [],
): Promise<DailyRun[]> {
  const runs = [...begun];
  for (const run of RUNS.slice(begun.length)) {
    const folder = join(base, `run-${run}`);
    const earlier = against === 'the first run' ? runs[0] : runs.at(-1);
    const mutants = [MUTANTS.old, ...(run === 3 || run === 4 ? [MUTANTS.fresh] : [])];
    runs.push(await oneRun(folder, { mutants, flickers: run > 1, baseline: earlier?.folder }));
  }
  return runs;
}

interface DailyOptions {
  readonly mutants: readonly string[];
  readonly flickers?: boolean;
  readonly baseline: string | undefined;
  readonly seed?: number;
  readonly only?: readonly string[];
  readonly more?: readonly string[];
}

/** Runs once on a reference deployment with mutants, including rare ones. */
export async function oneRun(folder: string, options: DailyOptions): Promise<DailyRun> {
  const { mutants, flickers = false, baseline, seed = 1, only = SELECTION, more = [] } = options;
  const contract = loadContract('core');
  const behaviour = together(...mutants.map((id) => findMutant(contract, id).behaviour));
  const site = await closedAfter(
    proxiedSite({ deployment: 'core', behaviour }, flickers ? flickering() : forward),
  );
  const { code, stdout } = await tryMainAs(
    site,
    ...['run', '--target', site.url, '--user', site.user, '--deployment', 'core', '--out', folder],
    ...['--seed', String(seed), '--only', ...only],
    ...more,
    ...(baseline === undefined ? [] : ['--baseline', baseline]),
  );
  return { folder, result: resultIn(folder), code, stdout };
}

/** Accepts the first request of a kind, although it is invalid. */
function flickering(): Handle {
  let turn = 0;
  return async (request) => {
    const { searchParams } = request.url;
    if (searchParams.get('per_page') !== '101') return forward(request);
    const answer = await forward(request);
    const isBesideInvalid = !['asc', 'desc', null].includes(searchParams.get('order'));
    if (!isBesideInvalid) turn += 1;
    return isBesideInvalid || turn === 1 ? { ...withJson(answer, []), status: 200 } : answer;
  };
}
