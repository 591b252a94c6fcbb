import type { Check } from './check.ts';

/**
 * Lets the first of several checks report a failure for all, if none of them passes: one decision of the authors of the
 * software is then the cause.
 * @param others checks that may pass by chance, so that their success says nothing
 */
export function reportOnce(checks: readonly Check[], others: readonly Check[] = []): Check[] {
  const groups = checks.slice(0, 1).map(({ id }) => id);
  return [
    ...checks.map((check) => ({ ...check, groups })),
    ...others.map((check) => ({ ...check, groups, byChance: true as const })),
  ];
}
