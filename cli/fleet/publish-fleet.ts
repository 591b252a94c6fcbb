import { join } from 'node:path';
import type { Fleet } from '../../compare/fleet.ts';
import { folderOf } from '../../compare/merge-fleets.ts';
import { readSide, UnreadableSide } from '../../compare/side.ts';
import type { CheckResult } from '../../engine/result.ts';
import { type ReportFile, writeAtomically } from '../../reports/files.ts';
import { junitOfFleet } from '../../reports/fleet/junit.ts';
import { print } from '../../reports/print.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import { wantsColour } from '../../reports/terminal/paint.ts';
import { fleetView } from '../../reports/views/fleet.ts';

const LEAST_WIDTH = 80;
const MOST_WIDTH = 120;

/** Writes the documents of a fleet into a folder. @returns what was written */
export function writeFleet(dir: string, fleet: Fleet): ReportFile[] {
  const json = { label: 'fleet', path: join(dir, 'fleet.json') };
  const junit = { label: 'JUnit', path: join(dir, 'junit.xml') };
  const markdown = { label: 'Markdown', path: join(dir, 'fleet.md') };
  const page = { label: 'page', path: join(dir, 'fleet.html') };
  writeAtomically(json.path, `${JSON.stringify(fleet, null, 2)}\n`);
  writeAtomically(
    junit.path,
    junitOfFleet(fleet, (folder) => checksIn(folderOf(json.path, folder))),
  );
  const view = fleetView(fleet);
  writeAtomically(markdown.path, renderMarkdown(view));
  writeAtomically(page.path, renderPage(view));
  return [json, junit, markdown, page];
}

/** Prints a fleet for people. @param brief whether the conclusion is all that is shown */
export function printFleet(fleet: Fleet, reports: readonly ReportFile[], brief: boolean = false): void {
  const columns = process.stdout.columns ?? MOST_WIDTH;
  print(
    process.stdout,
    renderTerminal(fleetView(fleet), {
      colour: wantsColour(process.stdout, process.env),
      width: Math.max(LEAST_WIDTH, Math.min(columns, MOST_WIDTH)),
      reports,
      brief,
    }),
  );
}

/** The checks of one target; none where its reports are elsewhere. */
function checksIn(folder: string): readonly CheckResult[] {
  try {
    return readSide(join(folder, 'results.json')).run?.checks ?? [];
  } catch (error) {
    if (error instanceof UnreadableSide) return [];
    throw error;
  }
}
