import type { AnswerNotes, Tallies } from '../../client/observed/document.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import { type Difference, either, evidence, FEW, OTHERS, type Pair, share } from './difference.ts';
import { hiddenDifference, howAsked, rightDifference, statusOf } from './rights.ts';

/** Changes of whole answers: who receives them, their form, status and totals. */
export function compareWholes({ was, is }: Pair<AnswerNotes>): Difference[] {
  const right = rightDifference({ was, is });
  if (right !== undefined) return [right];
  const refused = refusedDifference(was, is);
  if (refused !== undefined) return [refused];
  if (was.accepted === 0 || is.accepted === 0) return [];
  const unreadable = unreadableDifference(was, is);
  if (unreadable !== undefined) return [unreadable];
  return [
    formDifference(was, is),
    statusDifference(was, is),
    totalsDifference(was, is),
    repeatedDifference(was, is),
    partlyRefused(was, is),
  ].flatMap((one) => one ?? []);
}

/** Limits that people choose are multiples of this. */
const ROUND = 5;

/** Statuses that are not temporary: the route is gone, elsewhere, or not implemented. */
const LASTING = /^(?:3\d\d|404|405|410|501)$/;

/**
 * A route that mostly answered before and always refuses now. A missing record says nothing about its route, nor does a
 * record that is looked up by its address.
 */
function refusedDifference(was: AnswerNotes, is: AnswerNotes): Difference | undefined {
  const statuses = Object.keys(is.statuses);
  const [asked, refused] = [was, is].map(({ statuses: all }) => sumOf(all));
  if (asked === undefined || refused === undefined || refused === 0) return undefined;
  if (is.accepted > 0 || was.accepted * 2 < asked || was.accepted === 0) return undefined;
  if (statuses.includes('304')) return undefined;
  if (was.route.includes('{') && statuses.some((status) => status.startsWith('4'))) return undefined;
  if (was.forms.object !== undefined && statuses.every((status) => /^40[04]$/.test(status))) return undefined;
  // Both sides send such requests in the same way.
  const isLasting = (status: string): boolean =>
    LASTING.test(status) || (was.with !== undefined && status === '400');
  const isEvident = refused >= FEW || statuses.every(isLasting);
  const how = howAsked(was) ?? (was.with && `with ${was.with.join(' and ')}`);
  return {
    kind: 'answer-refused',
    effect: isEvident ? 'narrows' : 'unknown',
    together: 'narrows',
    subject: how ?? 'the request',
    ...(how !== undefined && { within: 'the request' }),
    before: either(Object.keys(was.statuses).filter((status) => status.startsWith('2'))),
    after: either(statuses),
    evidence: evidence(share(was.accepted, asked, 'request'), share(is.accepted, refused, 'request')),
    isRoot: true,
  };
}

/** The fewest requests for a list that are denied or fail now, if all earlier ones were answered or invalid. */
const OFTEN = 10;
export const SOME = 'some requests';

function partlyRefused(was: AnswerNotes, is: AnswerNotes): Difference | undefined {
  if (was.route.includes('{') || was.method !== 'GET') return undefined;
  const refusals = ({ statuses }: AnswerNotes): [string, number][] =>
    Object.entries(statuses).flatMap(([status, count = 0]): [string, number][] =>
      /^(?:40[13]|5\d\d)$/.test(status) ? [[status, count]] : [],
    );
  const [asked, askedNow] = [sumOf(was.statuses), sumOf(is.statuses)];
  const now = refusals(is).reduce((sum, [, count]) => sum + count, 0);
  if (refusals(was).length > 0 || asked < FEW || now < 2 || now * OFTEN < askedNow) return undefined;
  // Requests that were refused before are refused for another reason now, and failures are retried.
  if (was.accepted * Math.min(1, askedNow / asked) - is.accepted < 2) return undefined;
  return {
    kind: 'answer-refused',
    effect: 'unknown',
    subject: SOME,
    after: either(refusals(is).map(([status]) => status)),
    evidence: evidence(share(0, asked, 'request'), share(now, askedNow, 'request')),
  };
}

/**
 * A list whose records can no longer be read one by one. Children of records are left out, because their
 * existence depends on the content.
 */
