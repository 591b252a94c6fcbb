import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../client/json.ts';
import { selectorOf } from '../engine/glob.ts';
import type { Alteration } from '../sites/alterations/alteration.ts';

/** What the kill matrix is allowed to show, and why: reviewed like code. */
interface Exception {
  /** Id of a mutant or check, or a glob. */
  readonly id: string;
  readonly reason: string;
}

/**
 * All exceptions, by what they allow: mutants that survive or that other checks alone notice, checks that no mutant makes fail, and
 * mutants that fail many checks.
 */
type Exceptions = Readonly<Record<'survivors' | 'idle' | 'many', readonly Exception[]>>;

const FILE = join(import.meta.dirname, 'exceptions.json');
const KINDS = ['survivors', 'idle', 'many'] as const;

/** Reads the exceptions of the project. @throws Error that names what is wrong with the file */
export function readExceptions(): Exceptions {
  const json: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
  const [survivors, idle, many] = KINDS.map((kind) => listOf(json, kind));
  return { survivors: survivors ?? [], idle: idle ?? [], many: many ?? [] };
}

function listOf(json: unknown, kind: string): Exception[] {
  const listed = isObject(json) ? json[kind] : undefined;
  if (!Array.isArray(listed)) throw new Error(`exceptions.json: "${kind}" is no list`);
  return listed.map((one: unknown, at) => {
    if (!isObject(one) || typeof one.id !== 'string' || typeof one.reason !== 'string' || one.reason === '') {
      throw new Error(`exceptions.json: ${kind}[${at}] needs an id and a reason`);
    }
    return { id: one.id, reason: one.reason };
  });
}

/** The exception that allows an id; undefined when none does. */
export function exceptionFor(id: string, exceptions: readonly Exception[]): Exception | undefined {
  return exceptions.find((one) => covers(one, id));
}

/** Whether an exception is about an id. */
export function covers({ id: glob }: Exception, id: string): boolean {
  return id === glob || selectorOf(glob)(id);
}

/** What the checks said of a site with an alteration. */
export interface Outcome {
  readonly id: string;
  /**
   * A mutant is `killed` by a check of its own requirement, noticed `elsewhere` by others alone, or it `survived`. What
   * nobody may notice is `spared`, or `reported`.
   */
  readonly end: 'killed' | 'elsewhere' | 'survived' | 'spared' | 'reported';
  /** Ids of the checks that failed, warned or broke. */
  readonly failed: readonly string[];
  readonly milliseconds: number;
}

/** Whether a check is about what a mutant breaks. */
export function isOwn({ breaks }: Pick<Alteration, 'breaks'>, check: string): boolean {
  return breaks !== undefined && (check === breaks || check.startsWith(`${breaks}/`));
}

/** Evaluates what failed on a site with an alteration. @param milliseconds what the run took */
export function evaluate(
  alteration: Pick<Alteration, 'id' | 'breaks'>,
  failed: readonly string[],
  milliseconds: number,
): Outcome {
  return { id: alteration.id, end: endOf(alteration, failed), failed, milliseconds };
}

function endOf(alteration: Pick<Alteration, 'breaks'>, failed: readonly string[]): Outcome['end'] {
  if (alteration.breaks === undefined) return failed.length === 0 ? 'spared' : 'reported';
  if (failed.some((check) => isOwn(alteration, check))) return 'killed';
  return failed.length > 0 ? 'elsewhere' : 'survived';
}

/** More failing checks than these for one mutant mean that they do not depend on one another as they should. */
const MANY = 5;

/**
 * What all outcomes show together. Without a listed reason: mutants that were not killed, those that other checks alone noticed, and
 * those that many checks report.
 */
interface Matrix extends Readonly<Record<'survivors' | 'elsewhere' | 'many', readonly Outcome[]>> {
  readonly mutants: number;
  readonly killed: number;
  readonly minutes: number;
  /** Checks that no mutant makes fail, without a listed reason. */
  readonly idle: readonly string[];
  /** What is listed with a reason, and was needed. */
  readonly accepted: readonly { readonly id: string; readonly reason: string }[];
  /** Listed exceptions that are about this deployment, and that nothing needs. */
  readonly unused: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** What a matrix is made of. */
interface MatrixParts {
  readonly outcomes: readonly Outcome[];
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
      open.map(({ id }) => id),
      exceptions.survivors,
    ),
    ...excuse(idle, exceptions.idle),
    ...excuse(
      many.map(({ id }) => id),
      exceptions.many,
    ),
  ];
  const left = open.filter(({ id }) => exceptionFor(id, exceptions.survivors) === undefined);
  const needed = new Set(excused.map(({ exception }) => exception));
  const mutants = outcomes.map(({ id }) => id);
  return {
    mutants: outcomes.length,
    killed: outcomes.length - open.length,
    minutes,
    survivors: left.filter(({ end }) => end === 'survived'),
    elsewhere: left.filter(({ end }) => end === 'elsewhere'),
    many: many.filter(({ id }) => exceptionFor(id, exceptions.many) === undefined),
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

const MOST_SHOWN = 40;

/** A matrix as text for a reader: numbers first, then what needs attention. */
export function renderMatrix(matrix: Matrix): string {
  const { mutants, killed, minutes, survivors, elsewhere, accepted, many, idle, unused } = matrix;
  const rate = Math.round(mutants / Math.max(minutes, 1e-9));
  return [
    `${mutants} mutants, ${killed} killed by a check of their own requirement, ${mutants - killed} not`,
    `${accepted.length} exceptions with a reason`,
    `${minutes.toFixed(1)} minutes, ${rate} mutants a minute`,
    ...section(
      'survived',
      survivors.map(({ id }) => id),
    ),
    ...section(
      'noticed by other checks alone',
      elsewhere.map(({ id, failed }) => `${id}  by ${failed.slice(0, 3).join(', ')}`),
    ),
    ...section(
      `failed more than ${MANY} checks`,
      many.map(({ id, failed }) => `${id}  ${failed.length}: ${failed.slice(0, 3).join(', ')} …`),
    ),
    ...section('checks that kill nothing', idle),
    ...section('exceptions that nothing needs', unused),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_SHOWN;
  const shown = lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`);
  return ['', `${title}: ${lines.length}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
