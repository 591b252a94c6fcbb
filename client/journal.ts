import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DeploymentFile } from '../specs/deployment.ts';
import { isObject } from './json.ts';
import type { Census, Collection, Count } from './ownership.ts';

export type { Collection } from './ownership.ts';

/** How a run reached its target beside its address and user. No secret is in it. */
export interface Reached {
  /** Whether any TLS certificate was taken. */
  readonly insecure?: boolean;
  /** The names of the headers that every request had. */
  readonly headers?: readonly string[];
  /** The environment variable that held the password. */
  readonly passwordFrom?: string;
}

/** The first line of a journal: which run wrote it, and where. No secret is in it. */
export interface JournalHead {
  readonly entry: 'run';
  readonly run: string;
  /** The word that every record of the run carries in slug and title. */
  readonly tag: string;
  readonly target: string;
  readonly deployment: string;
  readonly vocabulary: string;
  /** The deployment itself, where it was composed from what the site serves. */
  readonly composed?: DeploymentFile | undefined;
  readonly user: string;
  readonly reached?: Reached;
  readonly started: string;
  /** The process that wrote it, to distinguish a run that goes on from one that died. */
  readonly pid: number;
}

/**
 * A line of a journal: what was there before (`census`), what is about to be created (`intend`), what was answered with an
 * id that is new (`created`), or refused; what a fresh read showed to be the run's own (`proven`), what the target says
 * to have deleted (`deleted`), and what is known to be gone for good (`removed`).
 */
export type JournalEntry =
  | { readonly entry: 'census'; readonly collection: Collection; readonly count: Count }
  | { readonly entry: 'intend' | 'refused'; readonly collection: Collection; readonly slug: string }
  | { readonly entry: 'created'; readonly collection: Collection; readonly slug: string; readonly id: number }
  | { readonly entry: 'proven' | 'deleted' | 'removed'; readonly collection: Collection; readonly id: number }
  | { readonly entry: 'clean' };

/** A record that a creation answered with. */
export interface NotedRecord {
  readonly collection: Collection;
  readonly id: number;
  readonly slug: string;
  /** A fresh read showed that it is the run's own. */
  readonly proven: boolean;
  /** The target says to have deleted it for good. */
  readonly deleted: boolean;
}

/** A creation that was noted before it was sent. */
export interface IntendedRecord {
  readonly collection: Collection;
  readonly slug: string;
}

/** A journal read back. */
export interface JournalState {
  readonly head: JournalHead;
  /** What was counted before the first write. */
  readonly census: Census;
  /** Records that were created and are not known to be gone, oldest first. */
  readonly left: readonly NotedRecord[];
  /** Every id that a creation answered with, by collection, removed ones too. */
  readonly ids: ReadonlyMap<Collection, readonly number[]>;
  /** Every creation that was about to be sent. */
  readonly intended: readonly IntendedRecord[];
  /** How many records were created, removed ones too. */
  readonly created: number;
  /** Creations whose answer was never noted: something may carry these slugs. */
  readonly unanswered: readonly IntendedRecord[];
  /** The run has removed everything and looked twice. */
  readonly clean: boolean;
}

/** Writes one line at the end of a file. */
export type LineWriter = (path: string, line: string) => void;

/** A line that could not be written, such as on a full disk. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/**
 * The journal of a writing run. A line is on its way to the disk before the request that it is about is sent, so that a
 * run which dies at any moment leaves a list of what it may have left.
 */
export class Journal {
  readonly path: string;
  readonly #write: LineWriter;
  #problem: string | undefined;

  constructor(path: string, write: LineWriter = appendLine) {
    this.path = path;
    this.#write = write;
    mkdirSync(dirname(path), { recursive: true });
  }

  /** Why a line could not be written; undefined while all could. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Appends one line, and returns when the operating system has it.
   * @throws JournalError when it cannot be written: what the line is about must not be done
   */
  append(line: JournalHead | JournalEntry): void {
    if (!this.note(line)) throw new JournalError(`the journal cannot be written: ${this.#problem}`);
  }

