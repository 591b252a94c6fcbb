import { CommanderError } from 'commander';
import { UnusableCertificate } from '../certificate/unusable.ts';
import type { Redactor } from '../client/redact.ts';
import { TargetError } from '../client/target-error.ts';
import { UnreadableFleet } from '../compare/read-fleet.ts';
import { UnreadableSide } from '../compare/side.ts';
import { visibleLine } from '../reports/text.ts';
import { SpecError } from '../specs/validators.ts';
import { NothingToRun } from './earlier-run.ts';
import { ReportError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

/** What went wrong, for the caller. */
export interface Explained {
  readonly code: 2 | 3 | 4;
  /** One line. */
  readonly line: string;
  /** More for whoever mends a fault of the suite. */
  readonly details?: string;
}

/** One clear line for what ended a command, and the exit code for it. @param hide masks what must not be said */
export function explain(error: unknown, hide: Redactor): Explained {
  const line = visibleLine(hide(error instanceof Error ? error.message : String(error)));
  if (error instanceof TargetError) return { code: error.problem === 'address' ? 2 : 3, line };
  if (
    error instanceof UsageError ||
    error instanceof SpecError ||
    error instanceof UnreadableSide ||
    error instanceof UnusableCertificate ||
    error instanceof UnreadableFleet ||
    error instanceof CommanderError
  )
    return { code: 2, line };
  if (error instanceof NothingToRun) return { code: 3, line };
  if (error instanceof ReportError) return { code: 4, line };
  const details = error instanceof Error && error.stack !== undefined ? hide(error.stack) : undefined;
  return {
    code: 4,
    line: `fault of the suite itself: ${line}`,
    ...(details !== undefined && { details }),
  };
}
