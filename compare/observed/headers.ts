import type { HeaderNotes, Tallies } from '../../client/observed/document.ts';
import { ENDS } from '../../client/observed/headers.ts';
import { type ObservedNames, textsOf } from '../../specs/texts.ts';
import type { Answers, Difference } from './difference.ts';
import { differing, either, FEW, isReadableNow, SOMETIMES, shares } from './difference.ts';

const METHODS = 'allow';

type HeaderName = ObservedNames['headers'][number];

/** Changes in the headers of accepted answers. */
export function compareHeaders(pair: Answers): Difference[] {
  if (pair.was.accepted === 0 || pair.is.accepted === 0 || isReadableNow(pair)) return [];
  return textsOf('observed').headers.flatMap((name) => {
    const [was, is] = [pair.was.headers[name.name], pair.is.headers[name.name]];
    if (name.as === 'relations') return relationDifference(name, pair) ?? astrayDifference(name, pair) ?? [];
    if (name.name === METHODS && mayBeOfAnother(pair)) return [];
    if (was === undefined)
      return is?.seen === pair.is.accepted ? [differing('header-added', name.name, true)] : [];
    if (is === undefined) return removedHeader(name, was, pair) ?? [];
    return rarerHeader(name, pair, was, is) ?? wordDifference(name, was, is) ?? [];
  });
}

/** What a caller may do to a record depends on that record, and the first one may be another by now, or gone. */
function mayBeOfAnother({ was, is }: Answers): boolean {
  const seen = Math.min(was.headers[METHODS]?.seen ?? 0, is.headers[METHODS]?.seen ?? is.accepted);
  return seen < FEW && was.route.includes('{');
}

function removedHeader(
  name: HeaderName,
  { seen }: HeaderNotes,
  { was, is }: Answers,
): Difference | undefined {
  if (seen < was.accepted) return undefined;
  const isForCallers = name.for === 'callers';
  const isConclusive = isForCallers && Math.min(was.accepted, is.accepted) >= FEW;
  return differing('header-removed', name.name, isConclusive, {
    together: isForCallers ? 'widens' : undefined,
    evidence: shares('answer', [seen, was.accepted], [0, is.accepted]),
    isRoot: isConclusive,
  });
}

/** A header that callers found in every answer, and that some lack now, such as those from a cache. */
function rarerHeader(name: HeaderName, pair: Answers, was: HeaderNotes, is: HeaderNotes) {
  const lacking = pair.is.accepted - is.seen;
  const isOfAll = was.seen === pair.was.accepted && was.seen >= FEW;
  if (name.for !== 'callers' || !isOfAll || lacking < FEW - 1) return undefined;
  return differing('header-removed', name.name, lacking >= FEW, {
    together: 'widens',
    after: SOMETIMES,
    evidence: shares('answer', [was.seen, pair.was.accepted], [is.seen, pair.is.accepted]),
  });
}

function wordDifference(name: HeaderName, was: HeaderNotes, is: HeaderNotes): Difference | undefined {
  const lost = wordsOfAll(was).filter((word) => !hasWord(is.words, word));
  const gained = wordsOfAll(is).filter((word) => !hasWord(was.words, word));
  if (lost.length + gained.length === 0) return undefined;
  const isForCallers = name.for === 'callers';
  if (lost.length === 0 && isForCallers)
    return differing('header-added', `${name.name}: ${either(gained)}`, true);
  const isConclusive = isForCallers && Math.min(was.seen, is.seen) >= FEW;
  return differing('header-words', name.name, isConclusive, {
    ...wordsBetween(lost, gained),
    together: isForCallers ? 'incomparable' : undefined,
    isRoot: isConclusive,
  });
}

function wordsBetween(
  lost: readonly string[],
  gained: readonly string[],
): Pick<Difference, 'before' | 'after'> {
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

/** Links between pages that led to the next ones, and lead elsewhere now. A client that follows them repeats or misses records. */
function astrayDifference({ name }: HeaderName, { was, is }: Answers): Difference | undefined {
  const [then, now] = [was.totals, is.totals];
  const [chosen, chosenNow] = [then?.chosen, now?.chosen];
  const elsewhere = (isSure: boolean, words: Pick<Difference, 'before' | 'after' | 'evidence'>): Difference =>
    differing('header-words', name, isSure, { ...words, together: 'incomparable', isRoot: true });
  if (chosen?.lost === 0 && chosenNow !== undefined && chosenNow.lost > 0)
    return elsewhere(chosenNow.lost >= FEW && chosenNow.kept === 0, {
      before: 'pages of the same list',
      after: 'pages of a list without an argument of the request',
      evidence: shares('page', [0, chosen.kept], [chosenNow.lost, chosenNow.kept + chosenNow.lost]),
    });
  if (then?.astray !== 0 || now?.astray === undefined || now.astray === 0) return undefined;
  if (then.paged === 0 || then.untrue > 0 || now.untrue > 0) return undefined;
  return elsewhere(now.astray * 2 >= now.paged, {
    before: 'the pages before and after',
    after: 'other pages',
    evidence: shares('page', [0, then.paged], [now.astray, Math.max(now.astray, now.paged)]),
  });
}

function relationDifference({ name }: HeaderName, { was, is }: Answers): Difference | undefined {
  const [then, now] = [was.headers[name]?.words ?? {}, is.headers[name]?.words ?? {}];
  const [paged, pagedNow] = [was.totals?.paged ?? 0, is.totals?.paged ?? 0];
  // First and last pages lack a relation by nature. A relation is missed only if a similar part of the list was read.
  const isAlike = 2 * pagedNow >= paged || !Object.keys(then).some((relation) => hasWord(now, relation));
  const isOneEnd = Object.keys(then).some((relation) => now[relation] === pagedNow);
  const isPagingSeen = paged >= FEW && pagedNow >= FEW && isAlike && !isOneEnd;
  const { relations } = textsOf('observed').totals;
  const lost = Object.keys(then).filter((relation) => {
    const seen = then[relation] ?? 0;
    const bare = Object.values(ENDS).reduce<string>((left, end) => left.replace(end, ''), relation);
    // Earlier versions did not distinguish schemes.
    const isKnown = relation === bare + ENDS.elsewhere && hasWord(now, bare + ENDS.otherScheme);
    if (hasWord(now, relation) || hasWord(now, bare) || isKnown) return false;
    const due = relations[relation] && is.totals?.[relations[relation]];
    // If it is known how many pages have a neighbour, that number decides.
    if (due !== undefined) return due > 0 && seen > 0;
    // Software may send a relation only where it links no pages, and all answers now may be such pages.
    if (pagedNow === is.accepted && seen <= was.accepted - paged) return false;
    const isOfAll = seen === was.accepted && was.accepted >= FEW && is.accepted >= FEW;
    return isOfAll || (isPagingSeen && seen >= FEW);
  });

  if (lost.length === 0) return undefined;
  const led = Object.values(ENDS).find((end) => lost.some((relation) => hasWord(now, relation + end)));
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
