import type { AnswerNotes } from '../../client/observed/document.ts';
import { differenceOfDigests, MOST_MEMBERS, NONE, UNDATED } from '../../client/observed/sample.ts';
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
  outermost,
  outOf,
  type Pair,
  RENDERED,
  SEVERAL,
  SOMETIMES,
} from './difference.ts';

type Sample = NonNullable<AnswerNotes['sample']>;
type Samples = Pair<Sample>;
type Mark = ObservedNames['marks'][number];

const MOST_IDS = 5;
const MOST_NAMES = 5;
const MOST_MARKS = 2;

/** A record in the sample of one run. */
class SampledRecord {
  readonly date: string;
  readonly isDated: boolean;
  readonly #members: readonly string[];
  readonly #digests: readonly string[];

  constructor({ members, records }: Sample, id: string) {
    const [date = UNDATED.once, ...digests] = records[id]?.split(' ') ?? [];
    this.date = date;
    this.isDated = date !== UNDATED.once && date !== UNDATED.again;
    this.#members = members;
    this.#digests = digests;
  }

  /** The digest of a member; undefined without one. */
  digestOf(name: string): string | undefined {
    const digest = this.#digests[this.#members.indexOf(name)];
    return digest === NONE ? undefined : digest;
  }
}

interface SharedRecord extends Pair<SampledRecord> {
  readonly id: string;
}

function samplesOf({ was: { sample: was }, is: { sample: is } }: Answers): Samples | undefined {
  return was && is && { was, is };
}

function sharedRecords({ was, is }: Samples): SharedRecord[] {
  const shared = Object.keys(was.records).filter((id) => is.records[id] !== undefined);
  return shared.map((id) => ({ id, was: new SampledRecord(was, id), is: new SampledRecord(is, id) }));
}

/** Records of both samples with the same date of change. */
export function unmodifiedOf(samples: Samples): SharedRecord[] {
  return sharedRecords(samples).filter(({ was, is }) => was.date === is.date && was.isDated);
}

/** What the records that nobody modified say of a list. Content does not explain what all of several show. */
export interface SameRecords {
  readonly count: number;
  /** Whether any record is known by its values. */
  readonly areSampled: boolean;
  /** Whether any record says when it was changed. */
  readonly areDated: boolean;
  /** Whether several of them show the member around a path otherwise than before. */
  isOtherwise(path: string): boolean;
}

/** Finds those records in the samples of a list. */
export function sameRecordsOf(pair: Answers): SameRecords {
  const samples = samplesOf(pair);
  const areDated = [pair.was.sample, pair.is.sample].some(
    (sample) => sample && Object.keys(sample.records).some((id) => new SampledRecord(sample, id).isDated),
  );
  return {
    count: samples === undefined ? 0 : unmodifiedOf(samples).length,
    areSampled: samples !== undefined,
    areDated,
    isOtherwise: (path) => samples !== undefined && renderedOtherwise(samples, [outermost(path)]).length > 0,
  };
}

/**
 * Unmodified records that are rendered otherwise, or in another order.
 * @param explained members that other changes are about
 * @param others the same records, read as other callers or in other contexts
 * @param near these and the lists above them
 * @param isNamingOthers whether a list of texts may name other records, some of which somebody changed
 */
export function compareSamples(
  pair: Answers,
  explained: ReadonlySet<string>,
  others: readonly Answers[] = [],
  near: readonly Answers[] = [],
  isNamingOthers = false,
): Difference[] {
  const samples = samplesOf(pair);
  if (samples === undefined) return [];
  const { is } = pair;
  const otherCallers = others.filter((other) => other.is.context === is.context && other.is !== is);
  // What two callers saw differently, before and after, may differ each time, as random content does.
  const random = otherCallers.map((other) =>
    membersBetween(samples.was, other.was.sample).intersection(membersBetween(samples.is, other.is.sample)),
  );
  const names = samples.was.members
    .filter((name) => ![explained, ...random].some((left) => left.has(name)))
    .filter((name) => !near.some((answers) => isMoving(name, answers)))
    .filter((name) => !(isNamingOthers && isOfTexts(name, pair)))
    .sort();
  const rendered = renderedOtherwise(samples, names).map((difference) => ({
    ...difference,
    after: difference.after ?? howRendered(difference.subject, pair, samples),
  }));
  const every = is.method === 'GET' ? everyOtherwise(pair, samples, names, otherCallers) : [];
  const reported = new Set([...rendered, ...every].map(({ subject }) => subject));
  const faulty = faultyOf(pair, samples, names).filter(({ subject }) => !reported.has(subject));
  return [
    ...joinLinks(rendered),
    ...joinLinks(every),
    ...faulty,
    ...redated(samples),
    ...orderedOtherwise(samples),
  ];
}

