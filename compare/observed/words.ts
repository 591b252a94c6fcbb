import type { Change } from '../change.ts';
import type { ObservedKind } from '../kinds.ts';

/** What is said of a change of answers: of the change, and of who is hit and what to do. */
interface Words {
  readonly says: (one: Change) => string;
  readonly advice: string;
  readonly unsure?: string;
  readonly harmless?: string;
}

/** The words for each kind of change of answers. */
export const OBSERVED_WORDS: Readonly<Record<ObservedKind, Words>> = {
  'answer-type': {
    says: moved,
    advice: 'Readers that expect the earlier type fail: read both types before the upgrade.',
    unsure: 'It may depend on the records: look at one that has it on both sides.',
  },
  'answer-value': {
    says: moved,
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
    says: moved,
    advice: 'Readers that expect the earlier form fail: read both before the upgrade.',
  },
  'answer-status': {
    says: moved,
    advice: 'Callers that compare the status fail: take every status of success.',
  },
  'answer-unreadable': {
    says: (one) => `answers cannot be read as JSON: ${one.after ?? ''}${evidenceOf(one)}`,
    advice: 'Every reader fails: find what prints it (a plugin, a theme, display_errors) and end that.',
  },
  'answer-refused': {
    says: (one) => `refused with ${one.after ?? 'an error'}, and was answered${evidenceOf(one)}`,
    advice: 'Its callers get an error: ask in another way before the upgrade, or bring it back.',
    unsure: 'Ask both sides for it again: it may have failed by chance.',
  },
  'answer-chosen': {
    says: (one) => `members that ${one.subject} asks for are ${one.after ?? 'others'}${evidenceOf(one)}`,
    advice: 'Callers that ask for these members alone find nothing: ask for the whole record.',
    unsure: 'Answers are larger than callers ask for: see that they can take it.',
  },
  'answer-totals': {
    says: (one) => `the totals of lists are no longer what the lists hold${evidenceOf(one)}`,
    advice: 'Callers that count pages stop too early or never: page until a page is not full.',
    unsure: 'Of some pages only: compare what the headers of each page count on both sides.',
  },
  'answer-repeated': {
    says: (one) => `the same record is on two pages of a list${evidenceOf(one)}`,
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
    says: (one) => `the header ${moved(one)}`,
    advice: 'Callers that rely on what went fail: set it again, or see who reads it.',
    unsure: 'What stands between callers and the site may act otherwise: see that it is meant.',
  },
  'refusal-changed': {
    says: moved,
    advice: 'Callers that tell refusals apart by it take the wrong way: take both before the upgrade.',
    unsure: 'Refusals were few: ask for the same on both sides.',
  },
  'refusal-member-removed': {
    says: (one) => `${one.subject} is no longer there${evidenceOf(one)}`,
    advice: 'Callers that show or read it find nothing: see who does.',
  },
  'refusal-member-added': { says: ({ subject }) => `${subject} is there now`, advice: '' },
  'right-lost': {
    says: (one) =>
      one.before === undefined
        ? `${one.subject} is denied now, and was answered${evidenceOf(one)}`
        : `${one.before} no longer shows ${one.subject}${evidenceOf(one)}`,
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

/** Where a member shows something of persons, it is named. */
function gained(one: Change): string {
  return one.after === undefined
    ? `${one.subject} is answered now, and was denied${evidenceOf(one)}`
    : `${one.after} shows ${one.subject} now${evidenceOf(one)}`;
}

function moved(one: Change): string {
  return `${one.subject} was ${one.before ?? 'nothing'} and is ${one.after ?? 'nothing'}${evidenceOf(one)}`;
}

function evidenceOf({ evidence }: Change): string {
  return evidence === undefined ? '' : ` (${evidence})`;
}
