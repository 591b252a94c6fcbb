import type { AnswerNotes, HeaderNotes, Tallies } from '../../client/observed/document.ts';
import { ELSEWHERE, RELATIVE } from '../../client/observed/head.ts';
import { loadObservedNames, type ObservedNames } from '../../specs/texts.ts';
import { type Difference, either, evidence, FEW, type Pair, share } from './difference.ts';

type HeaderName = ObservedNames['headers'][number];

/** Changes in the headers of accepted answers. */
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

/** A header that every answer had, and none has now. */
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

/** Words that all answers had and none has now, or the reverse. */
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

/** The words before and after; one side may have lost none. */
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

/** A link relation that lists of several pages, or all answers, had and none has now. */
function relationDifference({ name }: HeaderName, { was, is }: Pair<AnswerNotes>): Difference | undefined {
  const [then, now] = [was.headers[name]?.words ?? {}, is.headers[name]?.words ?? {}];
  const [paged, pagedNow] = [was.totals?.paged ?? 0, is.totals?.paged ?? 0];
  // First and last pages lack a relation by nature. A relation is missed only if a similar part of the list was read.
  const isAlike = 2 * pagedNow >= paged || !Object.keys(then).some((relation) => hasWord(now, relation));
  const isOneEnd = Object.keys(then).some((relation) => now[relation] === pagedNow);
  const isPagingSeen = paged >= FEW && pagedNow >= FEW && isAlike && !isOneEnd;
  const { relations } = loadObservedNames().totals;
  const lost = Object.keys(then).filter((relation) => {
    if (hasWord(now, relation) || hasWord(now, relation.replace(ELSEWHERE, '').replace(RELATIVE, '')))
      return false;
    const side = relations[relation];
    const due = side && is.totals?.[side];
    // If it is known how many pages have a neighbour, that number decides.
    if (due !== undefined) return due > 0 && (then[relation] ?? 0) > 0;
    const isOfAll = then[relation] === was.accepted && was.accepted >= FEW && is.accepted >= FEW;
    return isOfAll || (isPagingSeen && (then[relation] ?? 0) >= FEW);
  });
  if (lost.length === 0) return undefined;
  const led = [ELSEWHERE, RELATIVE].find((end) => lost.some((relation) => hasWord(now, relation + end)));
  const isConclusive = lost.some((relation) => {
    const side = relations[relation];
    return (side === undefined ? FEW : (is.totals?.[side] ?? FEW)) >= FEW && (then[relation] ?? 0) >= FEW;
  });
  return {
    kind: 'header-words',
    effect: isConclusive ? 'widens' : 'unknown',
    together: 'widens',
    subject: name,
    ...(led === undefined
      ? wordsBetween(lost, [])
      : { before: 'addresses of the site', after: `pages${led}` }),
    isRoot: true,
  };
}
