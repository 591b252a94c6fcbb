import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseJson } from '../client/answer.ts';
import { digestOfJson, isObject, type JsonObject, member } from '../client/json.ts';
import { looksLikeIndex } from '../client/site-index.ts';
import type { RunResult } from '../engine/result.ts';
import { messageOf } from '../engine/text.ts';
import { UsageError, validated } from '../specs/validators.ts';
import type { DocumentHead } from './change.ts';

/** The index of a site at one time, `snapshot.json`; `specs/schemas/snapshot.schema.json` describes its members. */
export interface Snapshot extends DocumentHead<'snapshot'> {
  readonly target: { readonly url: string };
  readonly taken: string;
  readonly digest: string;
  readonly index: JsonObject;
  readonly content: string;
}

/** One side of a comparison: a run with its index, or a snapshot. */
export interface Side {
  readonly path: string;
  readonly url: string;
  /** When it was made, as an ISO date. */
  readonly taken: string;
  /** Undefined if the folder of the run has no index. */
  readonly index: JsonObject | undefined;
  readonly run: RunResult | undefined;
}

const LARGEST = 200_000_000;
const MOST_VALUES = 5_000_000;

/** Reads a `results.json` with the `index.json` beside it, a snapshot, or a folder. @throws UsageError for others */
export function readSide(path: string): Side {
  const file = fileOf(path);
  const document = readDocument(file);
  if (member(document, 'kind') === 'snapshot') {
    const { target, taken, index, content } = validated<Snapshot>(file, document, 'snapshot.schema.json');
    if (!looksLikeIndex(index)) throw new UsageError(`${file}: its member "index" is no index of a site`);
    if (content !== digestOfJson(index)) {
      throw new UsageError(
        `${file}: was changed after it was taken: its index is not that of its digest ${content}; take it again with "snapshot"`,
      );
    }
    return { path, url: target.url, taken, index, run: undefined };
  }
  const run = runIn(file, document);
  return { path, url: run.target.url, taken: run.run.started, index: indexBeside(file), run };
}

/** Validates a document as a run. @param file its name for messages @throws UsageError if it is not a run */
export function runIn(file: string, document: JsonObject): RunResult {
  if (member(document, 'format') !== 1 || !Array.isArray(member(document, 'checks'))) {
    throw new UsageError(
      `${file}: is not the results.json of a run (format 1), nor a snapshot; make one with "run" or "snapshot"`,
    );
  }
  return validated<RunResult>(file, document, 'result.schema.json');
}

/** Reads a `results.json`, or the one of a folder, without its index. @throws UsageError for anything else */
export function readRun(path: string): RunResult {
  const file = fileOf(path, ['results.json']);
  const document = readDocument(file);
  if (member(document, 'kind') === 'snapshot') {
    throw new UsageError(
      `${file}: is a snapshot, which holds no verdicts; expected the results.json of a run`,
    );
  }
  return runIn(file, document);
}

function fileOf(path: string, names: readonly string[] = ['results.json', 'snapshot.json']): string {
  if (!isFolder(path)) return path;
  const found = names.map((name) => join(path, name)).find((name) => isFile(name));
  if (found !== undefined) return found;
  const lacks = names.length === 1 ? 'no results.json' : 'neither results.json nor snapshot.json';
  throw new UsageError(`${path}: holds ${lacks}`);
}

/** The index beside a `results.json`; undefined if there is none. @throws UsageError for an invalid one */
export function indexBeside(file: string): JsonObject | undefined {
  const path = join(dirname(file), 'index.json');
  if (basename(file) !== 'results.json' || !isFile(path)) return undefined;
  const index = readDocument(path);
  if (!looksLikeIndex(index)) throw new UsageError(`${path}: is no index of a site`);
  return index;
}

/** Reads the JSON object in a file, within bounds. @param expected the file in words. @throws UsageError for another file */
export function readDocument(
  file: string,
  expected: string = 'results.json or a snapshot, or the folder of one',
): JsonObject {
  if (!existsSync(file)) {
    throw new UsageError(`${file}: cannot be read: there is no such file; expected ${expected}`);
  }
  let bytes: Buffer;
  try {
    const about = statSync(file);
    if (!about.isFile()) throw new Error('it is not a regular file');
    if (about.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1_000_000} MB`);
    bytes = readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${messageOf(error)}); expected ${expected}`);
  }
  const { json, problem } = parseJson(bytes, MOST_VALUES);
  if (isObject(json)) return json;
  throw new UsageError(`${file}: ${problem ?? 'JSON that is no object'}; expected ${expected}`);
}

/** The folder of a path, which may be the folder itself. */
export function folderOf(path: string): string {
  return isFolder(path) ? path : dirname(path);
}

/** Whether a path leads to a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether a path leads to a regular file. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
