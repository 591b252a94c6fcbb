import type { RunMode } from '../client/mode.ts';

export type SkipReason =
  | { readonly kind: 'selection'; readonly option: '--only' | '--skip' | '--rerun' | '--as-client' | '-t' }
  | { readonly kind: 'mode'; readonly needs: RunMode }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'not-required'; readonly by: string }
  /** With `same`, the check failed, and the other one reports that. */
  | { readonly kind: 'blocked'; readonly by: string; readonly same?: true }
  | { readonly kind: 'not-applicable'; readonly why: string }
  | { readonly kind: 'ended'; readonly why: string }
  | { readonly kind: 'over-budget' };

/** Whether a check failed, and another one reports that. */
export function isReportedElsewhere(skip: SkipReason | undefined): boolean {
  return skip?.kind === 'blocked' && skip.same === true;
}

/** A reason in the words of a reader. */
export function describeSkip(reason: SkipReason): string {
  if ('why' in reason) return reason.why;
  if ('needs' in reason) return `needs mode ${reason.needs}`;
  if ('by' in reason) return `${reason.kind === 'blocked' ? 'blocked' : 'not required'} by ${reason.by}`;
  if ('option' in reason)
    return reason.option === '--skip' ? 'left out by --skip' : `not selected by ${reason.option}`;
  return reason.kind === 'credentials' ? 'needs credentials (--user)' : 'over budget';
}

/** Whether a check was never meant to run: the caller left it out, or the run lacks what it needs. */
export function isUnasked({ kind }: SkipReason): boolean {
  return kind === 'selection' || kind === 'mode' || kind === 'credentials' || kind === 'not-required';
}
