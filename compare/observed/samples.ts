import type { AnswerNotes, MemberNotes } from '../../client/observed/document.ts';
import { differenceOfDigests, MOST_MEMBERS, NONE, UNDATED } from '../../client/observed/sample.ts';
import { listed } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import {
  type Difference,
  differing,
  evidence,
  FEW,
  outOf,
  type Pair,
  RENDERED,
  SOMETIMES,
} from './difference.ts';

type Answers = Pair<AnswerNotes>;

const MOST_IDS = 5;
const MOST_NAMES = 5;

type Sample = NonNullable<AnswerNotes['sample']>;

/**
 * Unmodified records that are rendered otherwise, or in another order.
 * @param explained members of other changes; @param others the same records for others; @param near and those of lists above
 */
export function compareSamples(
  { was, is }: Answers,
  explained: ReadonlySet<string>,
  others: readonly Answers[] = [],
  near: readonly Answers[] = [],
): Difference[] {
  const [then, now] = [was.sample, is.sample];
  if (then === undefined || now === undefined) return [];
  // What two callers saw differently, before and after, may differ each time, as random content does.
  const vary = (one: Sample, other: Sample | undefined): Set<string> =>
    new Set(other && renderedOtherwise(one, other, one.members).map(({ subject }) => subject));
  const besides = others.filter((other) => other.is.context === is.context && other.is !== is);
  const moving = besides.map((other) =>
    vary(then, other.was.sample).intersection(vary(now, other.is.sample)),
  );
  const left = [explained, ...moving];
  const names = then.members
    .filter((name) => !left.some((all) => all.has(name)) && !near.some((one) => isMoving(name, one)))
    .sort();
  const rendered = renderedOtherwise(then, now, names).map((one) =>
    one.kind === 'answer-rendered' && [was, is].every(({ members }) => isNumber(members?.[one.subject]))
      ? { ...one, after: RENDERED.numbers }
      : one,
  );
  const every = everyOtherwise({ was, is }, names, besides);
  return [...joinLinks(rendered), ...joinLinks(every), ...orderedOtherwise(then, now)];
}

/** Whether a member was left out of a sample because it changed from one reading to the next. */
function isMoving(name: string, { was, is }: Answers): boolean {
  return [was, is].some(({ members, sample }) => {
    const own = sample?.members.filter((one) => !one.startsWith(`${textsOf('observed').links}.`)) ?? [];
    const isWhole = own.length > 0 && own.length < MOST_MEMBERS;
    return isWhole && members?.[name] !== undefined && !own.includes(name);
  });
}

function isNumber(notes: MemberNotes | undefined): boolean {
  const types = Object.keys(notes?.types ?? {});
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'fraction');
}

interface Both extends Readonly<Record<'then' | 'now', readonly string[]>> {
  readonly id: string;
}

/** Records of both samples, with the digests of their date of change and their members. */
function recordsOf(was: Sample, is: Sample): Both[] {
  return Object.entries(was.records).flatMap(([id, record]) => {
    const [then, now] = [record.split(' '), is.records[id]?.split(' ')];
    return now === undefined ? [] : [{ id, then, now }];
  });
}

function isUndated([date = '']: readonly string[]): boolean {
  return date === UNDATED.once || date === UNDATED.again;
}

/** Those with the same date of change. */
export function unmodifiedOf(was: Sample, is: Sample): Both[] {
  return recordsOf(was, is).filter(({ then, now }) => then[0] === now[0] && !isUndated(then));
}

/** From this number on, a value that no record without a date of change has kept is no matter of content. */
const SEVERAL = FEW + 2;

/** Members that each of several records without a date of change shows otherwise, and the same in two readings of a run. */
function everyOtherwise(pair: Answers, names: readonly string[], others: readonly Answers[]): Difference[] {
  const [was, is] = [pair.was.sample, pair.is.sample];
  if (was === undefined || is === undefined || pair.is.method !== 'GET') return [];
  const both = recordsOf(was, is).filter(({ then, now }) => isUndated(then) && isUndated(now));
  if (both.length < SEVERAL) return [];
  const isSteady = (side: 'was' | 'is', name: string): boolean => {
    const known = others.map((other) => other[side].sample);
    const own = pair[side].sample;
    const again = both.filter(({ id }) => {
      const isSame = (other: Sample | undefined): boolean =>
        digestOf(other, id, name) === digestOf(own, id, name);
      return own?.records[id]?.startsWith(UNDATED.again) === true || known.some(isSame);
    });
    return again.length >= SEVERAL;
  };
  const isOther = (id: string, name: string): boolean => {
    const [then, now] = [digestOf(was, id, name), digestOf(is, id, name)];
    return then !== undefined && now !== undefined && differenceOfDigests(then, now) === 'value';
  };
  return names.flatMap((name) => {
    // Numbers count, and what is counted is content, unless there is nothing left.
    const isCount = [pair.was, pair.is].every(({ members }) => isNumber(members?.[name]));
    const { signs = {}, seen } = pair.is.members?.[name] ?? {};
    if (isCount && signs.zero !== seen) return [];
    if (!both.every(({ id }) => isOther(id, name)) || !isSteady('was', name) || !isSteady('is', name))
      return [];
    const evidence = `${outOf(both.length, both.length, 'record')} without a date of change`;
    return [differing('answer-rendered', name, false, { after: RENDERED.every, evidence })];
  });
}

/** The digest of a member; undefined without one. */
function digestOf(sample: Sample | undefined, id: string, name: string): string | undefined {
  const at = sample?.members.indexOf(name) ?? -1;
  const digest = at < 0 ? undefined : sample?.records[id]?.split(' ')[at + 1];
  return digest === NONE ? undefined : digest;
}

