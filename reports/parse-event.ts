import type { RunEvent } from '../engine/result.ts';
import { describeError, validatorOf } from '../specs/validators.ts';

const EVENTS: readonly string[] = ['start', 'check', 'notice', 'fields', 'end'] satisfies RunEvent['event'][];

/**
 * Parses one line of `events.ndjson` and holds it against its published schema, `event.schema.json`. Members that
 * are not known are kept, for a later version may add some. Throws an `Error` that says what is wrong when the line
 * is not JSON or not an event.
 */
export function parseEvent(line: string): RunEvent {
  const event: unknown = JSON.parse(line);
  const kind = typeof event === 'object' && event !== null && 'event' in event ? event.event : undefined;
  if (typeof kind !== 'string' || !EVENTS.includes(kind)) throw new Error('not a known event');
  // The schema of the one kind gives an error that says more than "none of four".
  const validate = validatorOf<RunEvent>(`event.schema.json#/$defs/${kind}`);
  if (validate(event)) return event;
  throw new Error(
    `not a valid ${kind} event: ${(validate.errors ?? []).slice(0, 3).map(describeError).join('; ')}`,
  );
}
