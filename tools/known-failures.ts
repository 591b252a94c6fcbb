import { readFileSync } from 'node:fs';
import { isObject, member } from '../client/json.ts';
import { fits } from '../engine/finish.ts';
import { selectorOf } from '../engine/glob.ts';
import { knownWaivers, type Waiver } from '../specs/waivers.ts';

/** The differences of parsed results from known failures, one line each. A check that did not run is none. */
export function compareFailures(
  results: unknown,
  known: readonly Pick<Waiver, 'check' | 'reason'>[],
): string[] {
  const all = member(results, 'checks');
  const checks: readonly unknown[] = Array.isArray(all) ? all : [];
  if (checks.length === 0) return ['the results hold no checks'];
  const rows = known.map(({ check, reason }) => ({ selects: selectorOf(check), reason }));
  return checks.flatMap((check) => {
    const [id, verdict] = [String(member(check, 'id')), member(check, 'verdict')];
    const row = rows.find(({ selects }) => selects(id));
    if (verdict === 'fail' || verdict === 'error') {
      return row === undefined ? [`${id} fails, and is not a known failure`] : [];
    }
    // A search may miss a failure, depending on the seed.
    const isMissed = verdict === 'pass' && member(check, 'fuzz') !== true;
    return row !== undefined && isMissed ? [`${id} is a known failure, but passes: ${row.reason}`] : [];
  });
}

if (process.argv[1] === import.meta.filename) {
  const [path = '', software = ''] = process.argv.slice(2);
  const results: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const known = knownWaivers(software).filter(
    (waiver) => waiver.versions !== undefined && fits(waiver, software),
  );
  if (known.length === 0) throw new Error(`nothing is known of ${software}`);
  const differences = compareFailures(results, known);
  const counts = member(results, 'counts');
  process.stdout.write(
    `${isObject(counts) ? JSON.stringify(counts) : ''} ${known.length} known causes of failures of ${software}\n`,
  );
  for (const line of differences) process.stdout.write(`  ${line}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
