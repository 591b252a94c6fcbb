import type { RunResult } from '../../engine/result.ts';
import { renderJson } from './json.ts';

/** The line of `results.json` on which each check names its id, by that id. */
export function linesOfChecks(result: RunResult): ReadonlyMap<string, number> {
  const before = renderJson({ ...result, checks: [] }).split('\n').length;
  // Without its checks the document ends with `"checks": []`, `}` and a line feed.
  let line = before - 2;
  return new Map(
    result.checks.map((check) => {
      const lines = JSON.stringify(check, null, 2).split('\n');
      const own = line + 1 + lines.findIndex((text) => text.startsWith('  "id": '));
      line += lines.length;
      return [check.id, own];
    }),
  );
}
