/** Steps by number, in ascending order. They are always applied in this order. */
export type Steps = readonly number[];

/** The way to some steps. If the applied ones are a prefix, further steps are enough. @param now undefined if unknown */
export function moveTo(now: Steps | undefined, wanted: Steps): { reset: boolean; steps: Steps } {
  const isBeginning = now?.every((step, at) => wanted[at] === step) === true;
  return isBeginning
    ? { reset: false, steps: wanted.slice(now.length) }
    : { reset: true, steps: [...wanted] };
}

/** Finds, by halves, the first step with which a change shows, and the earlier ones that it needs. */
export async function findSteps(
  count: number,
  shown: (steps: Steps) => Promise<readonly string[]>,
): Promise<{ readonly steps: Steps; readonly id: string }> {
  const last = await lowest(count, async (first) => (await shown(range(first))).length > 0);
  const [id = ''] = await shown(range(last));
  const shows = async (steps: Steps): Promise<boolean> => (await shown(steps)).includes(id);
  let found: Steps = [last - 1];
  let below = last - 1;
  while (below > 0 && !(await shows(found))) {
    const rest = found;
    const first = await lowest(below, (some) => shows([...range(some), ...rest]));
    found = [first - 1, ...rest];
    below = first - 1;
  }
  return { steps: await withoutNeedless(found, shows), id };
}

/** Binary search for the lowest number above 0 that holds, up to `high`. */
async function lowest(high: number, holds: (number: number) => Promise<boolean>): Promise<number> {
  let [no, yes] = [0, high];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (await holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

/** Leaves out each step once, because an earlier step may have become superfluous. */
async function withoutNeedless(steps: Steps, shows: (steps: Steps) => Promise<boolean>): Promise<Steps> {
  let left = steps;
  for (const step of steps) {
    const others = left.filter((one) => one !== step);
    if (others.length > 0 && (await shows(others))) left = others;
  }
  return left;
}

function range(count: number): Steps {
  return Array.from({ length: count }, (_, at) => at);
}

/** The maximum cost of a search. */
export interface Cost {
  readonly tests: number;
  readonly resets: number;
  readonly steps: number;
}

/** With more steps, not every possibility is computed. */
const MOST_PLANNED = 60;

/** The maximum cost of a search with so many culprits, computed by simulating every possibility. */
export async function costOf(count: number, culprits: 1 | 2): Promise<Cost> {
  const worst = { tests: 0, resets: 0, steps: 0 };
  const stride = Math.ceil(count / MOST_PLANNED);
  for (let one = 0; one < count; one += stride) {
    const others =
      culprits === 1 ? [one] : range(count).filter((other) => other > one && other % stride === 0);
    for (const other of others) {
      const spent = await playThrough(count, [...new Set([one, other])]);
      for (const what of ['tests', 'resets', 'steps'] as const)
        worst[what] = Math.max(worst[what], spent[what]);
    }
  }
  return worst;
}

async function playThrough(count: number, culprits: Steps): Promise<Cost> {
  const known = new Map<string, readonly string[]>();
  let now: Steps | undefined;
  const spent = { tests: 0, resets: 0, steps: 0 };
  const go = (steps: Steps): void => {
    const move = moveTo(now, steps);
    spent.tests += 1;
    spent.resets += move.reset ? 1 : 0;
    spent.steps += move.steps.length;
    now = steps;
  };
  const shown = async (steps: Steps): Promise<readonly string[]> => {
    const key = steps.join();
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    go(steps);
    const found = culprits.every((one) => steps.includes(one)) ? ['it'] : [];
    known.set(key, found);
    return found;
  };
  await shown([]);
  await shown(range(count));
  const { steps } = await findSteps(count, shown);
  for (const confirmed of [[], steps]) go(confirmed);
  // The final reset.
  spent.resets += 1;
  return spent;
}
