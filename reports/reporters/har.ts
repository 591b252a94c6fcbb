import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { RunResult } from '../../engine/result.ts';
import { EXCHANGES } from './reporter.ts';

const CHUNK = 65_536;

/**
 * The exchanges of a run as HAR 1.2, for browser tools. Secrets were masked when they were recorded. One
 * exchange is in memory at a time.
 * @param folder holds the recording
 */
export function* renderHar({ tool, run }: RunResult, folder: string): Generator<string> {
  const recording = join(folder, EXCHANGES);
  const creator = { name: tool.name, version: tool.version };
  const remarks: string[] = [`run ${run.id}`];
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
  let separator = '\n';
  for (const line of existsSync(recording) ? linesOf(recording) : []) {
    const entry = parsed(line);
    if (entry === undefined) continue;
    if ('request' in entry) {
      yield `${separator}${line}`;
      separator = ',\n';
    } else if ('comment' in entry) {
      remarks.push(String(entry.comment));
    }
  }
  yield `\n],"comment":${JSON.stringify(remarks.join('; '))}}}\n`;
}

/** Undefined for a line that a dying process cut off. */
function parsed(line: string): object | undefined {
  try {
    return Object(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.alloc(CHUNK);
    let rest = '';
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      const lines = `${rest}${decoder.write(chunk.subarray(0, length))}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    yield rest;
  } finally {
    closeSync(file);
  }
}
