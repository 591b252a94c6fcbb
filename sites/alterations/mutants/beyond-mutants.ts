import type { Operation } from '../../reference/contract.ts';
import { integer } from '../../reference/json.ts';
import { Refusal } from '../../reference/request.ts';
import type { Answer, Call } from '../../reference/site.ts';
import { handling, healthy } from '../toolkit/handling.ts';
import { type Mutant, mutant } from './mutant.ts';

const MOST_PAGES = 9;

/** Lists that answer a page beyond the last with one of those before it. */
export function beyondMutants({ id }: Operation): Mutant[] {
  const repeating = (how: string, pages: readonly number[]): Mutant =>
    mutant(
      `${id}/page/filters/beyond`,
      how,
      `a page beyond the last of ${id} repeats another`,
      handling(id, (call) => firstOf(call, [integer(call.args.page, 1), ...pages])),
    );
  const falling = Array.from({ length: MOST_PAGES }, (_, at) => MOST_PAGES - at);
  return [repeating('first-again', [1]), repeating('last-again', falling)];
}

/** The first of some pages that is not refused. */
async function firstOf(call: Call, [page = 1, ...others]: readonly number[]): Promise<Answer> {
  try {
    return await healthy({ ...call, args: { ...call.args, page } });
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || others.length === 0) throw refusal;
    return firstOf(call, others);
  }
}
