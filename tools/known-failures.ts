import { readFileSync } from 'node:fs';
import { isObject, member } from '../client/json.ts';

/**
 * Compares the failures of a run with the ones that are known of the software it ran against: exactly those, or the
 * comparison fails. A known failure that passes is a change too; one that was not tested is not.
 * @param results a parsed `results.json`; @param known reasons by check id
 * @returns one line for each difference
 */
export function compareFailures(results: unknown, known: Readonly<Record<string, string>>): string[] {
  const checks = member(results, 'checks');
  const verdicts = new Map<string, unknown>();
  const drawn = new Set<string>();
  for (const check of Array.isArray(checks) ? checks : []) {
    const id = member(check, 'id');
    if (typeof id !== 'string') continue;
    verdicts.set(id, member(check, 'verdict'));
    if (member(check, 'fuzz') === true) drawn.add(id);
  }
  if (verdicts.size === 0) return ['the results hold no checks'];
  const failed = [...verdicts]
    .filter(([, verdict]) => verdict === 'fail' || verdict === 'error')
    .map(([id]) => id);
  return [
    ...failed
      .filter((id) => !Object.hasOwn(known, id))
      .map((id) => `${id} fails, and is not a known failure`),
    ...Object.keys(known)
      // A search that depends on the seed may miss what is there.
      .filter((id) => verdicts.get(id) === 'pass' && !drawn.has(id))
      .map((id) => `${id} is a known failure, but passes: ${known[id]}`),
  ];
}

/** The known failures of one version of the software. @throws Error when the file has no such version */
function readKnown(path: string, version: string): Record<string, string> {
  const groups = member(JSON.parse(readFileSync(path, 'utf8')), version);
  if (!Array.isArray(groups)) throw new Error(`${path} has nothing on version ${version}`);
  const known: Record<string, string> = {};
  for (const group of groups) {
    const ids = member(group, 'checks');
    for (const id of Array.isArray(ids) ? ids : []) known[String(id)] = String(member(group, 'reason'));
  }
  return known;
}

if (process.argv[1] === import.meta.filename) {
  const [resultsPath = '', knownPath = '', version = ''] = process.argv.slice(2);
  const results: unknown = JSON.parse(readFileSync(resultsPath, 'utf8'));
  const known = readKnown(knownPath, version);
  const differences = compareFailures(results, known);
  const counts = member(results, 'counts');
  process.stdout.write(
    `${isObject(counts) ? JSON.stringify(counts) : ''} ${Object.keys(known).length} known failures of ${version}\n`,
  );
  for (const line of differences) process.stdout.write(`  ${line}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
