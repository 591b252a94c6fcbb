import { shapeOf } from '../../client/route-pattern.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Change, declaredMember, isOfType, isRemovedMember } from '../change.ts';
import type { Kind } from '../law.ts';
import { outermost, REFUSED, SOMETIMES, SUBJECTS } from './difference.ts';

const RIGHTS: ReadonlySet<string> = new Set(['right-lost', 'right-exposed', 'right-gained']);
/** Kinds of changes that affect everything else about a route. */
const ROOTS: ReadonlySet<string> = new Set([...RIGHTS, 'answer-refused', 'answer-unreadable', 'answer-form']);

/** Assigns each change to its cause: another one in answers, a removed field of records, or one of the index. */
export function withRoots(
  changes: readonly Change[],
  declared: readonly Change[],
  fields: readonly Change[] = [],
): Change[] {
  const isOfShortPages = (one: Change): boolean =>
    changes.some(({ kind, calls }) => kind === 'answer-fewer' && calls?.route === one.calls?.route);
  const untrue = changes.filter((one) => one.kind === 'answer-totals' && !isOfShortPages(one));
  const short = changes.filter(is('answer-fewer'));
  return changes.map((one) => {
    // Wrong totals of complete lists only look like too short pages, and short pages of a few lists like wrong totals.
    const root =
      (untrue.length >= short.length && short.includes(one) ? untrue[0] : undefined) ??
      (untrue.length < short.length && untrue.includes(one) ? short[0] : undefined) ??
      [...changes, ...fields].find((other) => other !== one && isRootOf(other, one)) ??
      declared.find((other) => makesInvalid(other, one) || isDeclared(other, one));
    return root === undefined ? one : { ...one, cause: root.id };
  });
}

/** Whether the index now declares that an operation accepts less, which explains refused calls. */
function makesInvalid({ class: found, side, kind, about }: Change, one: Change): boolean {
  if (found === 'compatible' || side !== 'sent' || about?.route === undefined) return false;
  const isRefused = one.kind === 'answer-refused' && /\b400\b/.test(one.after ?? '');
  const isMissing = one.kind === 'refusal-changed' && kind === 'required-parameter-added';
  return (
    (isRefused || isMissing) &&
    one.calls?.route === shapeOf(about.route) &&
    one.calls.methods.some((method) => method === about.method)
  );
}

/** Whether the index declares what answers show: another default or type, a removed method, or a member nobody may write. */
function isDeclared(declared: Change, one: Change): boolean {
  const { kind, about, subject } = declared;
  const isSameDefault = kind === 'default' && one.kind === kind && about?.parameter === one.calls?.parameter;
  const isOfWrites = about?.method !== 'GET' && declaredMember(subject) === one.subject;
  const isGone = kind === 'parameter-removed' || isRemovedMember(declared);
  const isOfMember = isGone && isRemoval(one) && isOfWrites;
  const isOfMethod = kind === 'method-removed' && one.kind === 'header-words' && one.subject === 'allow';
  const isOfSameType = kind === 'constraint' && one.kind === 'answer-type' && isOfType(subject) && isOfWrites;
  if (about?.route === undefined || !(isSameDefault || isOfMember || isOfMethod || isOfSameType))
    return false;
  // Revisions of records show what may be written to these.
  const isBelow = isOfWrites && one.calls?.route.startsWith(`${shapeOf(about.route)}/`) === true;
  return isBelow || one.calls?.route === shapeOf(about.route);
}

/** What both changes have to be for a rule to be about them, and whether the one follows from the root. */
type Rule = readonly [root: Test, one: (one: Change) => boolean, follows: Test];
type Test = (root: Change, one: Change) => boolean;

const is =
  (...kinds: Kind[]) =>
  ({ kind }: Change): boolean =>
    kinds.includes(kind);
const startsWith =
  (prefix: string) =>
  ({ kind }: Change): boolean =>
    kind.startsWith(prefix);
