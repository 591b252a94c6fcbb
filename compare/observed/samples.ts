import type { AnswerNotes } from '../../client/observed/document.ts';
import { MOST_MEMBERS, UNDATED } from '../../client/observed/sample.ts';
import { joined, listed, present } from '../../engine/text.ts';
import { type ObservedNames, textsOf } from '../../specs/texts.ts';
import {
  type Answers,
  asOne,
  type Difference,
  differing,
  either,
  evidence,
  FAULTY,
  FEW,
  isInside,
  MOST_NAMES,
  outOf,
  RENDERED,
  SEVERAL,
  SOMETIMES,
} from './difference.ts';
import { SampledRecord, SharedRecords } from './shared-records.ts';

type Mark = ObservedNames['marks'][number];

const MOST_MARKS = 2;

/**
 * Unmodified records that are rendered otherwise, or in another order.
 * @param explained members that other changes are about
 * @param ofSameList the same records, read as other callers or in other contexts
 * @param andAbove these and the lists above them
 * @param isNamingOthers whether a list of texts may name other records, some of which somebody changed
 */
export function compareSamples(
  pair: Answers,
  explained: ReadonlySet<string>,
  ofSameList: readonly Answers[] = [],
  andAbove: readonly Answers[] = [],
  isNamingOthers = false,
): Difference[] {
  const { was, is } = pair;
  const shared = new SharedRecords(pair);
  if (was.sample === undefined || is.sample === undefined) return [];
  const otherCallers = ofSameList.filter((other) => other.is.context === is.context && other.is !== is);
  // What two callers saw differently, before and after, may differ each time, as random content does.
  const random = otherCallers.map((other) =>
    membersBetween(was, other.was).intersection(membersBetween(is, other.is)),
  );
  const names = was.sample.members
    .filter((name) => ![explained, ...random].some((left) => left.has(name)))
    .filter((name) => !andAbove.some((answers) => isMoving(name, answers)))
    .filter((name) => !(isNamingOthers && isOfTexts(name, pair)))
    .sort();
  const rendered = renderedOtherwise(shared, names).map((difference) => ({
    ...difference,
    after: difference.after ?? howRendered(difference.subject, pair, shared),
  }));
  const every = is.method === 'GET' ? everyOtherwise(pair, shared, names, otherCallers) : [];
  const reported = new Set([...rendered, ...every].map(({ subject }) => subject));
  const faulty = faultyOf(pair, shared, names).filter(({ subject }) => !reported.has(subject));
  return present([
    joinLinks(rendered),
    joinLinks(every),
    faulty,
    redated(shared),
    orderedOtherwise(pair, shared),
  ]);
}

/** What is known of how unmodified records render a member otherwise. */
function howRendered(name: string, pair: Answers, shared: SharedRecords): string | undefined {
  if (isNumberIn(name, pair)) return RENDERED.numbers;
  const faults = faultsOf(name, pair, shared, FEW);
  if (faults.length > 0) return FAULTY + joined(faults, 'and');
  const { was, is } = pair;
  const [lost = [], gained = []] = [{ was: is, is: was }, pair].map((sides) =>
    marksOf(name, sides, FEW).map((mark) => mark.name),
  );
  const words = present([
    lost.length > 0 && `without ${listed(lost, MOST_MARKS)}`,
    gained.length > 0 && `with ${listed(gained, MOST_MARKS)}`,
  ]);
  return words.length === 0 ? undefined : words.join(', ');
}

/** What texts of a member hold now, and none held before. @param least in how many records */
function marksOf(name: string, { was, is }: Answers, least: number): Mark[] {
  const paths = Object.entries(is.members ?? {}).filter(([path]) => path === name || isInside(path, name));
  return textsOf('observed').marks.filter((mark) =>
    paths.some(([path, { marks = {} }]) => {
      const before = was.members?.[path];
      return before && before.marks?.[mark.name] === undefined && (marks[mark.name] ?? 0) >= least;
    }),
  );
}

/** The faults among them, in more records than are new or modified, which hold what somebody wrote. */
function faultsOf(name: string, pair: Answers, { all }: SharedRecords, enough = pair.is.records): string[] {
  const fresh = pair.is.records - all.filter((record) => !record.isModified).length;
  const faults = marksOf(name, pair, Math.min(fresh + 1, enough)).filter(({ isFault }) => isFault);
  return faults.map((mark) => mark.name);
}

