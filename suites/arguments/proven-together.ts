/** Fewer that break a request together are asked alone: halving them would take as many requests. */
const FEWEST_HALVED = 4;

/**
 * Sends some together. @returns those that are proven by it, each as if it were alone; `broken` where the request failed of one of
 * them; undefined where nothing more can be proven in this way
 */
type AskTogether<One> = (together: readonly One[]) => Promise<readonly One[] | 'broken' | undefined>;

/**
 * Proves in as few requests as possible what callers want to see, each by itself: a request holds as many as go together, and
 * what it does not prove is left to whoever wants it, to be asked for alone. What breaks a request is found by halving it.
 * @param fits whether one more may stand beside those of a request
 */
export async function provenTogether<One>(
  wanted: readonly One[],
  fits: (beside: readonly One[], one: One) => boolean,
  ask: AskTogether<One>,
): Promise<ReadonlySet<One>> {
  const proven = new Set<One>();
  let open = [...wanted];
  while (open.length > 1) {
    const together = packed(open, fits);
    const answer = together.length > 1 ? await ask(together) : [];
    if (answer === undefined || (answer === 'broken' && together.length < FEWEST_HALVED)) break;
    const shown = answer === 'broken' ? await provenInHalves(together, ask) : answer;
    for (const one of shown) proven.add(one);
    // Where some were proven, the others may have been hidden by them; else, or where they break it, they do not go together.
    const done = new Set(shown.length > 0 && answer !== 'broken' ? shown : together);
    // Those come last, so that they take no room of what was not asked yet.
    const hidden = together.filter((one) => !done.has(one));
    open = [...open.filter((one) => !together.includes(one)), ...hidden];
  }
  return proven;
}

/** What is proven of a request that breaks, by asking its halves, and theirs, until what breaks it is known. */
async function provenInHalves<One>(together: readonly One[], ask: AskTogether<One>): Promise<One[]> {
  const middle = Math.ceil(together.length / 2);
  const proven: One[] = [];
  for (const half of [together.slice(0, middle), together.slice(middle)]) {
    const answer = await ask(half);
    if (answer !== 'broken') proven.push(...(answer ?? []));
    else if (half.length > 1) proven.push(...(await provenInHalves(half, ask)));
  }
  return proven;
}

function packed<One>(open: readonly One[], fits: (beside: readonly One[], one: One) => boolean): One[] {
  const together: One[] = [];
  for (const one of open) if (together.length === 0 || fits(together, one)) together.push(one);
  return together;
}
