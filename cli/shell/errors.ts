import { CommanderError } from 'commander';
import type { Redactor } from '../../client/redact.ts';
import { TargetError } from '../../client/target-error.ts';
import { messageOf, visibleLine } from '../../engine/text.ts';
import { UsageError } from '../../specs/validators.ts';

interface Explained {
  readonly code: 2 | 3 | 4;
  readonly line: string;
  /** More for whoever fixes a fault of the suite. */
  readonly details?: string;
}

const REFUSED_WORD = /^(?:error: )?command-argument value '(.*)' is invalid for argument '(.*?)'\.\s*/s;
const MISSING_WORD = /^(missing required argument .*|required option .* not specified)$/;

/** An address where a command takes none, which `run` and `twin` do. */
const EXTRA_ADDRESS = /^(too many arguments for '[a-z]+').* got 1: (\S+:\/\/\S+)\.$/;

/** A message of commander in our own words. */
export function inOwnWords(message: string): string {
  return message
    .replace(REFUSED_WORD, (_, value: string, name: string) => `unknown ${name} "${value}". `)
    .replace(/^error: /, '')
    .trim()
    .replace(EXTRA_ADDRESS, '$1: name a site with --target $2, where --help lists that option')
    .replace(MISSING_WORD, '$1: --help shows what the command takes');
}

/** One line for the error of a command, and its exit code. @param hide masks secrets */
export function explainError(error: unknown, hide: Redactor): Explained {
  const words = messageOf(error);
  const line = visibleLine(hide(error instanceof CommanderError ? inOwnWords(words) : words));
  if (error instanceof TargetError) return { code: error.problem === 'address' ? 2 : 3, line };
  if (error instanceof UsageError || error instanceof CommanderError) return { code: 2, line };
  if (error instanceof NothingToRun) return { code: 3, line };
  if (error instanceof ReportError) return { code: 4, line };
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    code: 4,
    line: `fault of the suite itself: ${line}`,
    ...(stack !== undefined && { details: hide(stack) }),
  };
}

/** An error without a stack: vitest would print it, and a place in our code does not help a user. */
export class PlainError extends Error {
  override readonly name: string = 'site-conformance';

  constructor(message: string, details?: string) {
    super(message);
    this.stack = details ?? `${this.name}: ${message}`;
  }
}

/** A report that could not be written during a run, such as on a full disk: one line, exit code 4. */
class ReportError extends Error {
  override readonly name: string = 'ReportError';
}

/** An error of writing reports: a ReportError if the file system refused, otherwise unchanged. */
export function reportErrorOf(folder: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new ReportError(
    `the reports cannot be written to ${folder} (${error.message}): the run ended there, make room and run it again`,
    { cause: error },
  );
}

/** Makes a function that calls others that write reports. @throws ReportError for errors of the file system */
export function keepFrom(folder: string): <T>(write: () => T) => T {
  return (write) => {
    try {
      return write();
    } catch (error) {
      throw reportErrorOf(folder, error);
    }
  };
}

/** No check can run: nothing can be concluded, exit code 3. */
export class NothingToRun extends Error {
  override readonly name: string = 'NothingToRun';
}