/** What is known of how unmodified records render a member otherwise. */
function howRendered(name: string, pair: Answers, samples: Samples): string | undefined {
  if (isNumberIn(name, pair)) return RENDERED.numbers;
  const faults = faultsOf(name, pair, samples, FEW);
  if (faults.length > 0) return FAULTY + joined(faults, 'and');
  const { was, is } = pair;
  const [lost, gained] = [{ was: is, is: was }, pair].map((sides) =>
    marksOf(name, sides, FEW).map((mark) => mark.name),
  );
  const words = present([
    lost && lost.length > 0 && `without ${listed(lost, MOST_MARKS)}`,
    gained && gained.length > 0 && `with ${listed(gained, MOST_MARKS)}`,
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
function faultsOf(name: string, pair: Answers, samples: Samples, enough = pair.is.records): string[] {
  const fresh = pair.is.records - knownOf(samples).length;
  const faults = marksOf(name, pair, Math.min(fresh + 1, enough)).filter(({ isFault }) => isFault);
  return faults.map((mark) => mark.name);
}

/** Records of both samples of which nobody knows a modification. */
function knownOf(samples: Samples): SharedRecord[] {
  return sharedRecords(samples).filter(({ was, is }) => was.date === is.date || !is.isDated);
}

/** Members of a few records, or of records without a date of change, that show what no text showed and no editor writes. */
function faultyOf(pair: Answers, samples: Samples, names: readonly string[]): Difference[] {
  const known = knownOf(samples);
  return names.flatMap((name) => {
    const others = known.filter(
      ({ was, is }) => differenceOfDigests(was.digestOf(name), is.digestOf(name)) === 'value',
    );
    const faults = others.length === 0 ? [] : faultsOf(name, pair, samples);
    if (faults.length === 0) return [];
    const evidence = `${outOf(others.length, known.length, 'record')} differ`;
    return [differing('answer-rendered', name, false, { after: FAULTY + joined(faults, 'and'), evidence })];
  });
}

/** Records with another date of change, although a second one, such as that in the zone of the site, is the same. */
function redated(samples: Samples): Difference[] {
  const [dating = '', ...others] = textsOf('observed').modified;
  const shared = sharedRecords(samples).filter(({ was, is }) => was.isDated && is.isDated);
  const again = shared.filter(({ was, is }) =>
    others.some((name) => was.digestOf(name) !== undefined && was.digestOf(name) === is.digestOf(name)),
  );
  const moved = again.filter(({ was, is }) => was.date !== is.date);
  if (moved.length < FEW) return [];
  const evidence = `${outOf(moved.length, again.length, 'record')} with the same ${either(others)}`;
  return [differing('answer-rendered', dating, false, { evidence })];
}

/** The members that two callers see differently. */
function membersBetween(own: Sample, other: Sample | undefined): Set<string> {
  if (other === undefined) return new Set();
  return new Set(renderedOtherwise({ was: own, is: other }, own.members).map(({ subject }) => subject));
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
  const samples = samplesOf(pair);
  if (samples === undefined) return false;
  const undated = sharedRecords(samples).filter(({ was, is }) => !was.isDated && !is.isDated);
  // Numbers count, and change where nobody edits.
  const names = samples.is.members.filter((name) => !isNumberIn(name, pair));
  const changed = new Set(changedIn(samples, names));
  const count = undated.filter(({ id }) => changed.has(id)).length;
  return count > 0 && count < undated.length;
}

function isOfTexts(name: string, { is }: Answers): boolean {
  return Object.keys(is.members?.[`${name}[]`]?.types ?? {}).join() === 'text';
}

function isNumberIn(name: string, { was, is }: Answers): boolean {
  return [was, is].every(({ members }) => {
    const types = Object.keys(members?.[name]?.types ?? {});
    return types.length > 0 && types.every((type) => type === 'integer' || type === 'fraction');
  });
}

/** Members that each of several records without a date of change shows otherwise, and the same in two readings of a run. */
function everyOtherwise(
  pair: Answers,
  samples: Samples,
  names: readonly string[],
  otherCallers: readonly Answers[],
): Difference[] {
  const undated = sharedRecords(samples).filter(({ was, is }) => !was.isDated && !is.isDated);
  if (undated.length < SEVERAL) return [];
  const isOther = ({ was, is }: SharedRecord, name: string): boolean => {
    const [then, now] = [was.digestOf(name), is.digestOf(name)];
    return then !== undefined && now !== undefined && differenceOfDigests(then, now) === 'value';
  };
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
      // Numbers count, and what is counted is content.
      .filter((name) => !isNumberIn(name, pair) && undated.every((record) => isOther(record, name)))
      .filter((name) => isSteady(name, 'was') && isSteady(name, 'is'))
      .map((name) => differing('answer-rendered', name, false, { after: RENDERED.every, evidence }))
  );
}

function renderedOtherwise(samples: Samples, names: readonly string[]): Difference[] {
  const { was, is } = samples;
  const shared = names.filter((name) => was.members.includes(name) && is.members.includes(name));
  const unmodified = unmodifiedOf(samples);
  return shared.flatMap((name) => {
    const others = unmodified.flatMap((record) => {
      const now = record.is.digestOf(name);
      const how = differenceOfDigests(record.was.digestOf(name), now);
      return how === undefined ? [] : [{ id: record.id, how, isLost: now === undefined }];
    });
    // A difference of a single record may be its own.
    if (others.length < FEW) return [];
    const examples = others.slice(0, MOST_IDS).map(({ id }) => id);
    const evidence = `${others.length} of ${unmodified.length} unmodified records, such as ${examples.join(', ')}`;
    // Nobody changed these records, so they have lost it.
    if (others.every(({ isLost }) => isLost))
      return [differing('answer-member-removed', name, true, { after: SOMETIMES, evidence })];
    const ways = new Set(others.map(({ how }) => how));
    const [way = 'value'] = ways;
    const after = ways.size > 1 || way === 'value' ? undefined : RENDERED[way];
    return [differing('answer-rendered', name, false, { after, evidence })];
  });
}

function joinLinks(differences: readonly Difference[]): Difference[] {
  const prefix = `${textsOf('observed').links}.`;
  const links = differences.filter(
    ({ kind, subject }) => kind === 'answer-rendered' && subject.startsWith(prefix),
  );
  const [first] = links;
  if (first === undefined || links.length < 2) return [...differences];
  const relations = links.map(({ subject }) => subject.slice(prefix.length));
  const others = differences.filter((difference) => !links.includes(difference));
  return [...others, asOne(first, `${prefix}*`, relations)];
}

/** Records that somebody changed: with another date of change, or without one and with another value. */
function changedIn(samples: Samples, names: readonly string[] = samples.is.members): string[] {
  const isChanged = ({ was, is }: SharedRecord): boolean => {
    if (is.isDated) return was.date !== is.date;
    return names.some((name) => differenceOfDigests(was.digestOf(name), is.digestOf(name)) === 'value');
  };
  return sharedRecords(samples).flatMap((record) => (isChanged(record) ? [record.id] : []));
}

/** The first page in another order. A record that only one side has there, and the other elsewhere, comes after it. */
function orderedOtherwise(samples: Samples): Difference[] {
  const [then, now] = [samples.was.order ?? [], samples.is.order ?? []];
  const isSame = then.toSorted().join() === now.toSorted().join();
  // A record that somebody changed may have another place.
  const changed = new Set(isSame ? changedIn(samples) : []);
  const ids = isSame ? then.filter((id) => !changed.has(id)) : unmodifiedOf(samples).map(({ id }) => id);
  const place = (order: readonly string[], id: string): number =>
    order.includes(id) ? order.indexOf(id) : order.length;
  const isSwapped = (id: string, other: string): boolean =>
    (place(then, id) - place(then, other)) * (place(now, id) - place(now, other)) < 0;
  const moved = ids.filter((id) => ids.some((other) => isSwapped(id, other)));
  if (then.length < 2 || now.length < 2 || moved.length < (isSame ? 1 : FEW)) return [];
  const first = (order: readonly string[]): string => order.slice(0, MOST_IDS).join(', ');
  return [
    differing('answer-order', 'the first page', false, { evidence: evidence(first(then), first(now)) }),
  ];
}

/** What the records of lists do not tell: values if all records were modified, and whether missing ones were deleted. */
export function notesOnRecords(answers: readonly Answers[]): string[] {
  const lists = answers.flatMap((pair) => {
    const samples = samplesOf(pair);
    return samples === undefined ? [] : [{ route: pair.is.route, samples }];
  });
  const byRoute = Map.groupBy(lists, ({ route }) => route);
  const redated = new Set(lists.flatMap(({ route, samples }) => (areAllModified(samples) ? [route] : [])));
  const missing = lists.map(({ route, samples }) => {
    const shown = byRoute.get(route)?.map((list) => list.samples.is);
    return [route, goneFrom(samples, shown)] as const;
  });
  const shares = [...new Map(missing.filter(([, share]) => share !== undefined))].map(
    ([route, share]) => `${route} (${share})`,
  );
  return present([
    redated.size > 0 &&
      `every record has another date of change, so values are not compared: ${listed([...redated], MOST_NAMES)}`,
    shares.length > 0 &&
      `lists lack records that they showed, and whether these were deleted or are hidden is not known: ${listed(shares, MOST_NAMES)}`,
  ]);
}

function areAllModified(samples: Samples): boolean {
  const shared = sharedRecords(samples);
  return (
    shared.length >= SEVERAL &&
    shared.every(({ was, is }) => was.isDated && is.isDated && was.date !== is.date)
  );
}

/** So large a part of a page is seldom deleted, as a divisor. */
const LARGE = 3;

/** How many records of the first page the list shows nobody among those that it still shows, if they are many. */
function goneFrom(samples: Samples, shown: readonly Sample[] = []): string | undefined {
  if (orderedOtherwise(samples).length > 0) return undefined;
  const [then, now] = [samples.was.order ?? [], samples.is.order ?? []];
  const known = new Set(shown.flatMap(({ order = [], records }) => [...order, ...Object.keys(records)]));
  const before = then.slice(0, then.findLastIndex((id) => now.includes(id)) + 1);
  const gone = before.filter((id) => !known.has(id));
  const isMany = gone.length >= FEW && gone.length * LARGE >= before.length;
  return isMany ? outOf(gone.length, before.length, 'record') : undefined;
}
