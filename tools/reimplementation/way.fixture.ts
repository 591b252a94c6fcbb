import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunMode } from '../../client/mode.ts';
import type { Check } from '../../engine/check.ts';
import { selectorOf } from '../../engine/glob.ts';
import { levelOf } from '../../engine/levels.ts';
import { progressOf } from '../../engine/progress.ts';
import type { CheckResult, NextStep, ProgressReport } from '../../engine/result.ts';
import { loadContract } from '../../specs/contract.ts';
import { LEVELS, type Level } from '../../specs/releases.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { withCosts } from '../../suites/records/stage/costs.ts';
import { runInProcess } from '../../suites/run-checks.ts';
import { FEATURES } from './features.ts';
import { serve } from './serve.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const CHECKS = allChecks(CONTRACT);
const PASSWORD = 'a password of the site';

/** How a site is run. */
export interface Way {
  readonly mode: RunMode;
  readonly only?: readonly string[];
  /** What is required of a level alone. */
  readonly level?: Level;
  /** Without the records that the site comes with. */
  readonly empty?: boolean;
}

/** What a run says of a site. */
export interface Told {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly progress: ProgressReport;
}

/** Runs the suite against a site with some features, as a run of the product does. */
export async function tell(
  features: ReadonlySet<string>,
  { mode, only, level, empty = false }: Way,
): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'reimplementation-'));
  const site = await serve({ features: () => features, password: PASSWORD, empty });
  try {
    const { results, stage } = await runInProcess({
      contract: CONTRACT,
      checks: level === undefined ? CHECKS : checksOf(level),
      url: site.url,
      user: { user: 'author', password: PASSWORD },
      mode,
      ...(only !== undefined && { only }),
      ...(mode !== 'read' && {
        stage: 'auto',
        journal: { path: join(folder, 'journal.ndjson'), tag: `sc-way-${process.pid}` },
      }),
    });
    const checks = [...results.values()];
    const operations = CONTRACT.operations.map(({ id, route, methods }) => [
      id,
      { namespace: route.namespace, route: route.wire, methods },
    ]);
    return {
      results,
      progress: progressOf(checks, {
        operations: Object.fromEntries(operations),
        creations: new Map(
          CONTRACT.resources.flatMap((one) =>
            one.operations.create ? [[one.id, one.operations.create.id]] : [],
          ),
        ),
        stage: stage && withCosts(stage, checks, CONTRACT),
      }),
    };
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The features that a step names: for its check the first that is off and brings it, and the same for what the index has
 * to list before.
 */
export function featuresFor({ check, under }: NextStep, on: ReadonlySet<string>): string[] {
  return [check, under].flatMap((id) => {
    const known = FEATURES.find(
      ({ feature, brings }) =>
        !on.has(feature) && id !== undefined && brings.some((glob) => selectorOf(glob)(id)),
    );
    return known === undefined ? [] : [known.feature];
  });
}

function checksOf(level: Level): Check[] {
  return CHECKS.filter(
    (check) => LEVELS.indexOf(levelOf(check)) <= LEVELS.indexOf(level) && check.basis !== 'doubtful',
  );
}

/** The checks of a level that a run did not show to be met. */
export function unmet({ results }: Told, level: Level): string[] {
  return checksOf(level).flatMap(({ id }) => {
    const { verdict, skip } = results.get(id) ?? {};
    return verdict === 'pass' || skip?.kind === 'not-applicable' ? [] : [`${id}: ${verdict}`];
  });
}
