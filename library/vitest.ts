import { changed, chooseTargets, inNeutralWords, resolveTargets } from '../cli/run/configure.ts';
import { explain, PlainError } from '../cli/shell/errors.ts';
import { hideSecrets } from '../cli/shell/hide-secrets.ts';
import { isDeselected, type PlannedCheck } from '../engine/plan.ts';
import { addTests, type TestedRun } from '../suites/add-tests.ts';
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
  const resolved = resolveTargets(settingsOf(options), {}, process.env);
  const targets = changed(resolved, (target) => inNeutralWords(target));
  return chooseTargets(targets, process.env, options.checks).flatMap(({ plan }) => plan);
}

function testedRun(options: ConformanceOptions): TestedRun {
  return {
    async run(chosen, heard, signal) {
      const leftOut = new Map(
        chosen.filter(({ skip }) => skip?.kind === 'selection').map((one) => [one.check.id, one]),
      );
      const signals = options.signal === undefined ? [signal] : [signal, options.signal];
      try {
        return doubtOf(
          await runHere(
            { ...options, signal: AbortSignal.any(signals) },
            {
              narrow: (planned) => planned.map((one) => leftOut.get(one.check.id) ?? one),
              heard(result, state) {
                heard(result, state);
                options.onCheck?.(result);
              },
            },
          ),
        );
      } catch (error) {
        throw plain(error);
      }
    },
  };
}

/** What a run says that no test of it does. */
function doubtOf({ exitCode, result }: ConformanceRun): PlainError | undefined {
  if (exitCode <= 1) return undefined;
  const { left = [], doubts = [] } = result.writing ?? {};
  return new PlainError(
    left.length + doubts.length > 0
      ? `records of run ${result.run.id} may remain on ${result.target.url}`
      : `nothing can be concluded about ${result.target.url}: ${result.reason}`,
  );
}

/** What the command line would print of an error. */
function plain(error: unknown): PlainError {
  const { line, details } = explain(error, hideSecrets([], process.env));
  return new PlainError(line, details);
}