const isAny = (): boolean => true;
const isSure = ({ class: found }: Change): boolean => found !== 'unknown';
const isUnsure = (_: Change, { class: found }: Change): boolean => found === 'unknown';
const areAlike = (root: Change, one: Change): boolean => root.kind === one.kind;
const isGain = (kind: string): boolean => kind === 'right-exposed' || kind === 'right-gained';
const isEmbedded = (path: string | undefined): boolean => path?.startsWith('_embedded.') === true;
/** Under a relation, or its mark, the records that it embeds. */
const embeddedUnder = (link: string): string =>
  link.replace(/^_links/, '_embedded').replace(/\[\]\.embeddable$/, '');
/** The names of members of one object that became rarer together. */
const rarerIn = ({ subject, before = '' }: Change): string[] =>
  subject.endsWith('].*') ? before.replace(/^always /, '').split(', ') : [];
const isOfTheList = (one: Change): boolean => one.kind === 'right-lost' && one.before === 'the list';

/** Rules for changes on any routes. The first rule that applies decides. */
const ANYWHERE: readonly Rule[] = [
  [
    (root, one) => one.subject.endsWith(`].${root.subject}`) || rarerIn(one).includes(root.subject),
    ({ subject }) => isEmbedded(subject),
    (root, one) => (areAlike(root, one) || (isRemoval(root) && isRemoval(one))) && !isEmbedded(root.subject),
  ],
  [
    is('right-exposed'),
    (one) => one.kind === 'right-exposed' && isEmbedded(one.after),
    (root, one) => one.after?.endsWith(`].${root.after}`) === true && !isEmbedded(root.after),
  ],
  // The same personal data in a single record, which may be another one.
  [is('right-exposed'), is('right-gained'), (root, one) => root.after === one.after && isRecordOf(root, one)],
  // A member that a context has now, everybody sees there.
  [
    startsWith('field-'),
    ({ kind, subject }) => kind === 'right-gained' && subject.startsWith(SUBJECTS.ofEditing),
    (root, one) => root.owner === one.owner && one.after?.split(', ').includes(root.subject) === true,
  ],
  // What everybody sees now, each caller sees.
  [
    ({ kind, subject }) => isGain(kind) && subject.endsWith('an anonymous caller'),
    ({ kind, subject }) => isGain(kind) && subject.endsWith('"'),
    (root, one) =>
      areAlike(root, one) &&
      root.after === one.after &&
      (root.calls?.route === one.calls?.route || isRecordOf(root, one)),
  ],
  // A relation that is gone, or no longer embeddable, is not embedded.
  [
    ({ subject }) => subject.startsWith('_links'),
    ({ subject }) => subject.startsWith('_embedded'),
    (root, one) => isRemoval(root) && embeddedUnder(root.subject) === one.subject,
  ],
  // A field of records that other lists of the namespace lose or gain too.
  [
    startsWith('field-'),
    startsWith('answer-member-'),
    (root, one) =>
      root.owner === one.owner &&
      root.subject === one.subject &&
      (one.class === 'unknown' || root.kind === one.kind.replace('answer-member', 'field')),
  ],
  // Unmodified records of a list of the namespace show a member otherwise, with values of another type, or less of it.
  [
    is('answer-value', 'answer-type', 'answer-member-removed', 'field-removed', 'field-doubtful'),
    is('answer-rendered'),
    (root, one) =>
      root.owner === one.owner &&
      (outermost(root.subject) === outermost(one.subject) || (isOfAddresses(root) && isOfOrigin(one))),
  ],
  // What is embedded is refused now because the route that shows it refuses this caller.
  [
    is('right-lost', 'answer-refused'),
    ({ after, subject }) => after === REFUSED || (after === SOMETIMES && isEmbedded(subject)),
    (root, one) => isSure(root) && root.owner === one.owner && isSharedBy(root, one),
  ],
  // A code that was renamed is so for refusals of any kind.
  [
    is('refusal-changed'),
    ({ kind, class: found }) => kind === 'refusal-changed' && found === 'unknown',
    (root, one) => isSure(root) && isOfCode(root) && root.before === one.before && root.after === one.after,
  ],
  // Pages that end at a number are no larger where the request names none.
  [is('answer-fewer'), is('default'), (root, one) => root.owner === one.owner && root.after === one.after],
  // Who is denied everything is so with one code.
  [is('right-lost'), ({ subject }) => subject === 'the code of "denied"', isAny],
  // A list of another form, or with ids of another type, has no record to read or to describe.
  [namesNoRecord, is('answer-refused'), isRecordOf],
  [(root, one) => namesNoRecord(root) && isRecordOf(root, one), isOfOptions, isAny],
  // A few records, read one by one, show what their whole list shows.
  [
    (root, one) => areAlike(root, one) && root.subject.replace(/^\*\./, '') === one.subject,
    ({ class: found }) => found === 'unknown',
    (root, one) => isSure(root) && isRecordOf(root, one),
  ],
  // A site that answers refusals in another way does so for routes that it does not have.
  [is('answer-form'), is('refusal-changed'), (_, one) => one.subject === SUBJECTS.statusOfUnknown],
  // A header that answers lost is also lost in refusals.
  [
    isAny,
    (one) => one.kind === 'header-removed' && one.subject.endsWith(SUBJECTS.ofRefusals),
    (root, one) => areAlike(root, one) && one.subject === root.subject + SUBJECTS.ofRefusals,
  ],
  // What is printed around the answers of a list is printed around refusals of it, and of all below it.
  [
    (root) => root.kind === 'answer-unreadable' && root.subject === 'the body',
    ({ subject }) => subject.startsWith('the body of "'),
    (root, one) => root.calls?.route === one.calls?.route || (root.after === one.after && isBelow(root, one)),
  ],
  // If pages repeat the first one, even without ids to prove it, their links follow, but the first one keeps its own.
  [
    (root) => root.kind === 'answer-repeated' && root.subject === 'pages',
    isOfLinks,
    (_, one) => one.before?.includes('next') !== true,
  ],
];

