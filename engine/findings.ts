import type { Finding } from './check.ts';

/** What a failure shows beside its message. */
type FindingDetails = Pick<Finding, 'expected' | 'observed' | 'reproduce'>;

/** Something that contradicts the contract. */
export function failure(message: string, shown: FindingDetails = {}): Finding {
  return { kind: 'failure', message, ...shown };
}

/** Something that is worth knowing and contradicts nothing that is stated. */
export function warning(message: string, shown: FindingDetails = {}): Finding {
  return { kind: 'warning', message, ...shown };
}

/** The check could not tell, and why. */
export function inconclusive(message: string): Finding {
  return { kind: 'inconclusive', message };
}

/** The check depends on what another one reports. @param by the id of that check */
export function blocked(by: string): Finding {
  return { kind: 'blocked', message: `blocked by ${by}`, blockedBy: by };
}

/** There is nothing that the check could be applied to, and why. */
export function notApplicable(message: string): Finding {
  return { kind: 'not-applicable', message };
}

/** Whether one of the findings contradicts the contract. */
export function hasFailure(findings: readonly Finding[]): boolean {
  return findings.some(({ kind }) => kind === 'failure');
}

const LONGEST = 300;
/** More words than any set of the contract has. */
const MOST_LISTED = 200;

/** A JSON value as reports show it: one line, bounded, `nothing` for undefined. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** Words as a list for a reader: `"a", "b"`. Of very many, the first ones and how many there are. */
export function list(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_LISTED).map(show).join(', ');
  return values.length > MOST_LISTED ? `${shown}… (${values.length} in all)` : shown;
}
