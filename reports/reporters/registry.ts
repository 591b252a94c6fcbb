import { allureReporter } from './allure.ts';
import { htmlReporter } from './html.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import type { Reporter } from './reporter.ts';
import { terminalReporter } from './terminal.ts';

/** Every reporter that comes with the suite, by its name. */
export const REPORTERS: Readonly<Record<string, Reporter>> = {
  json: jsonReporter,
  junit: junitReporter,
  html: htmlReporter,
  allure: allureReporter,
  terminal: terminalReporter,
};

/** The reporters of a run that names none; `json` is there in any case. */
export const USUAL: readonly string[] = ['junit', 'html'];