/** Members of a few records, or of records without a date of change, that show what no text showed and no editor writes. */
function faultyOf(pair: Answers, shared: SharedRecords, names: readonly string[]): Difference[] {
  const known = shared.all.filter((record) => !record.isModified);
  return names.flatMap((name) => {
    const others = known.filter((record) => record.differenceIn(name) === 'value');
    const faults = others.length === 0 ? [] : faultsOf(name, pair, shared);
    if (faults.length === 0) return [];
    const evidence = `${outOf(others.length, known.length, 'record')} differ`;
    return [differing('answer-rendered', name, false, { after: FAULTY + joined(faults, 'and'), evidence })];
  });
}

/** Records with another date of change, although a second one, such as that in the zone of the site, is the same. */
function redated({ all }: SharedRecords): Difference | undefined {
  const [dating = '', ...others] = textsOf('observed').modified;
  const again = all.filter(({ was, is }) => {
    const hasSame = (name: string): boolean =>
      was.digestOf(name) !== undefined && was.digestOf(name) === is.digestOf(name);
    return was.isDated && is.isDated && others.some(hasSame);
  });
  const moved = again.filter((record) => record.isModified);
  if (moved.length < FEW) return undefined;
  const evidence = `${outOf(moved.length, again.length, 'record')} with the same ${either(others)}`;
  return differing('answer-rendered', dating, false, { evidence });
}

/** The members that two callers see differently in one run. */
function membersBetween(own: AnswerNotes, other: AnswerNotes): Set<string> {
  const shared = new SharedRecords({ was: own, is: other });
  return new Set([...shared.members].filter((name) => shared.otherwiseIn(name).length > 0));
}

/** Whether a member was left out of a sample because it changed from one reading to the next. Links have other reasons. */
function isMoving(name: string, { was, is }: Answers): boolean {
  const isLink = (path: string): boolean => path.startsWith(`${textsOf('observed').links}.`);
  return [was, is].some(({ members, sample }) => {
    const own = isLink(name) ? [] : (sample?.members.filter((path) => !isLink(path)) ?? []);
    const isWhole = own.length > 0 && own.length < MOST_MEMBERS;
    return isWhole && members?.[name] !== undefined && !own.includes(name);
  });
}

/** Whether somebody seems to have changed some of the records without a date of change, such as the names of terms, but not all. */
export function hasEdited(pair: Answers): boolean {
  const { undated } = new SharedRecords(pair);
  // Numbers count, and change where nobody edits.
  const names = pair.is.sample?.members.filter((name) => !isNumberIn(name, pair)) ?? [];
  const edited = undated.filter((record) => record.seemsModified(names));
  return edited.length > 0 && edited.length < undated.length;
}

function isOfTexts(name: string, { is }: Answers): boolean {
  return Object.keys(is.members?.[`${name}[]`]?.types ?? {}).join() === 'text';
}

function isNumberIn(name: string, pair: Answers): boolean {
  return hasOnly('types', /^(?:integer|fraction)$/, name, pair);
}

function isCount(name: string, pair: Answers): boolean {
  return isNumberIn(name, pair) && pair.was.members?.[name]?.types.fraction === undefined;
}

/** Whether all types of a member, or all forms of its texts, are known ones on both sides. */
function hasOnly(of: 'types' | 'texts', known: RegExp, name: string, { was, is }: Answers): boolean {
  return [was, is].every(({ members }) => {
    const kinds = Object.keys(members?.[name]?.[of] ?? {});
    return kinds.length > 0 && kinds.every((kind) => known.test(kind));
  });
}

/** Members that each of several records without a date of change shows otherwise, and the same in two readings of a run. */
function everyOtherwise(
  pair: Answers,
  { undated }: SharedRecords,
  names: readonly string[],
  otherCallers: readonly Answers[],
): Difference[] {
  if (undated.length < SEVERAL) return [];
  const isSteady = (name: string, side: 'was' | 'is'): boolean => {
    const again = undated.filter(({ id, [side]: own }) => {
      const isSame = ({ [side]: { sample } }: Answers): boolean =>
        sample !== undefined && new SampledRecord(sample, id).digestOf(name) === own.digestOf(name);
      return own.date === UNDATED.again || otherCallers.some(isSame);
    });
    return again.length >= SEVERAL;
  };
  const evidence = `${outOf(undated.length, undated.length, 'record')} without a date of change`;
  return (
    names
      // Integers count, and what is counted is content. Dates may be those of the answer.
      .filter((name) => !isCount(name, pair) && !hasOnly('texts', /^date-time/, name, pair))
      .filter((name) => undated.every((record) => record.hasOtherValue(name)))
      .filter((name) => isSteady(name, 'was') && isSteady(name, 'is'))
      .map((name) => differing('answer-rendered', name, false, { after: RENDERED.every, evidence }))
  );
}

