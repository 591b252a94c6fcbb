import { isDeepStrictEqual } from 'node:util';
import { sizeOfJson } from '../../../client/answer.ts';
import type { RunResult } from '../../../engine/result.ts';
import { parseEvents } from '../../read-events.ts';
import { FILES } from '../documents.ts';
import { type Problem, problem } from '../read.ts';
import { type Grounds, named } from './grounds.ts';

/** What is read of a text: what lies beyond is none that a run has streamed. */
const LIMITS = { depth: 200, values: 5_000_000 };

/** Members of results that every version makes of the same events. */
const LASTING: readonly string[] = [
  'format',
  'tool',
  'target',
  'run',
  'conclusion',
] satisfies (keyof RunResult)[];

/** Whether what was streamed while the run went on says what the results say, check by check and member by member. */
export function eventProblems({ results, files, isSameTool }: Grounds): Problem[] {
  const bytes = files.get(FILES.events) ?? Buffer.alloc(0);
  const { depth, values } = sizeOfJson(bytes, LIMITS);
  if (depth > LIMITS.depth || values > LIMITS.values) {
    return [
      problem(FILES.events, `nests deeper than ${LIMITS.depth} levels, or has more values than are read`),
    ];
  }
  const text = Buffer.from(bytes).toString('utf8');
  let told: RunResult;
  let planned = 0;
  try {
    told = parseEvents(FILES.events, text, (event) => {
      if (event.event === 'start') planned = event.planned;
    });
  } catch (error) {
    return [problem(FILES.events, error instanceof Error ? error.message : String(error))];
  }
  const [was, is] = [checksOf(told), checksOf(results)];
  const checks = [...new Set([...was.keys(), ...is.keys()])].filter(
    (id) => !isDeepStrictEqual(was.get(id), is.get(id)),
  );
  const { checks: _told, ...toldRest } = told;
  const { checks: _results, ...rest } = results;
  const members = memberNames(toldRest, rest).filter(
    (name) =>
      (isSameTool || LASTING.includes(name)) &&
      !isDeepStrictEqual(Reflect.get(toldRest, name), Reflect.get(rest, name)),
  );
  const isInOrder = [...was.keys()].join() === [...is.keys()].join();
  return [
    ...(isInOrder && planned === told.checks.length
      ? []
      : [problem(FILES.events, 'its checks are not in the order of its plan, or not as many as it planned')]),
    ...(checks.length === 0 ? [] : [problem(FILES.events, `contradicts ${FILES.results}: ${named(checks)}`)]),
    ...(members.length === 0
      ? []
      : [
          problem(
            FILES.events,
            `is of another run than ${FILES.results}, or ends otherwise: ${members.map((name) => `"${name}"`).join(', ')}`,
          ),
        ]),
    ...(isAsWritten(text) ? [] : [problem(FILES.events, 'its lines are not as a run writes them')]),
  ];
}

function checksOf({ checks }: RunResult): Map<string, RunResult['checks'][number]> {
  return new Map(checks.map((check) => [check.id, check]));
}

function memberNames(...documents: readonly object[]): string[] {
  return [...new Set(documents.flatMap((document) => Object.keys(document)))];
}

/** Whether every line is whole, and holds no member twice: parsers differ on which of two counts. */
function isAsWritten(text: string): boolean {
  const lines = text.split('\n');
  return lines.pop() === '' && lines.every((line) => JSON.stringify(JSON.parse(line)) === line);
}
