import type { RunResult } from '../../engine/result.ts';

interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/** The badge of a run. It is green only if the whole plan ran and conforms. */
export function badgeOf({ conclusion, counts, partial, target }: RunResult): Badge {
  const { waived = 0, fail } = counts;
  const part = partial === undefined ? '' : ', partial';
  const label = `conformance ${target.deployment}`.trim();
  const about = { schemaVersion: 1, label } as const;
  if (conclusion === 'inconclusive') return { ...about, message: `inconclusive${part}`, color: 'lightgrey' };
  if (conclusion === 'nonconformant') {
    // Strict mode fails a run for waivers that are no longer needed.
    const message = fail === 0 ? 'not conformant' : `${fail} failing`;
    return { ...about, message: `${message}${part}`, color: 'red' };
  }
  const accepted = waived === 0 ? '' : `, ${waived} waived`;
  return {
    ...about,
    message: `conformant${accepted}${part}`,
    color: partial === undefined ? 'brightgreen' : 'yellow',
  };
}
