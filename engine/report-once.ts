import type { Check } from './check.ts';

/**
 * Lets the first of several checks report a failure for all, if none of them passes: one decision of the authors of the
 * software is then the cause.
 * @param others checks that may pass by chance, so that their success says nothing
 */
export function reportOnce(checks: readonly Check[], others: readonly Check[] = []): Check[] {
  const name = checks[0]?.id ?? '';
  const joined = (check: Check): Check => ({ ...check, groups: [...(check.groups ?? []), name] });
  return [
    ...checks.map(joined),
    ...others.map((check) => ({ ...joined(check), byChance: [...(check.byChance ?? []), name] })),
  ];
}
