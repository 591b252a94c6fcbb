import { changed, chooseTargets, inNeutralWords, resolveTargets } from '../cli/run/configure.ts';
import { PlainError } from '../cli/shell/errors.ts';
import { hideSecrets } from '../cli/shell/hide-secrets.ts';
import type { RunConfig } from '../suites/run-config.ts';
import { addTests, plainError } from './add-tests.ts';
import { type ConformanceOptions, runHere, settingsOf } from './run-conformance.ts';

/**
 * Adds a test for each selected check of a site to the vitest file that calls it. Each failure is a failed test;
 * inconclusive, not applicable and waived checks are skipped with the reason. The file also fails if nothing can be
 * concluded or records of the run are left.
 * @throws Error with one line for invalid settings and files
 */
export function conformance(options: ConformanceOptions = {}): void {
  if (options.deployment === 'auto' || options.vocabulary === 'auto') {
    throw new PlainError(
      'the tests are there before the site is asked: deployment and vocabulary cannot be auto',
    );
  }
  const { onCheck, signal: callers } = options;
  const hide = hideSecrets([]);
  try {
    addTests({
      targets: targetsOf(options),
      hide,
      async run({ signal, heard, ...how }) {
        const { exitCode } = await runHere(options, {
          ...how,
          signal: callers === undefined ? signal : AbortSignal.any([signal, callers]),
          heard(result, target) {
            heard(result, target);
            onCheck?.(result);
          },
        });
        return exitCode;
      },
    });
  } catch (error) {
    throw plainError(error, hide);
  }
}

function targetsOf(options: ConformanceOptions): RunConfig[] {
  const resolved = resolveTargets(settingsOf(options), {}, process.env);
  const settled = changed(resolved, (target) => inNeutralWords(target));
  return chooseTargets(settled, process.env, options.checks);
}
