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
  return coveringRows(cells, strength).map((row) =>
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

/** Rows that combine every so many levels of different factors. Each begins with a new combination. */
function coveringRows(cells: readonly Cell[], strength: number): Row[] {
  const isApart = (one: number, other: number): boolean => cells[one]?.factor !== cells[other]?.factor;
  const done = new Uint8Array(cells.length ** strength);
  const placeOf = (together: readonly number[]): number =>
    together.toSorted((one, other) => one - other).reduce((place, cell) => place * cells.length + cell, 0);
  const isNew = (together: readonly number[]): boolean => done[placeOf(together)] !== 1;
  return combinationsOf([...cells.keys()], strength).flatMap((begun): Row[] => {
    const isRow = combinationsOf(begun, 2).every(([one = 0, other = 0]) => isApart(one, other));
    if (!isRow || !isNew(begun)) return [];
    const taken = widen(begun, cells.length, isApart, isNew);
    for (const together of combinationsOf(taken, strength)) done[placeOf(together)] = 1;
    return [new Map(taken.flatMap((at) => cells[at] ?? []).map(({ factor, level }) => [factor, level]))];
  });
}

/** Adds the cells that make most new combinations, until none does. */
function widen(
  begun: readonly number[],
  count: number,
  isApart: (one: number, other: number) => boolean,
  isNew: (together: readonly number[]) => boolean,
): number[] {
  const taken: number[] = [];
  const gains = new Array<number>(count).fill(0);
  const take = (cell: number): void => {
    const besides = combinationsOf(taken, begun.length - 2);
    for (let other = 0; other < count; other += 1) {
      if (!isApart(cell, other)) gains[other] = Number.NEGATIVE_INFINITY;
      for (const beside of gains[other] === Number.NEGATIVE_INFINITY ? [] : besides) {
        gains[other] = (gains[other] ?? 0) + Number(isNew([cell, other, ...beside]));
      }
    }
    taken.push(cell);
  };
  for (const cell of begun) take(cell);
  for (let next = indexOfMost(gains); (gains[next] ?? 0) > 0; next = indexOfMost(gains)) take(next);
  return taken;
}

/** All combinations of so many items, in order. */
export function combinationsOf<T>(items: readonly T[], size: number): T[][] {
  if (size <= 0) return [[]];
  return items.flatMap((one, at) =>
    combinationsOf(items.slice(at + 1), size - 1).map((others) => [one, ...others]),
  );
}

function indexOfMost(numbers: readonly number[]): number {
  return numbers.reduce((best, number, at) => (number > (numbers[best] ?? 0) ? at : best), 0);
}
