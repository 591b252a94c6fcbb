import { type Acceptance, type Outcome, reasonFor } from './outcome.ts';

/** More failing checks than these for one fault mean that they do not hang on one another as they should. */
export const MANY = 5;

/** What all outcomes say together. */
export interface Matrix {
  readonly faults: number;
  readonly killed: number;
  readonly minutes: number;
  /** Neither killed nor listed with a reason. */
  readonly survivors: readonly Outcome[];
  /** Noticed by other checks alone, without a listed reason. */
  readonly elsewhere: readonly Outcome[];
  readonly accepted: readonly { readonly fault: string; readonly reason: string }[];
  readonly many: readonly Outcome[];
  /** Checks that no fault makes fail. */
  readonly idle: readonly string[];
  /** Listed reasons that no outcome needs. */
  readonly unused: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** Sums outcomes up. @param checks ids of all checks that could kill; @param minutes wall time of the run */
export function toMatrix(
  outcomes: readonly Outcome[],
  checks: readonly string[],
  accepted: readonly Acceptance[],
  minutes: number,
): Matrix {
  const killers = new Set(outcomes.flatMap(({ failed }) => failed));
  const open = outcomes.filter((outcome) => outcome.end !== 'killed');
  const reasons = open.map((outcome) => ({ outcome, reason: reasonFor(outcome, accepted) }));
  const left = reasons.filter(({ reason }) => reason === undefined).map(({ outcome }) => outcome);
  const used = new Set(reasons.map(({ reason }) => reason));
  return {
    faults: outcomes.length,
    killed: outcomes.length - open.length,
    minutes,
    survivors: left.filter(({ end }) => end === 'survived'),
    elsewhere: left.filter(({ end }) => end === 'elsewhere'),
    accepted: reasons.flatMap(({ outcome, reason }) =>
      reason === undefined ? [] : [{ fault: outcome.fault, reason }],
    ),
    many: outcomes.filter(({ failed }) => failed.length > MANY),
    idle: checks.filter((id) => !killers.has(id)),
    unused: accepted.filter(({ reason }) => !used.has(reason)).map(({ fault }) => fault),
    outcomes,
  };
}

const MOST_SHOWN = 40;

/** A matrix as text for a reader: numbers first, then what needs attention. */
export function renderMatrix(matrix: Matrix): string {
  const { faults, killed, minutes, survivors, elsewhere, accepted, many, idle, unused } = matrix;
  const rate = Math.round(faults / Math.max(minutes, 1e-9));
  return [
    `${faults} faults, ${killed} killed by a check of their own requirement, ${accepted.length} accepted with a reason`,
    `${minutes.toFixed(1)} minutes, ${rate} faults a minute`,
    ...section(
      'survived',
      survivors.map(({ fault }) => fault),
    ),
    ...section(
      'noticed by other checks alone',
      elsewhere.map(({ fault, failed }) => `${fault}  by ${failed.slice(0, 3).join(', ')}`),
    ),
    ...section(
      `failed more than ${MANY} checks`,
      many.map(({ fault, failed }) => `${fault}  ${failed.length}: ${failed.slice(0, 3).join(', ')} …`),
    ),
    ...section('checks that kill nothing', idle),
    ...section('reasons that nothing needs', unused),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_SHOWN;
  const shown = lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`);
  return ['', `${title}: ${lines.length}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
