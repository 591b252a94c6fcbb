import { writeFileSync } from 'node:fs';
import type { Recording } from './exchange.ts';

/**
 * Writes a recording as lines of JSON. What several answers hold, such as a record in many lists, is written once: a
 * line `{"part": …}`, which answers name by its number.
 */
export function writeRecording(path: string, { exchanges, ...head }: Recording): void {
  const parts = new Map<string, number>();
  const number = (value: unknown): unknown => {
    const text = JSON.stringify(value);
    const known = parts.get(text) ?? parts.size;
    parts.set(text, known);
    return known;
  };
  const lines = exchanges.map(({ body, ...rest }) => {
    if ('text' in body) return { ...rest, text: body.text };
    return Array.isArray(body.json)
      ? { ...rest, list: body.json.map(number) }
      : { ...rest, json: number(body.json) };
  });
  const all = [head, ...[...parts.keys()].map((text) => `{"part":${text}}`), ...lines];
  writeFileSync(
    path,
    `${all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
  );
}
