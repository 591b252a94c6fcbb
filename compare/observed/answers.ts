import { ELSEWHERE } from '../../client/observed/head.ts';
import type { AnswerNotes, HeaderNotes, Tallies } from '../../engine/result.ts';
import { loadObservedNames, type ObservedNames } from '../../specs/texts.ts';
import type { Change } from '../change.ts';
import { type Difference, either, evidence, FEW, type Pair, share } from './difference.ts';
import { hiddenDifference, rightDifference, statusOf } from './rights.ts';

type HeaderName = ObservedNames['headers'][number];

/** What became of answers as wholes: who gets them, their form, status and totals. */
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
  ].flatMap((one) => one ?? []);
}

/** What does not pass by itself: it is gone, elsewhere, or not made at all. */
const LASTING = /^(?:3\d\d|404|405|410|501)$/;

/**
 * Answered before, for the most part, and refused now, always. A record that is not there any more says nothing of its route, nor does
 * one that is looked up by its address.
 */
function refusedDifference(was: AnswerNotes, is: AnswerNotes): Difference | undefined {
  const statuses = Object.keys(is.statuses);
  const [asked, refused] = [was, is].map(({ statuses: all }) => sumOf(all));
  if (asked === undefined || refused === undefined || refused === 0) return undefined;
  if (is.accepted > 0 || was.accepted * 2 < asked || was.accepted === 0) return undefined;
  if (was.route.includes('{') && statuses.some((status) => status.startsWith('4'))) return undefined;
  if (was.forms.object !== undefined && statuses.every((status) => /^40[04]$/.test(status))) return undefined;
  const isEvident = refused >= FEW || statuses.every((status) => LASTING.test(status));
  return {
    kind: 'answer-refused',
    effect: isEvident ? 'narrows' : 'unknown',
    together: 'narrows',
    subject: 'the request',
    before: either(Object.keys(was.statuses).filter((status) => status.startsWith('2'))),
    after: either(statuses),
    evidence: evidence(share(was.accepted, asked, 'request'), share(is.accepted, refused, 'request')),
    isRoot: true,
  };
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
  // There it shows who sees less than the list has.
  if (statusOf(was) !== undefined) return hiddenDifference({ was, is });
  const [then, now] = [was.totals, is.totals].map(({ true: right, untrue }) => ({
    untrue,
    all: right + untrue,
  }));
  if (then === undefined || now === undefined || then.untrue > 0) return undefined;
  // An untrue total of some pages is no accident either: it is of the same answer as its records.
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

/** Records on several pages of a list, where each was on one. */
function repeatedDifference(
  { totals: was }: AnswerNotes,
  { totals: is }: AnswerNotes,
): Difference | undefined {
  const { before: pages = 0, repeated } = was ?? {};
  const { before: pagesNow = 0, repeated: now = 0 } = is ?? {};
  if (repeated !== 0 || now === 0 || pages === 0) return undefined;
  const isOfMost = now * 2 >= pagesNow;
  return {
    kind: 'answer-repeated',
    effect: isOfMost && now >= FEW ? 'incomparable' : 'unknown',
    ...(isOfMost && { together: 'incomparable' }),
    subject: 'pages',
    isRoot: true,
    evidence: evidence(share(0, pages, 'further page'), share(now, pagesNow, 'further page')),
  };
}

/** What became of the headers of accepted answers. */
export function compareHeaders(pair: Pair<AnswerNotes>, names: readonly HeaderName[]): Difference[] {
  if (pair.was.accepted === 0 || pair.is.accepted === 0) return [];
  return names.flatMap((name) => {
    const [was, is] = [pair.was.headers[name.name], pair.is.headers[name.name]];
    if (name.as === 'relations') return relationDifference(name, pair) ?? [];
    if (was === undefined && is === undefined) return [];
    if (was === undefined) return addedHeader(name, is, pair.is.accepted);
    if (is === undefined) return removedHeader(name, was, pair);
    return wordDifference(name, was, is) ?? [];
  });
}

function addedHeader({ name }: HeaderName, is: HeaderNotes | undefined, accepted: number): Difference[] {
  return is?.seen === accepted ? [{ kind: 'header-added', effect: 'narrows', subject: name }] : [];
}

/** A header that every answer had, and none has. */
function removedHeader(name: HeaderName, was: HeaderNotes, pair: Pair<AnswerNotes>): Difference[] {
  if (was.seen < pair.was.accepted) return [];
  const isForCallers = name.for === 'callers';
  const isConclusive = isForCallers && Math.min(pair.was.accepted, pair.is.accepted) >= FEW;
  return [
    {
      kind: 'header-removed',
      effect: isConclusive ? 'widens' : 'unknown',
      ...(isForCallers && { together: 'widens' as const }),
      subject: name.name,
      evidence: evidence(share(was.seen, pair.was.accepted, 'answer'), share(0, pair.is.accepted, 'answer')),
      ...(isConclusive && { isRoot: true }),
    },
  ];
}

/** Words that all of them had before and none has, and the other way round. */
function wordDifference(name: HeaderName, was: HeaderNotes, is: HeaderNotes): Difference | undefined {
  const lost = wordsOfAll(was).filter((word) => !hasWord(is.words, word));
  const gained = wordsOfAll(is).filter((word) => !hasWord(was.words, word));
  if (lost.length + gained.length === 0) return undefined;
  const seen = Math.min(was.seen, is.seen);
  const isConclusive = name.for === 'callers' && seen >= FEW;
  if (lost.length === 0 && name.for === 'callers') {
    return { kind: 'header-added', effect: 'narrows', subject: `${name.name}: ${either(gained)}` };
  }
  return {
    kind: 'header-words',
    effect: isConclusive ? 'incomparable' : 'unknown',
    subject: name.name,
    ...wordsBetween(lost, gained),
    ...(isConclusive && { isRoot: true }),
  };
}

/** From which words to which, where one side may have lost none. */
function wordsBetween(
  lost: readonly string[],
  gained: readonly string[],
): { readonly before: string; readonly after: string } {
  const [went, came] = [lost.join(', '), gained.join(', ')];
  if (came === '') return { before: `with ${went}`, after: `without ${went}` };
  return went === '' ? { before: `without ${came}`, after: `with ${came}` } : { before: went, after: came };
}

function wordsOfAll({ seen, words = {} }: HeaderNotes): string[] {
  return Object.keys(words).filter((word) => words[word] === seen);
}

function hasWord(words: Tallies | undefined, word: string): boolean {
  return words !== undefined && Object.hasOwn(words, word);
}

/** A relation of links that lists of several pages had, or all answers, and none such has. */
function relationDifference({ name }: HeaderName, { was, is }: Pair<AnswerNotes>): Difference | undefined {
  const [then, now] = [was.headers[name]?.words ?? {}, is.headers[name]?.words ?? {}];
  const [paged, pagedNow] = [was.totals?.paged ?? 0, is.totals?.paged ?? 0];
  // First pages lack one relation by nature, and last ones another: one is missed only where as much of the list was asked.
  const isAlike = 2 * pagedNow >= paged || !Object.keys(then).some((relation) => hasWord(now, relation));
  const isOneEnd = Object.keys(then).some((relation) => now[relation] === pagedNow);
  const isPagingSeen = paged >= FEW && pagedNow >= FEW && isAlike && !isOneEnd;
  const { relations } = loadObservedNames().totals;
  const lost = Object.keys(then).filter((relation) => {
    if (hasWord(now, relation) || hasWord(now, relation.replace(ELSEWHERE, ''))) return false;
    const side = relations[relation];
    const due = side && is.totals?.[side];
    // Where it is known how many pages have another one beside them, that decides, however much was asked.
    if (due !== undefined) return due > 0 && (then[relation] ?? 0) > 0;
    const isOfAll = then[relation] === was.accepted && was.accepted >= FEW && is.accepted >= FEW;
    return isOfAll || (isPagingSeen && (then[relation] ?? 0) >= FEW);
  });
  if (lost.length === 0) return undefined;
  const isElsewhere = lost.some((relation) => hasWord(now, relation + ELSEWHERE));
  const isConclusive = lost.some((relation) => {
    const side = relations[relation];
    return (side === undefined ? FEW : (is.totals?.[side] ?? FEW)) >= FEW && (then[relation] ?? 0) >= FEW;
  });
  return {
    kind: 'header-words',
    effect: isConclusive ? 'widens' : 'unknown',
    together: 'widens',
    subject: name,
    ...(isElsewhere
      ? { before: 'addresses of the site', after: `pages${ELSEWHERE}` }
      : wordsBetween(lost, [])),
    isRoot: true,
  };
}

const MOST_IDS = 5;

type Sample = NonNullable<AnswerNotes['sample']>;

/**
 * Records that nobody changed and that are rendered otherwise, and a first page of the same records in another order. Whether
 * callers notice is unknown.
 * @param explained members of which something else is said
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
    // What a single record shows otherwise is its own.
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

const RIGHTS: ReadonlySet<string> = new Set(['right-lost', 'right-exposed', 'right-gained']);
/** What decides how everything else about a route looks. */
const ROOTS: ReadonlySet<string> = new Set([...RIGHTS, 'answer-refused', 'answer-unreadable', 'answer-form']);

/**
 * Everything at its root: what refusals of a route look like follows from how it is answered at all, which methods it allows from a
 * right that somebody lost or gained, and what embedded records lack from what records lack.
 */
export function withRoots(changes: readonly Change[]): Change[] {
  return changes.map((one) => {
    const root = changes.find((other) => other !== one && isRootOf(other, one));
    return root === undefined ? one : { ...one, cause: root.id };
  });
}

function isRootOf(root: Change, one: Change): boolean {
  if (one.subject.startsWith('_embedded.') && one.subject.endsWith(`].${root.subject}`)) {
    return root.kind === one.kind && !root.subject.startsWith('_embedded.');
  }
  if (root.calls === undefined || root.calls.route !== one.calls?.route) return false;
  const isSharedBy = (callers: readonly string[] = []): boolean =>
    callers.every((caller) => root.calls?.callers?.some((other) => other === caller));
  if (one.kind.startsWith('header-') && one.subject.startsWith('allow')) {
    return RIGHTS.has(root.kind) && isSharedBy(one.calls.callers);
  }
  // Totals that are untrue for everybody say nothing of rights, and texts that are shown now were not rendered otherwise.
  if (root.kind === 'answer-totals') return one.kind === 'right-lost' && one.before === 'the list';
  if (one.kind === 'answer-rendered') return root.kind === 'right-exposed' && root.after === 'an answer';
  // HEAD shows the type of a page alone.
  if (one.subject === 'the content type of refusals' && root.kind === 'answer-unreadable') return true;
  const isOfRefusals =
    one.kind.startsWith('refusal-') || (one.kind === 'answer-unreadable' && one.subject !== root.subject);
  // Of another form are other answers, with other headers, and without the members that were chosen.
  const isOfForm =
    root.kind === 'answer-form' && (one.kind === 'header-removed' || one.kind === 'answer-chosen');
  return (
    (isOfRefusals || isOfForm) &&
    ROOTS.has(root.kind) &&
    !root.subject.startsWith('the body of') &&
    (isOfForm || root.calls.methods.some((method) => one.calls?.methods.includes(method))) &&
    isSharedBy(one.calls.callers)
  );
}
