import { type Check, type Finding, foundBy } from './check.ts';
import { FEWEST_ALIKE, hasFailure, orFinding, sharedFinding } from './findings.ts';
import { fixture } from './session.ts';

/**
 * Lets the first of several checks report a failure for all, if none of them passes: one decision of the authors of the
 * software is then the cause. A failing check evaluates the others, each at most once in a run.
 * @param others checks that may pass by chance, so that their success says nothing
 */
export function reportOnce(checks: readonly Check[], others: readonly Check[] = []): Check[] {
  const findingsOf = fixture('findings', async (session, check: Check): Promise<Finding[]> => {
    const found = await orFinding(foundBy(check, session));
    return 'finding' in found ? [found.finding] : found;
  });
  const alikeIn = fixture('alike', async (session): Promise<string[]> => {
    const failing: string[] = [];
    for (const check of checks.filter(({ id }) => session.runs(id))) {
      // What another cause keeps from running is no part of this one.
      if (await session.isBlocked(check.id)) continue;
      const findings = await findingsOf(session, check);
      if (findings.length === 0) return [];
      if (hasFailure(findings)) failing.push(check.id);
    }
    return failing.length < FEWEST_ALIKE ? [] : failing;
  });
  return [...checks, ...others].map((check) => ({
    ...check,
    async run(session) {
      const findings = await findingsOf(session, check);
      if (!hasFailure(findings)) return findings;
      const alike = await alikeIn(session);
      return findings.map((one) =>
        one.kind === 'failure' ? sharedFinding(session, check.id, alike, one) : one,
      );
    },
  }));
}
