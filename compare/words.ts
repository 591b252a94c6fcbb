import { plural, present } from '../engine/text.ts';
import type { Change } from './change.ts';
import type { Effect, Kind } from './law.ts';

/** The words for a kind of change: what changed, who is affected, and what to do. */
interface Words {
  readonly says: (one: Change) => string;
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
    says: ({ place, with: routes = [] }) => `${place} is gone, with ${plural(routes.length, 'route')}`,
    advice:
      'Callers of any of its routes get an error: switch the plugin on again, or move them to another interface first.',
  },
  'namespace-added': {
    says: ({ place, with: routes = [] }) => `${place} is new, with ${plural(routes.length, 'route')}`,
    advice: '',
    harmless: 'Nobody is hit; see that its routes are meant to be public.',
  },
  'route-removed': {
    says: ({ place }) => `${place} is gone`,
    advice: 'Its callers get an error: move them to another route before the upgrade.',
  },
  'route-added': { says: ({ place }) => `${place} is new`, advice: '' },
  'path-parameter': {
    says: (one) => `${one.subject} ${movement(one)}${takenWords(one)}`,
    advice: 'Values that no longer fit lead to no route, or to another one: look for such addresses.',
    unsure:
      'Call the later site with the values that you use: those that no longer fit lead to no route, or to another one.',
  },
  'method-removed': {
    says: ({ subject }) => `${subject} is no longer taken`,
    advice: 'Callers that use it get an error: use another method of the route.',
  },
  'method-added': { says: ({ subject }) => `${subject} is taken now`, advice: '' },
  'methods-listed': {
    says: (one) => `the methods that it lists ${movement(one)}`,
    advice: 'Its list and its endpoints do not agree: try the methods that you use.',
  },
  'parameter-removed': {
    says: ({ subject }) => `the parameter ${subject} is gone`,
    advice:
      'Requests with it are taken as if it were not there: callers get other answers than they ask for, so change them.',
  },
  'parameter-added': { says: ({ subject }) => `the parameter ${subject} is new`, advice: '' },
  'required-parameter-added': {
    says: ({ subject }) => `the parameter ${subject} is new and required`,
    advice: 'Every call without it is refused: send it.',
  },
  constraint: {
    says: (one) => {
      const { subject, lost = [], gained = [] } = one;
      const sets = lost.length + gained.length > 0;
      return `${subject} ${sets ? setWords(lost, gained) : movement(one)}${takenWords(one)}`;
    },
    advice: 'Callers that send what is no longer taken are refused: look for such values.',
    unsure: 'Call the later site with the values that you send.',
  },
  default: {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice:
      'Requests that leave it out mean something else now: send the earlier value where you rely on it.',
    unsure: 'It may be what the site did all along: compare an answer without it on both sites.',
  },
  'batch-removed': {
    says: () => 'it is no longer taken in a batch',
    advice: 'Batches that hold it fail in this part: send it alone.',
  },
  'batch-added': { says: () => 'it is taken in a batch now', advice: '' },
  'authentication-removed': {
    says: ({ place }) => `${place} is no longer offered`,
    advice: 'Callers that log in with it are locked out: give them other credentials.',
  },
  'authentication-added': { says: ({ place }) => `${place} is offered now`, advice: '' },
  'authentication-changed': {
    says: ({ place }) => `${place} is described otherwise`,
    advice: 'Follow the authorization once by hand.',
  },
  'member-removed': {
    says: ({ subject }) => `the member ${subject} is gone`,
    advice: 'Readers of it find nothing: see who reads it.',
  },
  'member-added': { says: ({ subject }) => `the member ${subject} is new`, advice: '' },
  'member-value': {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice: '',
    harmless: 'A value of the same kind: nobody is hit who reads it anew.',
  },
  'member-type': {
    says: (one) => `${one.subject} ${movement(one)}, of another type`,
    advice: 'Readers that expect the earlier type fail.',
  },
  'address-changed': {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice: 'Callers that follow it reach another site: set the addresses of this one.',
  },
  'zone-changed': {
    says: (one) => `${one.subject} ${movement(one)}`,
    advice: 'Dates without a zone mean another time: compare those that you read.',
  },
  'field-removed': {
    says: (one) => `records no longer show the field ${shownWords(one)}`,
    advice: 'Readers of it find nothing: see who reads it, or switch the plugin that showed it on again.',
  },
  'field-added': { says: (one) => `records show the field ${shownWords(one)} now`, advice: '' },
  'field-moved': {
    says: ({ subject, before, after }) => `the field ${subject} was shown in ${before}, and is in ${after}`,
    advice: 'Readers of the contexts that it went from find nothing: ask for one that shows it.',
  },
  'field-doubtful': {
    says: (one) => `records that were seen need not show the field ${shownWords(one)} as before`,
    advice: 'It may depend on the records, which may be others: look at one that should have it.',
  },
  'check-broken': {
    says: ({ before, after }) => `failed after, and did not before (${before} → ${after})`,
    advice: 'The site does otherwise than its contract: see the finding in the later run.',
  },
  'check-fixed': {
    says: ({ before, after }) => `fits the contract better (${before} → ${after})`,
    advice: '',
  },
  'check-untold': {
    says: ({ before, after, reason }) =>
      reason === undefined ? `warns now (${before} → ${after})` : `cannot be compared, ${reason}`,
    advice:
      'Run both sides so that they can be compared (same caller, mode and records), or see the later run.',
  },
  'check-observed': {
    says: ({ before, after }) => `has the same verdict for another reason (${before} → ${after})`,
    advice: 'See the finding in both runs.',
  },
  'list-answer': {
    says: ({ subject, effect }) => {
      const [one, other] = effect === 'narrows' ? ['first', 'second'] : ['second', 'first'];
      return `${subject}: answered by the ${one} site, not by the ${other}`;
    },
    advice: 'Callers that send it get an error: send something else, or fix the second site.',
  },
  'list-records': {
    says: (one) => `${one.subject}: other records on the second site${evidenceOf(one)}`,
    advice: 'Callers get other records than they ask for: send both requests and see which site is right.',
    unsure:
      'Records that are alike in what sorts them may fall on other pages: ask for an order without ties.',
  },
  'list-order': {
    says: (one) => `${one.subject}: the same records in another order on the second site${evidenceOf(one)}`,
    advice: 'Callers that take the first records get others: ask for an order without ties.',
  },
  'list-totals': {
    says: (one) => `${one.subject}: another total on the second site${evidenceOf(one)}`,
    advice: 'Callers that count pages stop too early or never: page until a page is not full.',
  },
  'record-value': {
    says: (one) => `${one.subject} has another value in unmodified records${evidenceOf(one)}`,
    advice: 'Look at one of these records on both sites: who reads or compares the value gets another one.',
  },
  'answer-type': {
    says: changedTo,
    advice: 'Readers that expect the earlier type fail: read both types before the upgrade.',
    unsure: 'It may depend on the records: look at one that has it on both sides.',
  },
  'answer-value': {
    says: changedTo,
    advice: 'Readers that parse it as before fail or are led elsewhere: read the later form too.',
    unsure: 'It may depend on the records: look at one that has it on both sides.',
  },
  'answer-member-removed': {
    says: (one) => {
      const { subject, before, after } = one;
      if (after !== 'sometimes') return `${subject} is no longer there${evidenceOf(one)}`;
      const named = before === undefined ? '' : `: ${before.replace(/^always /, '')}`;
      return `${subject} is no longer always there${evidenceOf(one)}${named}`;
    },
    advice: 'Readers of it find nothing: see who reads it, and take what stands in its place.',
    unsure: 'It may depend on the records: look at one that should have it.',
  },
  'answer-member-added': { says: ({ subject }) => `${subject} is there now`, advice: '' },
  'answer-form': {
    says: changedTo,
    advice: 'Readers that expect the earlier form fail: read both before the upgrade.',
  },
  'answer-status': {
    says: changedTo,
    advice: 'Callers that compare the status fail: take every status of success.',
  },
  'answer-unreadable': {
    says: (one) => `answers cannot be read as JSON: ${one.after ?? ''}${evidenceOf(one)}`,
    advice: 'Every reader fails: find what prints it (a plugin, a theme, display_errors) and end that.',
  },
  'answer-refused': {
    says: (one) =>
      `${one.subject === 'the request' ? '' : `${one.subject}: `}refused with ${one.after ?? 'an error'}, and was answered${evidenceOf(one)}`,
    advice: 'Its callers get an error: ask in another way before the upgrade, or bring it back.',
    unsure: 'Ask both sides for it again: it may have failed by chance.',
  },
  'answer-chosen': {
    says: (one) => `members that ${one.subject} asks for are ${one.after ?? 'others'}${evidenceOf(one)}`,
    advice: 'Callers that ask for these members alone find nothing: ask for the whole record.',
    unsure: 'Answers are larger than callers ask for: see that they can take it.',
  },
  'answer-filter': {
    says: (one) => `${one.subject} is ignored: records come that it does not match${evidenceOf(one)}`,
    advice:
      'Callers that search or filter by it are shown everything: filter in another way, or bring it back.',
    unsure: 'Records may match by chance: ask both sides for a value that none has.',
  },
  'answer-fewer': {
    says: (one) => `pages end at ${one.after ?? 'fewer'} records, whatever ${one.subject} asks for`,
    advice: 'Callers that ask for all at once miss records: ask for smaller pages, and for all of them.',
    unsure: 'Compare how many records come on both sides.',
  },
  'answer-whole': {
    says: (one) =>
      `what did not change is sent whole: ${one.after ?? ''}, and was ${one.before ?? ''}${evidenceOf(one)}`,
    advice:
      'Callers that ask only for changes get all of it each time, which costs time and traffic: see why it is no longer compared.',
  },
  'answer-totals': {
    says: (one) => `the totals of lists are no longer what the lists hold${evidenceOf(one)}`,
    advice: 'Callers that count pages stop too early or never: page until a page is not full.',
    unsure: 'Of some pages only: compare what the headers of each page count on both sides.',
  },
  'answer-repeated': {
    says: (one) =>
      `the same record is ${one.subject === 'pages' ? 'on two pages' : 'twice on one page'} of a list${evidenceOf(one)}`,
    advice: 'Callers that page get some records twice and miss others: ask for an order without ties.',
    unsure: 'Records that are alike in what sorts them may move: page through the list on both sides.',
  },
  'answer-rendered': {
    says: (one) => `unmodified records are rendered otherwise: ${one.subject}${evidenceOf(one)}`,
    advice: 'Look at one of these records on both sides: who reads or compares the text gets another one.',
  },
  'answer-order': {
    says: (one) => `the same records come in another order${evidenceOf(one)}`,
    advice: 'Callers that take the first records get others: ask for an order by name.',
  },
  'answer-slower': {
    says: (one) => `${one.subject} became slower than the rest of the site${evidenceOf(one)}`,
    advice: 'Measure it again by itself; if it stays, look at what this route asks of the database.',
  },
  'header-removed': {
    says: (one) => `the header ${one.subject} is no longer there${evidenceOf(one)}`,
    advice: 'Callers that read it find nothing: set it again, or see who reads it.',
    unsure: 'What stands between callers and the site may act otherwise: see that it is meant.',
  },
  'header-added': { says: ({ subject }) => `the header ${subject} is there now`, advice: '' },
  'header-words': {
    says: (one) => `the header ${changedTo(one)}`,
    advice: 'Callers that rely on what went fail: set it again, or see who reads it.',
    unsure: 'What stands between callers and the site may act otherwise: see that it is meant.',
  },
  'refusal-changed': {
    says: changedTo,
    advice: 'Callers that tell refusals apart by it take the wrong way: take both before the upgrade.',
    unsure: 'Refusals were few: ask for the same on both sides.',
  },
  'refusal-member-removed': {
    says: (one) => `${one.subject} is no longer there${evidenceOf(one)}`,
    advice: 'Callers that show or read it find nothing: see who does.',
  },
  'refusal-member-added': { says: ({ subject }) => `${subject} is there now`, advice: '' },
  'right-lost': {
    says: (one) => {
      const { subject, before } = one;
      const lost =
        before === undefined
          ? `${subject} is denied now, and was answered`
          : `${before} no longer shows ${subject}`;
      return lost + evidenceOf(one);
    },
    advice: 'Such callers are locked out: give them the right, or credentials that have it.',
  },
  'right-gained': {
    says: gained,
    advice: '',
    unsure: 'It may depend on the records: look at one that shows it, and see that it is meant.',
    harmless: 'Nobody is hit; see that it is meant.',
  },
  'right-exposed': {
    says: gained,
    advice: 'What only some were to read is open to others: close it, or see that nothing private is in it.',
  },
};

