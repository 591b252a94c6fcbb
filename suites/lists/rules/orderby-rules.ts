import { idsOf } from '../../records/reading/subset-trial.ts';
import type { Records, Rule } from '../../records/reading/trial.ts';
import { misplaced, untold } from './order-rules.ts';
import { type Compare, SORT_KEYS } from './sort-keys.ts';

/**
 * Orders which the records predict to be different do not all come the same. Where only one of them contradicts what comes,
 * it is that order which is not heeded, and not `orderby`: its own check tells.
 */
export const heedsOrderby: Rule = ({ records }, site) => {
  const parameter = site.operation.parameters.find(({ name }) => name === 'orderby');
  const known = Object.entries(SORT_KEYS).filter(
    ([value, compare]) =>
      parameter?.schema.enum?.includes(value) === true && untold(value, compare, records) === undefined,
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
