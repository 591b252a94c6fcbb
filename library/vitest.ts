import { chooseTargets } from '../cli/choose-targets.ts';
import { explain } from '../cli/explain.ts';
import { hideSecrets } from '../cli/hide-secrets.ts';
import { PlainError } from '../cli/plain-error.ts';
import { resolveTargets } from '../cli/resolve-targets.ts';
import { inNeutralWords } from '../cli/settle-targets.ts';
import { isDeselected, type PlannedCheck } from '../engine/plan.ts';
import type { CheckResult } from '../engine/result.ts';
import { addTests } from '../suites/add-tests.ts';
import { aborted } from '../suites/judge.ts';
import { type ConformanceOptions, type ConformanceRun, runHere, settingsOf } from './run-conformance.ts';

/**
 * Adds a test for each selected check of a site to the vitest file that calls it. One failed test for each failure; what could not
 * tell, did not apply or is waived is skipped with the reason. The run ends with a failure too where nothing can be concluded
 * or something of its own stays.
 * @throws Error with one line for settings and files that cannot be used
 */
export function conformance(options: ConformanceOptions = {}): void {
  if (options.deployment === 'auto' || options.vocabulary === 'auto') {
    throw new PlainError(
      'the tests are there before the site is asked: deployment and vocabulary cannot be auto',
    );
  }
  let planned: readonly PlannedCheck[];
  try {
    planned = planOf(options);
  } catch (error) {
    throw plain(error);
  }
  addTests(
    planned.filter((one) => !isDeselected(one)),
    testedRun(options),
  );
}

function planOf(options: ConformanceOptions): readonly PlannedCheck[] {
  const targets = resolveTargets(settingsOf(options), {}, process.env).map((target) =>
    inNeutralWords(target),
  );
  return chooseTargets(targets, process.env, options.checks).flatMap(({ plan }) => plan);
}

function testedRun(options: ConformanceOptions): Parameters<typeof addTests>[1] {
  const told = new Map<string, PromiseWithResolvers<CheckResult | undefined>>();
  const interruption = new AbortController();
  let running: Promise<ConformanceRun> | undefined;
  let refused = false;

  function toldOf(id: string): PromiseWithResolvers<CheckResult | undefined> {
    const known = told.get(id) ?? Promise.withResolvers<CheckResult | undefined>();
    told.set(id, known);
    return known;
  }

  return {
    async begin(chosen) {
      const begun = Promise.withResolvers<void>();
      const leftOut = new Map(
        chosen.filter(({ skip }) => skip?.kind === 'selection').map((one) => [one.check.id, one]),
      );
      running = runHere(
        {
          ...options,
          signal: AbortSignal.any([
            interruption.signal,
            ...(options.signal === undefined ? [] : [options.signal]),
          ]),
          onCheck(result) {
            begun.resolve();
            toldOf(result.id).resolve(result);
            options.onCheck?.(result);
          },
        },
        { narrow: (planned) => planned.map((one) => leftOut.get(one.check.id) ?? one) },
      );
      const over = running.finally(() => {
        for (const { check } of chosen) toldOf(check.id).resolve(undefined);
      });
      try {
        await Promise.race([begun.promise, over]);
      } catch (error) {
        // A site that cannot be checked is told once, before any test.
        refused = true;
        throw plain(error);
      }
    },
    result({ check }, { signal }) {
      void aborted(signal).then(() => interruption.abort());
      return toldOf(check.id).promise;
    },
    async end() {
      if (refused || running === undefined) return;
      const { exitCode, result } = await running.catch((error: unknown) => {
        throw plain(error);
      });
      if (exitCode <= 1) return;
      const { left = [], doubts = [] } = result.writing ?? {};
      const stays = left.length + doubts.length > 0;
      throw new PlainError(
        stays
          ? `records of run ${result.run.id} may remain on ${result.target.url}`
          : `nothing can be concluded about ${result.target.url}: ${result.reason}`,
      );
    },
  };
}

/** What the command line would print of an error. */
function plain(error: unknown): PlainError {
  const { line, details } = explain(error, hideSecrets([], process.env));
  return new PlainError(line, details);
}
