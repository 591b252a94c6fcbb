import { extentOf } from '../../engine/extent.ts';
import type { RunResult } from '../../engine/result.ts';
import { percent } from '../../engine/text.ts';
import { isThin } from './describe.ts';

/** The badge of a run. It is green only if the whole plan ran, and the site conforms in most of what it does. */
export function badgeOf(result: RunResult): {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
} {
  const { conclusion, counts, partial, target } = result;
  const { waived = 0, fail } = counts;
  const { evaluated, wanted } = extentOf(result.checks, result.run.mode);
  const thin = isThin(result);
  const [message, color] = {
    inconclusive: ['inconclusive', 'lightgrey'] as const,
    // Strict mode fails a run for waivers that are no longer needed.
    nonconformant: [fail === 0 ? 'not conformant' : `${fail} failing`, 'red'] as const,
    conformant: [
      `${thin ? `${percent(evaluated, wanted)} evaluated, ` : ''}conformant${waived === 0 ? '' : `, ${waived} waived`}`,
      partial === undefined && !thin ? 'brightgreen' : 'yellow',
    ] as const,
  }[conclusion];
  const label = `conformance ${target.deployment}`.trim();
  return { schemaVersion: 1, label, message: `${message}${partial === undefined ? '' : ', partial'}`, color };
}
