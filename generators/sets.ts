import fc from 'fast-check';
import type { Schema } from '../specs/schema.ts';
import { boundaryValues } from './boundaries.ts';
import type { Generated } from './generated.ts';
import { coercibleValues, invalidValues } from './invalid-values.ts';
import { hostileValues, isSpecialName } from './unusual-values.ts';
import { validValues, WORD } from './valid-values.ts';
import type { Args } from './wire-forms.ts';

/** Arguments by the names to send, the expected outcome, and the arguments that decide it. */
export interface ArgumentSet {
  readonly args: Readonly<Record<string, Generated>>;
  readonly expect: Generated['expect'];
  readonly about: readonly string[];
}

/** A parameter of an operation, with what is known about it on a site. */
export interface SetParameter {
  /** The name to send. Names with a meaning on every route are left out, unless values are known. */
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Values that the site is known to have. If there are any, no other valid ones are generated. */
  readonly known?: readonly unknown[];
  /** Hostile values that name something else or nothing, such as ids of other resources and deleted records. */
  readonly unrelatedIds?: readonly unknown[];
}

const OPTIONAL_ON_AVERAGE = 4;
const MOST_HOSTILE = 3;

type Named = readonly [name: string, value: Generated | undefined];

/** Combinations of valid arguments, always with the required ones. */
export function anyValidSet(parameters: readonly SetParameter[]): fc.Arbitrary<ArgumentSet> {
  return someValid(parameters).map(validSet);
}

/** Sets with exactly one violation among valid arguments; undefined if none is certain. @param beside default: all */
export function anyInvalidSet(
  parameters: readonly SetParameter[],
  beside: readonly SetParameter[] = parameters,
): fc.Arbitrary<ArgumentSet> | undefined {
  const violations = usable(parameters).flatMap(({ name, schema, required }): fc.Arbitrary<Named>[] => {
    const found: fc.Arbitrary<Named>[] = [];
    const values = invalidValues(schema);
    if (values !== undefined) found.push(values.map((value): Named => [name, value]));
    const isDoubtful = [schema['x-doubtful'], schema['x-silent']].some((one) => one?.includes('required'));
    if (required && !isDoubtful) found.push(fc.constant<Named>([name, undefined]));
    return found;
  });
  if (violations.length === 0) return undefined;
  return fc.tuple(fc.oneof(...violations), someValid(beside)).map(([[name, value], chosen]) => {
    const { [name]: _, ...others } = given(chosen);
    const args = value === undefined ? others : { ...others, [name]: value };
    return { args, expect: 'refused', about: [name] };
  });
}

/** Strange values, spellings or names for a few parameters, with valid values for others. Nothing is asserted. */
export function anyHostileSet(parameters: readonly SetParameter[]): fc.Arbitrary<ArgumentSet> {
  const strange = usable(parameters).flatMap(({ name, schema, unrelatedIds = [] }) => {
    const ids = unrelatedIds.map((value): Generated => ({ value, expect: 'unasserted' }));
    return [
      hostileValues(schema),
      coercibleValues(schema),
      ids.length > 0 ? fc.constantFrom(...ids) : undefined,
    ]
      .filter((values) => values !== undefined)
      .map((values) => values.map((value): Named => [name, value]));
  });
  // Names that no operation has, plain and strange ones, without a meaning for the software.
  const names = fc.oneof(
    fc.constantFrom(...UNUSUAL),
    WORD.map((word) => `x-${word}`),
  );
  const unknown = names.map((name): Named => [name, { value: 'sample', expect: 'unasserted' }]);
  const few = fc.array(fc.oneof(...strange, unknown), { minLength: 1, maxLength: MOST_HOSTILE });
  return fc.tuple(few, someValid(parameters)).map(([hostile, chosen]) => {
    const args = { ...given(chosen), ...given(hostile) };
    return { args, expect: 'unasserted', about: [...new Set(hostile.map(([name]) => name))] };
  });
}

const UNUSUAL: readonly string[] = [
  ...['0', '-', 'X', 'x.y', 'x y', 'x[', 'x]', 'x[]', 'x[][]', 'x[a][b]', 'x[a]b', 'x[0]', 'x=y'],
  ...['x&y', 'x;y'],
  ...['%', '%zz', 'x%00y', 'x\u0000y', 'x\r\ny', "x'", 'x"', '<x>', 'x,y', 'x/y', '$x', 'constructor'],
  ...['toString'],
  ...['ünïcode', '日本', '😀', '\u202ex', 'x'.repeat(64), 'x'.repeat(1000)],
];

/** Combines valid arguments. @param chosen values by name; undefined for an argument that is left out */
function validSet(chosen: readonly Named[]): ArgumentSet {
  const args = given(chosen);
  const sure = Object.values(args).every(({ expect }) => expect === 'accepted');
  return { args, expect: sure ? 'accepted' : 'unasserted', about: Object.keys(args) };
}

/** The parameters for sets. */
export function usable(parameters: readonly SetParameter[]): SetParameter[] {
  return parameters.filter(({ name, known = [] }) => known.length > 0 || !isSpecialName(name));
}

function someValid(parameters: readonly SetParameter[]): fc.Arbitrary<readonly Named[]> {
  const all = usable(parameters);
  const optional = all.filter(({ required }) => !required).length;
  const weight = Math.max(1, Math.round(optional / OPTIONAL_ON_AVERAGE) - 1);
  return fc.tuple(
    ...all.map(({ name, schema, required, known }): fc.Arbitrary<Named> => {
      const values = validValues(schema, known).map((value): Named => [name, value]);
      if (required) return values;
      const absent = { weight, arbitrary: fc.constant<Named>([name, undefined]) };
      return fc.oneof(absent, { weight: 1, arbitrary: values });
    }),
  );
}

function given(chosen: readonly Named[]): Record<string, Generated> {
  return Object.fromEntries(
    chosen.filter((one): one is readonly [string, Generated] => one[1] !== undefined),
  );
}

/** The arguments of a set as they are sent. */
export function valuesOf({ args }: Pick<ArgumentSet, 'args'>): Args {
  return Object.fromEntries(Object.entries(args).map(([name, { value }]) => [name, value]));
}

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
