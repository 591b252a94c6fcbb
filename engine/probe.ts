import type { Observation } from '../client/observation.ts';
import type { ControlSearch, Finding } from './check.ts';
import { inconclusive } from './findings.ts';

/** One thing learned from a probe; undefined when it passes. */
type ProbeOutcome = Finding | undefined;

/**
 * Evaluates a paired probe of a refusal (design principle 4): the invalid request, and its control with a good value in the
 * one place. Refusing proves something only when the control is not refused too.
 * @param control the reason when the control could not be sent: then a refusal alone proves nothing
 * @param search what was tried where no control is accepted
 */
export function evaluateRefusal(
  what: string,
  invalid: Observation,
  control: Observation | string,
  search?: ControlSearch,
): ProbeOutcome {
  if (invalid.answer === 'accepted') return failure(`${what} is accepted`, 'refused', invalid);
  if (invalid.answer === 'denied') return inconclusive('denied, so the argument was not evaluated');
  if (invalid.answer !== 'refused') return inconclusiveAnswer(what, 'refused', invalid);
  if (typeof control === 'string') return inconclusive(control);
  return isSound(control) ? undefined : noControl(control, search);
}

/** Evaluates a paired probe of an acceptance: a valid value that is refused while its control is not. */
export function evaluateAcceptance(
  what: string,
  valid: Observation,
  control: Observation,
  search?: ControlSearch,
): ProbeOutcome {
  if (valid.answer === 'accepted') return undefined;
  if (valid.answer === 'denied') {
    return inconclusive(
      control.answer === 'accepted'
        ? 'denied to this caller, so the argument was not evaluated'
        : 'denied, like its control',
    );
  }
  if (valid.answer !== 'refused') return inconclusiveAnswer(what, 'accepted', valid);
  return isSound(control)
    ? failure(`${what} is refused`, 'accepted', valid, control)
    : noControl(control, search);
}

/** What an answer says that neither takes nor refuses the argument. */
function inconclusiveAnswer(what: string, expected: string, answer: Observation): Finding {
  if (answer.answer === 'broken') return failure(`${what} makes the server fail`, expected, answer);
  return inconclusive(
    answer.answer === 'throttled'
      ? 'throttled each time it was asked'
      : 'the route does not answer this method',
  );
}

/** A control that went through, or was stopped by its caller alone, shows what the argument is worth. */
function isSound({ answer }: Observation): boolean {
  return answer === 'accepted' || answer === 'denied';
}

/** Nothing is known where no valid request is accepted. @param search what was tried, where more than one was */
export function noControl(control: Observation, search?: ControlSearch): Finding {
  if (search === undefined) {
    return inconclusive(`the control, a valid request, is not accepted either (${describe(control)})`);
  }
  const { tried, wanted } = search;
  const help =
    wanted.length === 0
      ? 'what this operation takes is not known'
      : `a hints file may name good values for ${wanted.join(', ')}`;
  const message = `none of ${tried} controls, valid requests, was accepted (the first: ${describe(control)}); ${help}`;
  return { kind: 'inconclusive', message, controls: search };
}

function failure(
  message: string,
  expected: string,
  ...answers: readonly [Observation, ...Observation[]]
): Finding {
  const reproduce = answers.map(({ curl }) => curl);
  return { kind: 'failure', message, expected, observed: describe(answers[0]), reproduce };
}

/** An answer in a few words. */
export function describe({ status, answer, problem }: Observation): string {
  return `${answer} (${status === 0 ? '' : `status ${status}`}${problem === undefined ? '' : `${status === 0 ? '' : ', '}${problem}`})`;
}
