import { create } from 'xmlbuilder2';
import { isObject, member } from '../../client/json.ts';
import type { Ending } from '../../sites/hostile/hostile-server.ts';

/** What matters of a result document. */
export interface Result {
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
  const judged = verdicts.some((verdict) => ['pass', 'fail', 'warn'].includes(String(verdict)));
  const early =
    member(member(document, 'run'), 'ended') !== undefined ||
    checks.some(
      (check) => member(check, 'cut') === true || member(member(check, 'skip'), 'kind') === 'over-budget',
    );
  return {
    conclusion: member(document, 'conclusion'),
    ending: judged ? (early ? 'early' : 'whole') : 'unreached',
    faults: verdicts.filter((verdict) => verdict === 'error').length,
    left: listOf(member(writing, 'left')).map((one) => member(one, 'id')),
    doubts: listOf(member(writing, 'doubts')).length,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a run came as far as is expected; that there is a result document is judged elsewhere. */
export function judgeEnding(endings: readonly Ending[], result: Result | undefined): string[] {
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
export function judgeReports(
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
