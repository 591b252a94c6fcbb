import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunMode } from '../../client/mode.ts';
import { selectorOf } from '../../engine/glob.ts';
import { progressOf } from '../../engine/progress.ts';
import type { CheckResult, NextStep, ProgressReport } from '../../engine/result.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { withCosts } from '../../suites/records/stage/costs.ts';
import { runInProcess } from '../../suites/run-in-process.ts';
import { FEATURES } from './features.ts';
import { serve } from './serve.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const CHECKS = allChecks(CONTRACT);
const PASSWORD = 'a password of the site';

/** How a site is run. */
export interface Way {
  readonly mode: RunMode;
  readonly only?: readonly string[];
  /** Without the records that the site comes with. */
  readonly empty?: boolean;
}

/** What a run says of a site. */
export interface Told {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly progress: ProgressReport;
}

/** Runs the suite against a site with some features, as a run of the product does. */
export async function tell(features: ReadonlySet<string>, { mode, only, empty = false }: Way): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'reimplementation-'));
  const site = await serve({ features: () => features, password: PASSWORD, empty });
  try {
    const { results, stage } = await runInProcess({
      contract: CONTRACT,
      checks: CHECKS,
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

/** The feature that a step asks for: the first that is off and brings its check. */
export function featureFor({ check }: Pick<NextStep, 'check'>, on: ReadonlySet<string>): string | undefined {
  return FEATURES.find(
    ({ feature, brings }) => !on.has(feature) && brings.some((glob) => selectorOf(glob)(check)),
  )?.feature;
}
