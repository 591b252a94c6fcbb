import { member } from '../client/json.ts';
import { FINDING_KINDS, type Finding } from './check.ts';

/** Whether something that is needed cannot be had: the finding in its place says why. */
export function isFinding(looked: unknown): looked is Finding {
  const kind = member(looked, 'kind');
  return typeof member(looked, 'message') === 'string' && FINDING_KINDS.some((one) => one === kind);
}

/** Ends a check from inside with a finding. */
export class Aborted extends Error {
  override readonly name: string = 'Aborted';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** Ends a check as inconclusive, for this reason. */
export function inconclusiveAbort(message: string): Aborted {
  return new Aborted({ kind: 'inconclusive', message });
}

/** Returns what was looked for. @throws Aborted with the finding in its place */
export function orAbort<T>(looked: T): Exclude<T, Finding>;
export function orAbort(looked: unknown): unknown {
  if (isFinding(looked)) throw new Aborted(looked);
  return looked;
}

/** What a part of a check comes to, or the finding with which it ended itself: the opposite of `orAbort`. */
export async function orFinding<T>(part: Promise<T>): Promise<T | Finding> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof Aborted) return error.finding;
    throw error;
  }
}
