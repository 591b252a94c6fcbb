import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunEvent, RunResult } from '../engine/result.ts';

/**
 * Writes `events.ndjson`: one line of JSON for each event, handed to the operating system before `append`
 * returns, so that nothing is lost when the process dies.
 */
export class EventLog {
  readonly path: string;
  #file: number | undefined;

  /** Starts an empty log, in place of an earlier one; makes its folder. Throws when it cannot be written. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.#file = openSync(path, 'w');
  }

  /** Appends one event. Throws when it cannot be written, or after `close`. */
  append(event: RunEvent): void {
    // A closed descriptor may already belong to another file.
    if (this.#file === undefined) throw new Error(`${this.path} is closed`);
    appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
  }

  /** Closes the file; closing it again does nothing. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** The events of which a result is made: the start, each check, each notice and the end. */
export function eventsOf(result: RunResult): RunEvent[] {
  const { tool, target, run, conclusion, reason, notices, checks, partial } = result;
  const { seconds, requests, retries, ended, ...head } = run;
  return [
    { event: 'start', tool, target, run: head, planned: checks.length },
    ...checks.map((check): RunEvent => ({ event: 'check', check })),
    ...notices.map((notice): RunEvent => ({ event: 'notice', notice })),
    {
      event: 'end',
      conclusion,
      reason,
      ...{ seconds, requests, retries },
      ...(ended !== undefined && { ended }),
      ...(partial !== undefined && { partial }),
    },
  ];
}