  /** Appends one line about what is done already. @returns whether it could be written */
  note(line: JournalHead | JournalEntry): boolean {
    try {
      this.#write(this.path, `${JSON.stringify(line)}\n`);
      return true;
    } catch (error) {
      this.#problem ??=
        (error instanceof Error && 'code' in error ? String(error.code) : undefined) ?? 'it failed';
      return false;
    }
  }

  /** Appends how a run begins. @throws JournalError when it cannot be written */
  begin(head: Omit<JournalHead, 'entry'>, census: Census): void {
    this.append({ entry: 'run', ...head });
    for (const [collection, count] of Object.entries(census)) {
      this.append({ entry: 'census', collection, count });
    }
  }
}

function appendLine(path: string, line: string): void {
  appendFileSync(path, line, { mode: 0o600 });
}

/**
 * Reads a journal; a last line that was cut off by a crash is ignored, because its request was never sent.
 * @throws Error when the file cannot be read or does not begin as a journal does.
 */
export function readJournal(path: string): JournalState {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map(parseLine)
    .filter((line) => line !== undefined);
  const [head, ...entries] = lines;
  if (head?.entry !== 'run') throw new Error(`${path} is not the journal of a run`);
  const left = new Map<string, NotedRecord>();
  const intended = new Map<string, IntendedRecord>();
  const settled = new Set<string>();
  const ids = new Map<Collection, number[]>();
  const census = new Map<Collection, Count>();
  let clean = false;
  let count = 0;
  for (const line of entries) {
    switch (line.entry) {
      case 'census':
        census.set(line.collection, line.count);
        break;
      case 'intend':
        intended.set(`${line.collection} ${line.slug}`, { collection: line.collection, slug: line.slug });
        break;
      case 'refused':
        settled.add(`${line.collection} ${line.slug}`);
        break;
      case 'created': {
        const { collection, id, slug } = line;
        count += 1;
        settled.add(`${collection} ${slug}`);
        ids.set(collection, [...(ids.get(collection) ?? []), id]);
        left.set(`${collection} ${id}`, { collection, id, slug, proven: false, deleted: false });
        break;
      }
      case 'proven':
      case 'deleted': {
        const key = `${line.collection} ${line.id}`;
        const known = left.get(key);
        if (known !== undefined) left.set(key, { ...known, [line.entry]: true });
        break;
      }
      case 'removed':
        left.delete(`${line.collection} ${line.id}`);
        break;
      case 'clean':
        clean = true;
        break;
      case 'run':
        break;
    }
  }
  return {
    head,
    census: Object.fromEntries(census),
    created: count,
    left: [...left.values()],
    ids,
    intended: [...intended.values()],
    unanswered: [...intended].flatMap(([key, one]) => (settled.has(key) ? [] : [one])),
    clean,
  };
}

function parseLine(line: string): JournalHead | JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const WITH_SLUG: ReadonlySet<unknown> = new Set(['intend', 'refused', 'created']);
const WITH_ID: ReadonlySet<unknown> = new Set(['created', 'proven', 'deleted', 'removed']);

function isLine(value: unknown): value is JournalHead | JournalEntry {
  if (!isObject(value)) return false;
  if (value.entry === 'run') return typeof value.run === 'string' && typeof value.tag === 'string';
  if (value.entry === 'clean') return true;
  if (typeof value.collection !== 'string') return false;
  if (value.entry === 'census') return isCount(value.count);
  const known = WITH_SLUG.has(value.entry) || WITH_ID.has(value.entry);
  return (
    known &&
    (!WITH_SLUG.has(value.entry) || typeof value.slug === 'string') &&
    (!WITH_ID.has(value.entry) || typeof value.id === 'number')
  );
}

function isCount(value: unknown): value is Count {
  if (!isObject(value)) return false;
  if (typeof value.reason === 'string') return true;
  return Array.isArray(value.ids) && value.ids.every((id) => typeof id === 'number');
}
