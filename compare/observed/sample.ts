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
  const otherwise = new Map<string, string[]>();
  let unmodified = 0;
  for (const [id, record] of Object.entries(was.records)) {
    const [then, now] = [record.split(' '), is.records[id]?.split(' ')];
    if (now === undefined || then[0] !== now[0]) continue;
    unmodified += 1;
    const names = shared.filter(
      (name) => then[was.members.indexOf(name) + 1] !== now[is.members.indexOf(name) + 1],
    );
    if (names.length > 0) otherwise.set(id, names);
  }
  if (otherwise.size < FEW) return [];
  const names = [...new Set([...otherwise.values()].flat())].sort();
  const ids = [...otherwise.keys()].slice(0, MOST_IDS).join(', ');
  return [
    {
      kind: 'answer-rendered',
      effect: 'unknown',
      subject: listed(names, MOST_NAMES),
      evidence: `${otherwise.size} of ${unmodified} unmodified records, such as ${ids}`,
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