/** Rules for changes of two routes. */
const ON_TWO_ROUTES: readonly Rule[] = [
  // A list that refuses its caller refuses what is below it in the same way.
  [
    is('right-lost', 'answer-refused'),
    (one) => one.kind === 'refusal-changed' || isPreflight(one) || (isOfTheList(one) && !isSure(one)),
    (root, one) => explainsRoute(root) && isBelow(root, one) && isSharedBy(root, one),
  ],
];

/** Rules for two changes of one route. */
const ON_ONE_ROUTE: readonly Rule[] = [
  // What all objects of a map show, the few that another caller sees show too.
  [
    ({ subject }) => subject.startsWith('*.'),
    ({ class: found }) => found === 'unknown',
    (root, one) => areAlike(root, one) && one.subject.endsWith(root.subject.slice(1)),
  ],
  // A route that refuses a caller is not described to it.
  [
    (root) => (root.kind === 'right-lost' || root.kind === 'answer-refused') && !isOfOptions(root),
    isOfOptions,
    (root, one) => explainsRoute(root) && isSharedBy(root, one),
  ],
  // A page in place of JSON has headers of its own.
  [is('answer-unreadable'), startsWith('header-'), explainsRoute],
  [
    isAny,
    (one) => one.kind.startsWith('header-') && one.subject.startsWith('allow'),
    (root, one) => RIGHTS.has(root.kind) && isSharedBy(root, one),
  ],
  // The first page is another if some of its records are hidden.
  [isOfTheList, is('answer-order'), isUnsure],
  // Pages in another order may begin as the first one did.
  [is('answer-order'), is('answer-repeated'), isUnsure],
  // A caller who is denied a route is denied it in any form.
  [is('right-lost'), is('right-lost'), (root, one) => one.subject.startsWith(`${root.subject} with `)],
  // The headers about pages are lost together.
  [
    (root) => root.kind === 'header-removed' && root.subject === textsOf('observed').totals.records,
    isAny,
    (_, one) =>
      isOfLinks(one) || (one.kind === 'header-removed' && one.subject === textsOf('observed').totals.pages),
  ],
  [is('answer-fewer'), isAny, (_, one) => one.kind === 'answer-totals'],
  // If totals are wrong, the size of pages only seems to be another.
  [is('answer-totals'), is('default'), isSure],
  // Totals that are wrong for everybody say nothing about rights.
  [is('answer-totals'), isAny, (_, one) => isOfTheList(one)],
  // Requests for records that are refused show none.
  [(root) => root.kind === 'answer-refused' && root.subject === SUBJECTS.someRequests, isOfTheList, isUnsure],
  // Links of another form lead elsewhere.
  [
    (root, one) => !areAlike(root, one) && root.subject.startsWith('_links'),
    is('answer-rendered'),
    (root, one) => root.subject.startsWith(one.subject.replace('*', '')),
  ],
  // Texts that show now were not rendered differently.
  [isAny, is('answer-rendered'), (root) => root.kind === 'right-exposed' && root.after === 'an answer'],
  // A short answer that breaks off is empty.
  [
    isAny,
    (one) => one.kind === 'answer-form' && one.after === 'nothing',
    (root) => root.kind === 'answer-unreadable' && root.subject === 'the body',
  ],
  // HEAD only shows the content type of a page, and answers of another type are refusals too.
  [
    (root) =>
      root.kind === 'answer-unreadable' || (root.kind === 'header-words' && root.subject === 'content-type'),
    ({ subject }) => subject === 'the content type of refusals',
    isAny,
  ],
  // Another form has other headers, and lacks the chosen members and those of an envelope.
  [
    is('answer-form'),
    is('header-removed', 'answer-chosen', 'answer-status', 'answer-totals', 'answer-member-removed'),
    (root, one) => explainsRoute(root) && isSharedBy(root, one),
  ],
  [
    (root, one) => one.kind !== 'answer-unreadable' || one.subject !== root.subject,
    (one) => one.kind.startsWith('refusal-') || one.kind === 'answer-unreadable',
    (root, one) =>
      explainsRoute(root) &&
      root.calls?.methods.some((method) => one.calls?.methods.includes(method)) === true &&
      isSharedBy(root, one),
  ],
];

