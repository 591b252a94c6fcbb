import { readFileSync } from 'node:fs';
import { isObject, member } from '../../target/json.ts';
import type { Exchange, Recording } from './exchange.ts';

/** Reads what `writeRecording` has written. @throws Error for a file that is no recording */
export function readRecording(path: string): Recording {
  const [head, ...lines] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const parts = lines.filter((line) => isObject(line) && 'part' in line).map((line) => member(line, 'part'));
  const verdicts = member(head, 'verdicts');
  if (!isObject(verdicts)) throw new Error(`${path} is not a recording`);
  return {
    seed: Number(member(head, 'seed')),
    verdicts: Object.fromEntries(Object.entries(verdicts).map(([id, verdict]) => [id, String(verdict)])),
    exchanges: lines
      .filter((line) => isObject(line) && 'route' in line)
      .map((line) => readExchange(line, parts)),
  };
}

function readExchange(line: unknown, parts: readonly unknown[]): Exchange {
  const headers = member(line, 'headers');
  const list = member(line, 'list');
  const text = member(line, 'text');
  const part = (number: unknown): unknown => parts[Number(number)];
  return {
    who: member(line, 'who') === 'user' ? 'user' : 'anonymous',
    method: String(member(line, 'method')),
    route: String(member(line, 'route')),
    query: String(member(line, 'query')),
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
