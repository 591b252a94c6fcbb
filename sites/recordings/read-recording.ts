import { readFileSync } from 'node:fs';
import { isObject, member } from '../reference/json.ts';
import type { RecordedExchange, Recording } from './exchange.ts';

/** Reads what `writeRecording` has written. @throws Error for a file that is no recording */
export function readRecording(path: string): Recording {
  const [head, ...lines] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const seed = member(head, 'seed');
  if (typeof seed !== 'number') throw new Error(`${path} is not a recording`);
  const parts: unknown[] = [];
  const verdicts: Record<string, string> = {};
  const exchanges: RecordedExchange[] = [];
  for (const line of lines.filter(isObject)) {
    if ('part' in line) parts.push(readPart(line, parts));
    else if ('check' in line) verdicts[String(line.check)] = String(line.verdict);
    else exchanges.push(readExchange(line, parts));
  }
  return { seed, verdicts, exchanges };
}

/** A part whose routes are parts before it. */
function readPart({ part, routes }: Readonly<Record<string, unknown>>, parts: readonly unknown[]): unknown {
  if (!isObject(part) || !isObject(routes)) return part;
  const entries = Object.entries(routes).map(([route, number]) => [route, parts[Number(number)]]);
  return { ...part, routes: Object.fromEntries(entries) };
}

function readExchange(line: unknown, parts: readonly unknown[]): RecordedExchange {
  const headers = member(line, 'headers');
  const list = member(line, 'list');
  const sent = member(line, 'sent');
  const text = member(line, 'text');
  const part = (number: unknown): unknown => parts[Number(number)];
  return {
    who: member(line, 'who') === 'user' ? 'user' : 'anonymous',
    method: String(member(line, 'method')),
    route: String(member(line, 'route')),
    query: String(member(line, 'query')),
    ...(typeof sent === 'string' && { sent }),
    status: Number(member(line, 'status')),
    headers: Object.fromEntries(
      Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [name, String(value)]),
    ),
    body:
      typeof text === 'string'
        ? { text }
        : { json: Array.isArray(list) ? list.map(part) : part(member(line, 'json')) },
  };
}
