import { CommanderError } from 'commander';
import type { Redactor } from '../client/redact.ts';
import { TargetError } from '../client/target-error.ts';
import { UnreadableFleet } from '../compare/read-fleet.ts';
import { UnreadableSide } from '../compare/side.ts';
import { UnusableCertificate } from '../reports/certificate/unusable.ts';
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

/** What the library says of a word that an argument does not take, in our words. */
const REFUSED_WORD = /^(?:error: )?command-argument value '(.*)' is invalid for argument '(.*?)'\.\s*/s;

/** A message of the library that reads the arguments, in words of our own. */
export function inOwnWords(message: string): string {
  return message
    .replace(REFUSED_WORD, (_, value: string, name: string) => `unknown ${name} "${value}". `)
    .replace(/^error: /, '')
    .trim();
}

/** One clear line for what ended a command, and the exit code for it. @param hide masks what must not be said */
export function explain(error: unknown, hide: Redactor): Explained {
  const line = visibleLine(hide(messageOf(error)));
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

function messageOf(error: unknown): string {
  if (error instanceof CommanderError) return inOwnWords(error.message);
  return error instanceof Error ? error.message : String(error);
}
