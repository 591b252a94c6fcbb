import { readFileSync } from 'node:fs';
import { withStandings } from '../compare/baseline.ts';
import type { CheckResult, Notice, RunEvent, RunResult, ShownFields } from '../engine/result.ts';
import { conclude, countVerdicts } from './conclusion.ts';
import { fuzzingOf } from './fuzzing.ts';
import { observedOf } from './observed.ts';
import { parseEvent } from './parse-event.ts';

type StartEvent = Extract<RunEvent, { event: 'start' }>;
type EndEvent = Extract<RunEvent, { event: 'end' }>;

/**
 * Rebuilds the result document from an `events.ndjson`. Without its end event the run counts as interrupted: no
 * conclusion but a failure can be drawn from it, and its seconds, requests and retries are unknown, written as 0.
 * A last line that was cut off in the middle is ignored. Throws an `Error` with the number of the line when any
 * other line is not an event, when the first is not the start or when something follows the end; and the error of
 * the file system when the file cannot be read.
 */
export function readEvents(path: string): RunResult {
  const [start, ...events] = parseLines(path);
  if (start?.event !== 'start') throw new Error(`${path}: the first line is not the start of a run`);
  const checks: CheckResult[] = [];
  const notices: Notice[] = [];
  const fields: ShownFields[] = [];
  let end: EndEvent | undefined;
  for (const [index, event] of events.entries()) {
    if (event.event === 'start' || end !== undefined) {
      throw new Error(`${path}, line ${index + 2}: a second run, or something after the end of the run`);
    }
    if (event.event === 'check') checks.push(event.check);
    else if (event.event === 'notice') notices.push(event.notice);
    else if (event.event === 'fields') fields.push(event.fields);
    else end = event;
  }
  const result =
    end === undefined ? interrupted(start, checks, notices) : completed(start, end, checks, notices);
  return { ...result, ...observedOf(fields) };
}

function completed(start: StartEvent, end: EndEvent, checks: CheckResult[], notices: Notice[]): RunResult {
  const { seconds, requests, retries } = end;
  return {
    format: 1,
    tool: start.tool,
    target: start.target,
    run: {
      ...start.run,
      seconds,
      requests,
      retries,
      ...(end.ended === undefined ? {} : { ended: end.ended }),
    },
    conclusion: end.conclusion,
    reason: end.reason,
    counts: countVerdicts(checks),
    ...(end.baseline === undefined ? {} : { baseline: end.baseline }),
    ...(end.news === undefined ? {} : { news: end.news }),
    ...(end.waivers === undefined ? {} : { waivers: end.waivers }),
    ...(end.partial === undefined ? {} : { partial: end.partial }),
    ...fuzzing(checks),
    notices,
    ...(end.writing === undefined ? {} : { writing: end.writing }),
    ...(end.stage === undefined ? {} : { stage: end.stage }),
    checks: withStandings(checks, end.baseline),
  };
}

function interrupted(start: StartEvent, checks: CheckResult[], notices: Notice[]): RunResult {
  const reason = 'interrupted';
  return {
    format: 1,
    tool: start.tool,
    target: start.target,
    run: { ...start.run, seconds: 0, requests: 0, retries: 0, ended: reason },
    ...conclude(checks, { strict: false, ended: reason, planned: start.planned }),
    ...fuzzing(checks),
    notices,
    checks,
  };
}

function fuzzing(checks: readonly CheckResult[]): Pick<RunResult, 'fuzzing'> {
  const report = fuzzingOf(checks);
  return report === undefined ? {} : { fuzzing: report };
}

/** The events of a file in its order, without a last line that was cut off. */
function parseLines(path: string): RunEvent[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  // What stands after the last line feed is nothing, or a line that may have been cut off.
  const last = lines.pop() ?? '';
  const events = lines.map((line, index) => {
    try {
      return parseEvent(line);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${path}, line ${index + 1}: ${why}`, { cause: error });
    }
  });
  const rest = parseTail(last);
  return rest === undefined ? events : [...events, rest];
}

/** A last line without its line feed: whole, or cut off and worth nothing. */
function parseTail(line: string): RunEvent | undefined {
  try {
    return parseEvent(line);
  } catch {
    return undefined;
  }
}
