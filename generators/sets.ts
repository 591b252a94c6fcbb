import fc from 'fast-check';
import type { Schema } from '../specs/schema.ts';
import type { Generated } from './generated.ts';
import { hostileValues, isSpecialName } from './unusual-values.ts';
import { WORD } from './valid-texts.ts';
import { coercibleValues, invalidValues, validValues } from './values.ts';
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
export function validSets(parameters: readonly SetParameter[]): fc.Arbitrary<ArgumentSet> {
  return someValid(parameters).map(validSet);
}

/** Sets with exactly one violation among valid arguments; undefined if none is certain. @param beside default: all */
export function invalidSets(
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
export function hostileSets(parameters: readonly SetParameter[]): fc.Arbitrary<ArgumentSet> {
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
export function validSet(chosen: readonly Named[]): ArgumentSet {
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
