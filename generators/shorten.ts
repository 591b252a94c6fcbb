/**
 * Leaves out of a list whatever it fails without as well, one item at a time, until nothing can be left out.
 * @param fails whether a shorter list still fails; the list itself is known to
 */
export async function shorten<T>(
  items: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let shortest = items;
  let length: number;
  do {
    length = shortest.length;
    for (let at = length - 1; at >= 0; at -= 1) {
      const shorter = shortest.toSpliced(at, 1);
      if (await fails(shorter)) shortest = shorter;
    }
  } while (shortest.length < length && shortest.length > 1);
  return shortest;
}
