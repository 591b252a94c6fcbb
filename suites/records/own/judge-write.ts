import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';

/**
 * What keeps a write from telling anything: undefined when it was accepted, or when it was refused, which the caller
 * judges.
 * @param what the write, for the beginning of a sentence
 */
export function untoldBy(what: string, answer: Observation): Finding | undefined {
  switch (answer.answer) {
    case 'broken':
      return failure(`${what} makes the server fail`, {
        expected: 'an answer',
        observed: describe(answer),
        reproduce: [answer.curl],
      });
    case 'throttled':
      return inconclusive(`${what} is throttled each time it is asked`);
    case 'denied':
      return inconclusive(`${what} is denied to this user`);
    default:
      return undefined;
  }
}

/** The finding of a write that must be accepted; undefined when it was. */
export function notAccepted(what: string, answer: Observation): Finding | undefined {
  if (answer.answer === 'accepted') return undefined;
  return (
    untoldBy(what, answer) ??
    failure(`${what} is refused`, {
      expected: 'accepted',
      observed: describe(answer),
      reproduce: [answer.curl],
    })
  );
}
