import { plainRoute } from '../../client/route-pattern.ts';
import { plural, present } from '../../engine/text.ts';
import type { Change } from '../change.ts';
import type { Effect, Kind } from '../law.ts';
import { FAULTY, RENDERED, SOMETIMES, SUBJECTS } from '../observed/difference.ts';

/** Says what changed, without its evidence. @param name shows the name of a member, parameter or header */
type Says = (change: Change, name: (text: string) => string) => string;

/** What each kind of change says; what callers should do about it is in `specs/texts/advice.json`. */
const SAYS: Readonly<Record<Kind, Says>> = {
  'namespace-removed': ({ place, with: routes = [] }) =>
    `${place} was removed, with ${plural(routes.length, 'route')}`,
  'namespace-added': ({ place, with: routes = [] }) =>
    `${place} is new, with ${plural(routes.length, 'route')}`,
  'route-removed': ({ place }) => `${place} was removed`,
  'route-added': ({ place }) => `${place} is new`,
  'path-parameter': (change) => movedTo(change) + takenWords(change),
  'method-removed': ({ subject }) => `${subject} is no longer accepted`,
  'method-added': ({ subject }) => `${subject} is now accepted`,
  'methods-listed': (change) => `the list of methods ${movement(change)}`,
  'parameter-removed': ({ subject }, name) => `the parameter ${name(subject)} was removed`,
  'parameter-added': ({ subject }, name) => `the parameter ${name(subject)} is new`,
  'required-parameter-added': ({ subject }, name) => `the parameter ${name(subject)} is new and required`,
  constraint: (change) => {
    const { subject, lost = [], gained = [] } = change;
    const sets = lost.length + gained.length > 0;
    return `${subject} ${sets ? setWords(lost, gained) : movement(change)}${takenWords(change)}`;
  },
  default: movedTo,
  'batch-removed': () => 'it is no longer accepted in a batch',
  'batch-added': () => 'it is now accepted in a batch',
  'authentication-removed': ({ place }) => `${place} is no longer offered`,
  'authentication-added': ({ place }) => `${place} is now offered`,
  'authentication-changed': ({ place }) => `the description of ${place} changed`,
  'member-removed': ({ subject }, name) => `the member ${name(subject)} was removed`,
  'member-added': ({ subject }, name) => `the member ${name(subject)} is new`,
  'member-value': movedTo,
  'member-type': (change) => `${movedTo(change)}, of another type`,
  'address-changed': movedTo,
  'zone-changed': movedTo,
  'field-removed': (change) => `records no longer show the field ${shownWords(change)}`,
  'field-added': (change) => `records now show the field ${shownWords(change)}`,
  'field-moved': ({ subject, before, after }) =>
    `the field ${subject} was shown in ${before}, and is now shown in ${after}`,
  'field-doubtful': (change) => `records may no longer always show the field ${shownWords(change)}`,
  'check-broken': ({ before, after }) => `fails now, and did not before (${before} → ${after})`,
  'check-fixed': ({ before, after }) => `conforms better to the contract (${before} → ${after})`,
  'check-untold': ({ before, after, reason }) =>
    reason === undefined ? `now warns (${before} → ${after})` : `cannot be compared, ${reason}`,
  'check-observed': ({ before, after }) => `has the same verdict for another reason (${before} → ${after})`,
  'list-answer': ({ subject, effect }) => {
    const [one, other] = effect === 'narrows' ? ['first', 'second'] : ['second', 'first'];
    return `${subject}: answered by the ${one} site, not by the ${other}`;
  },
  'list-records': ({ subject }) => `${subject}: other records on the second site`,
  'list-order': ({ subject }) => `${subject}: the same records in another order on the second site`,
  'list-totals': ({ subject }) => `${subject}: another total on the second site`,
  'record-value': ({ subject }) => `${subject} has another value in unmodified records`,
  'answer-type': changedTo,
  'answer-value': changedTo,
  'answer-member-removed': ({ subject, before, after }) => {
    if (after !== 'sometimes') return `${subject} was removed`;
    const named = before === undefined ? '' : `: ${before.replace(/^always /, '')}`;
    return `${subject} is no longer always present${named}`;
  },
  'answer-member-added': ({ subject }, name) => `${name(subject)} is new`,
  'answer-form': changedTo,
  'answer-status': changedTo,
  'answer-unreadable': ({ after = '' }) => `answers cannot be read as JSON: ${after}`,
  'answer-refused': ({ subject, example, after = 'an error' }, name) => {
    if (example !== undefined) return `requests such as ${name(example)} are refused with ${after}`;
    const what = subject === 'the request' ? '' : `${subject}: `;
    if (after === '0') return `${what}the connection breaks, and it was answered`;
    return `${what}refused with ${after}, and was answered`;
  },
  'answer-chosen': ({ subject, after = 'others' }) => `members that ${subject} asks for are ${after}`,
  'answer-filter': ({ subject }) => `${subject} is ignored: records that do not match it are returned`,
  'answer-fewer': ({ subject, after }, name) =>
    `pages end at ${after} records, whatever ${name(subject)} asks for`,
  'answer-whole': ({ after = '', before = '' }) =>
    `unchanged content is sent in full: ${after}, and was ${before}`,
  'answer-totals': () => `the totals of lists no longer match the lists`,
  'answer-repeated': ({ subject }) =>
    `the same record is ${subject === 'pages' ? 'on two pages' : 'twice on one page'} of a list`,
  'answer-rendered': ({ subject, after }) => {
    if (after === RENDERED.order) return `unmodified records list the same in another order: ${subject}`;
    if (after === RENDERED.every) return `every record has another value than before: ${subject}`;
    if (after === RENDERED.numbers) return `unmodified records have other numbers: ${subject}`;
    if (after?.startsWith(FAULTY)) return `texts now show ${after.replace(FAULTY, '')}: ${subject}`;
    return `unmodified records are rendered differently${after === undefined ? '' : `, ${after}`}: ${subject}`;
  },
  'answer-order': () => `the same records are in another order`,
  'answer-slower': ({ subject }) => `${subject} became slower than the rest of the site`,
  'header-removed': ({ subject, after }, name) => {
    const [header = '', ...rest] = subject.split(' ');
    const said = `the header ${[name(header), ...rest].join(' ')}`;
    return after === SOMETIMES ? `some answers lack ${said}` : `${said} was removed`;
  },
  'header-added': ({ subject }, name) => `the header ${name(subject)} is new`,
  'header-words': (change) => `the header ${changedTo(change)}`,
  'refusal-changed': changedTo,
  'refusal-member-removed': ({ subject }) => `${subject} was removed`,
  'refusal-member-added': ({ subject }) => `${subject} is new`,
  'right-lost': ({ subject, before }) =>
    before === undefined
      ? `${subject} is now denied, and was answered`
      : `${before} no longer shows ${subject.replace(/^all records /, 'any record ')}`,
  'right-gained': gained,
  'right-exposed': gained,
};

