import { afterAll, describe, inject, test } from 'vitest';
import { areaOf } from '../engine/area-of.ts';
import { Engine } from '../engine/engine.ts';
import { plan } from '../engine/plan.ts';
import { INTERRUPTED } from '../engine/result.ts';
import { allChecks } from './all-checks.ts';
import { annotate } from './annotate.ts';
import { ConformanceError } from './conformance-error.ts';
import { openSession } from './open-session.ts';

const options = inject('conformance');
const session = openSession(options, process.env);
const planned = plan(allChecks(session.contract), { ...options, hasUser: options.user !== undefined });
const engine = new Engine(session, planned, { deadline: options.deadline });

afterAll(() => session.client.close());

for (const [area, checks] of Map.groupBy(planned, ({ check }) => areaOf(check.id))) {
  describe(area, { concurrent: true }, () => {
    for (const one of checks) {
      test(`${one.check.title} [${one.check.id}]`, async ({ task, skip, signal }) => {
        const result = await Promise.race([engine.result(one), aborted(signal)]);
        if (result === undefined) {
          engine.end(INTERRUPTED);
          return skip('the run was interrupted');
        }
        task.meta.outcome = { result, traffic: { ...session.client.traffic }, ended: engine.ended };
        if (options.allure) await annotate(result);
        if (result.verdict === 'pass') return;
        if (result.verdict === 'fail') throw new ConformanceError(result);
        if (result.verdict === 'error') throw new Error(result.message);
        skip(`${result.verdict}: ${result.message ?? ''}`);
      });
    }
  });
}

/** Resolves when the run is interrupted: a check that waits for the target must not keep the run waiting. */
function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}
