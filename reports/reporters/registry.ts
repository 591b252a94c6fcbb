import { jsonText } from '../files.ts';
import { renderAsciidoc } from '../renderers/asciidoc.ts';
import { renderMarkdown } from '../renderers/markdown.ts';
import { renderPage } from '../renderers/page.ts';
import { renderTerminal } from '../renderers/terminal.ts';
import { runView } from '../views/run/run.ts';
import { writeAllure } from './allure.ts';
import { badgeOf } from './badge.ts';
import { renderAnnotations } from './github.ts';
import { renderHar } from './har.ts';
import { renderJunit } from './junit.ts';
import { type Reporter, STANDARD_OUTPUT } from './reporter.ts';
import { sarifOf } from './sarif.ts';

const WIDTH = 100;

/** Every reporter that comes with the suite, by its name. */
export const REPORTERS: Readonly<Record<string, Reporter>> = {
  /** The result document itself. */
  json: { label: 'results', file: 'results.json', render: jsonText },
  /** For CI servers. */
  junit: { label: 'JUnit', file: 'junit.xml', render: renderJunit },
  /** The page of a run, for people: it needs nothing but itself. */
  html: { label: 'page', file: 'report.html', render: (result) => renderPage(runView(result)) },
  /** For the code scanning of GitHub and its like. */
  sarif: { label: 'SARIF', file: 'results.sarif', render: (result) => jsonText(sarifOf(result)) },
  /** For a comment on a change request or the summary of a job. */
  markdown: { label: 'Markdown', file: 'report.md', render: (result) => renderMarkdown(runView(result)) },
  /** For a site of documents. */
  asciidoc: { label: 'AsciiDoc', file: 'report.adoc', render: (result) => renderAsciidoc(runView(result)) },
  /** Annotations of a job on GitHub. */
  github: { label: 'annotations', file: STANDARD_OUTPUT, commands: true, render: renderAnnotations },
  /** For a page of the project. */
  badge: { file: 'badge.json', render: (result) => `${JSON.stringify(badgeOf(result))}\n` },
  /** The exchanges, for the tools of browsers. */
  har: {
    label: 'HAR',
    file: 'exchanges.har',
    exchanges: true,
    render: (result, { folder }) => renderHar(result, folder),
  },
  allure: { label: 'Allure', file: 'allure-report/index.html', needs: 'allure', write: writeAllure },
  /** What the terminal shows, as a text without colours. */
  terminal: {
    label: 'text',
    file: 'report.txt',
    render: (result) => renderTerminal(runView(result), { colour: false, width: WIDTH }),
  },
};

/** The reporters of a run that names none; `json` is there in any case. */
export const USUAL: readonly string[] = ['junit', 'html'];
