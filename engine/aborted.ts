import type { Finding } from './check.ts';
import { inconclusive } from './findings.ts';

/** Ends a check from inside: its finding is all there is to say. */
export class Aborted extends Error {
  override readonly name: string = 'Aborted';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** Ends a check as inconclusive, and why. */
export function inconclusiveAbort(message: string): Aborted {
  return new Aborted(inconclusive(message));
}

/** What a search that was cut short can tell: nothing. @param cut how far it came */
export function outOfTime(cut: string): Finding {
  return inconclusive(`the site is too slow for the whole search: ${cut}`);
}

type Missing = { readonly reason: string } | { readonly finding: Finding };

/** What was looked for on a site. @throws Aborted with the reason or the finding where there is none */
export function orAbort<T extends object>(looked: T): Exclude<T, Missing>;
export function orAbort(looked: object | Missing): object {
  if ('reason' in looked) throw inconclusiveAbort(looked.reason);
  if ('finding' in looked) throw new Aborted(looked.finding);
  return looked;
}
