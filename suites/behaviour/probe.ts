import type { Observation } from '../../target/observation.ts';
import type { Finding } from '../check.ts';

/** One thing learned from a probe; undefined when it passes. */
export type ProbeOutcome = Finding | undefined;

/**
 * Judges a paired probe of a refusal (design principle 4): the invalid request, and its twin with a good value in the
 * one place. Refusing proves something only when the twin is not refused too.
 * @param control undefined when the twin could not be sent: then a refusal alone proves nothing
 */
export function judgeRefusal(
  what: string,
  invalid: Observation,
  control: Observation | string,
): ProbeOutcome {
  const about = { expected: 'refused', observed: describe(invalid), reproduce: [invalid.curl] };
  switch (invalid.answer) {
    case 'accepted':
      return { kind: 'failure', message: `${what} is accepted`, ...about };
    case 'broken':
      return { kind: 'failure', message: `${what} makes the server fail`, ...about };
    case 'throttled':
      return { kind: 'inconclusive', message: 'throttled each time it was asked' };
    case 'absent':
      return { kind: 'inconclusive', message: 'the route does not answer this method' };
    case 'denied':
      return { kind: 'inconclusive', message: 'denied, so the argument was not judged' };
    case 'refused':
      break;
  }
  if (typeof control === 'string') return { kind: 'inconclusive', message: control };
  if (control.answer === 'accepted' || control.answer === 'denied') return undefined;
  return {
    kind: 'inconclusive',
    message: `the control, a valid request, is not accepted either (${describe(control)})`,
  };
}

/** Judges a paired probe of an acceptance: a valid value that is refused while its control is not. */
export function judgeAcceptance(what: string, valid: Observation, control: Observation): ProbeOutcome {
  const about = { expected: 'accepted', observed: describe(valid), reproduce: [valid.curl, control.curl] };
  switch (valid.answer) {
    case 'accepted':
      return undefined;
    case 'broken':
      return { kind: 'failure', message: `${what} makes the server fail`, ...about };
    case 'throttled':
      return { kind: 'inconclusive', message: 'throttled each time it was asked' };
    case 'absent':
      return { kind: 'inconclusive', message: 'the route does not answer this method' };
    case 'denied':
      return control.answer === 'accepted'
        ? { kind: 'inconclusive', message: 'denied to this caller, so the argument was not judged' }
        : { kind: 'inconclusive', message: 'denied, like its control' };
    case 'refused':
      return control.answer === 'accepted' || control.answer === 'denied'
        ? { kind: 'failure', message: `${what} is refused`, ...about }
        : {
            kind: 'inconclusive',
            message: `the control, a valid request, is not accepted either (${describe(control)})`,
          };
  }
}

/** An answer in a few words. */
export function describe({ status, answer, problem }: Observation): string {
  return `${answer} (${status === 0 ? '' : `status ${status}`}${problem === undefined ? '' : `${status === 0 ? '' : ', '}${problem}`})`;
}
