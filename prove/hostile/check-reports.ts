import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'xmlbuilder2';
import { isObject, member } from '../../client/json.ts';
import { type Census, changedIn, madeIn } from '../../sites/hostile/open-server.ts';
import { aimsOf, type Ending, isAuthenticated, type Seen } from '../../sites/hostile/server.ts';
import type { Ran } from './run-watched.ts';

/** All that a run is evaluated by, seen from outside. */
export interface Evidence {
  readonly ran: Ran;
  readonly seen: readonly Seen[];
  readonly strayed: readonly Seen[];
  readonly before: Census;
  readonly after: Census;
  /** Each file of the output folder, by its path there. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The files below a folder; none when it is not there. */
export function readFiles(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), readFileSync(path));
  }
  return files;
}

/** What matters of a result document. */
interface Result {
  readonly conclusion: unknown;
  readonly ending: Ending;
  /** Checks that ended at a fault of the suite. */
  readonly faults: number;
  /** Whether records are said to be left: their ids, and whether something could not be verified. */
  readonly left: readonly unknown[];
  readonly doubts: number;
}

/** Reads the result document among the files of a run; undefined when there is none that can be read. */
export function readResult(files: ReadonlyMap<string, Buffer>): Result | undefined {
  const text = files.get('results.json')?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? summarise(document) : undefined;
  } catch {
    return undefined;
  }
}

function summarise(document: unknown): Result {
  const checks = listOf(member(document, 'checks'));
  const writing = member(document, 'writing');
  const verdicts = checks.map((check) => member(check, 'verdict'));
  const evaluated = verdicts.some((verdict) => ['pass', 'fail', 'warn'].includes(String(verdict)));
  const early =
    member(member(document, 'run'), 'ended') !== undefined ||
    checks.some(
      (check) => member(check, 'cut') === true || member(member(check, 'skip'), 'kind') === 'over-budget',
    );
  return {
    conclusion: member(document, 'conclusion'),
    ending: evaluated ? (early ? 'early' : 'whole') : 'unreached',
    faults: verdicts.filter((verdict) => verdict === 'error').length,
    left: listOf(member(writing, 'left')).map((one) => member(one, 'id')),
    doubts: listOf(member(writing, 'doubts')).length,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a run came as far as is expected; that there is a result document is evaluated elsewhere. */
export function checkEnding(endings: readonly Ending[], result: Result | undefined): string[] {
  if (result === undefined || endings.includes(result.ending)) return [];
  return [`${result.ending} in place of ${endings.join(' or ')}`];
}

const CONCLUSIONS: Readonly<Record<number, string>> = {
  0: 'conformant',
  1: 'nonconformant',
  2: 'inconclusive',
  3: 'inconclusive',
};
const MOST_BYTES = 30_000_000;
/** It holds what the target sent, which is bounded elsewhere. */
const COPY = 'index.json';

/** Whether the reports are there, say what the exit code says, and can be read; and that the suite made no mistake. */
export function checkReports(
  code: number | undefined,
  files: ReadonlyMap<string, Buffer>,
  result: Result | undefined,
): string[] {
  const large = [...files].filter(([name, { length }]) => name !== COPY && length > MOST_BYTES);
  const wrong = large.map(([name, { length }]) => `${name} has ${length} bytes`);
  const expected = CONCLUSIONS[code ?? -1];
  if (result === undefined) wrong.push('no results.json that can be read');
  else if (expected !== undefined && result.conclusion !== expected)
    wrong.push(`results.json says ${String(result.conclusion).slice(0, 40)} and the exit code ${code}`);
  if (result !== undefined && result.faults > 0)
    wrong.push(`${result.faults} checks ended in faults of the suite`);
  const junit = files.get('junit.xml');
  if (junit === undefined) wrong.push('no junit.xml');
  else if (!isXml(junit.toString('utf8'))) wrong.push('junit.xml is no XML');
  return wrong;
}

const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

function isXml(text: string): boolean {
  // The parser closes what is open at the end: a file that was cut off would pass.
  if (NO_CHARACTER.test(text) || !/(?:<\/testsuites>|<testsuites[^<>]*\/>)\s*$/.test(text)) return false;
  try {
    create(text);
    return true;
  } catch {
    return false;
  }
}

/** Records of before that are not as they were, and requests with credentials that would have changed one. */
export function checkTouched({ seen, before, after }: Evidence): string[] {
  const changed = changedIn(before, after);
  const aimed = seen
    .filter((request) => isAuthenticated(request))
    .flatMap((request) => aimsOf(request).map((place) => ({ request, place })))
    .filter(({ place }) => before.has(place));
  return [
    ...changed.map((place) => `${place} ${after.has(place) ? 'was changed' : 'is gone'}`),
    ...aimed.map(({ request, place }) => `${request.method} for ${place}, which was there before`),
  ];
}

/** Records of the run that are still there and that its result document does not name. */
export function checkLeftovers(
  { before, after, ran }: { before: Census; after: Census; ran: Evidence['ran'] },
  result: Result | undefined,
): string[] {
  const left = madeIn(before, after);
  if (left.length === 0) return [];
  const named = new Set(result?.left.map(String));
  const silent = left.filter((place) => !named.has(place.split('/')[1] ?? ''));
  const hushed = result?.doubts ? [] : silent;
  return [
    ...hushed.map((place) => `${place} is still there and not listed`),
    ...(ran.code === 0 || ran.code === 3
      ? [`${left.length} records are left, and the exit code is ${ran.code}`]
      : []),
  ];
}