/** A change in words, without its evidence. */
export function sayWithoutEvidence({ evidence: _, ...one }: Change): string {
  return KIND_WORDS[one.kind].says(one);
}

/** A change in words, without its evidence, and without its place unless it is a check. */
export function saidOf(one: Change): string {
  const said = sayWithoutEvidence(one);
  return one.kind.startsWith('check-') ? `${one.place} ${said}` : said;
}

const LONGEST_VALUE = 160;

const BY_EFFECT: Readonly<Record<Effect, string>> = {
  narrows: ': less is taken',
  widens: ': all that was taken still is',
  incomparable: ': some of it is no longer taken',
  unknown: ': whether all of it is still taken is unknown',
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
  return `${BY_EFFECT[effect]}${example === undefined ? '' : `, such as ${brief(example)} no longer`}`;
}

/** A field with the contexts of its change: `title.raw in edit`. */
function shownWords({ subject, with: contexts = [] }: Change): string {
  return `${subject} in ${contexts.join(', ')}`;
}

function setWords(lost: readonly string[], gained: readonly string[]): string {
  return present([
    lost.length > 0 && `no longer has ${lost.join(', ')}`,
    gained.length > 0 && `has ${gained.join(', ')} now`,
  ]).join(', and ');
}

/** Names a member that shows personal data. */
function gained(one: Change): string {
  const { subject, after } = one;
  const now =
    after === undefined ? `${subject} is answered now, and was denied` : `${after} shows ${subject} now`;
  return now + evidenceOf(one);
}

function changedTo(one: Change): string {
  return `${one.subject} was ${one.before ?? 'nothing'} and is ${one.after ?? 'nothing'}${evidenceOf(one)}`;
}

function evidenceOf({ evidence }: Change): string {
  return evidence === undefined ? '' : ` (${evidence})`;
}
