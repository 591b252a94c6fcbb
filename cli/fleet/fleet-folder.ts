import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Fleet } from '../../compare/fleet.ts';
import { FleetTally } from '../../compare/fleet-tally.ts';
import { folderOf } from '../../compare/merge-fleets.ts';
import { readSide, UnreadableSide } from '../../compare/side.ts';
import type { CheckResult } from '../../engine/result.ts';
import { jsonText, type ReportFile, writeAtomically } from '../../reports/files.ts';
import { junitOfFleet } from '../../reports/fleet/junit.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { fleetView } from '../../reports/views/fleet.ts';
import { lockFolder } from '../lock-folder.ts';
import type { Explained } from '../shell/errors.ts';
import { type OutFolder, openOutFolder } from '../shell/out-folder.ts';
import { productVersion } from '../shell/version.ts';
import { digestOf } from './choose-fleet.ts';

/**
 * The folder of a fleet with one for each target: nothing but reports is replaced in any.
 * @throws UsageError as `openOutFolder` does, with nothing left behind
 */
export function openFleetFolder(path: string, names: readonly string[]): OutFolder {
  const out = openOutFolder(path, []);
  const opened: OutFolder[] = [];
  const abandon = (): void => {
    for (const one of opened) one.abandon();
    out.abandon();
  };
  try {
    for (const name of names) opened.push(openOutFolder(join(out.path, name), []));
  } catch (error) {
    abandon();
    throw error;
  }
  return {
    ...out,
    clear() {
      out.clear();
      for (const one of opened) {
        one.clear();
        mkdirSync(one.path, { recursive: true });
      }
    },
    abandon,
  };
}

/** Says in the folder for reports that nothing is concluded, in place of an earlier fleet; a misspelt name makes no folder. */
export function recordFleetFailure(out: string, { code, line }: Explained): void {
  try {
    const folder = openOutFolder(out, []);
    try {
      if (!folder.holdsReports && (code === 2 || !folder.isEmpty)) return;
      const release = lockFolder(folder.path);
      try {
        folder.clear();
        writeFleet(folder.path, failedFleet(code, line));
      } finally {
        release();
      }
    } finally {
      folder.abandon();
    }
  } catch {}
}

function failedFleet(exitCode: 2 | 3 | 4, reason: string): Fleet {
  const started = new Date().toISOString();
  const empty = new FleetTally().fleet({
    tool: { name: 'site-conformance', version: productVersion() },
    run: { started, seconds: 0, parallel: 1, ended: 'before the first target' },
    configuration: digestOf([]),
    selected: 0,
  });
  return { ...empty, exitCode, reason };
}

/** Writes the documents of a fleet into a folder. @returns what was written */
export function writeFleet(dir: string, fleet: Fleet): ReportFile[] {
  const json = { label: 'fleet', path: join(dir, 'fleet.json') };
  const junit = { label: 'JUnit', path: join(dir, 'junit.xml') };
  const markdown = { label: 'Markdown', path: join(dir, 'fleet.md') };
  const page = { label: 'page', path: join(dir, 'fleet.html') };
  writeAtomically(json.path, jsonText(fleet));
  writeAtomically(
    junit.path,
    junitOfFleet(fleet, (folder) => checksIn(folderOf(json.path, folder))),
  );
  const view = fleetView(fleet);
  writeAtomically(markdown.path, renderMarkdown(view));
  writeAtomically(page.path, renderPage(view));
  return [json, junit, markdown, page];
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
