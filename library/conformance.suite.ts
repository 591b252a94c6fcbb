import { description, feature, label, story, tag } from 'allure-js-commons';
import { loadConfig } from '../cli/config.ts';
import { argumentsFromEnvironment, readSettings } from '../cli/read-options.ts';
import { changed, chooseTargets, resolveTargets, settleTargets } from '../cli/run/configure.ts';
import { runCommand } from '../cli/run/run-targets.ts';
import { hideSecrets } from '../cli/shell/hide-secrets.ts';
import type { CheckResult } from '../engine/result.ts';
import { literalBlock } from '../reports/escape-markdown.ts';
import { note } from '../reports/print.ts';
import { describeCheck } from '../reports/reporters/describe.ts';
import { addTests, plainError } from './add-tests.ts';

/** Vitest's reporter that writes results for Allure. */
const ALLURE = 'allure';

let hide = hideSecrets([]);
try {
  const args = argumentsFromEnvironment(process.env);
  hide = hideSecrets(args);
  const { config, ...given } = readSettings(args);
  const file = loadConfig(config);
  const asked = await settleTargets(resolveTargets(given, file, process.env), note);
  const settled = changed(asked, ({ reporters }) => ({
    reporters: reporters.filter((one) => one !== ALLURE),
  }));
  addTests({
    targets: chooseTargets(settled, process.env),
    hide,
    run: ({ finished, ...how }) =>
      runCommand(given, hide, {
        ...how,
        file,
        settled,
        prints: 'progress',
        finished(result) {
          const { target, run, reason } = result;
          note(
            `${target.url} against deployment ${target.deployment}, mode ${run.mode}, seed ${run.seed}, run ${run.id}: ${reason}`,
          );
          finished(result);
        },
      }),
    ...(asked.some(({ reporters }) => reporters.includes(ALLURE)) && { shown: annotate }),
  });
} catch (error) {
  throw plainError(error, hide);
}

/** Adds to Allure the group of a check and, unless it passed, what was expected and observed. */
async function annotate(result: CheckResult): Promise<void> {
  await feature(result.area);
  if (result.operation !== undefined) await story(result.operation);
  await label('section', result.section);
  // Allure has neither warnings nor inconclusive results: both are skipped, with this tag.
  if (result.verdict !== 'pass') await tag(result.waived === undefined ? result.verdict : 'waived');
  if (result.unstable !== undefined) await tag('unstable');
  await description(literalBlock(describeCheck(result)));
}
