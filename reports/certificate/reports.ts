import type { RunResult } from '../../engine/result.ts';
import { renderPage } from '../renderers/page.ts';
import { renderJunit } from '../reporters/junit.ts';
import { runView } from '../views/run/run.ts';

/** The reports for people and for CI servers that a certificate brings: the same results give the same bytes. */
export function renderedReports(result: RunResult): [string, Uint8Array][] {
  return [
    ['junit.xml', Buffer.from(renderJunit(result))],
    ['report.html', Buffer.from(renderPage(runView(result)))],
  ];
}
