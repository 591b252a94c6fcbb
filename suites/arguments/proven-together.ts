/** Smaller groups that break a request are left to be sent alone: halving them would need as many requests. */
const FEWEST_HALVED = 4;

/**
 * Sends several items together. @returns the items that are proven as if sent alone; `broken` if one of them broke the
 * request; `useless` if this way cannot prove any more
 */
type AskTogether<Item> = (together: readonly Item[]) => Promise<readonly Item[] | 'broken' | 'useless'>;

/**
 * Proves items in as few requests as possible. Each request holds as many as fit; unproven items are left to their
 * callers, who send them alone. A request that breaks is halved to find the cause.
 * @param fits whether one more item may join those of a request
 */
export async function provenTogether<Item>(
  wanted: readonly Item[],
  fits: (beside: readonly Item[], item: Item) => boolean,
  ask: AskTogether<Item>,
): Promise<ReadonlySet<Item>> {
  const proven = new Set<Item>();
  let open = [...wanted];
  while (open.length > 1) {
    const together = fitting(open, fits);
    const answer = together.length > 1 ? await ask(together) : [];
    const isBroken = answer === 'broken';
    if (answer === 'useless' || (isBroken && together.length < FEWEST_HALVED)) break;
    const shown = answer === 'broken' ? await provenInHalves(together, ask) : answer;
    for (const item of shown) proven.add(item);
    // If some were proven, they may have hidden the others. Otherwise, or if the request broke, the items do not go
    // together.
    const done = new Set(shown.length > 0 && !isBroken ? shown : together);
    // Hidden items come last, so that new ones are not delayed.
    const hidden = together.filter((item) => !done.has(item));
    open = [...open.filter((item) => !together.includes(item)), ...hidden];
  }
  return proven;
}

function fitting<Item>(
  items: readonly Item[],
  fits: (beside: readonly Item[], item: Item) => boolean,
): Item[] {
  const together = items.slice(0, 1);
  for (const item of items.slice(1)) if (fits(together, item)) together.push(item);
  return together;
}

/** Halves a broken request repeatedly until the item that breaks it is known. @returns what is proven meanwhile */
async function provenInHalves<Item>(together: readonly Item[], ask: AskTogether<Item>): Promise<Item[]> {
  const middle = Math.ceil(together.length / 2);
  const proven: Item[] = [];
  for (const half of [together.slice(0, middle), together.slice(middle)]) {
    const answer = await ask(half);
    if (answer === 'useless') continue;
    if (answer !== 'broken') proven.push(...answer);
    else if (half.length > 1) proven.push(...(await provenInHalves(half, ask)));
  }
  return proven;
}
