import type { Args } from '../../records/reading/list-request.ts';
import type { Snapshot } from '../../records/reading/snapshot.ts';
import type { Prediction } from './prediction.ts';

/** Foretells what a list holds, from the records that it is predicted from. */
export type Foretell = (
  args: Args,
) => { readonly prediction: Prediction; readonly snapshot: Snapshot } | undefined;

/**
 * Of many sets, those that tell most: an argument tells something where the answer would be another one without it. Sets
 * are chosen in which one does beside two others that it did not tell something beside before.
 * @returns so many of them at most, those that tell of most first; none in which nothing tells
 */
export function tellingSets(candidates: readonly Args[], foretell: Foretell, count: number): Args[] {
  let open = candidates.map((args) => ({
    args,
    groups: groupsOf(Object.keys(args), tellingNames(args, foretell)),
  }));
  const covered = new Set<string>();
  const chosen: Args[] = [];
  while (chosen.length < count) {
    let best: { readonly args: Args; readonly groups: readonly string[] } | undefined;
    let most = 0;
    open = open.flatMap((one) => {
      const fresh = one.groups.filter((group) => !covered.has(group));
      if (fresh.length > most) {
        best = one;
        most = fresh.length;
      }
      return fresh.length === 0 ? [] : [{ ...one, groups: fresh }];
    });
    if (best === undefined) break;
    chosen.push(best.args);
    for (const group of best.groups) covered.add(group);
  }
  return chosen;
}

/** The arguments without which another answer is predicted. */
function tellingNames(args: Args, foretell: Foretell): string[] {
  const whole = answerOf(args, foretell);
  // What begins beyond the end may be refused (R47), and then says nothing.
  if (whole === undefined || whole === '') return [];
  return Object.keys(args).filter((name) => {
    const { [name]: _, ...others } = args;
    const without = answerOf(others, foretell);
    return without !== undefined && without !== whole;
  });
}

/** What is predicted, as far as it is known for sure. */
function answerOf(args: Args, foretell: Foretell): string | undefined {
  const known = foretell(args);
  if (known === undefined) return undefined;
  const { keeps, compare, direction, offset, size } = known.prediction;
  const sign = direction === 'asc' ? 1 : -1;
  return known.snapshot.records
    .filter((record) => keeps(record) === true)
    .sort((one, other) => (compare(one, other) ?? 0) * sign)
    .slice(offset, offset + size)
    .map(({ id }) => id)
    .join();
}

/** What a set shows: that an argument is heeded beside another one, and beside two others. */
function groupsOf(names: readonly string[], telling: readonly string[]): string[] {
  return telling.flatMap((one) => {
    const others = names.filter((name) => name !== one).toSorted();
    return others.flatMap((other, at) => [
      `${one} ${other}`,
      ...others.slice(at + 1).map((third) => `${one} ${other} ${third}`),
    ]);
  });
}
