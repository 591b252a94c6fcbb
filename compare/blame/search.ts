/** Steps by their places, in ascending order: they are always applied in that order. */
export type Steps = readonly number[];

/** How a site comes from some steps to others: further steps are enough where those before are the same. */
interface Move {
  readonly reset: boolean;
  /** What is applied then. */
  readonly steps: Steps;
}

/** What brings a site to some steps. @param now the steps that it has; undefined where that is not known */
export function moveTo(now: Steps | undefined, wanted: Steps): Move {
  const isBeginning = now?.every((step, at) => wanted[at] === step) === true;
  return isBeginning
    ? { reset: false, steps: wanted.slice(now.length) }
    : { reset: true, steps: [...wanted] };
}

/** The steps that show a change, none of which can be left out. */
interface FoundSteps {
  readonly steps: Steps;
  /** The id of the change; of several the first that shows. */
  readonly id: string;
}

/**
 * Finds the steps that bring a change about: the first with which it shows, by halves, and then, by halves again, each earlier one
 * that it needs. No step of the result can be left out. All steps together must show it, and none must not.
 * @param shown the ids of the changes that show with some steps
 */
export async function findSteps(
  count: number,
  shown: (steps: Steps) => Promise<readonly string[]>,
): Promise<FoundSteps> {
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

/** The lowest number above 0 that holds, up to one that does, which holds while the number before does not. */
async function lowest(high: number, holds: (number: number) => Promise<boolean>): Promise<number> {
  let [no, yes] = [0, high];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (await holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

/** What an earlier step hid may show without it: each is left out once. */
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

/** How much a search takes at most. */
export interface Cost {
  readonly tests: number;
  readonly resets: number;
  readonly steps: number;
}

/** More steps are not planned one by one. */
const MOST_PLANNED = 60;

/** The most that a search takes where so many of the steps bring the change about: it plays each possibility through. */
export async function costOf(count: number, culprits: 1 | 2): Promise<Cost> {
  let worst: Cost = { tests: 0, resets: 0, steps: 0 };
  const stride = Math.ceil(count / MOST_PLANNED);
  for (let one = 0; one < count; one += stride) {
    const others =
      culprits === 1 ? [one] : range(count).filter((other) => other > one && other % stride === 0);
    for (const other of others) {
      const cost = await playThrough(count, [...new Set([one, other])]);
      worst = {
        tests: Math.max(worst.tests, cost.tests),
        resets: Math.max(worst.resets, cost.resets),
        steps: Math.max(worst.steps, cost.steps),
      };
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
  // Left as the reset makes it.
  spent.resets += 1;
  return spent;
}
