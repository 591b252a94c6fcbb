import { isFinding } from '../../../engine/aborted.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import { type SiteRecord, valuesOf } from '../../../probing/records/reading/record.ts';
import type { Records, Rule, Trial } from '../../../probing/records/reading/run-rule.ts';
import { countOf, idsOf, repeats, sameIds, without } from '../../../probing/records/reading/run-rule.ts';
import { defaultOf } from '../../../specs/find-resource.ts';

const isSticky = (record: SiteRecord): boolean => valuesOf(record, 'sticky')?.[0] === true;

/**
 * Ignoring sticky posts keeps the order of the list; otherwise they come first on the first page. Only the name of the
 * parameter says so (§4.6), so a site that gives it no effect at all is warned of.
 */
export const putsStickyFirst: Rule = async (snapshot, site) => {
  const { records } = snapshot;
  if (records.every((record) => valuesOf(record, 'sticky') === undefined))
    return inconclusive('the records do not show sticky');
  const ignoring = { [site.wire('ignore_sticky')]: true };
  const honouring = { [site.wire('ignore_sticky')]: false };
  const putsInFront = (sorted: Args, alone?: Trial): Trial => ({
    requests: [honouring, ...(alone ? [] : [ignoring])].map((args) => ({ ...args, ...sorted })),
    ...(alone && { alone }),
    evaluate([answer = [], ignored], now) {
      const lost = without(now.records.filter(isSticky), answer);
      const isTwice = repeats(answer);
      if (lost.length === 0 && !isTwice && isInFront(answer)) return undefined;
      const found = isTwice ? 'repeats records' : 'does not put the sticky records in front';
      const message = `${describeArgs(honouring)} ${found}`;
      const shown = { expected: countOf(now.records.filter(isSticky)), observed: idsOf(answer) };
      return { message, ...shown, advisory: ignored !== undefined && sameIds(answer, ignored) };
    },
  });
  // Software may put them in front of its usual order only.
  const usual = defaultOf(site.operation, 'orderby');
  const honours = putsInFront(
    {},
    usual === undefined ? undefined : putsInFront({ [site.wire('orderby')]: usual }),
  );
  if (isInFront(records)) {
    const always = await ignoresSticky(snapshot, site);
    if (isFinding(always)) return inconclusive('no visible record is sticky, or all are in front anyway');
    return [...always, honours];
  }
  return [
    honours,
    {
      requests: [ignoring],
      evaluate([answer = []], now) {
        const due = now.records.slice(0, answer.length);
        if (answer.length > 0 && sameIds(answer, due)) return undefined;
        const message = `${describeArgs(ignoring)} changes the order of the list`;
        return { message, expected: idsOf(due), observed: idsOf(answer) };
      },
    },
  ];
};

/**
 * Sticky records in front of higher ids, and of lower ones in the other direction, are there although they are ignored;
 * so are those that stay in front of higher ids where ignoring them is asked for. A list that fails this holds records that no filter selects.
 */
export const ignoresSticky: Rule = ({ records, byId }, site) => {
  const parts = [records.filter(isSticky), records.filter((record) => !isSticky(record))];
  const isSorted = (one: Records): boolean =>
    one.every(({ id }, at) => at === 0 || id < (one[at - 1]?.id ?? 0));
  // In another order than by id the sort is wrong, and not that sticky records are in front.
  if (!byId || !isInFront(records) || isSorted(records) || !parts.every(isSorted)) {
    return inconclusive('no sticky record is in front of one with a higher id');
  }
  const ignoring = { [site.wire('ignore_sticky')]: true };
  const areInFront = {
    message: 'the list puts sticky records in front, though ignore_sticky is true',
    expected: `the order of ids: ${idsOf(records.toSorted((one, other) => other.id - one.id))}`,
    observed: idsOf(records),
  };
  return [
    {
      requests: [{ ...ignoring, [site.wire('order')]: 'asc' }],
      evaluate: ([answer = []]) =>
        !isInFront(answer) || answer.every(isSticky) || !answer.some(isSticky) ? undefined : areInFront,
    },
    {
      requests: [ignoring],
      evaluate: ([answer = []]) => (!isInFront(answer) || isSorted(answer) ? undefined : areInFront),
    },
  ];
};

function isInFront(records: Records): boolean {
  const other = records.findIndex((record) => !isSticky(record));
  return other < 0 || !records.slice(other).some(isSticky);
}
