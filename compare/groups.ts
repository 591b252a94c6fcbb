import { listed, plural, present } from '../engine/text.ts';
import { type Accepted, type Change, digestOfCause } from './change.ts';
import { headlineOf, OBSERVED_WORDS, type Words } from './headline.ts';
import { type ChangeClass, CLASSES, type Effect, type Kind } from './law.ts';
import { SITE } from './surface.ts';

/** One root cause, however much depends on it. */
export interface Group {
  /** The id of its first change. */
  readonly id: string;
  /** The same for the same thing in every comparison: what people accept and explain it by. */
  readonly digest: string;
  readonly class: ChangeClass;
  readonly owner: string;
  /** What changed, in at most 120 characters and without patterns. */
  readonly headline: string;
  /** What changed, in one sentence with its places and values. */
  readonly sentence: string;
  /** Who is hit, and what to do. */
  readonly advice: string;
  /** The ids of the changes that are this one thing. */
  readonly changes: readonly string[];
  /** The ids of the changes that depend on it. */
  readonly hanging: readonly string[];
  /** Who accepted all of it, why and until when. */
  readonly accepted?: Accepted;
  /** The software and its two versions between which every site changes like this. */
  readonly everywhere?: string;
}

/** Groups changes by their cause: the worst first, then by owner. */
export function groupsOf(changes: readonly Change[]): Group[] {
  const byId = new Map(changes.map((one) => [one.id, one]));
  const rooted = changes.map((one) => ({ one, root: rootOf(one, byId) }));
  const roots = rooted.flatMap(({ one, root }) => (root === one ? [one] : []));
  const byRoot = Map.groupBy(rooted, ({ root }) => keyOf(root));
  const alikes = Map.groupBy(new Map(roots.map((one) => [keyOf(one), one])).values(), (one) =>
    digestFor(one),
  );
  const groups = [...Map.groupBy(roots, keyOf)].flatMap(([key, alike]): Group[] => {
    const [found] = alike;
    if (found === undefined) return [];
    const first = withBefores(found, alike);
    const members = byRoot.get(key) ?? [];
    const dependents = members.flatMap(({ one, root }) => (root === one ? [] : [one]));
    return [
      {
        id: first.id,
        digest: (alikes.get(digestFor(first)) ?? []).length > 1 ? digestFor(first, alike) : digestFor(first),
        class: worst(alike, dependents),
        owner: alike.every(({ owner }) => owner === first.owner) ? first.owner : SITE,
        headline: headlineOf(first, alike, WORDS[first.kind].says(withoutEvidence(first))),
        sentence: sentenceFor(first, alike),
        advice: adviceFor(first, worst(alike, dependents)),
        changes: alike.map(({ id }) => id),
        hanging: dependents.map(({ id }) => id),
      },
    ];
  });
  return groups.toSorted(
    (one, other) =>
      CLASSES.indexOf(one.class) - CLASSES.indexOf(other.class) ||
      (one.owner < other.owner ? -1 : Number(one.owner > other.owner)),
  );
}

/** Follows causes to the first that is among the changes; what goes round in a circle has none but itself. */
function rootOf(one: Change, byId: ReadonlyMap<string, Change>): Change {
  let root = one;
  const seen = new Set([one.id]);
  for (;;) {
    const cause: Change | undefined = root.cause === undefined ? undefined : byId.get(root.cause);
    if (cause === undefined) return root;
    if (seen.has(cause.id)) return one;
    seen.add(cause.id);
    root = cause;
  }
}

