import type { Difference } from '../../../engine/difference.ts';
import { type Args, describeArgs } from '../../records/reading/list-request.ts';
import type { SiteRecord } from '../../records/reading/record.ts';
import { fitsOnPage, type Snapshot } from '../../records/reading/snapshot.ts';
import { countOf, idsOf } from '../../records/reading/subset-trial.ts';
import type { Records, Rule, Trial } from '../../records/reading/trial.ts';
import { type Compare, SORT_KEYS } from './sort-keys.ts';

/** Rising or falling. */
export type Direction = 'asc' | 'desc';

/** Sorts by what the records show, falling because that is the default, and rising; ties are in any order. */
export function sortsBy(value: string): Rule {
  return (snapshot, site) => {
    const compare = SORT_KEYS[value] ?? (() => undefined);
    const none = untold(value, compare, snapshot.records);
    if (none !== undefined) return none;
    const usual = [...snapshot.records].sort((one, other) => SORT_KEYS.date?.(other, one) ?? 0);
    if (value !== 'date' && misplaced(usual, compare, 'desc') === undefined) {
      return `sorted by date, the visible records are sorted by ${value} as well`;
    }
    const falling = sortedTrial({ [site.wire('orderby')]: value }, compare, 'desc');
    // By date and by id the check of the order itself asks for the other direction.
    if (value === 'date' || value === 'id') return [falling];
    const args = { [site.wire('orderby')]: value, [site.wire('order')]: 'asc' };
    return [falling, sortedTrial(args, compare, 'asc')];
  };
}

/** Both directions: by date each of them, and by id the one is the reverse of the other. */
export const turnsTheOrder: Rule = ({ records, byId }, site) => {
  const compare = SORT_KEYS.date ?? (() => undefined);
  const byDate = untold('date', compare, records);
  const [orderby, order] = [site.wire('orderby'), site.wire('order')];
  const dates = (['asc', 'desc'] as const).map((direction) =>
    sortedTrial({ [orderby]: undefined, [order]: direction }, compare, direction),
  );
  const told = byDate === undefined ? dates : [];
  if (byId) return [...told, reversedTrial({ [order]: 'asc' })];
  return told.length > 0 ? told : (byDate ?? '');
};

/** Rising by id is neither the same as falling nor falling itself: what fails here turns every other order as well. */
export const turnsById: Rule = ({ byId }, site) => {
  if (!byId) return 'the list refuses orderby=id (see orderby/enum/accepted)';
  const trial = reversedTrial({ [site.wire('order')]: 'asc' });
  return [
    {
      requests: trial.requests,
      judge: (answers, snapshot) => trial.judge(answers, snapshot) ?? fallingIds(answers[0] ?? []),
    },
  ];
};

function fallingIds(answer: Records): Difference | undefined {
  const falls = answer.length > 1 && answer.every(({ id }, at) => id < (answer[at - 1]?.id ?? id + 1));
  if (!falls) return undefined;
  return { message: 'order=asc lists falling ids', expected: 'rising ids', observed: idsOf(answer) };
}

function reversedTrial(args: Args): Trial {
  return {
    requests: [args],
    judge([answer = []], snapshot) {
      const { records } = snapshot;
      if (!fitsOnPage(snapshot)) {
        return compareOrder(describeArgs(args), answer, SORT_KEYS.id ?? (() => undefined), 'asc');
      }
      const reversed = records.toReversed();
      const same = answer.length === reversed.length && answer.every(({ id }, at) => id === reversed[at]?.id);
      if (same) return undefined;
      const message = `${describeArgs(args)} by id does not reverse the order of the list`;
      return { message, expected: idsOf(reversed), observed: idsOf(answer) };
    },
  };
}

function sortedTrial(args: Args, compare: Compare, direction: Direction): Trial {
  return {
    requests: [args],
    judge([answer = []], snapshot) {
      return (
        compareOrder(describeArgs(args), answer, compare, direction) ?? lostRecords(args, answer, snapshot)
      );
    },
  };
}

function compareOrder(
  asked: string,
  answer: Records,
  compare: Compare,
  direction: Direction,
): Difference | undefined {
  const wrong = misplaced(answer, compare, direction);
  if (wrong === undefined) return undefined;
  const [first, second] = wrong;
  return {
    message: `${asked} does not sort the list`,
    expected: `${second.id} before ${first.id}`,
    observed: `${first.id} before ${second.id}, in ${idsOf(answer)}`,
  };
}

function lostRecords(args: Args, answer: Records, snapshot: Snapshot): Difference | undefined {
  const { records } = snapshot;
  if (!fitsOnPage(snapshot)) return undefined;
  const found = new Set(answer.map(({ id }) => id));
  if (found.size === records.length && records.every(({ id }) => found.has(id))) return undefined;
  return {
    message: `${describeArgs(args)} changes which records are in the list`,
    expected: countOf(records),
    observed: countOf(answer),
  };
}

/** The first two records that stand the wrong way round for sure; undefined when none do. */
export function misplaced(
  records: Records,
  compare: Compare,
  direction: Direction,
): [SiteRecord, SiteRecord] | undefined {
  const sign = direction === 'asc' ? 1 : -1;
  for (const [at, first] of records.entries()) {
    const second = records.slice(at + 1).find((later) => (compare(first, later) ?? 0) * sign > 0);
    if (second !== undefined) return [first, second];
  }
  return undefined;
}

/** Why an order by this cannot be seen. */
export function untold(what: string, compare: Compare, records: Records): string | undefined {
  const compared = records.slice(1).flatMap((record, at) => {
    const earlier = records.slice(0, at + 1);
    return earlier.map((other) => compare(other, record)).filter((result) => result !== undefined);
  });
  if (compared.length === 0) return `the records do not show ${what}, or nothing of it that can be compared`;
  return compared.some((result) => result !== 0) ? undefined : `all visible records are alike in ${what}`;
}
