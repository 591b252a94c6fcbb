import { shorten } from '../../generators/shrink.ts';
import type { Args } from '../records/reading/list-request.ts';

/** Sets that shrinking may try for one finding. */
const MOST_TRIES = 60;

/**
 * Makes a set of arguments smaller while it still fails: leaves out every argument that does not matter, then makes the
 * values of the others simpler.
 * @param kept names of arguments that are never left out
 * @param fails whether a smaller set fails in the same way
 * @param simpler strictly simpler values of an argument, the simplest first
 */
export async function shrink(
  args: Args,
  kept: readonly string[],
  fails: (args: Args) => Promise<boolean>,
  simpler: (name: string, value: unknown) => readonly unknown[],
): Promise<Args> {
  let left = MOST_TRIES;
  const stillFails = async (smaller: Args): Promise<boolean> => {
    if (left === 0) return false;
    left -= 1;
    return fails(smaller);
  };
  const pick = (names: readonly string[]): Args =>
    Object.fromEntries([...kept, ...names].map((name) => [name, args[name]]));
  const loose = Object.keys(args).filter((name) => !kept.includes(name));
  const names = await halved(loose, (some) => stillFails(pick(some)));
  let smallest = pick(await shorten(names, (some) => stillFails(pick(some))));
  for (const name of Object.keys(smallest)) {
    for (let next: Args | undefined = smallest; next !== undefined; ) {
      smallest = next;
      next = undefined;
      for (const value of simpler(name, smallest[name])) {
        const candidate = { ...smallest, [name]: value };
        if (!(await stillFails(candidate))) continue;
        next = candidate;
        break;
      }
    }
  }
  return smallest;
}

/** Keeps one half of a long list as long as that fails alone: one request then spares many. */
async function halved(
  names: readonly string[],
  fails: (names: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  if (names.length < 4) return names;
  const middle = Math.ceil(names.length / 2);
  for (const half of [names.slice(0, middle), names.slice(middle)]) {
    if (await fails(half)) return halved(half, fails);
  }
  return names;
}
