import { writeFileSync } from 'node:fs';
import { isObject } from '../reference/json.ts';
import type { Recording } from './exchange.ts';

/**
 * Writes a recording as lines of JSON: its seed, a line for each verdict, and a line for each exchange. What several
 * answers hold, such as a record in many lists, is written once before them: a line `{"part": …}`, which answers name
 * by its number. Every route of an index is a part too, so that a difference between two recordings shows line by line.
 */
export function writeRecording(path: string, { seed, verdicts, exchanges }: Recording): void {
  const parts = new Map<string, number>();
  const keep = (line: object): number => {
    const text = JSON.stringify(line);
    const known = parts.get(text) ?? parts.size;
    parts.set(text, known);
    return known;
  };
  const number = (value: unknown): number => {
    if (!isObject(value) || !isObject(value.routes)) return keep({ part: value });
    const { routes, ...part } = value;
    const kept = Object.entries(routes).map(([route, entry]) => [route, number(entry)]);
    return keep({ part, routes: Object.fromEntries(kept) });
  };
  const lines = exchanges.map(({ body, ...rest }) => {
    if ('text' in body) return { ...rest, text: body.text };
    return Array.isArray(body.json)
      ? { ...rest, list: body.json.map(number) }
      : { ...rest, json: number(body.json) };
  });
  const told = Object.entries(verdicts).map(([check, verdict]) => ({ check, verdict }));
  const texts = [{ seed }, ...told].map((line) => JSON.stringify(line));
  const all = [...texts, ...parts.keys(), ...lines.map((line) => JSON.stringify(line))];
  writeFileSync(path, `${all.join('\n')}\n`);
}
