/** How often a cost is asked for at most. */
const TURNS = 6;

/**
 * The largest number whose cost is within a budget, roughly: the cost grows with the number, which costs one each at least.
 * @returns 1 where nothing is within it
 */
export async function largestWithin(
  budget: number,
  costOf: (count: number) => Promise<number>,
): Promise<number> {
  let [within, beyond] = [1, budget + 1];
  for (let turn = 0; turn < TURNS && beyond - within > 1; turn += 1) {
    const middle = Math.floor((within + beyond) / 2);
    if ((await costOf(middle)) <= budget) within = middle;
    else beyond = middle;
  }
  return within;
}
