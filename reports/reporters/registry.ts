import { jsonText } from '../files.ts';
import { renderAsciidoc } from '../renderers/asciidoc.ts';
import { renderMarkdown } from '../renderers/markdown.ts';
import { renderPage } from '../renderers/page.ts';
import { renderTerminal } from '../renderers/terminal.ts';
import { runView } from '../views/run/run.ts';
import { allureReporter } from './allure.ts';
import { badgeReporter } from './badge.ts';
import { githubReporter } from './github.ts';
import { harReporter } from './har.ts';
import { junitReporter } from './junit.ts';
import type { Reporter, TextReporter } from './reporter.ts';
import { sarifReporter } from './sarif.ts';

/** The result document itself. */
const jsonReporter: TextReporter = {
  name: 'json',
  label: 'results',
  file: 'results.json',
  render: jsonText,
};

/** The page of a run, for people: it needs nothing but itself. */
export const htmlReporter: TextReporter = {
  name: 'html',
  label: 'page',
  file: 'report.html',
  render: (result) => renderPage(runView(result)),
};

/** Markdown for a comment on a change request or the summary of a job. */
const markdownReporter: TextReporter = {
  name: 'markdown',
  label: 'Markdown',
  file: 'report.md',
  render: (result) => renderMarkdown(runView(result)),
};

/** AsciiDoc for a site of documents. */
const asciidocReporter: TextReporter = {
  name: 'asciidoc',
  label: 'AsciiDoc',
  file: 'report.adoc',
  render: (result) => renderAsciidoc(runView(result)),
};

const WIDTH = 100;

/** What the terminal shows, as a text without colours. */
const terminalReporter: TextReporter = {
  name: 'terminal',
  label: 'text',
  file: 'report.txt',
  render: (result) => renderTerminal(runView(result), { colour: false, width: WIDTH }),
};

/** Every reporter that comes with the suite, by its name. */
export const REPORTERS: Readonly<Record<string, Reporter>> = {
  json: jsonReporter,
  junit: junitReporter,
  html: htmlReporter,
  sarif: sarifReporter,
  markdown: markdownReporter,
  asciidoc: asciidocReporter,
  github: githubReporter,
  badge: badgeReporter,
  har: harReporter,
  allure: allureReporter,
  terminal: terminalReporter,
};

/** The reporters of a run that names none; `json` is there in any case. */
export const USUAL: readonly string[] = ['junit', 'html'];
