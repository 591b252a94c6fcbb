import { describeArgs } from '../../records/reading/list-request.ts';
import { countOf } from '../../records/reading/subset-trial.ts';
import type { Rule } from '../../records/reading/trial.ts';

/** A page that no list of records comes to; where all records are known, the one after the last is asked for too. */
const FAR = 1_000_000;

/** A page beyond the last is refused or empty (R47): it repeats nothing. */
export const endsWithTheList: Rule = ({ complete, total, size }, site) => {
  const next = complete && Number.isFinite(size) ? [Math.ceil(total / size) + 1] : [];
  const requests = [...next, FAR].map((page) => ({ [site.wire('page')]: page }));
  return requests.map((args) => ({
    requests: [args],
    skipsRefused: true,
    judge([answer = []]) {
      if (answer.length === 0) return undefined;
      const message = `${describeArgs(args)}, a page beyond the last, holds records`;
      return { message, expected: 'a refusal, or no records', observed: countOf(answer) };
    },
  }));
};