function renderedOtherwise(shared: SharedRecords, names: readonly string[]): Difference[] {
  return names.flatMap((name) => {
    const others = shared.otherwiseIn(name);
    if (others.length === 0) return [];
    const examples = others.slice(0, MOST_NAMES).map(({ id }) => id);
    const evidence = `${others.length} of ${shared.unmodified.length} unmodified records, such as ${examples.join(', ')}`;
    // Nobody changed these records, so they have lost it.
    if (others.every(({ is }) => is.digestOf(name) === undefined))
      return [differing('answer-member-removed', name, true, { after: SOMETIMES, evidence })];
    const [way, ...ways] = new Set(others.map((record) => record.differenceIn(name)));
    const after = way === undefined || way === 'value' || ways.length > 0 ? undefined : RENDERED[way];
    return [differing('answer-rendered', name, false, { after, evidence })];
  });
}

function joinLinks(differences: readonly Difference[]): Difference[] {
  const prefix = `${textsOf('observed').links}.`;
  const isLink = ({ kind, subject }: Difference): boolean =>
    kind === 'answer-rendered' && subject.startsWith(prefix);
  const [first, ...more] = differences.filter(isLink);
  if (first === undefined || more.length === 0) return [...differences];
  const relations = [first, ...more].map(({ subject }) => subject.slice(prefix.length));
  return [...differences.filter((one) => !isLink(one)), asOne(first, `${prefix}*`, relations)];
}

/** The first page in another order. A record that only one side has there, and the other elsewhere, comes after it. */
function orderedOtherwise({ is }: Answers, { all, order }: SharedRecords) {
  const { was: then, is: now } = order;
  const isSame = then.toSorted().join() === now.toSorted().join();
  // A record that somebody changed may have another place.
  const members = is.sample?.members ?? [];
  const changed = new Set(all.filter((record) => record.seemsModified(members)).map(({ id }) => id));
  const steady = all.filter(
    ({ id, isUnmodified, isUndated }) => isUnmodified || (isUndated && !changed.has(id)),
  );
  const ids = isSame ? then.filter((id) => !changed.has(id)) : steady.map(({ id }) => id);
  const place = (of: readonly string[], id: string): number => (of.includes(id) ? of.indexOf(id) : of.length);
  const isSwapped = (id: string, other: string): boolean =>
    (place(then, id) - place(then, other)) * (place(now, id) - place(now, other)) < 0;
  const moved = ids.filter((id) => ids.some((other) => isSwapped(id, other)));
  if (then.length < 2 || now.length < 2 || moved.length < (isSame ? 1 : FEW)) return undefined;
  const first = (of: readonly string[]): string => of.slice(0, MOST_NAMES).join(', ');
  return differing('answer-order', 'the first page', false, { evidence: evidence(first(then), first(now)) });
}

/** What the records of lists do not tell: values if all records were modified, and whether missing ones were deleted. */
export function notesOnRecords(answers: readonly Answers[]): string[] {
  const lists = answers.filter((pair) => new SharedRecords(pair).areSampled);
  const byRoute = Map.groupBy(lists, ({ is }) => is.route);
  const redated = new Set(lists.flatMap((pair) => (areAllModified(pair) ? [pair.is.route] : [])));
  const missing = lists.flatMap((pair): [string, string][] => {
    const { route } = pair.is;
    const share = goneFrom(pair, byRoute.get(route));
    return share === undefined ? [] : [[route, share]];
  });
  const shares = [...new Map(missing)].map(([route, share]) => `${route} (${share})`);
  return present([
    redated.size > 0 &&
      `every record has another date of change, so values are not compared: ${listed([...redated], MOST_NAMES)}`,
    shares.length > 0 &&
      `lists lack records that they showed, and whether these were deleted or are hidden is not known: ${listed(shares, MOST_NAMES)}`,
  ]);
}

function areAllModified(pair: Answers): boolean {
  const { all } = new SharedRecords(pair);
  return all.length >= SEVERAL && all.every((record) => record.was.isDated && record.isModified);
}

/** So large a part of a page is seldom deleted, as a divisor. */
const LARGE = 3;

/** How many records of the first page the list shows nobody among those that it still shows, if they are many. */
function goneFrom(pair: Answers, shown: readonly Answers[] = []): string | undefined {
  const shared = new SharedRecords(pair);
  if (orderedOtherwise(pair, shared) !== undefined) return undefined;
  const { was: then, is: now } = shared.order;
  const known = new Set(
    shown.flatMap(({ is: { sample } }) => [...(sample?.order ?? []), ...Object.keys(sample?.records ?? {})]),
  );
  const before = then.slice(0, then.findLastIndex((id) => now.includes(id)) + 1);
  const gone = before.filter((id) => !known.has(id));
  const isMany = gone.length >= FEW && gone.length * LARGE >= before.length;
  return isMany ? outOf(gone.length, before.length, 'record') : undefined;
}
