import type { Session } from '../../engine/session.ts';
import type { FuzzSet } from './fuzz-set.ts';

/** The kept sets of a check; each argument of theirs may be at fault. */
export function keptSets({ fuzz }: Session, check: string): FuzzSet[] {
  return fuzz.kept
    .filter((one) => one.check === check)
    .map(({ args }) => ({
      phase: 'kept',
      args,
      about: Object.keys(args).map((name) => ({ name, keyword: 'kept' })),
    }));
}
