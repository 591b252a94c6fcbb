import { boundaryValues } from './boundaries.ts';
import type { Generated } from './generated.ts';
import { type ArgumentSet, type SetParameter, usable, validSet } from './sets.ts';

/** How many values of a parameter are combined with those of others, by strength. More values multiply the sets. */
const LEVELS = { 2: 3, 3: 2 } as const;

/** A covering array: always the same sets, which combine every two or three parameters with several values of each. */
export function coveringSets(
  parameters: readonly SetParameter[],
  strength: keyof typeof LEVELS,
): readonly ArgumentSet[] {
  const factors = usable(parameters)
    .map((parameter) => ({ name: parameter.name, levels: levelsOf(parameter, LEVELS[strength]) }))
    .filter(({ levels }) => levels.length > 0);
  const cells = factors.flatMap(({ levels }, factor) => levels.map((_, level): Cell => ({ factor, level })));
  const cover = strength === 3 ? coveringTriples : coveringArray;
  return cover(cells).map((row) =>
    validSet(factors.map(({ name, levels }, at) => [name, levels[row.get(at) ?? -1]])),
  );
}

function levelsOf({ schema }: SetParameter, most: number): readonly Generated[] {
  const values = boundaryValues(schema).filter(({ expect }) => expect === 'accepted');
  return spread([...new Map(values.map((one) => [JSON.stringify(one.value), one])).values()], most);
}

/** Some of many values, with the first and the last. */
function spread(values: readonly Generated[], most: number): readonly Generated[] {
  if (values.length <= most) return values;
  const step = (values.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => values[Math.round(at * step)]).filter(
    (value) => value !== undefined,
  );
}

/** A level of a factor; both are numbered from 0. */
interface Cell {
  readonly factor: number;
  readonly level: number;
}

type Row = ReadonlyMap<number, number>;

/** Rows that combine every two levels of every two factors: each row takes the levels that add most new pairs. */
function coveringArray(cells: readonly Cell[]): Row[] {
  const open = openPairs(cells);
  const rows: Row[] = [];
  for (;;) {
    const left = cells.map((_, at) => sum(open[at]));
    const first = indexOfMost(left);
    if ((left[first] ?? 0) === 0) return rows;
    const taken = fill(first, cells, open);
    for (const one of taken) for (const other of taken) open[one]?.fill(0, other, other + 1);
    rows.push(rowOf(taken, cells));
  }
}

/** Rows that combine every three levels of every three factors: each begins with a new triple. */
function coveringTriples(cells: readonly Cell[]): Row[] {
  const count = cells.length;
  const pairs = openPairs(cells);
  const isPair = (one: number, other: number): boolean => pairs[one]?.[other] === 1;
  const done = new Uint8Array(count ** 3);
  const at = (...three: number[]): number =>
    three.sort((one, other) => one - other).reduce((place, cell) => place * count + cell, 0);
  const rows: Row[] = [];
  for (const [one] of cells.entries()) {
    for (let other = one + 1; other < count; other += 1) {
      for (let third = other + 1; third < count; third += 1) {
        if (!isPair(one, other) || !isPair(one, third) || !isPair(other, third)) continue;
        if (done[at(one, other, third)] === 1) continue;
        const taken = widen([one, other, third], count, isPair, (...three) => done[at(...three)] !== 1);
        for (const [first, second, last] of threesOf(taken)) done[at(first, second, last)] = 1;
        rows.push(rowOf(taken, cells));
      }
    }
  }
  return rows;
}

/** Adds the cells that make most new triples, until none does. */
function widen(
  begun: readonly number[],
  count: number,
  isPair: (one: number, other: number) => boolean,
  isNew: (one: number, other: number, third: number) => boolean,
): number[] {
  const taken: number[] = [];
  const gains = new Array<number>(count).fill(0);
  const take = (cell: number): void => {
    for (let other = 0; other < count; other += 1) {
      if (!isPair(cell, other)) gains[other] = Number.NEGATIVE_INFINITY;
      for (const one of gains[other] === Number.NEGATIVE_INFINITY ? [] : taken) {
        gains[other] = (gains[other] ?? 0) + Number(isNew(cell, one, other));
      }
    }
    taken.push(cell);
  };
  for (const cell of begun) take(cell);
  for (let next = indexOfMost(gains); (gains[next] ?? 0) > 0; next = indexOfMost(gains)) take(next);
  return taken;
}

/** All triples of some items, in order. */
export function threesOf<T>(items: readonly T[]): [T, T, T][] {
  return items.flatMap((one, at) =>
    items
      .slice(at + 1)
      .flatMap((other, next) => items.slice(at + next + 2).map((third): [T, T, T] => [one, other, third])),
  );
}

/** For each cell, 1 for every cell that it must still be combined with. */
function openPairs(cells: readonly Cell[]): Uint8Array[] {
  return cells.map((one) => Uint8Array.from(cells, (other) => Number(one.factor !== other.factor)));
}

/** The cells of a row that begins with one. */
function fill(first: number, cells: readonly Cell[], open: readonly Uint8Array[]): number[] {
  const taken: number[] = [];
  const gains = new Array<number>(cells.length).fill(0);
  const free = cells.map(() => true);
  for (let next = first; next >= 0; ) {
    taken.push(next);
    const { factor } = cells[next] ?? { factor: -1 };
    for (const [at, cell] of cells.entries()) {
      if (cell.factor === factor) free[at] = false;
      gains[at] = (gains[at] ?? 0) + (open[next]?.[at] ?? 0);
    }
    next = bestOf(gains, open, free);
  }
  return taken;
}

/** The free cell that adds most new pairs to a row; if none does, the one with most; -1 if nothing is left. */
function bestOf(gains: readonly number[], open: readonly Uint8Array[], free: readonly boolean[]): number {
  const fresh = gains.map((gain, at) => (free[at] === true ? gain : 0));
  const best = indexOfMost(fresh);
  if ((fresh[best] ?? 0) > 0) return best;
  const later = open.map((row, at) => (free[at] === true ? sum(row.filter((_, other) => free[other])) : 0));
  const next = indexOfMost(later);
  return (later[next] ?? 0) > 0 ? next : -1;
}

function rowOf(taken: readonly number[], cells: readonly Cell[]): Row {
  return new Map(taken.flatMap((at) => cells[at] ?? []).map(({ factor, level }) => [factor, level]));
}

function indexOfMost(numbers: readonly number[]): number {
  return numbers.reduce((best, number, at) => (number > (numbers[best] ?? 0) ? at : best), 0);
}

function sum(numbers: Uint8Array | undefined): number {
  return numbers?.reduce((total, number) => total + number, 0) ?? 0;
}
