import { allureReporter } from './allure.ts';
import { badgeReporter } from './badge.ts';
import { githubReporter } from './github.ts';
import { harReporter } from './har.ts';
import { htmlReporter } from './html.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { markdownReporter } from './markdown.ts';
import type { Reporter } from './reporter.ts';
import { sarifReporter } from './sarif.ts';
import { terminalReporter } from './terminal.ts';

/** Every reporter that comes with the suite, by its name. */
export const REPORTERS: Readonly<Record<string, Reporter>> = {
  json: jsonReporter,
  junit: junitReporter,
  html: htmlReporter,
  sarif: sarifReporter,
  markdown: markdownReporter,
  github: githubReporter,
  badge: badgeReporter,
  har: harReporter,
  allure: allureReporter,
  terminal: terminalReporter,
};

/** The reporters of a run that names none; `json` is there in any case. */
export const USUAL: readonly string[] = ['junit', 'html'];
