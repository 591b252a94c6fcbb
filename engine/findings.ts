import { redirectOf } from '../client/answer.ts';
import { member } from '../client/json.ts';
import type { Observation } from '../client/observation.ts';
import { isFinding } from './aborted.ts';
import type { ControlSearch, Finding, Found } from './check.ts';
import type { Session } from './session.ts';
import { listed, plural, present, shorten } from './text.ts';

type FindingDetails = Pick<Finding, 'expected' | 'observed' | 'reproduce'>;

/** A contradiction of the contract. */
export function failure(message: string, shown: FindingDetails = {}): Finding {
  return { kind: 'failure', message, ...shown };
}

/** A failure that an answer shows. @param reproduce lines for a shell; default: that of its request */
export function failureBy(
  message: string,
  expected: string,
  answer: Observation,
  reproduce: readonly string[] = [answer.curl],
): Finding {
  return failure(message, { expected, observed: describe(answer), reproduce });
}

/** Something worth knowing that contradicts nothing stated. */
export function warning(message: string, shown: FindingDetails = {}): Finding {
  return { kind: 'warning', message, ...shown };
}

/** The check cannot decide, for this reason. */
export function inconclusive(message: string): Finding {
  return { kind: 'inconclusive', message };
}

/** The check depends on a failure of another check. @param by the id of that check */
export function blocked(by: string): Finding {
  return { kind: 'blocked', message: `blocked by ${by}`, blockedBy: by };
}

/** The check does not apply, for this reason. */
export function notApplicable(message: string): Finding {
  return { kind: 'not-applicable', message };
}

/** The check fails for what another one reports. @param by the id of that check */
export function reportedBy(by: string): Finding {
  return { ...blocked(by), same: true };
}

/** From this many checks on, one decision of the authors of the software is the cause of what they find alike. */
export const FEWEST_ALIKE = 3;
/** What a list is observed to answer if its JSON is no array. */
export const NO_ARRAY = 'JSON that is no array';
const MOST_OTHERS = 3;
const SAME = ' the same: ';

/** The selected ones of some checks that fail alike; none if they are too few for one cause. */
export function enoughAlike({ runs }: Pick<Session, 'runs'>, ids: readonly string[]): readonly string[] {
  const selected = ids.filter((id) => runs(id));
  return selected.length < FEWEST_ALIKE ? [] : selected;
}

/** Reports a failure that several checks share once; an accepted failure stands for accepted ones only. */
export function sharedFinding(
  { isAccepted }: Pick<Session, 'isAccepted'>,
  own: string,
  alike: readonly string[],
  finding: Finding,
): Finding {
  const isLikeOwn = (id: string): boolean => isAccepted(id) === isAccepted(own);
  const root = alike.find(isLikeOwn) ?? own;
  if (root !== own) return reportedBy(root);
  const others = alike.filter((id) => id !== own && isLikeOwn(id));
  if (others.length === 0) return finding;
  const count = others.length;
  // The checks of one endpoint may share a failure, and then those of several endpoints.
  const more = finding.message.includes(SAME)
    ? `so ${count === 1 ? 'does' : 'do'} ${count} more: `
    : `${plural(count, 'other check finds', 'other checks find')}${SAME}`;
  return { ...finding, message: `${finding.message}; ${more}${listed(others, MOST_OTHERS)}` };
}

/** Whether one of the findings is a failure. */
export function hasFailure(found: Found): boolean {
  return [found].flat().some((one) => one?.kind === 'failure');
}

const LONGEST = 300;
/** More words than any set of the contract has. */
const MOST_LISTED = 200;

/** A JSON value for reports: one bounded line, `nothing` for undefined. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return shorten(text, LONGEST);
}

/** Words as a list for a reader: `"a", "b"`. Long lists are cut, with their length. */
export function list(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_LISTED).map(show).join(', ');
  return values.length > MOST_LISTED ? `${shown}… (${values.length} in all)` : shown;
}

/**
 * Evaluates a paired probe of a refusal (design principle 4): an invalid request, and its control with a good value in
 * that place. A refusal proves something only if the control is not refused.
 * @param control the finding if no control could be sent; then a refusal proves nothing
 * @param search the controls that were tried, if none was accepted
 */
export function evaluateRefusal(
  what: string,
  invalid: Observation,
  control: Observation | Finding,
  search?: ControlSearch,
): Finding | undefined {
  if (invalid.answer === 'accepted') return failureBy(`${what} is accepted`, 'refused', invalid);
  if (invalid.answer === 'denied')
    return inconclusive(`denied${byWhat(invalid)}, so the argument was not evaluated`);
  if (invalid.answer !== 'refused') return inconclusiveAnswer(what, 'refused', invalid);
  if (isFinding(control)) return control;
  return isSound(control) ? undefined : noControl(control, search);
}

