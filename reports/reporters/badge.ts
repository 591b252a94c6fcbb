import type { RunResult } from '../../engine/result.ts';

/** The badge of a run. It is green only if the whole plan ran and conforms. */
export function badgeOf({ conclusion, counts, partial, target }: RunResult): {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
} {
  const { waived = 0, fail } = counts;
  const [message, color] = {
    inconclusive: ['inconclusive', 'lightgrey'] as const,
    // Strict mode fails a run for waivers that are no longer needed.
    nonconformant: [fail === 0 ? 'not conformant' : `${fail} failing`, 'red'] as const,
    conformant: [
      `conformant${waived === 0 ? '' : `, ${waived} waived`}`,
      partial === undefined ? 'brightgreen' : 'yellow',
    ] as const,
  }[conclusion];
  const label = `conformance ${target.deployment}`.trim();
  return { schemaVersion: 1, label, message: `${message}${partial === undefined ? '' : ', partial'}`, color };
}