function isRootOf(root: Change, one: Change): boolean {
  const isOneRoute = root.calls !== undefined && root.calls.route === one.calls?.route;
  const rules = [...ANYWHERE, ...(isOneRoute ? ON_ONE_ROUTE : ON_TWO_ROUTES)];
  const rule = rules.find(([isRoot, isOne]) => isRoot(root, one) && isOne(one));
  return rule?.[2](root, one) ?? false;
}

function isRemoval({ kind }: Change): boolean {
  return kind === 'field-removed' || kind === 'answer-member-removed';
}

function isRecordOf({ calls: list }: Change, { calls: record }: Change): boolean {
  return list !== undefined && record?.route === `${list.route}/{}`;
}

function isBelow({ calls: list }: Change, { calls }: Change): boolean {
  return list !== undefined && calls?.route.startsWith(`${list.route}/`) === true;
}

function isOfOptions({ calls }: Change): boolean {
  return calls?.methods.join() === 'OPTIONS';
}

function isPreflight(one: Change): boolean {
  return one.kind === 'right-lost' && isOfOptions(one);
}

function isOfAddresses({ kind, after = '' }: Change): boolean {
  return kind === 'answer-value' && /\baddress\b/.test(after);
}

/** Of the address where a record was made, which is no value of its own. */
function isOfOrigin({ subject }: Change): boolean {
  return textsOf('observed').origins.includes(subject);
}

function namesNoRecord({ kind, subject }: Change): boolean {
  return kind === 'answer-form' || (kind === 'answer-type' && subject === textsOf('observed').identity);
}

function isOfCode({ subject }: Change): boolean {
  return subject.startsWith('the code of "');
}

function isOfLinks({ kind, subject }: Change): boolean {
  return kind === 'header-words' && subject === 'link';
}

/** Whether a change says how a whole route is answered. An unknown change cannot explain a breaking one. */
function explainsRoute({ kind, subject }: Change): boolean {
  return ROOTS.has(kind) && !subject.startsWith('the body of') && subject !== SUBJECTS.someRequests;
}

function isSharedBy(root: Change, one: Change): boolean {
  const seeing = root.calls?.callers ?? [];
  return (one.calls?.callers ?? []).every((caller) => seeing.some((other) => other === caller));
}
