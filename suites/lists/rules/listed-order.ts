import { describeArgs } from '../../records/reading/list-request.ts';
import { type SiteRecord, type Value, valuesOf } from '../../records/reading/record.ts';
import { idsOf } from '../../records/reading/subset-trial.ts';
import type { Records, Rule } from '../../records/reading/trial.ts';
import { type Direction, misplaced } from './order-rules.ts';
import { type Compare, SORT_KEYS } from './sort-keys.ts';

/** Sorts as the list of another parameter is sorted, in an order that no sort by date or id gives. */
export function sortsAsListed(
  value: string,
  parameter: string,
  nameOf: (record: SiteRecord) => Value | undefined,
): Rule {
  return ({ records }, site) => {
    const named = records.filter((record) => nameOf(record) !== undefined);
    const [first, middle, last] = [named[0], named[Math.floor(named.length / 2)], named.at(-1)];
    const some = [...new Set([first, middle, last])].filter((record) => record !== undefined);
    const listed = permutations(some).find((order) => !isUsual(order));
    if (listed === undefined)
      return `no order of records named in ${parameter} differs from the usual ones for sure`;
    const names = listed.map((record) => nameOf(record));
    const args = { [site.wire('orderby')]: value, [site.wire(parameter)]: names };
    const wanted = new Set(listed.map(({ id }) => id));
    return [
      {
        requests: [args],
        judge([answer = []]) {
          const found = answer.filter(({ id }) => wanted.has(id));
          if (found.length === listed.length && found.every(({ id }, at) => id === listed[at]?.id))
            return undefined;
          const message = `${describeArgs(args)} is not in the order of ${parameter}`;
          return { message, expected: idsOf(listed), observed: idsOf(found) };
        },
      },
    ];
  };
}

/** Slugs that are the same text in every encoding. */
export function plainSlug(record: SiteRecord): Value | undefined {
  const slug = valuesOf(record, 'slug')?.[0];
  return typeof slug === 'string' && /^[a-z0-9-]+$/.test(slug) ? slug : undefined;
}

/** Whether a list of records is what a site would answer that sorts by date, then by id, or by id alone. */
function isUsual(records: Records): boolean {
  if (records.length < 2) return true;
  const { date = () => undefined, id = () => undefined } = SORT_KEYS;
  const byDate: Compare = (one, other) => date(one, other) || id(one, other);
  const orders: readonly [Compare, Direction][] = [
    [byDate, 'desc'],
    [byDate, 'asc'],
    [id, 'desc'],
    [id, 'asc'],
  ];
  // Two records have two orders only: the one that is not the default has to do.
  const some = records.length === 2 ? orders.slice(0, 1) : orders;
  return some.some(([compare, direction]) => misplaced(records, compare, direction) === undefined);
}

function permutations(records: Records): Records[] {
  if (records.length < 2) return [records];
  return records.flatMap((record) =>
    permutations(records.filter((other) => other !== record)).map((rest) => [record, ...rest]),
  );
}
