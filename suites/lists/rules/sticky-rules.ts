import { describeArgs } from '../../records/reading/list-request.ts';
import { type SiteRecord, valuesOf } from '../../records/reading/record.ts';
import { countOf, idsOf } from '../../records/reading/subset-trial.ts';
import type { Records, Rule } from '../../records/reading/trial.ts';

const isSticky = (record: SiteRecord): boolean => valuesOf(record, 'sticky')?.[0] === true;

/**
 * Ignoring sticky posts leaves the order of the list alone; not ignoring them puts them in front of the first page, which
 * may then hold more than was asked for.
 */
export const putsStickyFirst: Rule = ({ records }, site) => {
  if (records.every((record) => valuesOf(record, 'sticky') === undefined))
    return 'the records do not show sticky';
  if (isInFront(records)) return 'no visible record is sticky, or all are in front anyway';
  const ignoring = { [site.wire('ignore_sticky')]: true };
  const heeding = { [site.wire('ignore_sticky')]: false };
  return [
    {
      requests: [heeding],
      judge([answer = []], now) {
        const found = new Set(answer.map(({ id }) => id));
        const lost = now.records.some((record) => isSticky(record) && !found.has(record.id));
        if (!lost && isInFront(answer)) return undefined;
        const message = `${describeArgs(heeding)} does not put the sticky records in front`;
        return { message, expected: countOf(now.records.filter(isSticky)), observed: idsOf(answer) };
      },
    },
    {
      requests: [ignoring],
      judge([answer = []], now) {
        const due = now.records.slice(0, answer.length);
        if (answer.length > 0 && answer.every(({ id }, at) => id === due[at]?.id)) return undefined;
        const message = `${describeArgs(ignoring)} changes the order of the list`;
        return { message, expected: idsOf(due), observed: idsOf(answer) };
      },
    },
  ];
};

/** Whether every sticky record stands before every other one. */
function isInFront(records: Records): boolean {
  const other = records.findIndex((record) => !isSticky(record));
  return other < 0 || !records.slice(other).some(isSticky);
}
