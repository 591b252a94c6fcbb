import { selectorOf } from '../engine/glob.ts';
import { firstLines } from '../engine/text.ts';
import exceptions from './exceptions.json' with { type: 'json' };

/** An accepted result of the kill matrix with its reason, reviewed like code. */
interface Exception {
  /** Id of a mutant or check, or a glob. */
  readonly id: string;
  readonly reason: string;
}

/** Exceptions: mutants that survive or only others report, and checks that no mutant fails. */
type Exceptions = Readonly<Record<'survivors' | 'idle', readonly Exception[]>>;

/** The exceptions of the project. */
export const EXCEPTIONS: Exceptions = exceptions;

/** The exception for an id, if there is one. */
export function exceptionFor(id: string, exceptions: readonly Exception[]): Exception | undefined {
  return exceptions.find((one) => covers(one, id));
}

/** Whether an exception matches an id. */
function covers({ id: glob }: Exception, id: string): boolean {
  return id === glob || selectorOf(glob)(id);
}

/** The result of the checks for an altered site. */
export interface Outcome {
  readonly id: string;
  /**
   * A mutant is `killed` by a check of its own requirement, reported `elsewhere` by others only, or it `survived`. A
   * variant that no check may report is `spared`, or `reported`.
   */
  readonly end: 'killed' | 'elsewhere' | 'survived' | 'spared' | 'reported';
  /** Ids of the checks that failed or warned, and for a variant of those that crashed. */
  readonly failed: readonly string[];
  readonly milliseconds: number;
}

/** If a mutant fails more checks than this, they lack dependencies on each other. */
const MANY = 5;

/** The sum of all outcomes, without those that have a listed reason. */
interface Matrix extends Readonly<Record<'survivors' | 'elsewhere' | 'many', readonly Outcome[]>> {
  readonly mutants: number;
  readonly killed: number;
  readonly minutes: number;
  /** Checks that no mutant fails, without a listed reason. */
  readonly idle: readonly string[];
  /** How many results a listed reason accepts. */
  readonly accepted: number;
  /** Exceptions for this deployment that were not needed. */
  readonly unused: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** Sums outcomes up. @param checks ids of all checks; empty if not every mutant was run; @param minutes of wall time */
export function toMatrix({
  outcomes,
  checks,
  exceptions,
  minutes,
}: Pick<Matrix, 'outcomes' | 'minutes'> & {
  readonly checks: readonly string[];
  readonly exceptions: Exceptions;
}): Matrix {
  const killers = new Set(outcomes.flatMap(({ failed }) => failed));
  const open = outcomes.filter((outcome) => outcome.end !== 'killed');
  const idle = checks.filter((id) => !killers.has(id));
  const excuseOf = ({ id }: Outcome): Exception | undefined => exceptionFor(id, exceptions.survivors);
  const idleExcuseOf = (id: string): Exception | undefined => exceptionFor(id, exceptions.idle);
  const left = open.filter((one) => excuseOf(one) === undefined);
  const needed = new Set([...open.map(excuseOf), ...idle.map(idleExcuseOf)]);
  const mutants = outcomes.map(({ id }) => id);
  return {
    mutants: outcomes.length,
    killed: outcomes.length - open.length,
    minutes,
    survivors: left.filter(({ end }) => end === 'survived'),
    elsewhere: left.filter(({ end }) => end === 'elsewhere'),
    many: outcomes.filter(({ failed }) => failed.length > MANY),
    idle: idle.filter((id) => idleExcuseOf(id) === undefined),
    accepted: open.length - left.length + idle.filter(idleExcuseOf).length,
    unused: [
      ...exceptions.survivors.filter((one) => mutants.some((id) => covers(one, id))),
      ...exceptions.idle.filter((one) => checks.some((id) => covers(one, id))),
    ]
      .filter((one) => !needed.has(one))
      .map(({ id }) => id),
    outcomes,
  };
}

/** Whether a matrix has nothing but accepted results. */
export function isClean({ survivors, elsewhere, many, idle, unused }: Matrix): boolean {
  return [survivors, elsewhere, many, idle, unused].every((list) => list.length === 0);
}

const MOST_SHOWN = 40;

/** A matrix as text: numbers first, then what needs attention. */
export function renderMatrix(matrix: Matrix): string {
  const { mutants, killed, minutes, survivors, elsewhere, accepted, many, idle, unused } = matrix;
  const rate = Math.round(mutants / Math.max(minutes, 1e-9));
  const sections: Readonly<Record<string, readonly string[]>> = {
    survived: survivors.map(({ id }) => id),
    'noticed by other checks alone': elsewhere.map(
      ({ id, failed }) => `${id}  by ${failed.slice(0, 3).join(', ')}`,
    ),
    [`failed more than ${MANY} checks`]: many.map(
      ({ id, failed }) => `${id}  ${failed.length}: ${failed.slice(0, 3).join(', ')} …`,
    ),
    'checks that kill nothing': idle,
    'exceptions that nothing needs': unused,
  };
  return [
    `${mutants} mutants, ${killed} killed by a check of their own requirement, ${mutants - killed} not`,
    `${accepted} exceptions with a reason`,
    `${minutes.toFixed(1)} minutes, ${rate} mutants a minute`,
    ...Object.entries(sections).flatMap(([title, lines]) => section(title, lines)),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = firstLines(lines, MOST_SHOWN, (more) => `and ${more} more`);
  return ['', `${title}: ${lines.length}`, ...shown.map((line) => `  ${line}`)];
}
