import type { RunMode } from '../client/mode.ts';

/** Why a check was skipped. */
export type SkipReason =
  | { readonly kind: 'selection'; readonly option: '--only' | '--skip' | '--rerun' | '--as-client' | '-t' }
  | { readonly kind: 'mode'; readonly needs: RunMode }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'not-required'; readonly by: string }
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'not-applicable'; readonly why: string }
  | { readonly kind: 'ended'; readonly why: string }
  | { readonly kind: 'over-budget' };

/** A reason in the words of a reader. */
export function describeSkip(reason: SkipReason): string {
  switch (reason.kind) {
    case 'selection':
      return reason.option === '--skip' ? 'left out by --skip' : `not selected by ${reason.option}`;
    case 'mode':
      return `needs mode ${reason.needs}`;
    case 'credentials':
      return 'needs credentials (--user)';
    case 'not-required':
      return `not required by ${reason.by}`;
    case 'blocked':
      return `blocked by ${reason.by}`;
    case 'over-budget':
      return 'over budget';
    default:
      return reason.why;
  }
}

/** Whether a check was never meant to run: the caller left it out, or the run lacks what it needs. */
export function isUnasked({ kind }: SkipReason): boolean {
  return kind === 'selection' || kind === 'mode' || kind === 'credentials' || kind === 'not-required';
}
