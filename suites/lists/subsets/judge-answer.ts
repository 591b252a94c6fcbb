import type { Difference } from '../../../engine/equal.ts';
import { type Args, describeArgs } from '../../../probing/records/reading/list-request.ts';
import type { SiteRecord } from '../../../probing/records/reading/record.ts';
import type { Snapshot } from '../../../probing/records/reading/snapshot.ts';
import { countOf, idsOf, type Records } from '../../../probing/records/reading/trial.ts';
import { misplaced } from '../rules/order-rules.ts';
import type { Prediction } from './prediction.ts';

/**
 * Judges an answer by what the records predict: which they are, in which order, and where it is cut. Records of which it is
 * not known whether they are kept, and orders that leave open which of two comes first, widen what is right.
 */
export function judgeAnswer(
  args: Args,
  answer: Records,
  snapshot: Snapshot,
  prediction: Prediction,
): Difference | undefined {
  const { records, complete } = snapshot;
  const { keeps, compare, direction, size } = prediction;
  const asked = describeArgs(args) || 'the list without arguments';
  const known = new Map(records.map((record) => [record.id, record]));
  const predicted = records.filter((record) => keeps(record) === true);
  const about = { expected: expectedOf(predicted, prediction), observed: countOf(answer) };
  if (new Set(answer.map(({ id }) => id)).size < answer.length) {
    return { message: `${asked} repeats records`, ...about };
  }
  if (answer.length > size) return { message: `${asked} lets more records through`, ...about };
  const extra = answer.filter((record) => {
    const before = known.get(record.id);
    return before === undefined && complete ? true : keeps(before ?? record) === false;
  });
  if (extra.length > 0) {
    const observed = `${countOf(answer)}; not described: ${idsOf(extra)}`;
    return { message: `${asked} lets through records that it does not describe`, ...about, observed };
  }
  const shown = answer.map((record) => known.get(record.id) ?? record);
  const wrong = misplaced(shown, compare, direction);
  if (wrong !== undefined) {
    const [first, second] = wrong;
    const observed = `${first.id} before ${second.id}, in ${idsOf(answer)}`;
    return { message: `${asked} is not sorted so`, expected: `${second.id} before ${first.id}`, observed };
  }
  const message = judgePlaces(asked, shown, predicted, snapshot, prediction);
  return message === undefined ? undefined : { message, ...about };
}

function judgePlaces(
  asked: string,
  answer: Records,
  predicted: Records,
  { records, complete, hides, total }: Snapshot,
  { keeps, compare, direction, offset, size }: Prediction,
): string | undefined {
  // Records that the site counts and does not show take places that nobody sees.
  if (hides) {
    const found = new Set(answer.map(({ id }) => id));
    const isWhole = offset === 0 && total <= size;
    return isWhole && predicted.some(({ id }) => !found.has(id))
      ? `${asked} leaves out records that it describes`
      : undefined;
  }
  const open = complete ? records.filter((record) => keeps(record) === undefined).length : Infinity;
  const due = Math.min(size, Math.max(0, predicted.length - offset));
  if (answer.length < due) return `${asked} leaves out records that it describes`;
  if (answer.length > Math.max(0, predicted.length + open - offset)) {
    return `${asked} holds more records than are left`;
  }
  const sign = direction === 'asc' ? 1 : -1;
  const order = (one: SiteRecord, other: SiteRecord): number => (compare(one, other) ?? 0) * sign;
  const astray = answer.find((record, at) => {
    const earlier = predicted.filter((other) => order(other, record) < 0).length;
    const later = predicted.filter((other) => order(other, record) > 0).length;
    const place = offset + at;
    return place < earlier || place > predicted.length + open - 1 - later;
  });
  return astray === undefined ? undefined : `${asked} begins at another place of the list`;
}

function expectedOf(predicted: Records, { offset, size }: Prediction): string {
  const cut = Number.isFinite(size) && (offset > 0 || size < predicted.length);
  return `${countOf(predicted)}${cut ? `, of these ${size} after the first ${offset}` : ''}, sorted as asked`;
}
