import { plural, present } from '../engine/text.ts';
import type { Change } from './change.ts';
import type { Effect, Kind } from './law.ts';

interface Words {
  /** @param name shows the name of a member, parameter or header */
  readonly says: (one: Change, name: (text: string) => string) => string;
  /** If callers are affected. */
  readonly advice: string;
  /** If that is unknown, and there is other advice. */
  readonly unsure?: string;
  /** If nobody is affected, and there is more to say. */
  readonly harmless?: string;
}

/** The words for each kind of change. */
export const KIND_WORDS: Readonly<Record<Kind, Words>> = {
  'namespace-removed': {
    says: ({ place, with: routes = [] }) => `${place} was removed, with ${plural(routes.length, 'route')}`,
    advice:
      'Callers of its routes get an error. Activate the plugin again, or move the callers to another interface first.',
  },
  'namespace-added': {
    says: ({ place, with: routes = [] }) => `${place} is new, with ${plural(routes.length, 'route')}`,
    advice: '',
    harmless: 'No caller is affected. Check that its routes are meant to be public.',
  },
  'route-removed': {
    says: ({ place }) => `${place} was removed`,
    advice: 'Its callers get an error. Move them to another route before the upgrade.',
  },
  'route-added': { says: ({ place }) => `${place} is new`, advice: '' },
  'path-parameter': {
    says: (one) => `${one.subject} ${movement(one)}${takenWords(one)}`,
    advice:
      'Values that no longer match lead to no route, or to another one. Look for addresses with such values.',
    unsure:
      'Call the later site with the values that you use. Those that no longer match lead to no route, or to another one.',
  },
  'method-removed': {
    says: ({ subject }) => `${subject} is no longer accepted`,
    advice: 'Callers that use it get an error. Use another method of the route.',
  },
  'method-added': { says: ({ subject }) => `${subject} is now accepted`, advice: '' },
  'methods-listed': {
    says: (one) => `the list of methods ${movement(one)}`,
    advice: 'Its list and its endpoints do not agree. Try the methods that you use.',
  },
  'parameter-removed': {
    says: ({ subject }, name) => `the parameter ${name(subject)} was removed`,
    advice:
      'Requests that send it are answered as if they did not. Callers get something else than they ask for: change them.',
  },
  'parameter-added': { says: ({ subject }, name) => `the parameter ${name(subject)} is new`, advice: '' },
  'required-parameter-added': {
    says: ({ subject }, name) => `the parameter ${name(subject)} is new and required`,
    advice: 'Every call without it is refused. Send it.',
  },
  constraint: {
    says: (one) => {
      const { subject, lost = [], gained = [] } = one;
      const sets = lost.length + gained.length > 0;
      return `${subject} ${sets ? setWords(lost, gained) : movement(one)}${takenWords(one)}`;
    },
    advice: 'Callers that send values that are no longer accepted are refused. Look for such values.',
    unsure: 'Call the later site with the values that you send.',
  },
  default: {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice:
      'Requests that leave it out now mean something else. Send the earlier value where you rely on it.',
    unsure: 'The site may have applied it all along. Compare an answer without the parameter on both sites.',
  },
  'batch-removed': {
    says: () => 'it is no longer accepted in a batch',
    advice: 'This part of a batch fails. Send it alone.',
  },
  'batch-added': { says: () => 'it is now accepted in a batch', advice: '' },
  'authentication-removed': {
    says: ({ place }) => `${place} is no longer offered`,
    advice: 'Callers that log in with it are locked out. Give them other credentials.',
  },
  'authentication-added': { says: ({ place }) => `${place} is now offered`, advice: '' },
  'authentication-changed': {
    says: ({ place }) => `the description of ${place} changed`,
    advice: 'Try the authorization once by hand.',
  },
  'member-removed': {
    says: ({ subject }, name) => `the member ${name(subject)} was removed`,
    advice: 'Callers that read it find nothing. Look for them.',
  },
  'member-added': { says: ({ subject }, name) => `the member ${name(subject)} is new`, advice: '' },
  'member-value': {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice: '',
    harmless: 'The value is of the same kind. Callers that do not store it are not affected.',
  },
  'member-type': {
    says: (one) => `${one.subject} ${movement(one)}, of another type`,
    advice: 'Callers that expect the earlier type fail.',
  },
  'address-changed': {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice: 'Callers that follow it reach another site. Correct the addresses in the settings of this one.',
  },
  'zone-changed': {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice: 'Dates without a time zone now mean another time. Compare those that you read.',
  },
  'field-removed': {
    says: (one) => `records no longer show the field ${shownWords(one)}`,
    advice: 'Callers that read it find nothing. Look for them, or activate the plugin that showed it again.',
  },
  'field-added': { says: (one) => `records now show the field ${shownWords(one)}`, advice: '' },
  'field-moved': {
    says: ({ subject, before, after }) =>
      `the field ${subject} was shown in ${before}, and is now shown in ${after}`,
    advice: 'Callers that use the earlier contexts find nothing. Request one that shows it.',
  },
  'field-doubtful': {
    says: (one) => `records may no longer always show the field ${shownWords(one)}`,
    advice: 'It may depend on the records, which may differ. Look at one that should have it.',
  },
  'check-broken': {
    says: ({ before, after }) => `fails now, and did not before (${before} → ${after})`,
    advice: 'The site contradicts the contract. See the failure in the later run.',
  },
  'check-fixed': {
    says: ({ before, after }) => `conforms better to the contract (${before} → ${after})`,
    advice: '',
  },
  'check-untold': {
    says: ({ before, after, reason }) =>
      reason === undefined ? `now warns (${before} → ${after})` : `cannot be compared, ${reason}`,
    advice: 'Run both sides with the same user, mode and records, or see the later run.',
  },
  'check-observed': {
    says: ({ before, after }) => `has the same verdict for another reason (${before} → ${after})`,
    advice: 'See the result in both runs.',
  },
  'list-answer': {
    says: ({ subject, effect }) => {
      const [one, other] = effect === 'narrows' ? ['first', 'second'] : ['second', 'first'];
      return `${subject}: answered by the ${one} site, not by the ${other}`;
    },
    advice: 'Callers that send it get an error. Send something else, or fix the second site.',
  },
  'list-records': {
    says: ({ subject }) => `${subject}: other records on the second site`,
    advice: 'Callers get other records than they ask for. Send both requests and see which site is right.',
    unsure: 'Records with equal sort values may be on other pages. Request an order without ties.',
  },
  'list-order': {
    says: ({ subject }) => `${subject}: the same records in another order on the second site`,
    advice: 'Callers that take the first records get others. Request an order without ties.',
  },
  'list-totals': {
    says: ({ subject }) => `${subject}: another total on the second site`,
    advice: 'Callers that count pages stop too early or never. Read pages until one is not full.',
  },
  'record-value': {
    says: ({ subject }) => `${subject} has another value in unmodified records`,
    advice:
      'Callers that read or compare the value get another one. Look at one of these records on both sites.',
  },
  'answer-type': {
    says: changedTo,
    advice: 'Callers that expect the earlier type fail. Change them to accept both types before the upgrade.',
    unsure: 'It may depend on the records. Look at one that has it on both sides.',
  },
  'answer-value': {
    says: changedTo,
    advice:
      'Callers that parse it as before fail or follow another address. Change them to accept the later form too.',
    unsure: 'It may depend on the records. Look at one that has it on both sides.',
  },
  'answer-member-removed': {
    says: ({ subject, before, after }) => {
      if (after !== 'sometimes') return `${subject} was removed`;
      const named = before === undefined ? '' : `: ${before.replace(/^always /, '')}`;
      return `${subject} is no longer always present${named}`;
    },
    advice: 'Callers that read it find nothing. Look for them, and for what replaces it.',
    unsure: 'It may depend on the records. Look at one that should have it.',
  },
  'answer-member-added': { says: ({ subject }, name) => `${name(subject)} is new`, advice: '' },
  'answer-form': {
    says: changedTo,
    advice: 'Callers that expect the earlier form fail. Change them to accept both before the upgrade.',
  },
  'answer-status': {
    says: changedTo,
    advice: 'Callers that compare the status fail. Accept every status of success.',
  },
  'answer-unreadable': {
    says: ({ after = '' }) => `answers cannot be read as JSON: ${after}`,
    advice: 'Every caller fails. Find what prints it (a plugin, a theme, display_errors) and stop it.',
  },
  'answer-refused': {
    says: ({ subject, after = 'an error' }) =>
      `${subject === 'the request' ? '' : `${subject}: `}refused with ${after}, and was answered`,
    advice:
      'Its callers get an error. Change the request before the upgrade, or restore the earlier behaviour.',
    unsure: 'It may have failed by chance. Send it to both sides again.',
  },
  'answer-chosen': {
    says: ({ subject, after = 'others' }) => `members that ${subject} asks for are ${after}`,
    advice: 'Callers that request only these members find nothing. Request the whole record.',
    unsure: 'Answers are larger than callers ask for. Check that they can handle it.',
  },
  'answer-filter': {
    says: ({ subject }) => `${subject} is ignored: records that do not match it are returned`,
    advice:
      'Callers that search or filter by it get everything. Filter in another way, or restore the parameter.',
    unsure: 'Records may match by chance. Request a value that none has from both sides.',
  },
  'answer-fewer': {
    says: ({ subject, after }, name) => `pages end at ${after} records, whatever ${name(subject)} asks for`,
    advice: 'Callers that request everything at once miss records. Request smaller pages, and all of them.',
    unsure: 'Compare how many records both sides return.',
  },
  'answer-whole': {
    says: ({ after = '', before = '' }) => `unchanged content is sent in full: ${after}, and was ${before}`,
    advice:
      'Callers that ask only for changes get everything each time, which costs time and traffic. Find out why the conditional request has no effect.',
  },
  'answer-totals': {
    says: () => `the totals of lists no longer match the lists`,
    advice: 'Callers that count pages stop too early or never. Read pages until one is not full.',
    unsure: 'Only some pages differ. Compare the totals in the headers of each page on both sides.',
  },
  'answer-repeated': {
    says: ({ subject }) =>
      `the same record is ${subject === 'pages' ? 'on two pages' : 'twice on one page'} of a list`,
    advice:
      'Callers that read all pages get some records twice and miss others. Request an order without ties.',
    unsure: 'Records with equal sort values may move. Read all pages on both sides.',
  },
  'answer-rendered': {
    says: ({ subject }) => `unmodified records are rendered differently: ${subject}`,
    advice:
      'Callers that read or compare the text get another one. Look at one of these records on both sides.',
  },
  'answer-order': {
    says: () => `the same records are in another order`,
    advice: 'Callers that take the first records get others. Request the order explicitly.',
  },
  'answer-slower': {
    says: ({ subject }) => `${subject} became slower than the rest of the site`,
    advice: 'Measure it again alone. If it stays slower, look at the database queries of this route.',
  },
  'header-removed': {
    says: ({ subject }, name) => {
      const [header = '', ...rest] = subject.split(' ');
      return `the header ${[name(header), ...rest].join(' ')} was removed`;
    },
    advice: 'Callers that read it find nothing. Send it again, or look for such callers.',
    unsure:
      'A proxy or cache between callers and the site may behave differently. Check that this is intended.',
  },
  'header-added': { says: ({ subject }, name) => `the header ${name(subject)} is new`, advice: '' },
  'header-words': {
    says: (one) => `the header ${changedTo(one)}`,
    advice: 'Callers that rely on what was removed fail. Send it again, or look for such callers.',
    unsure:
      'A proxy or cache between callers and the site may behave differently. Check that this is intended.',
  },
  'refusal-changed': {
    says: changedTo,
    advice:
      'Callers that distinguish refusals by it go wrong. Change them to accept both before the upgrade.',
    unsure: 'There were few refusals. Send the same request to both sides.',
  },
  'refusal-member-removed': {
    says: ({ subject }) => `${subject} was removed`,
    advice: 'Callers that show or read it find nothing. Look for them.',
  },
  'refusal-member-added': { says: ({ subject }) => `${subject} is new`, advice: '' },
  'right-lost': {
    says: ({ subject, before }) =>
      before === undefined
        ? `${subject} is now denied, and was answered`
        : `${before} no longer shows ${subject.replace(/^all records /, 'any record ')}`,
    advice: 'Such callers are locked out. Give them the right, or credentials that have it.',
    unsure: 'Its records may have been deleted, or something hides them. Look for one that it showed.',
  },
  'right-gained': {
    says: gained,
    advice: '',
    unsure: 'It may depend on the records. Look at one that shows it, and check that this is intended.',
    harmless: 'No caller is affected. Check that this is intended.',
  },
  'right-exposed': {
    says: gained,
    advice:
      'What only some callers could read is open to others. Close it, or check that it contains nothing private.',
  },
};

/** A change in words, without its evidence, and without its place. @param name shows names; default: as they are */
export function say(one: Change, name = (text: string): string => text): string {
  return KIND_WORDS[one.kind].says(one, name);
}

/** The same, with its place if it is a check. */
export function saidOf(one: Change): string {
  return one.kind.startsWith('check-') ? `${one.place} ${say(one)}` : say(one);
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

/** Names a member that shows personal data. */
function gained({ subject, after }: Change): string {
  return after === undefined ? `${subject} is now answered, and was denied` : `${after} now shows ${subject}`;
}

function changedTo({ subject, before = 'nothing', after = 'nothing' }: Change): string {
  return `${subject} was ${before} and is ${after}`;
}
