import type { Observation } from '../client/observation.ts';
import type { ControlSearch, Finding } from './check.ts';

/** What a failure shows beside its message. */
type FindingDetails = Pick<Finding, 'expected' | 'observed' | 'reproduce'>;

/** Something that contradicts the contract. */
export function failure(message: string, shown: FindingDetails = {}): Finding {
  return { kind: 'failure', message, ...shown };
}

/** Something that is worth knowing and contradicts nothing that is stated. */
export function warning(message: string, shown: FindingDetails = {}): Finding {
  return { kind: 'warning', message, ...shown };
}

/** The check is inconclusive, and why. */
export function inconclusive(message: string): Finding {
  return { kind: 'inconclusive', message };
}

/** The check depends on what another one reports. @param by the id of that check */
export function blocked(by: string): Finding {
  return { kind: 'blocked', message: `blocked by ${by}`, blockedBy: by };
}

/** There is nothing that the check could be applied to, and why. */
export function notApplicable(message: string): Finding {
  return { kind: 'not-applicable', message };
}

/** Whether one of the findings contradicts the contract. */
export function hasFailure(findings: readonly Finding[]): boolean {
  return findings.some(({ kind }) => kind === 'failure');
}

const LONGEST = 300;
/** More words than any set of the contract has. */
const MOST_LISTED = 200;

/** A JSON value as reports show it: one line, bounded, `nothing` for undefined. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** Words as a list for a reader: `"a", "b"`. Of very many, the first ones and how many there are. */
export function list(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_LISTED).map(show).join(', ');
  return values.length > MOST_LISTED ? `${shown}… (${values.length} in all)` : shown;
}

/** Ends a check from inside: its finding is all there is to say. */
export class Aborted extends Error {
  override readonly name: string = 'Aborted';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** Ends a check as inconclusive, and why. */
export function inconclusiveAbort(message: string): Aborted {
  return new Aborted(inconclusive(message));
}

type Missing = { readonly reason: string } | { readonly finding: Finding };

/** What was looked for on a site. @throws Aborted with the reason or the finding where there is none */
export function orAbort<T extends object>(looked: T): Exclude<T, Missing>;
export function orAbort(looked: object | Missing): object {
  if ('reason' in looked) throw inconclusiveAbort(looked.reason);
  if ('finding' in looked) throw new Aborted(looked.finding);
  return looked;
}

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
  if (invalid.answer === 'accepted') return probeFailure(`${what} is accepted`, 'refused', invalid);
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
    ? probeFailure(`${what} is refused`, 'accepted', valid, control)
    : noControl(control, search);
}

/** What an answer says that neither takes nor refuses the argument. */
function inconclusiveAnswer(what: string, expected: string, answer: Observation): Finding {
  if (answer.answer === 'broken') return probeFailure(`${what} makes the server fail`, expected, answer);
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

function probeFailure(
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
