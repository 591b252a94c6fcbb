import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from './json.ts';

/** Collections in which a run creates records of its own. */
export const COLLECTIONS = ['posts', 'pages', 'media'] as const;

/** One of them. */
export type Collection = (typeof COLLECTIONS)[number];

/** The first line of a journal: which run wrote it, and where. No secret is in it. */
export interface JournalHead {
  readonly entry: 'run';
  readonly run: string;
  /** The word that every record of the run carries in slug and title. */
  readonly tag: string;
  readonly target: string;
  readonly deployment: string;
  readonly vocabulary: string;
  readonly user: string;
  readonly started: string;
  /** The process that wrote it, to tell a run that goes on from one that died. */
  readonly pid: number;
}

/** A line of a journal: what is about to be created, what was, and what is gone for good. */
export type JournalEntry =
  | { readonly entry: 'intend'; readonly collection: Collection; readonly slug: string }
  | { readonly entry: 'created'; readonly collection: Collection; readonly slug: string; readonly id: number }
  | { readonly entry: 'removed'; readonly collection: Collection; readonly id: number }
  | { readonly entry: 'clean' };

/** A journal read back. */
export interface JournalState {
  readonly head: JournalHead;
  /** Records that were created and not removed, oldest first. */
  readonly left: readonly { readonly collection: Collection; readonly id: number; readonly slug: string }[];
  /** How many records were created, removed ones too. */
  readonly created: number;
  /** Creations whose answer was never noted: something may carry these slugs. */
  readonly unanswered: readonly { readonly collection: Collection; readonly slug: string }[];
  /** The run has removed everything and looked twice. */
  readonly clean: boolean;
}

/**
 * The journal of a writing run. A line is on its way to the disk before the request that it is about is sent, so that a
 * run which dies at any moment leaves a list of what it may have left.
 */
export class Journal {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
  }

  /** Appends one line, and returns when the operating system has it. */
  append(line: JournalHead | JournalEntry): void {
    appendFileSync(this.path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
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
  const created = new Map<string, { collection: Collection; id: number; slug: string }>();
  const intended = new Map<string, { collection: Collection; slug: string }>();
  let clean = false;
  let count = 0;
  for (const line of entries) {
    switch (line.entry) {
      case 'intend':
        intended.set(`${line.collection} ${line.slug}`, line);
        break;
      case 'created':
        count += 1;
        intended.delete(`${line.collection} ${line.slug}`);
        created.set(`${line.collection} ${line.id}`, line);
        break;
      case 'removed':
        created.delete(`${line.collection} ${line.id}`);
        break;
      case 'clean':
        clean = true;
        break;
      case 'run':
        break;
    }
  }
  return { head, created: count, left: [...created.values()], unanswered: [...intended.values()], clean };
}

function parseLine(line: string): JournalHead | JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const ENTRIES: ReadonlySet<unknown> = new Set(['run', 'intend', 'created', 'removed', 'clean']);

function isLine(value: unknown): value is JournalHead | JournalEntry {
  if (!isObject(value) || !ENTRIES.has(value.entry)) return false;
  if (value.entry === 'run') return typeof value.run === 'string' && typeof value.tag === 'string';
  if (value.entry === 'clean') return true;
  const known = COLLECTIONS.some((name) => name === value.collection);
  return known && (typeof value.slug === 'string' || typeof value.id === 'number');
}
