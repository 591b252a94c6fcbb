import type { Check } from './check.ts';
import type { Session } from './session.ts';

/**
 * The phases of a run, in their order. What only reads comes first: records of the run's own would be among the ones that
 * it compares. What may alter the site comes last: a setting or a plugin that is gone would change what the others see.
 */
export const PHASES = ['reads', 'writes', 'alters-site'] as const;

/** One of them. */
export type Phase = (typeof PHASES)[number];

/** The phase of a check. */
export function phaseOf(session: Session, { effect, operation }: Check): Phase {
  if (effect === 'reads') return 'reads';
  // The control of what must be refused is a valid call.
  const alters = effect === 'alters-site' || session.operation(operation ?? '')?.effect === 'alters-site';
  return alters ? 'alters-site' : 'writes';
}
