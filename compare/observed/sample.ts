import type { AnswerNotes } from '../../engine/result.ts';
import { listed } from '../../engine/text.ts';
import { type Difference, FEW, type Pair } from './difference.ts';

const MOST_IDS = 5;
const MOST_NAMES = 3;

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
  // What a single record shows otherwise is its own.
  const otherwise = shared.flatMap((name) => {
    const [at, atNow] = [was.members.indexOf(name) + 1, is.members.indexOf(name) + 1];
    const ids = unmodified.flatMap(({ id, then, now }) => (then[at] === now[atNow] ? [] : [id]));
    return ids.length < FEW ? [] : [{ name, ids }];
  });
  if (otherwise.length === 0) return [];
  const names = otherwise.map(({ name }) => name).sort();
  const ids = new Set(otherwise.flatMap((one) => one.ids));
  const some = [...ids].slice(0, MOST_IDS).join(', ');
  return [
    {
      kind: 'answer-rendered',
      effect: 'unknown',
      subject: listed(names, MOST_NAMES),
      evidence: `${ids.size} of ${unmodified.length} unmodified records, such as ${some}`,
    },
  ];
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
