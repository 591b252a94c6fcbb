import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isObject } from '../../client/json.ts';
import { readFleet } from '../../compare/fleet/document.ts';
import { isFile } from '../../compare/side.ts';
import { messageOf } from '../../engine/text.ts';
import { REPORTERS } from '../../reports/reporters/registry.ts';
import { EXCHANGES, STANDARD_OUTPUT } from '../../reports/reporters/reporter.ts';
import { UsageError } from '../../specs/validators.ts';
import { EMBEDDED } from '../run/configure.ts';
import { JOURNALS } from './leftovers.ts';

/** The files of a run. The events are written first and removed last, because they identify the folder as ours. */
const EVENTS = 'events.ndjson';
const FLEET = 'fleet.json';
const REPORTS: readonly string[] = [
  ...Object.values(REPORTERS).map(({ file }) => file.split('/', 1)[0] ?? file),
  'index.json',
  'terminal.txt',
  'allure-results',
  EXCHANGES,
  'fleet.md',
  'fleet.html',
  FLEET,
  EVENTS,
].filter((name) => name !== STANDARD_OUTPUT);
const RESULTS = 'results.json';
const SUMMARY = 'summary.json';
/** Names that no folder among reports can have. */
export const TAKEN: ReadonlySet<string> = new Set([...REPORTS, SUMMARY, JOURNALS]);
const MARK = '{"event":"start","tool":{"name":"site-conformance"';
const RESULTS_MARK = '{\n  "format": 1,\n  "tool": {\n    "name": "site-conformance"';
const FLEET_MARK = '{\n  "format": 1,\n  "kind": "fleet",\n  "tool": {\n    "name": "site-conformance"';
/** An unfinished report of a process that died. */
const UNFINISHED = /^\.(.+)\.\d+\.tmp$/;

/**
 * A folder for reports. It is writable, and only cleared when a run really starts. Its disposal removes it if it was
 * created for a run that never started.
 */
export interface OutFolder extends Disposable {
  readonly path: string;
  /** Whether it holds nothing, or reports of this suite. */
  readonly isFree: boolean;
  clear(): void;
}

/**
 * Opens a folder for reports, before anything is sent. @param parts the subfolders of a run of several deployments
 * @throws UsageError if it is not writable, or has files with the same names that no run wrote
 */
export function openOutFolder(path: string, parts: readonly string[]): OutFolder {
  if (path === '') throw new UsageError('--out: the name of a folder is missing');
  const folder = resolve(path);
  const made: string[] = [];
  const abandon = (): void => {
    for (const one of made) removeIfEmpty(one);
  };
  try {
    makeFolders(folder, made);
    const probe = join(folder, `.writable-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    abandon();
    throw new UsageError(`--out ${path}: reports cannot be written there (${messageOf(error)})`);
  }
  const foreign = placesOf(folder, parts).find((place) => existsSync(place));
  if (foreign !== undefined) {
    throw new UsageError(
      `--out ${path}: ${foreign} is there, and no run of this suite wrote it: name a folder for reports alone`,
    );
  }
  return {
    path: folder,
    isFree: readdirSync(folder).length === 0 || isOurs(folder) || partsOf(folder).length > 0,
    clear() {
      const earlier = partsOf(folder);
      for (const part of earlier) {
        removeReports(part);
        removeIfEmpty(part);
      }
      if (earlier.length > 0 || isSummary(folder)) rmSync(join(folder, SUMMARY), { force: true });
      if (isOurs(folder)) removeReports(folder);
      removeUnfinished(folder);
    },
    [Symbol.dispose]: abandon,
  };
}

function placesOf(folder: string, parts: readonly string[]): string[] {
  const folders = parts.length === 0 ? [folder] : parts.map((part) => join(folder, part));
  const places = folders
    .filter((one) => !isOurs(one))
    .flatMap((one) => REPORTS.map((name) => join(one, name)));
  const knowsSummary = parts.length === 0 || partsOf(folder).length > 0 || isSummary(folder);
  return knowsSummary ? places : [...places, join(folder, SUMMARY)];
}

function partsOf(folder: string): string[] {
  return [...new Set([...EMBEDDED, ...fleetIn(folder)])].map((name) => join(folder, name)).filter(isOurs);
}

/** Whether a run, a fleet or `report` of this suite wrote the reports in a folder, even partially. */
function isOurs(folder: string): boolean {
  const start = startOf(join(folder, EVENTS), MARK.length);
  // The first event may be incomplete.
  if (start !== undefined) return MARK.startsWith(start);
  return startOf(join(folder, RESULTS), RESULTS_MARK.length) === RESULTS_MARK || isFleet(folder);
}

/** Whether the summary of a folder is ours. It may be the only file left. */
function isSummary(folder: string): boolean {
  try {
    const summary: unknown = JSON.parse(readFileSync(join(folder, SUMMARY), 'utf8'));
    if (!isObject(summary) || summary.format !== 1) return false;
    return typeof summary.conclusion === 'string' && Array.isArray(summary.deployments);
  } catch {
    return false;
  }
}

function isFleet(folder: string): boolean {
  return startOf(join(folder, FLEET), FLEET_MARK.length) === FLEET_MARK;
}

function fleetIn(folder: string): string[] {
  if (!isFleet(folder)) return [];
  try {
    const { fleet } = readFleet(folder);
    return fleet.targets.filter((target) => target.folder === target.name).map(({ name }) => name);
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

function startOf(path: string, length: number): string | undefined {
  if (!isFile(path)) return undefined;
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(length);
    return start.toString('latin1', 0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}

/** Creates a folder and its parents, innermost first. (The recursive mkdir never returns on some file systems.) */
function makeFolders(folder: string, made: string[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), made);
  mkdirSync(folder);
  made.unshift(folder);
}

function removeReports(folder: string): void {
  for (const name of REPORTS) rmSync(join(folder, name), { recursive: true, force: true });
  removeUnfinished(folder);
}

function removeUnfinished(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, report = ''] = UNFINISHED.exec(name) ?? [];
    if (report === SUMMARY || REPORTS.includes(report)) rmSync(join(folder, name), { force: true });
  }
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