/** Evaluates a paired probe of an acceptance: a valid value that is refused although its control is not. */
export function evaluateAcceptance(
  what: string,
  valid: Observation,
  control: Observation,
  search?: ControlSearch,
): Finding | undefined {
  if (valid.answer === 'accepted') return undefined;
  if (valid.answer === 'denied' && control.answer === 'accepted')
    return inconclusive(`denied to this caller${byWhat(valid)}, so the argument was not evaluated`);
  if (valid.answer === 'denied') return inconclusive(`denied${byWhat(valid)}, like its control`);
  if (valid.answer !== 'refused') return inconclusiveAnswer(what, 'accepted', valid);
  if (!isSound(control)) return noControl(control, search);
  return { ...failureBy(`${what} is refused`, 'accepted', valid, [valid.curl, control.curl]), refused: true };
}

function inconclusiveAnswer(what: string, expected: string, answer: Observation): Finding {
  if (answer.answer === 'broken')
    return { ...failureBy(`${what} makes the server fail`, expected, answer), broken: true };
  return answer.answer === 'throttled'
    ? throttled(answer)
    : inconclusive('the route does not answer this method');
}

/** The finding for a request that the site kept asking to wait. */
export function throttled(answer: Observation): Finding {
  return inconclusive(`throttled each time it was asked${saidBy(answer)}`);
}

/** Whether a control is valid: it was accepted, or denied only because of its caller. */
function isSound({ answer }: Observation): boolean {
  return answer === 'accepted' || answer === 'denied';
}

/** The finding if no valid request is accepted. @param search the controls that were tried, if there were several */
export function noControl(control: Observation, search?: ControlSearch): Finding {
  if (search === undefined) {
    const message = `the control, a valid request, is not accepted either (${explain(control)})`;
    return { ...inconclusive(message), reproduce: [control.curl] };
  }
  const { tried, wanted } = search;
  const unknown = 'what this operation takes is not known';
  const help = wanted.length === 0 ? unknown : `a hints file may name good values for ${wanted.join(', ')}`;
  const message = `none of ${tried} controls, valid requests, was accepted (the first: ${explain(control)}); ${help}`;
  return { ...inconclusive(message), reproduce: [control.curl], controls: search };
}

/** An answer in a few words. */
export function describe(answer: Observation): string {
  return `${answer.answer} (${describeStatus(answer)})`;
}

/** The status of an answer, which tells a gateway before the site from its software, and what is wrong with its body. */
export function describeStatus({ status, problem }: Pick<Observation, 'status' | 'problem'>): string {
  return present([status !== 0 && `status ${status}`, problem]).join(', ');
}

/** An answer in a few words and the site's own: for messages, because what is compared must not change with them. */
export function explain(observation: Observation): string {
  return `${describe(observation)}${saidBy(observation)}`;
}

/** What denies a request in place of JSON, in brackets: a page is a firewall's rather than the site's. Empty for JSON. */
export function byWhat(answer: Observation): string {
  return answer.problem === undefined ? '' : ` (${answer.problem}${saidBy(answer)})`;
}

const LONGEST_SAID = 120;

/** An error as PHP prints it where display_errors is on, up to its line: it names the file, so the plugin. */
const PHP_ERROR =
  /\b(?:Deprecated|Fatal error|Notice|Parse error|Warning): [^\n]{1,300}?(?: on line \d+|\.php:\d+)/;

/** The title of a page, where a firewall or a login names itself. */
const PAGE_TITLE = /<title>\s*([^<]{1,120}?)\s*<\/title>/i;

/**
 * Why the site does not take a request, as it says itself: where a redirect leads; without JSON, the first error of PHP,
 * or the title of the page. Empty if it says nothing. Not cut, so that it can be masked.
 */
export function saidBy({ answer, status, headers, json, text }: Observation): string {
  const elsewhere = redirectOf({ status, headers });
  if (elsewhere !== undefined) return `: ${JSON.stringify(elsewhere)}`;
  if (json === undefined) {
    const begin = text.slice(0, 4000);
    const [printed] = PHP_ERROR.exec(begin.replaceAll(/<[^<>]*>/g, '')) ?? [];
    // The page of a server error only says that there is one.
    const said = printed ?? (answer === 'broken' ? undefined : PAGE_TITLE.exec(begin)?.[1]);
    return said === undefined ? '' : `: ${JSON.stringify(said)}`;
  }
  const said = member(json, 'message');
  if (typeof said !== 'string' || said === '' || said.length > LONGEST_SAID) return '';
  // A server error with markup only says that there is one; software also answers 500 to what a plugin rejects.
  const isReason =
    answer === 'refused' || answer === 'denied' || (answer === 'broken' && !said.includes('<'));
  return isReason ? `: ${show(said)}` : '';
}
