import { shapeOf } from '../../client/route-pattern.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Change, declaredMember } from '../change.ts';
import { SUBJECTS } from './difference.ts';

type Is = (change: Change) => boolean;

/** Whether a change may follow from its cause. Tests of one change look at the cause. */
export type Test = (cause: Change, change: Change) => boolean;

/** What is no longer there: fields of records, or members of answers. */
export const REMOVED: RegExp = /^(field|answer-member)-removed /;
/** Around the records that writes return. */
export const RETURNED: RegExp = /^(?:(?:responses\[\]\.body|previous)\.)+/;

/** Kind and subject, which the patterns of rules test. */
export function nameOf({ kind, subject }: Change): string {
  return `${kind} ${subject}`;
}

/** Where a change is, as seen from its cause. */
export const anywhere: Test = () => true;
export const inNamespace: Test = (cause, change) => cause.owner === change.owner;
export const onRoute: Test = ({ calls }, change) =>
  calls !== undefined && change.calls?.route === calls.route;
/** Of a single record of the list. */
export const ofRecord: Test = ({ calls }, change) =>
  calls !== undefined && change.calls?.route === `${calls.route}/{}`;
export const below: Test = ({ calls }, change) =>
  calls !== undefined && change.calls?.route.startsWith(`${calls.route}/`) === true;
export const onDeclared: Test = ({ about }, { calls }) =>
  about?.route !== undefined && calls?.route === shapeOf(about.route);

/** Properties of a cause, or of both. */
export const isSure: Is = ({ class: found }) => found !== 'unknown';
export const isUnsure: Test = (_, change) => !isSure(change);
export const isSameKind: Test = (cause, change) => cause.kind === change.kind;
export const isAfterEqual: Test = (cause, change) => cause.after === change.after;
export const isOfTheList: Is = ({ before }) => before === 'the list';
export const isOfOptions: Is = ({ calls }) => calls?.methods.join() === 'OPTIONS';
export const isNotOfOptions: Is = (change) => !isOfOptions(change);
export const isOfHead: Is = ({ calls }) => calls?.methods.join() === 'HEAD';
export const hasNoId: Is = ({ kind, subject }) =>
  kind === 'answer-form' || subject === textsOf('observed').identity;
export const isOfList: Is = ({ before }) => before === 'list';
export const isNothing: Is = ({ subject, before, after }) =>
  after === 'nothing' && (before !== 'list' || subject !== 'the answer');
export const isOfTotals: Is = ({ subject }) => subject === textsOf('observed').totals.records;
export const isOfPages: Is = ({ subject }) => subject === textsOf('observed').totals.pages;

/** Tests a change as the others test its cause. */
export const ofChange: (is: Is) => Test = (is) => (_, change) => is(change);

/** Of a member that was declared for writing. Revisions of records show what may be written to these. */
export function whereWritten({ about, subject }: Change, change: Change): boolean {
  const list = about?.route && shapeOf(about.route);
  if (list === undefined || about?.method === 'GET' || declaredMember(subject) !== change.subject)
    return false;
  return change.calls?.route === list || change.calls?.route.startsWith(`${list}/`) === true;
}

/** Whether an operation accepts less, and the change is about its method. */
export function acceptsLess({ class: found, side, about }: Change, { calls }: Change): boolean {
  const isOfMethod = calls?.methods.some((method) => method === about?.method) === true;
  return found !== 'compatible' && side === 'sent' && isOfMethod;
}

/** Whether a path is inside an embedded record. */
export function isEmbedded(path: string): boolean {
  return path.startsWith('_embedded.');
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

/** Whether records are embedded under a relation, or its mark. */
export function isEmbeddedUnder({ subject: link }: Change, { subject }: Change): boolean {
  return subject === link.replace(/^_links/, '_embedded').replace(/\[\]\.embeddable$/, '');
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

/** Whether a cause says how its whole route answers every caller that the change is about. */
export function answersCallers({ kind, subject, calls: of }: Change, { calls }: Change): boolean {
  const isOfRoute = !subject.startsWith('the body of') && subject !== SUBJECTS.someRequests;
  // What the user is denied, all are.
  const isOfAll = kind === 'right-lost' && subject === 'the caller "user"';
  if (isOfAll && of?.methods.join() !== 'OPTIONS') return true;
  const affected: readonly string[] = of?.callers ?? [];
  return isOfRoute && (calls?.callers ?? []).every((caller) => affected.includes(caller));
}

/** Whether both are about the same methods. */
export function haveSameMethods({ calls }: Change, change: Change): boolean {
  return calls?.methods.join() === change.calls?.methods.join();
}

/** The same, where a method of the change is one of the cause. */
export function answersCalls(cause: Change, change: Change): boolean {
  const isOther = change.kind !== 'answer-unreadable' || change.subject !== cause.subject;
  const methods = change.calls?.methods ?? [];
  return (
    isOther &&
    cause.calls?.methods.some((method) => methods.includes(method)) === true &&
    answersCallers(cause, change)
  );
}
