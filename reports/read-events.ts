import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { finishRun, resultDocument } from '../engine/finish.ts';
import type { RunResult } from '../engine/result.ts';
import type { RunEvent } from '../engine/run-event.ts';
import { messageOf } from '../engine/text.ts';
import { describeErrors, validatorOf } from '../specs/validators.ts';

/** The reason for a run without an end event: its process died, or it is still running. */
const DIED = 'interrupted';

/**
 * Rebuilds the result document from an `events.ndjson`; for a complete run, it is the same document. Without an end
 * event the run counts as interrupted: no conclusion but a failure is possible, and seconds, requests and retries are
 * unknown and written as 0. The last result of a check counts. A last line that was cut off is ignored. Throws an
 * `Error` with the number of the line if another line is not an event, the first is not the start, or something follows
 * the end; and the error of the file system.
 * @param listen receives each event, in order
 */
export function readEvents(path: string, listen?: (event: RunEvent) => void): RunResult {
  return parseEvents(path, readFileSync(path, 'utf8'), listen);
}

/** The same for a text. @param path for messages */
export function parseEvents(
  path: string,
  text: string,
  listen: (event: RunEvent) => void = () => undefined,
): RunResult {
  const [start, ...events] = parseLines(path, text);
  if (start?.event !== 'start') throw new Error(`${path}: the first line is not the start of a run`);
  const wrong = events.findIndex(({ event }, at) => event === 'start' || events[at - 1]?.event === 'end');
  if (wrong !== -1)
    throw new Error(`${path}, line ${wrong + 2}: a second run, or something after the end of the run`);
  for (const event of [start, ...events]) listen(event);
  const checks = new Map(events.filter((one) => one.event === 'check').map((one) => [one.check.id, one]));
  // In the order of the plan, if the events have it.
  const ordered = [...checks.values()].toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  const observed = events.filter((one) => one.event === 'observed');
  const found = {
    checks: ordered.map(({ check }) => check),
    notices: events.filter((one) => one.event === 'notice').map(({ notice }) => notice),
    fields: events.filter((one) => one.event === 'fields').map((one) => one.fields),
    observed: observed.map(({ answers, refusals }) => ({ answers, refusals })),
  };
  const end = events.find((one) => one.event === 'end');
  if (end !== undefined) return resultDocument(start, found, end);
  const nothing = { seconds: 0, requests: 0, retries: 0, ended: DIED };
  return finishRun(start, found, nothing, { planned: start.planned, strict: false }).result;
}

function parseLines(path: string, text: string): RunEvent[] {
  const lines = text.split('\n');
  // The text after the last line feed is empty, or may be cut off.
  const last = lines.pop() ?? '';
  const events = lines.map((line, index) => {
    try {
      return parseEvent(line);
    } catch (error) {
      throw new Error(`${path}, line ${index + 1}: ${messageOf(error)}`, { cause: error });
    }
  });
  try {
    events.push(parseEvent(last));
  } catch {}
  return events;
}

const EVENTS = ['start', 'check', 'notice', 'fields', 'observed', 'end'] satisfies RunEvent['event'][];

/** Parses one line of `events.ndjson`. Unknown members are kept, because a later version may add some. */
function parseEvent(line: string): RunEvent {
  const event: unknown = JSON.parse(line);
  const named = typeof event === 'object' && event !== null && 'event' in event ? event.event : undefined;
  const kind = EVENTS.find((one) => one === named);
  if (kind === undefined) throw new Error('not a known event');
  // The schema of the single kind gives a better error than "none of four".
  const validate = validatorOf<RunEvent>(`event.schema.json#/$defs/${kind}`);
  if (validate(event)) return event;
  throw new Error(`not a valid ${kind} event: ${describeErrors(validate)}`);
}

/**
 * Writes `events.ndjson`: one line of JSON for each event. The operating system has it before `append` returns, so
 * nothing is lost if the process dies.
 */
export class EventLog {
  readonly path: string;
  #file: number | undefined;

  /** Starts an empty log in place of an earlier one, and creates its folder. Throws if it cannot be written. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.#file = openSync(path, 'w');
  }

  /** Appends one event. Throws if it cannot be written, or after `close`. */
  append(event: RunEvent): void {
    // A closed descriptor may already belong to another file.
    if (this.#file === undefined) throw new Error(`${this.path} is closed`);
    appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
  }

  /** Closes the file. Further calls do nothing. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
