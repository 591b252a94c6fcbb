import { changed, chooseTargets, inNeutralWords, resolveTargets } from '../cli/run/configure.ts';
import { PlainError } from '../cli/shell/errors.ts';
import { hideSecrets } from '../cli/shell/hide-secrets.ts';
import type { RunConfig } from '../suites/run-config.ts';
import { addTests, plainError } from './add-tests.ts';
import { type ConformanceOptions, runHere, settingsOf } from './run-conformance.ts';

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