export function recordsRefused(
  { was, is }: Pair<AnswerNotes>,
  list: Pair<AnswerNotes> | undefined,
): Difference[] {
  const isRecord = is.method === 'GET' && /^[^{]*\/\{[^/]*\}$/.test(is.route) && is.with === undefined;
  if (!isRecord || list === undefined || list.is.records === 0 || list.is.forms.list === undefined) return [];
  const refused = sumOf(is.statuses);
  const isGone = Object.keys(is.statuses).every((status) => /^4(?:00|04|10)$/.test(status));
  if (was.accepted === 0 || is.accepted > 0 || refused === 0 || !isGone) return [];
  return [
    {
      kind: 'answer-refused',
      effect: was.accepted < FEW || refused < FEW ? 'unknown' : 'narrows',
      together: 'narrows',
      subject: 'records of a list',
      before: either(Object.keys(was.statuses).filter((status) => status.startsWith('2'))),
      after: either(Object.keys(is.statuses)),
      evidence: evidence(`${was.accepted} answered`, `${share(0, refused, 'request')} answered`),
      isRoot: true,
    },
  ];
}

function sumOf(tallies: Tallies): number {
  return Object.values(tallies).reduce((sum: number, count = 0) => sum + count, 0);
}

function unreadableDifference(was: AnswerNotes, is: AnswerNotes): Difference | undefined {
  const now = is.forms.unreadable ?? 0;
  if (was.forms.unreadable !== undefined || now === 0) return undefined;
  return {
    kind: 'answer-unreadable',
    effect: 'incomparable',
    subject: 'the body',
    before: 'JSON',
    after: either(Object.keys(is.around ?? {})),
    evidence: evidence(share(0, was.accepted, 'answer'), share(now, is.accepted, 'answer')),
    isRoot: true,
  };
}

function formDifference(was: AnswerNotes, is: AnswerNotes): Difference | undefined {
  const [then, now] = [Object.keys(was.forms), Object.keys(is.forms)];
  const bare = now.filter((form) => (form === 'value' || form === 'nothing') && !then.includes(form));
  if (bare.length > 0) return changed('answer-form', 'the answer', then, bare);
  const isOfRecords = then.includes('list') && is.records > 0 && was.members !== undefined;
  if (isOfRecords && now.includes(OTHERS) && !then.includes(OTHERS))
    return changed('answer-form', 'the answer', ['list of objects'], [OTHERS]);
  if (now.includes('refusal') && !then.includes('refusal'))
    return changed('answer-form', 'the answer', then, ['refusal']);
  if (now.some((form) => then.includes(form))) return undefined;
  return changed('answer-form', 'the answer', then, now);
}

function statusDifference(was: AnswerNotes, is: AnswerNotes): Difference | undefined {
  const successes = ({ statuses }: AnswerNotes): string[] =>
    Object.keys(statuses).filter((status) => status.startsWith('2'));
  const [then, now] = [successes(was), successes(is)];
  if (now.some((status) => then.includes(status))) return undefined;
  return changed('answer-status', 'the status of success', then, now);
}

function changed(
  kind: 'answer-form' | 'answer-status',
  subject: string,
  then: readonly string[],
  now: readonly string[],
): Difference {
  return {
    kind,
    effect: 'incomparable',
    subject,
    before: either(then),
    after: either(now),
    isRoot: true,
  };
}

function totalsDifference(was: AnswerNotes, is: AnswerNotes): Difference | undefined {
  if (was.totals === undefined || is.totals === undefined) return undefined;
  // Such a list shows that a caller sees fewer records.
  if (statusOf(was) !== undefined) return hiddenDifference({ was, is });
  const [then, now] = [was.totals, is.totals].map(({ true: right, untrue }) => ({
    untrue,
    all: right + untrue,
  }));
  if (then === undefined || now === undefined || then.untrue > 0) return undefined;
  const { cap = 1, true: whole } = is.totals;
  // If no page is complete, the total is wrong.
  if (cap % ROUND === 0 && (whole > 0 || is.with !== undefined)) return cappedDifference(cap);
  // Totals that are wrong on a few pages may be an accident; on several they are not, because a total is in the
  // same answer as its records.
  if (now.untrue < Math.min(FEW - 1, now.all)) return undefined;
  const isOfMost = now.untrue >= Math.min(FEW, now.all) && now.untrue * 2 >= now.all;
  return {
    kind: 'answer-totals',
    effect: isOfMost ? 'incomparable' : 'unknown',
    subject: 'totals',
    evidence: evidence(share(then.untrue, then.all, 'list'), share(now.untrue, now.all, 'list')).replaceAll(
      ' lists',
      ' lists untrue',
    ),
    isRoot: true,
  };
}

/** Pages that ended at the requested size, and now end at a smaller round number. */
function cappedDifference(cap: number): Difference {
  return {
    kind: 'answer-fewer',
    effect: 'narrows',
    subject: loadObservedNames().totals.size,
    after: String(cap),
    isRoot: true,
  };
}

/** Records that are twice in a list, and were there once. */
function repeatedDifference(
  { totals: was }: AnswerNotes,
  { totals: is }: AnswerNotes,
): Difference | undefined {
  if (was === undefined || is === undefined) return undefined;
  const of = ({ true: right, untrue }: typeof was): number => right + untrue;
  return (
    repeatedOn('pages', 'further page', [was.before, was.repeated], [is.before, is.repeated]) ??
    repeatedOn('one page', 'page', [of(was), was.twice], [of(is), is.twice])
  );
}

type CountedPages = readonly [all: number | undefined, repeated: number | undefined];

function repeatedOn(
  subject: string,
  noun: string,
  [pages = 0, repeated]: CountedPages,
  [pagesNow = 0, now = 0]: CountedPages,
): Difference | undefined {
  if (repeated !== 0 || now === 0 || pages === 0) return undefined;
  const isOfMost = now * 2 >= pagesNow;
  return {
    kind: 'answer-repeated',
    effect: isOfMost && now >= FEW ? 'incomparable' : 'unknown',
    ...(isOfMost && { together: 'incomparable' }),
    subject,
    isRoot: true,
    evidence: evidence(share(0, pages, noun), share(now, pagesNow, noun)),
  };
}

const MOST_IDS = 5;

type Sample = NonNullable<AnswerNotes['sample']>;

/**
 * Unchanged records that are rendered differently, and a first page with the same records in another order. Whether
 * callers notice is unknown.
 * @param explained members of other changes
 */
export function compareSamples({ was, is }: Pair<AnswerNotes>, explained: ReadonlySet<string>): Difference[] {
  const [then, now] = [was.sample, is.sample];
  if (then === undefined || now === undefined) return [];
  return [...renderedOtherwise(then, now, explained), ...orderedOtherwise(then, now)];
}

function renderedOtherwise(was: Sample, is: Sample, explained: ReadonlySet<string>): Difference[] {
  const shared = was.members.filter((name) => is.members.includes(name) && !explained.has(name));
  const unmodified = Object.entries(was.records).flatMap(([id, record]) => {
    const [then, now] = [record.split(' '), is.records[id]?.split(' ') ?? []];
    return then[0] === now[0] ? [{ id, then, now }] : [];
  });
  return shared.toSorted().flatMap((name) => {
    const [at, atNow] = [was.members.indexOf(name) + 1, is.members.indexOf(name) + 1];
    const ids = unmodified.flatMap(({ id, then, now }) => (then[at] === now[atNow] ? [] : [id]));
    // A difference of a single record may be its own.
    if (ids.length < FEW) return [];
    const some = ids.slice(0, MOST_IDS).join(', ');
    const evidence = `${ids.length} of ${unmodified.length} unmodified records, such as ${some}`;
    return [{ kind: 'answer-rendered', effect: 'unknown', subject: name, evidence }];
  });
}

function orderedOtherwise({ order: was = [] }: Sample, { order: is = [] }: Sample): Difference[] {
  const isSame = was.length > 1 && was.toSorted().join() === is.toSorted().join();
  if (!isSame || was.join() === is.join()) return [];
  return [
    {
      kind: 'answer-order',
      effect: 'unknown',
      subject: 'the first page',
      evidence: `${was.slice(0, MOST_IDS).join(', ')} before, ${is.slice(0, MOST_IDS).join(', ')} after`,
    },
  ];
}
