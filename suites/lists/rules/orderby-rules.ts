import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import { type SiteRecord, type Value, valuesOf } from '../../../probing/records/reading/record.ts';
import { idsOf, type Records, type Rule } from '../../../probing/records/reading/trial.ts';
import { type Compare, cannotCompare, type Direction, misplaced, SORT_KEYS } from './order-rules.ts';

/**
 * Orders which the records predict to be different do not all come the same. Where only one of them contradicts what comes,
 * it is that order which is not honoured, and not `orderby`: its own check tells.
 */
export const honoursOrderby: Rule = ({ records }, site) => {
  const parameter = site.operation.parameters.find(({ name }) => name === 'orderby');
  const known = Object.entries(SORT_KEYS).filter(
    ([value, compare]) =>
      parameter?.schema.enum?.includes(value) === true &&
      cannotCompare(value, compare, records) === undefined,
  );
  const telling = known.filter(([, one]) => known.some(([, other]) => differ(one, other, records)));
  if (telling.length === 0) return 'no two orders of the visible records differ for sure';
  const contradicted = (answer: Records): string[] =>
    telling.flatMap(([value, compare]) => (misplaced(answer, compare, 'desc') === undefined ? [] : [value]));
  return [
    {
      requests: telling.map(([value]) => ({ [site.wire('orderby')]: value })),
      skipsRefused: true,
      judge(answers) {
        const [answer = []] = answers;
        const wrong = contradicted(answer);
        if (!areAlike(answers) || wrong.length < 2) return undefined;
        return {
          message: `${telling.length} values of orderby list the same order, though the records differ`,
          expected: `other orders by ${wrong.join(', ')}`,
          observed: idsOf(answer),
        };
      },
      silent: (answers) =>
        areAlike(answers)
          ? 'all orders come the same, and by the records only one of them has to differ'
          : undefined,
    },
  ];
};

/** Whether two records stand one way round by one order and the other way round by another. */
function differ(one: Compare, other: Compare, records: Records): boolean {
  return records.some((first, at) =>
    records.slice(at + 1).some((second) => (one(first, second) ?? 0) * (other(first, second) ?? 0) < 0),
  );
}

function areAlike(answers: readonly Records[]): boolean {
  return new Set(answers.map((answer) => answer.map(({ id }) => id).join())).size < 2;
}

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
