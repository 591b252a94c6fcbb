import { shapeOf } from '../../client/route-pattern.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Change, declaredMember } from '../change.ts';
import { SUBJECTS } from './difference.ts';

/** Whether a change may follow from its cause. */
export type Test = (cause: Change, change: Change) => boolean;

/**
 * A condition of a rule: where the change is, as seen from its cause, of which a `record` is a single one; then what the
 * cause is (`by` something, or sure), what the change is (`of` something, or unsure), and what both share.
 */
export type Condition =
  | ('anywhere' | 'namespace' | 'route' | 'record' | 'below' | 'declared' | 'written')
  | ('sure' | 'by a list' | 'by lost ids' | 'not by OPTIONS')
  | ('unsure' | 'of the list' | 'of OPTIONS')
  | ('same kind' | 'same result' | 'same methods' | 'same callers' | 'same calls');

/** What is no longer there: fields of records, or members of answers. */
export const REMOVED: RegExp = /^(field|answer-member)-removed /;
/** Around the records that writes return. */
export const RETURNED: RegExp = /^(?:(?:responses\[\]\.body|previous)\.)+/;

/** Tells by words whether a change may follow from its cause. */
export const CONDITIONS: Readonly<Record<Condition, Test>> = {
  anywhere: () => true,
  namespace: (cause, change) => cause.owner === change.owner,
  route: ({ calls }, change) => calls !== undefined && change.calls?.route === calls.route,
  record: ({ calls }, change) => calls !== undefined && change.calls?.route === `${calls.route}/{}`,
  below: ({ calls }, change) =>
    calls !== undefined && change.calls?.route.startsWith(`${calls.route}/`) === true,
  declared: ({ about }, { calls }) => about?.route !== undefined && calls?.route === shapeOf(about.route),
  written: isOfWritten,
  sure: (cause) => cause.class !== 'unknown',
  'not by OPTIONS': (cause) => !isOfOptions(cause),
  'by a list': ({ before }) => before === 'list',
  'by lost ids': ({ kind, subject }) => kind === 'answer-form' || subject === textsOf('observed').identity,
  unsure: (_, change) => change.class === 'unknown',
  'of OPTIONS': (_, change) => isOfOptions(change),
  'of the list': (_, { before }) => before === 'the list',
  'same kind': (cause, change) => cause.kind === change.kind,
  'same result': (cause, change) => cause.after === change.after,
  'same methods': haveSameMethods,
  'same callers': answersCallers,
  'same calls': answersCalls,
};

/** Kind and subject, which the patterns of rules test. */
export function nameOf({ kind, subject }: Change): string {
  return `${kind} ${subject}`;
}

function isOfOptions({ calls }: Change): boolean {
  return calls?.methods.join() === 'OPTIONS';
}

function haveSameMethods({ calls }: Change, change: Change): boolean {
  return calls?.methods.join() === change.calls?.methods.join();
}

/** Of a member that was declared for writing. Revisions of records show what may be written to these. */
function isOfWritten({ about, subject }: Change, change: Change): boolean {
  const list = about?.route && shapeOf(about.route);
  if (list === undefined || about?.method === 'GET' || declaredMember(subject) !== change.subject)
    return false;
  return change.calls?.route === list || change.calls?.route.startsWith(`${list}/`) === true;
}

/** Whether a cause says how its whole route answers every caller that the change is about. */
function answersCallers({ kind, subject, calls: of }: Change, { calls }: Change): boolean {
  const isOfRoute = !subject.startsWith('the body of') && subject !== SUBJECTS.someRequests;
  // What the user is denied, all are.
  const isOfAll = kind === 'right-lost' && subject === 'the caller "user"';
  if (isOfAll && of?.methods.join() !== 'OPTIONS') return true;
  const affected: readonly string[] = of?.callers ?? [];
  return isOfRoute && (calls?.callers ?? []).every((caller) => affected.includes(caller));
}

/** The same, where a method of the change is one of the cause. */
function answersCalls(cause: Change, change: Change): boolean {
  const isOther = change.kind !== 'answer-unreadable' || change.subject !== cause.subject;
  const methods = change.calls?.methods ?? [];
  return (
    isOther &&
    cause.calls?.methods.some((method) => methods.includes(method)) === true &&
    answersCallers(cause, change)
  );
}

/** Whether an operation accepts less, and the change is about its method. */
export function acceptsLess({ class: found, side, about }: Change, { calls }: Change): boolean {
  const isOfMethod = calls?.methods.some((method) => method === about?.method) === true;
  return found !== 'compatible' && side === 'sent' && isOfMethod;
}

/** Whether an embedded record shows what a record of its own shows. */
export function isOfTheEmbedded(cause: Change, change: Change): boolean {
  const { subject, before = '' } = change;
  // Members of one object that became rarer together.
  const together = subject.endsWith('].*') ? before.replace(/^always /, '').split(', ') : [];
  const isSame = cause.kind === change.kind || [cause, change].every((one) => REMOVED.test(nameOf(one)));
  return isSame && (subject.endsWith(`].${cause.subject}`) || together.includes(cause.subject));
}

/** Whether a record that a write returns shows what a list of such records shows. */
export function isOfTheReturned(cause: Change, change: Change): boolean {
  const [known, found] = [cause, change].map(({ kind }) => kind.replace('answer-member', 'field'));
  return known === found && change.subject.replace(RETURNED, '') === cause.subject;
}

/** Whether the user is denied the route, or that request. */
export function isOfAnybody(cause: Change, change: Change): boolean {
  const whom = cause.subject.replace('the caller "user"', 'an anonymous caller');
  const isOfRoute = whom === 'an anonymous caller' && (!isOfOptions(cause) || isOfOptions(change));
  return isOfRoute || (whom === change.subject && haveSameMethods(cause, change));
}

/** Of the description of a route that is the same now as its list, or of refusals without a code. */
export function isInPlaceOfJson({ after }: Change, change: Change): boolean {
  if (change.kind === 'answer-form') return isOfOptions(change) && change.after === after;
  return (
    change.kind === 'refusal-changed' && /^the code of "/.test(change.subject) && change.after === 'none'
  );
}
