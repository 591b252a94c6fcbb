/**
 * Groups of files that import each other in a circle, each sorted.
 * @param imports the imports of each file; names without an entry are ignored
 */
export function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [...(imports.get(from) ?? [])];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      queue.push(...(imports.get(file) ?? []));
    }
    return seen;
  };
  const reached = new Map([...imports.keys()].map((file) => [file, reach(file)]));
  const groups = new Set(
    [...reached]
      .filter(([file, all]) => all.has(file))
      .map(([file, all]) =>
        [...all]
          .filter((other) => reached.get(other)?.has(file) === true)
          .toSorted()
          .join('\n'),
      ),
  );
  return [...groups].map((group) => group.split('\n'));
}
