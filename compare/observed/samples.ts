import type { AnswerNotes, MemberNotes } from '../../client/observed/document.ts';
import { differenceOfDigests, NONE } from '../../client/observed/sample.ts';
import { listed } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Difference, differing, evidence, FEW, type Pair, RENDERED, SOMETIMES } from './difference.ts';

type Answers = Pair<AnswerNotes>;

const MOST_IDS = 5;
const MOST_NAMES = 5;

type Sample = NonNullable<AnswerNotes['sample']>;

/** Unmodified records that are rendered otherwise, or in another order. @param explained members of other changes */
export function compareSamples(
  { was, is }: Answers,
  explained: ReadonlySet<string>,
  others: readonly Answers[] = [],
): Difference[] {
  const [then, now] = [was.sample, is.sample];
  if (then === undefined || now === undefined) return [];
  // What two callers saw differently, before and after, may differ each time, as random content does.
  const vary = (one: Sample, other: Sample | undefined): Set<string> =>
    new Set(other && renderedOtherwise(one, other, one.members).map(({ subject }) => subject));
  const moving = others
    .filter((other) => other.is.context === is.context && other.is !== is)
    .map((other) => vary(then, other.was.sample).intersection(vary(now, other.is.sample)));
  const left = [explained, ...moving];
  const names = then.members.filter((name) => !left.some((all) => all.has(name))).sort();
  const rendered = renderedOtherwise(then, now, names).map((one) =>
    one.kind === 'answer-rendered' && [was, is].every(({ members }) => isNumber(members?.[one.subject]))
      ? { ...one, after: RENDERED.numbers }
      : one,
  );
  return [...joinLinks(rendered), ...orderedOtherwise(then, now)];
}

function isNumber(notes: MemberNotes | undefined): boolean {
  const types = Object.keys(notes?.types ?? {});
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'fraction');
}

/** Records of both samples with the same date of change, with the digests of that and their members. */
export function unmodifiedOf(
  was: Sample,
  is: Sample,
): (Readonly<Record<'then' | 'now', readonly string[]>> & { readonly id: string })[] {
  return Object.entries(was.records).flatMap(([id, record]) => {
    const [then, now] = [record.split(' '), is.records[id]?.split(' ') ?? []];
    return then[0] === now[0] ? [{ id, then, now }] : [];
  });
}

/** How many records are the same as before. Content does not explain what all of several show. */
export function sameRecords({ was, is }: Answers): number {
  return was.sample && is.sample ? unmodifiedOf(was.sample, is.sample).length : 0;
}

/** Whether the records say when they were changed. */
export function isDated({ was, is }: Answers): boolean {
  return [was, is].some(({ sample }) => Object.keys(sample?.records ?? {}).length > 0);
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
