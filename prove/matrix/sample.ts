/** Every so many-th of a list, so that `count` of them are spread over all of it; all of them when there are fewer. */
export function sampleOf<T>(all: readonly T[], count: number, offset = 0): T[] {
  if (count >= all.length) return [...all];
  const step = all.length / count;
  const found = Array.from({ length: count }, (_, at) => all[Math.floor(at * step + offset) % all.length]);
  return found.filter((one) => one !== undefined);
}