/** The same keyword of the same parameter with the same values is one change, in however many places of a namespace. */
function keyOf({ kind, effect, owner, subject, before, after, reason }: Change): string {
  // What cannot be compared for one reason is one line, whatever it is about.
  if (reason !== undefined) return JSON.stringify([kind, reason]);
  // So are descriptions in other words: whoever sends the same gets the same.
  if (kind === 'constraint' && effect === 'none') return JSON.stringify([kind, effect, owner]);
  // So is what became of refusals, whatever their codes were.
  if (kind === 'refusal-changed' && subject.startsWith('the code of "'))
    return JSON.stringify([kind, subject, after]);
  if (kind.startsWith('refusal-') && !subject.startsWith('the '))
    return JSON.stringify([kind, subject.replace(/ of ".*$/, ''), before, after]);
  // A header that lost words lost them by one cause, wherever it had more of them or more answers show it.
  if (kind === 'header-words' && before?.startsWith('with ')) return JSON.stringify([kind, subject]);
  return JSON.stringify([kind, effect, owner, subject, before, after]);
}

/** Notes how many other values there were, where several became the same one. */
function withBefores(first: Change, alike: readonly Change[]): Change {
  const others = new Set(alike.map(({ before }) => before)).size - 1;
  const isOne = others === 0 || first.kind !== 'refusal-changed';
  return isOne ? first : { ...first, before: `${first.before} or ${plural(others, 'other')}` };
}

function withoutEvidence({ evidence: _evidence, ...rest }: Change): Change {
  return rest;
}

/** @param places what distinguishes it from others of the same kind and subject, where there are any */
function digestFor({ kind, owner, subject, reason }: Change, places: readonly Change[] = []): string {
  const [first] = places.map(({ digest }) => digest).toSorted();
  return digestOfCause(
    kind,
    reason === undefined ? owner : '',
    reason ?? subject,
    first === undefined ? [] : [first],
  );
}

/** What depends on a change may break callers; that it was inconclusive before or after is a matter of its root. */
function worst(alike: readonly Change[], dependents: readonly Change[]): ChangeClass {
  const counted = [...alike, ...dependents.filter((one) => one.class === 'breaking')];
  return CLASSES.find((one) => counted.some((change) => change.class === one)) ?? 'compatible';
}

const MOST_PLACES = 3;
const MOST_SUBJECTS = 8;
const LONGEST_VALUE = 160;

const WORDS: Readonly<Record<Kind, Words>> = {
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
    says: ({ subject, effect }) =>
      effect === 'narrows'
        ? `${subject}: answered by the first site, not by the second`
        : `${subject}: answered by the second site, not by the first`,
    advice: 'Callers that send it get an error: send something else, or fix the second site.',
  },
  'list-records': {
    says: ({ subject, evidence }) =>
      `${subject}: other records on the second site${evidence === undefined ? '' : ` (${evidence})`}`,
    advice: 'Callers get other records than they ask for: send both requests and see which site is right.',
    unsure:
      'Records that are alike in what sorts them may fall on other pages: ask for an order without ties.',
  },
  'list-order': {
    says: ({ subject, evidence }) =>
      `${subject}: the same records in another order on the second site${evidence === undefined ? '' : ` (${evidence})`}`,
    advice: 'Callers that take the first records get others: ask for an order without ties.',
  },
  'list-totals': {
    says: ({ subject, evidence }) =>
      `${subject}: another total on the second site${evidence === undefined ? '' : ` (${evidence})`}`,
    advice: 'Callers that count pages stop too early or never: page until a page is not full.',
  },
  'record-value': {
    says: ({ subject, evidence }) =>
      `${subject} has another value in unmodified records${evidence === undefined ? '' : ` (${evidence})`}`,
    advice: 'Look at one of these records on both sites: who reads or compares the value gets another one.',
  },
  ...OBSERVED_WORDS,
};

/** A change in words, without its evidence, and without its place unless it is a check. */
export function saidOf(one: Change): string {
  const said = WORDS[one.kind].says(withoutEvidence(one));
  return one.kind.startsWith('check-') ? `${one.place} ${said}` : said;
}

const BY_EFFECT: Readonly<Record<Effect, string>> = {
  narrows: ': less is taken',
  widens: ': all that was taken still is',
  incomparable: ': some of it is no longer taken',
  unknown: ': whether all of it is still taken is unknown',
  none: '',
};

/** What changed, in one sentence with its places. @param alike the changes that are this one thing */
function sentenceFor(first: Change, alike: readonly Change[]): string {
  const said = WORDS[first.kind].says(first);
  const places = [...new Set(alike.map(({ place }) => place))];
  if (said.startsWith(first.place)) return `${said}.`;
  const subjects = first.kind === 'constraint' ? [...new Set(alike.map(({ subject }) => subject))] : [];
  const others = subjects.length < 2 ? '' : `; likewise ${listed(subjects.slice(1), MOST_SUBJECTS)}`;
  return `${listed(places, MOST_PLACES)}: ${said}${others}.`;
}

/** Who is hit by it, and what to do. @param worst the class that it has with all that depends on it */
function adviceFor({ kind, class: found }: Change, worst: ChangeClass): string {
  const { advice, unsure = advice, harmless = 'Nobody is hit.' } = WORDS[kind];
  if (found === 'compatible') {
    return worst === 'breaking' ? 'See what depends on it in the later run: that breaks callers.' : harmless;
  }
  return found === 'unknown' ? unsure : advice;
}

/** From what to what; long values stand in the list of changes in full. */
function movement({ before = 'nothing', after = 'nothing' }: Change): string {
  return `was ${brief(before)} and is ${brief(after)}`;
}

/** A value as a sentence shows it. */
export function brief(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** What it means for the values that are taken, where those that went do not say it, with one that shows it. */
function takenWords({ effect, example, lost = [] }: Change): string {
  if (lost.length > 0 && (effect === 'narrows' || effect === 'incomparable')) return '';
  return `${BY_EFFECT[effect]}${example === undefined ? '' : `, such as ${brief(example)} no longer`}`;
}

/** A field and the contexts in which that became of it: `title.raw in edit`. */
function shownWords({ subject, with: contexts = [] }: Change): string {
  return `${subject} in ${contexts.join(', ')}`;
}

function setWords(lost: readonly string[], gained: readonly string[]): string {
  return present([
    lost.length > 0 && `no longer has ${lost.join(', ')}`,
    gained.length > 0 && `has ${gained.join(', ')} now`,
  ]).join(', and ');
}
