import type { RunResult } from '../../engine/result.ts';
import { renderJson } from './json.ts';

/** The line of `results.json` on which each check names its id, by that id. */
export function linesOfChecks(result: RunResult): ReadonlyMap<string, number> {
  const others = renderJson({ ...result, checks: [] }).split('\n');
  let line = others.findIndex((text) => text.startsWith('  "checks": [')) + 1;
  return new Map(
    result.checks.map((check) => {
      const lines = JSON.stringify(check, null, 2).split('\n');
      const own = line + 1 + lines.findIndex((text) => text.startsWith('  "id": '));
      line += lines.length;
      return [check.id, own];
    }),
  );
}
