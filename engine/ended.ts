import type { Finding } from './check.ts';
import { inconclusive } from './findings.ts';

/** Ends a check from inside: its finding is all there is to say. */
export class Ended extends Error {
  override readonly name: string = 'Ended';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** Ends a check that cannot tell, and why. */
export function cannotTell(message: string): Ended {
  return new Ended(inconclusive(message));
}
