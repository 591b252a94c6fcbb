/**
 * A covering array of strength two: rows in which every two levels of every two factors stand together at least once.
 * Greedy and deterministic: each row starts with a pair that no row has yet and takes of every other factor the level with
 * the most pairs that are new.
 * @param counts how many levels each factor has
 * @returns rows with the number of a level for each factor
 */
export function coverPairs(counts: readonly number[]): number[][] {
  const open = allPairs(counts);
  const rows: number[][] = [];
  for (;;) {
    const [first] = open;
    if (first === undefined) return rows;
    const row = rowFrom(first, counts, open);
    for (const key of pairsIn(row)) open.delete(key);
    rows.push(row);
  }
}

function allPairs(counts: readonly number[]): Set<string> {
  const pairs = new Set<string>();
  for (const [one, levels] of counts.entries()) {
    for (let other = one + 1; other < counts.length; other += 1) {
      for (let level = 0; level < levels; level += 1) {
        for (let beside = 0; beside < (counts[other] ?? 0); beside += 1) {
          pairs.add(keyOf(one, level, other, beside));
        }
      }
    }
  }
  return pairs;
}

function rowFrom(pair: string, counts: readonly number[], open: ReadonlySet<string>): number[] {
  const [one = 0, level = 0, other = 0, beside = 0] = pair.split(' ').map(Number);
  const row = new Map([
    [one, level],
    [other, beside],
  ]);
  for (const [factor, levels] of counts.entries()) {
    if (row.has(factor)) continue;
    let best = 0;
    let most = -1;
    for (let candidate = 0; candidate < levels; candidate += 1) {
      const news = [...row].filter(([known, at]) => open.has(ordered(known, at, factor, candidate))).length;
      if (news > most) [best, most] = [candidate, news];
    }
    row.set(factor, best);
  }
  return counts.map((_, factor) => row.get(factor) ?? 0);
}

function* pairsIn(row: readonly number[]): Generator<string> {
  for (const [one, level] of row.entries()) {
    for (let other = one + 1; other < row.length; other += 1) yield keyOf(one, level, other, row[other] ?? 0);
  }
}

function ordered(one: number, level: number, other: number, beside: number): string {
  return one < other ? keyOf(one, level, other, beside) : keyOf(other, beside, one, level);
}

function keyOf(one: number, level: number, other: number, beside: number): string {
  return `${one} ${level} ${other} ${beside}`;
}
