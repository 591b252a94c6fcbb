/** Works on all of a list, several at a time. @returns what came of each, in the order of the list */
export async function inParallel<T, R>(
  all: readonly T[],
  atATime: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(all.length);
  const queue = all.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of queue) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}
