import fc from 'fast-check';
import { boundaryValues } from './boundaries.ts';
import { type ArgumentSet, type SetParameter, usable, validSet } from './sets.ts';
import { validValues } from './values.ts';
import type { Generated } from './zones.ts';

/** Values of one parameter that are tried with those of every other: more of them square the number of sets. */
const LEVELS = 3;

interface Factor {
  readonly parameter: SetParameter;
  readonly levels: readonly Generated[];
}

/** A level of a factor, both by their number. */
type Cell = readonly [factor: number, level: number];

/**
 * Sets in which every two parameters stand together, each with several values that are accepted for sure: a covering array
 * of strength two. The same sets each time; what a set needs for no pair is left out of it. Optional parameters without a
 * value that is accepted for sure are in none.
 * @param excluded whether two parameters must not be sent together
 */
export function coveringPairs(
  parameters: readonly SetParameter[],
  excluded: (one: string, other: string) => boolean = () => false,
): readonly ArgumentSet[] {
  const factors = usable(parameters).flatMap((parameter) => factorOf(parameter));
  const nameOf = (at: number): string => factors[at]?.parameter.name ?? '';
  const apart = (one: number, other: number): boolean =>
    excluded(nameOf(one), nameOf(other)) || excluded(nameOf(other), nameOf(one));
  const always = factors.flatMap(({ parameter }, at) => (parameter.required ? [at] : []));
  const open = openPairs(factors, (one, other) =>
    [...always, one, other].some((a) => [one, other].some((b) => a !== b && apart(a, b))),
  );
  const rows: ArgumentSet[] = [];
  for (;;) {
    const [first] = open.values();
    if (first === undefined) return rows;
    const row = fill(factors, first, always, open, apart);
    for (const key of keysOf(row)) open.delete(key);
    rows.push(setOf(factors, row));
  }
}

function factorOf(parameter: SetParameter): Factor[] {
  const { schema, known = [], required } = parameter;
  const values =
    known.length > 0
      ? known.map((value): Generated => ({ value, zone: 'valid', why: 'a known value', expect: 'accepted' }))
      : boundaryValues(schema).filter(({ expect }) => expect === 'accepted');
  const different = [...new Map(values.map((one) => [JSON.stringify(one.value), one])).values()];
  const levels = spread(different);
  if (levels.length > 0) return [{ parameter, levels }];
  return required ? [{ parameter, levels: fc.sample(validValues(schema), { numRuns: 1, seed: 1 }) }] : [];
}

/** A few of many, the first and the last among them. */
function spread(values: readonly Generated[]): readonly Generated[] {
  if (values.length <= LEVELS) return values;
  const step = (values.length - 1) / (LEVELS - 1);
  return Array.from({ length: LEVELS }, (_, at) => values[Math.round(at * step)]).filter(
    (value) => value !== undefined,
  );
}

/** Every pair of cells that a set can hold, by its key. */
function openPairs(
  factors: readonly Factor[],
  apart: (one: number, other: number) => boolean,
): Map<string, readonly [Cell, Cell]> {
  const cells = factors.flatMap(({ levels }, at) => levels.map((_, level): Cell => [at, level]));
  const pairs = cells.flatMap((one) =>
    cells.flatMap((other): [string, readonly [Cell, Cell]][] =>
      one[0] < other[0] && !apart(one[0], other[0]) ? [[keyOf(one, other), [one, other]]] : [],
    ),
  );
  return new Map(pairs);
}

/** A row that begins with a pair, and takes of every other factor the level that is new beside most of the row. */
function fill(
  factors: readonly Factor[],
  first: readonly [Cell, Cell],
  always: readonly number[],
  open: ReadonlyMap<string, unknown>,
  apart: (one: number, other: number) => boolean,
): Cell[] {
  const row: Cell[] = [...first];
  const rest = [...factors.keys()].filter((at) => !row.some(([taken]) => taken === at));
  // Required ones first: what must not stand beside them is then left out.
  const order = rest.toSorted((one, other) => Number(always.includes(other)) - Number(always.includes(one)));
  for (const at of order) {
    if (row.some(([taken]) => apart(at, taken))) continue;
    let [best, most] = [0, always.includes(at) ? -1 : 0];
    for (const level of factors[at]?.levels.keys() ?? []) {
      const fresh = row.filter((cell) => open.has(keyOf(cell, [at, level]))).length;
      if (fresh > most) [best, most] = [level, fresh];
    }
    if (most > 0 || always.includes(at)) row.push([at, best]);
  }
  return row.toSorted(([one], [other]) => one - other);
}

function keysOf(row: readonly Cell[]): string[] {
  return row.flatMap((one, at) => row.slice(at + 1).map((other) => keyOf(one, other)));
}

function keyOf(one: Cell, other: Cell): string {
  return one[0] < other[0] ? `${one.join()} ${other.join()}` : `${other.join()} ${one.join()}`;
}

function setOf(factors: readonly Factor[], row: readonly Cell[]): ArgumentSet {
  const parameters = factors.map(({ parameter }) => parameter);
  const chosen = row.flatMap(([at, level]) => {
    const factor = factors[at];
    return factor === undefined ? [] : [[factor.parameter.name, factor.levels[level]] as const];
  });
  return validSet(parameters, chosen);
}
