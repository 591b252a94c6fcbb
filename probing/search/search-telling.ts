import type { Finding } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Free, FuzzSet, Property } from './fuzz-set.ts';
import { search } from './search.ts';

/** Searches by a property that compares answers: where no set is accepted, there was nothing to compare. */
export async function searchTelling(
  session: Session,
  check: string,
  free: readonly Free[],
  sets: readonly FuzzSet[],
  property: Property,
): Promise<Finding[]> {
  let compared = 0;
  const findings = await search(session, check, free, sets, {
    ...property,
    async judge(args, fresh) {
      const judged = await property.judge(args, fresh);
      if (judged.end === 'accepted') compared += 1;
      return judged;
    },
  });
  if (findings.length > 0 || compared > 0) return findings;
  return [inconclusive('no set of arguments was accepted, so that there was nothing to compare')];
}