/** How many records are the same as before. Content does not explain what all of several show. */
export function sameRecords({ was, is }: Answers): number {
  return was.sample && is.sample ? unmodifiedOf(was.sample, is.sample).length : 0;
}

/** Whether the records say when they were changed. */
export function isDated({ was, is }: Answers): boolean {
  return [was, is].some(({ sample }) =>
    Object.values(sample?.records ?? {}).some((record) => !isUndated(record.split(' '))),
  );
}

/** Whether several unmodified records show a member otherwise than before, so that content does not explain it. */
export function areRenderedOtherwise({ was, is }: Answers, name: string): boolean {
  if (was.sample === undefined || is.sample === undefined) return false;
  return renderedOtherwise(was.sample, is.sample, [name]).length > 0;
}

function renderedOtherwise(was: Sample, is: Sample, names: readonly string[]): Difference[] {
  const shared = names.filter((name) => [was, is].every(({ members }) => members.includes(name)));
  const unmodified = unmodifiedOf(was, is);
  return shared.flatMap((name) => {
    const [at, atNow] = [was.members.indexOf(name) + 1, is.members.indexOf(name) + 1];
    const others = unmodified.flatMap(({ id, then, now }) => {
      const how = differenceOfDigests(then[at], now[atNow]);
      return how === undefined ? [] : [{ id, how, now }];
    });
    const ids = others.map(({ id }) => id);
    // A difference of a single record may be its own.
    if (ids.length < FEW) return [];
    const some = ids.slice(0, MOST_IDS).join(', ');
    const evidence = `${ids.length} of ${unmodified.length} unmodified records, such as ${some}`;
    // Nobody changed these records, so they have lost it.
    if (others.every(({ now }) => now[atNow] === NONE))
      return [differing('answer-member-removed', name, true, { after: SOMETIMES, evidence })];
    const after = others.every(({ how }) => how === 'order') ? RENDERED.order : undefined;
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
  const joined = {
    ...first,
    subject: `${prefix}*`,
    evidence: `${listed(relations, MOST_NAMES)}: ${first.evidence ?? ''}`,
  };
  return [...differences.filter((one) => !links.includes(one)), joined];
}

/** The first page in another order. A record that only one side has there, and the other elsewhere, comes after it. */
function orderedOtherwise(was: Sample, is: Sample): Difference[] {
  const [then, now] = [was.order ?? [], is.order ?? []];
  const isSame = then.toSorted().join() === now.toSorted().join();
  const ids = isSame ? then : unmodifiedOf(was, is).map(({ id }) => id);
  const place = (order: readonly string[], id: string): number =>
    order.includes(id) ? order.indexOf(id) : order.length;
  const isBefore = (one: string, other: string): boolean =>
    place(then, one) < place(then, other) && place(now, one) > place(now, other);
  const moved = ids.filter((id) => ids.some((other) => isBefore(id, other) || isBefore(other, id)));
  if (then.length < 2 || now.length < 2 || moved.length < (isSame ? 1 : FEW)) return [];
  const first = (all: readonly string[]): string => all.slice(0, MOST_IDS).join(', ');
  return [
    differing('answer-order', 'the first page', false, { evidence: evidence(first(then), first(now)) }),
  ];
}

/** What the records of lists do not tell: values if all records were modified, and whether missing ones were deleted. */
export function notesOnRecords(answers: readonly Answers[]): string[] {
  const lists = answers.filter(({ was, is }) => was.sample !== undefined && is.sample !== undefined);
  const redated = lists.filter(areAllModified).map(({ is }) => is.route);
  const shown = Map.groupBy(lists, ({ is }) => is.route);
  const gone = lists.flatMap((pair): [route: string, share: string][] => {
    const share = goneFrom(pair, shown.get(pair.is.route));
    return share === undefined ? [] : [[pair.is.route, share]];
  });
  const shares = [...new Map(gone)].map(([route, share]) => `${route} (${share})`);
  const modified = `every record has another date of change, so values are not compared: ${listed([...new Set(redated)], MOST_NAMES)}`;
  const missing = `lists lack records that they showed, and whether these were deleted or are hidden is not known: ${listed(shares, MOST_NAMES)}`;
  return [...(redated.length > 0 ? [modified] : []), ...(shares.length > 0 ? [missing] : [])];
}

function areAllModified({ was, is }: Answers): boolean {
  const both = was.sample && is.sample ? recordsOf(was.sample, is.sample) : [];
  return (
    both.length >= SEVERAL &&
    both.every(({ then, now }) => [then, now].every((one) => !isUndated(one)) && then[0] !== now[0])
  );
}

/** So large a part of a page is seldom deleted, as a divisor. */
const LARGE = 3;

/** How many records of the first page the list shows nobody among those that it still shows, if they are many. */
function goneFrom({ was, is }: Answers, all: readonly Answers[] = []): string | undefined {
  const [then, now] = [was.sample?.order ?? [], is.sample?.order ?? []];
  if (!was.sample || !is.sample || orderedOtherwise(was.sample, is.sample).length > 0) return undefined;
  const known = new Set(
    all.flatMap(({ is: { sample } }) => [...(sample?.order ?? []), ...Object.keys(sample?.records ?? {})]),
  );
  const before = then.slice(0, then.findLastIndex((id) => now.includes(id)) + 1);
  const gone = before.filter((id) => !known.has(id));
  const isMany = gone.length >= FEW && gone.length * LARGE >= before.length;
  return isMany ? outOf(gone.length, before.length, 'record') : undefined;
}
