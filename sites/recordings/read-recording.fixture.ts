import { readFileSync } from 'node:fs';
import { mapped } from '../reference/json.ts';
import type { Recording } from './recording.ts';

/** One of the recorded exchanges. */
export type Exchange = Recording['exchanges'][number];

/** Reads what `writeRecording` has written. */
export function readRecording(path: string): Recording {
  const [head, ...lines] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const parts: unknown[] = [];
  const verdicts: Record<string, string> = {};
  const exchanges: Exchange[] = [];
  for (const { part, routes, check, verdict, list, json, ...exchange } of lines) {
    if (check !== undefined) verdicts[check] = verdict;
    else if (part !== undefined)
      parts.push(routes ? { ...part, routes: mapped(routes, (at) => parts[Number(at)]) } : part);
    else if ('text' in exchange) exchanges.push({ ...exchange, body: { text: exchange.text } });
    else
      exchanges.push({
        ...exchange,
        body: { json: list ? list.map((at: number) => parts[at]) : parts[json] },
      });
  }
  return { seed: head.seed, verdicts, exchanges };
}
