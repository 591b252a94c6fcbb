import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fleet, type FleetTarget, readFleet } from '../../compare/fleet/document.ts';
import { FleetTally } from '../../compare/fleet/tally.ts';
import { readSide } from '../../compare/side.ts';
import type { CheckResult } from '../../engine/result.ts';
import { listed } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import { jsonText, type ReportFile, writeAtomically } from '../../reports/files.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { junitOfFleet } from '../../reports/reporters/junit.ts';
import { fleetView } from '../../reports/views/fleet.ts';
import { UsageError } from '../../specs/validators.ts';
import { standsIn, UnusableRun } from '../run/earlier-run.ts';
import { replaceReports } from '../run/failed-run.ts';
import type { explainError } from '../shell/errors.ts';
import { type OutFolder, openOutFolder } from '../shell/out-folder.ts';
import { fleetDigest } from './choose-fleet.ts';

/** Opens the folder of a fleet with a subfolder for each target. @throws UsageError with nothing left behind */
export function openFleetFolder(path: string, names: readonly string[]): OutFolder {
  const out = openOutFolder(path, []);
  const opened: OutFolder[] = [];
  const dispose = (): void => {
    for (const one of [...opened, out]) one[Symbol.dispose]();
  };
  try {
    for (const name of names) opened.push(openOutFolder(join(out.path, name), []));
  } catch (error) {
    dispose();
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
    [Symbol.dispose]: dispose,
  };
}

/** Replaces the report of an earlier fleet by an inconclusive one, where `replaceReports` allows it. */
export function recordFleetFailure(
  out: string,
  { code, line }: ReturnType<typeof explainError>,
): Promise<void> {
  return replaceReports(out, code, (folder) => {
    folder.clear();
    writeFleet(folder.path, failedFleet(code, line));
  });
}

function failedFleet(exitCode: 2 | 3 | 4, reason: string): Fleet {
  const started = new Date().toISOString();
  const empty = new FleetTally().fleet({
    tool: productTool(),
    run: { started, seconds: 0, parallel: 1, ended: 'before the first target' },
    configuration: fleetDigest([]),
    selected: 0,
  });
  return { ...empty, exitCode, reason };
}

/** Writes the documents of a fleet into a folder. @returns what was written */
export function writeFleet(dir: string, fleet: Fleet): ReportFile[] {
  const file = join(dir, 'fleet.json');
  const view = fleetView(fleet);
  const documents = [
    ['fleet', 'fleet.json', jsonText(fleet)],
    ['JUnit', 'junit.xml', junitOfFleet(fleet, (folder) => checksIn(folderOf(file, folder)))],
    ['Markdown', 'fleet.md', renderMarkdown(view)],
    ['page', 'fleet.html', renderPage(view)],
  ] as const;
  for (const [, name, content] of documents) writeAtomically(join(dir, name), content);
  return documents.map(([label, name]) => ({ label, path: join(dir, name) }));
}

function folderOf(file: string, folder: string): string {
  return join(dirname(file), ...folder.split('/'));
}

function checksIn(folder: string): readonly CheckResult[] {
  try {
    return readSide(join(folder, 'results.json')).run?.checks ?? [];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

interface Baselines {
  /** The `results.json` of an earlier run; undefined if it cannot be compared. */
  of(name: string): string | undefined;
  readonly notes: readonly string[];
}

const NONE: Baselines = { of: () => undefined, notes: [] };
const MOST_NAMES = 10;

/**
 * Finds the earlier run of each target in an earlier fleet, or a part of one.
 * @param named `fleet.json`, or its folder; @param out the folder that is cleared, and must not contain it
 * @throws UsageError for a file that is not a fleet; UnusableRun if it would be deleted
 */
export function baselinesIn(named: string | undefined, names: readonly string[], out: string): Baselines {
  if (named === undefined) return NONE;
  const { path, fleet } = readFleet(named);
  if (standsIn(out, path)) {
    throw new UnusableRun(
      `--baseline ${named}: the run would take away what is in ${out}: keep the earlier fleet in another folder`,
    );
  }
  const earlier = new Map(fleet.targets.map((target) => [target.name, target]));
  const without = names.filter((name) => !isComparable(earlier.get(name)));
  const note = `no baseline for ${listed(without, MOST_NAMES)}: not evaluated in ${path}`;
  return {
    of(name) {
      const target = earlier.get(name);
      if (target === undefined || !isComparable(target)) return undefined;
      return join(folderOf(path, target.folder), 'results.json');
    },
    notes: without.length === 0 ? [] : [note],
  };
}

/** A target that was down has no evaluated checks to compare with. */
function isComparable(target: FleetTarget | undefined): boolean {
  return target !== undefined && target.counts.pass + target.counts.fail > 0;
}