/** A change in words, without its evidence, and without its place. @param name shows names; default: as they are */
export function changeInWords(change: Change, name = (text: string): string => text): string {
  // A comparison that was saved by a later version may hold kinds which this one does not know.
  return Object.hasOwn(SAYS, change.kind)
    ? SAYS[change.kind](change, name)
    : `${name(change.subject)} changed`;
}

/** The same, with its place if it is a check. */
export function saidOf(change: Change): string {
  return change.kind.startsWith('check-')
    ? `${change.place} ${changeInWords(change)}`
    : changeInWords(change);
}

/** A change in words with its place, without patterns. */
export function saidAt(change: Change): string {
  const [place, text] = [plainRoute(change.place), plainRoute(changeInWords(change))];
  return text.startsWith(place) ? text : `${place}: ${text}`;
}

const LONGEST_VALUE = 160;

const BY_EFFECT: Readonly<Record<Effect, string>> = {
  narrows: ': fewer values are accepted',
  widens: ': all earlier values are still accepted',
  incomparable: ': some values are no longer accepted',
  unknown: ': whether all earlier values are still accepted is unknown',
  none: '',
};

/** Before and after. The list of changes has long values in full. */
function movement({ before = 'nothing', after = 'nothing' }: Change): string {
  return `was ${brief(before)} and is ${brief(after)}`;
}

function movedTo(change: Change): string {
  return `${change.subject} ${movement(change)}`;
}

/** A value for a sentence. */
export function brief(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** What it means for accepted values, with an example, unless the removed ones already say it. */
function takenWords({ effect, example, lost = [] }: Change): string {
  if (lost.length > 0 && (effect === 'narrows' || effect === 'incomparable')) return '';
  return `${BY_EFFECT[effect]}${example === undefined ? '' : `, for example no longer ${brief(example)}`}`;
}

/** A field with the contexts of its change: `title.raw in edit`. */
function shownWords({ subject, with: contexts = [] }: Change): string {
  return `${subject} in ${contexts.join(', ')}`;
}

function setWords(lost: readonly string[], gained: readonly string[]): string {
  return present([
    lost.length > 0 && `no longer has ${lost.join(', ')}`,
    gained.length > 0 && `now has ${gained.join(', ')}`,
  ]).join(', and ');
}

/** Names a member that shows personal data, or that only the context for editors showed. */
function gained({ subject, after }: Change): string {
  const [, context, whom] = new RegExp(`^${SUBJECTS.ofEditing} (.*) to (.*)$`).exec(subject) ?? [];
  if (whom !== undefined) return `${after} is now shown to ${whom}, and only ${context} showed it`;
  return after === undefined ? `${subject} is now answered, and was denied` : `${after} now shows ${subject}`;
}

function changedTo({ subject, before = 'nothing', after = 'nothing' }: Change): string {
  return `${subject} was ${before} and is ${after}`;
}
