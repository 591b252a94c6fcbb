import fc from 'fast-check';
import { boundaryValues } from './boundaries.ts';
import { coveringArray } from './covering-array.ts';
import { type ArgumentSet, type SetParameter, usable, validSet } from './sets.ts';
import { validValues } from './values.ts';
import type { Generated } from './zones.ts';

/** Values of one parameter that are tried with those of every other: more of them square the number of sets. */
const LEVELS = 3;

interface Factor {
  readonly parameter: SetParameter;
  readonly levels: readonly Generated[];
}

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
  const parted = (one: string, other: string): boolean => excluded(one, other) || excluded(other, one);
  // A companion must not bring in what is kept apart from another argument.
  const isFree = (parameter: SetParameter, value: unknown): boolean =>
    companionNames(parameter, value).every((name) => !parameters.some((other) => parted(name, other.name)));
  const factors = usable(parameters).flatMap((parameter) => factorOf(parameter, isFree));
  const nameOf = (at: number): string => factors[at]?.parameter.name ?? '';
  const rows = coveringArray({
    levels: factors.map(({ levels }) => levels.length),
    always: factors.flatMap(({ parameter }, at) => (parameter.required ? [at] : [])),
    apart: (one, other) => parted(nameOf(one), nameOf(other)),
  });
  return rows.map((row) =>
    validSet(
      parameters,
      factors.map(({ parameter, levels }, at) => [parameter.name, levels[row.get(at) ?? -1]]),
    ),
  );
}

function companionNames({ companions, companionsOf }: SetParameter, value: unknown): string[] {
  return Object.keys({ ...companions, ...companionsOf?.(value) });
}

function factorOf(
  parameter: SetParameter,
  isFree: (parameter: SetParameter, value: unknown) => boolean,
): Factor[] {
  const { schema, known = [], required } = parameter;
  const values =
    known.length > 0
      ? known.map((value): Generated => ({ value, zone: 'valid', why: 'a known value', expect: 'accepted' }))
      : boundaryValues(schema).filter(({ expect }) => expect === 'accepted');
  const free = values.filter(({ value }) => isFree(parameter, value));
  const levels = spread([...new Map(free.map((one) => [JSON.stringify(one.value), one])).values()]);
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
