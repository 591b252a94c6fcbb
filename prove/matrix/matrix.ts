import { covers, type Exception, type Exceptions, exceptionFor } from './exceptions.ts';
import type { MutantOutcome } from './outcome.ts';

/** More failing checks than these for one mutant mean that they do not hang on one another as they should. */
export const MANY = 5;

/** What all outcomes say together. */
export interface Matrix {
  readonly mutants: number;
  readonly killed: number;
  readonly minutes: number;
  /** Neither killed nor listed with a reason. */
  readonly survivors: readonly MutantOutcome[];
  /** Noticed by other checks alone, without a listed reason. */
  readonly elsewhere: readonly MutantOutcome[];
  /** Mutants that many checks report, without a listed reason. */
  readonly many: readonly MutantOutcome[];
  /** Checks that no mutant makes fail, without a listed reason. */
  readonly idle: readonly string[];
  /** What is listed with a reason, and was needed. */
  readonly accepted: readonly { readonly id: string; readonly reason: string }[];
  /** Listed exceptions that are about this deployment, and that nothing needs. */
  readonly unused: readonly string[];
  readonly outcomes: readonly MutantOutcome[];
}

/** What a matrix is made of. */
export interface MatrixParts {
  readonly outcomes: readonly MutantOutcome[];
  /** Ids of all checks that could kill; empty where not every mutant was run. */
  readonly checks: readonly string[];
  readonly exceptions: Exceptions;
  /** Wall time of the run. */
  readonly minutes: number;
}

/** Sums outcomes up. */
export function toMatrix({ outcomes, checks, exceptions, minutes }: MatrixParts): Matrix {
  const killers = new Set(outcomes.flatMap(({ failed }) => failed));
  const open = outcomes.filter((outcome) => outcome.end !== 'killed');
  const idle = checks.filter((id) => !killers.has(id));
  const many = outcomes.filter(({ failed }) => failed.length > MANY);
  const excused = [
    ...excuse(
      open.map(({ mutant }) => mutant),
      exceptions.survivors,
    ),
    ...excuse(idle, exceptions.idle),
    ...excuse(
      many.map(({ mutant }) => mutant),
      exceptions.many,
    ),
  ];
  const left = open.filter(({ mutant }) => exceptionFor(mutant, exceptions.survivors) === undefined);
  const needed = new Set(excused.map(({ exception }) => exception));
  const mutants = outcomes.map(({ mutant }) => mutant);
  return {
    mutants: outcomes.length,
    killed: outcomes.length - open.length,
    minutes,
    survivors: left.filter(({ end }) => end === 'survived'),
    elsewhere: left.filter(({ end }) => end === 'elsewhere'),
    many: many.filter(({ mutant }) => exceptionFor(mutant, exceptions.many) === undefined),
    idle: idle.filter((id) => exceptionFor(id, exceptions.idle) === undefined),
    accepted: excused.map(({ id, exception }) => ({ id, reason: exception.reason })),
    unused: [
      ...[...exceptions.survivors, ...exceptions.many].filter((one) => mutants.some((id) => covers(one, id))),
      ...exceptions.idle.filter((one) => checks.some((id) => covers(one, id))),
    ]
      .filter((one) => !needed.has(one))
      .map(({ id }) => id),
    outcomes,
  };
}

/** Whether a matrix shows nothing but what is allowed. */
export function isClean({ survivors, elsewhere, many, idle, unused }: Matrix): boolean {
  return [survivors, elsewhere, many, idle, unused].every((list) => list.length === 0);
}

function excuse(
  ids: readonly string[],
  exceptions: readonly Exception[],
): { readonly id: string; readonly exception: Exception }[] {
  return ids.flatMap((id) => {
    const exception = exceptionFor(id, exceptions);
    return exception === undefined ? [] : [{ id, exception }];
  });
}
