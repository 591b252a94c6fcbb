import type { RunResult } from '../../engine/result.ts';
import { jsonText } from '../files.ts';
import type { View } from '../views/blocks.ts';
import { type Reporter, STANDARD_OUTPUT } from './reporter.ts';

const WIDTH = 100;

/** What a report needs is loaded with the first one: most commands make none. */
const viewOf = async (result: RunResult): Promise<View> =>
  (await import('../views/run/run.ts')).runView(result);

/** The built-in reporters by name. */
export const REPORTERS: Readonly<Record<string, Reporter>> = {
  json: { label: 'results', file: 'results.json', render: jsonText },
  junit: {
    label: 'JUnit',
    file: 'junit.xml',
    render: async (result) => (await import('./junit.ts')).renderJunit(result),
  },
  html: {
    label: 'page',
    file: 'report.html',
    render: async (result) => (await import('../renderers/page.ts')).renderPage(await viewOf(result)),
  },
  /** For GitHub code scanning and similar tools. */
  sarif: {
    label: 'SARIF',
    file: 'results.sarif',
    render: async (result) => jsonText((await import('./sarif.ts')).sarifOf(result)),
  },
  /** For a comment on a change request or the summary of a job. */
  markdown: {
    label: 'Markdown',
    file: 'report.md',
    render: async (result) => (await import('../renderers/markdown.ts')).renderMarkdown(await viewOf(result)),
  },
  /** For a documentation site. */
  asciidoc: {
    label: 'AsciiDoc',
    file: 'report.adoc',
    render: async (result) => (await import('../renderers/asciidoc.ts')).renderAsciidoc(await viewOf(result)),
  },
  /** Annotations of a job on GitHub. */
  github: {
    label: 'annotations',
    file: STANDARD_OUTPUT,
    commands: true,
    render: async (result) => (await import('./github.ts')).renderAnnotations(result),
  },
  badge: {
    file: 'badge.json',
    render: async (result) => `${JSON.stringify((await import('./badge.ts')).badgeOf(result))}\n`,
  },
  /** The exchanges, for the tools of browsers. */
  har: {
    label: 'HAR',
    file: 'exchanges.har',
    exchanges: true,
    render: async (result, { folder }) => (await import('./har.ts')).renderHar(result, folder),
  },
  allure: {
    label: 'Allure',
    file: 'allure-report/index.html',
    needs: 'allure',
    write: async (result, place) => (await import('./allure.ts')).writeAllure(result, place),
  },
  /** The terminal output without colours. */
  terminal: {
    label: 'text',
    file: 'report.txt',
    render: async (result) => {
      const { renderTerminal } = await import('../renderers/terminal.ts');
      return renderTerminal(await viewOf(result), { width: WIDTH });
    },
  },
};

/** The default reporters; `json` is always written. */
export const USUAL: readonly string[] = ['junit', 'html'];
