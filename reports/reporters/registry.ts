import { renderRunPage } from '../page/run/run-page.ts';
import { renderTerminal } from '../terminal/terminal.ts';
import { allureReporter } from './allure.ts';
import { badgeReporter } from './badge.ts';
import { githubReporter } from './github.ts';
import { harReporter } from './har.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { markdownReporter } from './markdown.ts';
import type { Reporter, TextReporter } from './reporter.ts';
import { sarifReporter } from './sarif.ts';

/** The page of a run, for people: it needs nothing but itself. */
export const htmlReporter: TextReporter = {
  name: 'html',
  label: 'page',
  file: 'report.html',
  render: renderRunPage,
};

const WIDTH = 100;

/** What the terminal shows, as a text without colours. */
const terminalReporter: TextReporter = {
  name: 'terminal',
  label: 'text',
  file: 'report.txt',
  render: (result) => renderTerminal(result, { colour: false, width: WIDTH, reports: [] }),
};

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
