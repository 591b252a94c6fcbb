import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DeploymentFile } from '../specs/deployment.ts';
import { isObject, member } from './json.ts';
import type { Census, Collection, Count } from './ownership.ts';
import { codeOf } from './target-error.ts';

/** How a run reached its target, besides address and user, without secrets. */
export interface Reached {
  readonly insecure?: boolean;
  readonly headers?: readonly string[];
  readonly passwordFrom?: string;
}

/** The first line of a journal: the run and its target, without secrets. */
export interface JournalHead {
  readonly entry: 'run';
  readonly run: string;
  /** The tag that every record of the run carries in slug and title. */
  readonly tag: string;
  readonly target: string;
  readonly deployment: string;
  readonly vocabulary: string;
  /** The deployment itself, if it was composed from the index. */
  readonly composed?: DeploymentFile | undefined;
  readonly user: string;
  readonly reached?: Reached;
  readonly started: string;
  /** The process that wrote it, which tells a running run from a dead one. */
  readonly pid: number;
}

/**
 * A line of a journal: what existed before (`census`), what is about to be created (`intend`), a creation that was
 * answered with a new id (`created`) or refused, a record that a fresh read proved to be the run's own (`proven`), one
 * that the target says it deleted (`deleted`), and one that is known to be gone (`removed`).
 */
export type JournalEntry =
  | { readonly entry: 'census'; readonly collection: Collection; readonly count: Count }
  | { readonly entry: 'intend' | 'refused'; readonly collection: Collection; readonly slug: string }
  | { readonly entry: 'created'; readonly collection: Collection; readonly slug: string; readonly id: number }
  | { readonly entry: 'proven' | 'deleted' | 'removed'; readonly collection: Collection; readonly id: number }
  | { readonly entry: 'clean' };

/** A creation that was journalled before it was sent. */
interface IntendedRecord {
  readonly collection: Collection;
  readonly slug: string;
}

/** A record named in the answer to a creation. */
export interface NotedRecord extends IntendedRecord {
  readonly id: number;
  /** Whether a fresh read proved that it is the run's own. */
  readonly proven: boolean;
  /** Whether the target says that it deleted the record for good. */
  readonly deleted: boolean;
}

/** The content of a journal. */
export interface JournalState {
  readonly head: JournalHead;
  /** The ids before the first write. */
  readonly census: Census;
  /** Created records that are not known to be gone, oldest first. */
  readonly left: readonly NotedRecord[];
  /** All ids in answers to creations, by collection, removed ones too. */
  readonly ids: ReadonlyMap<Collection, readonly number[]>;
  readonly intended: readonly IntendedRecord[];
  /** How many records were created, removed ones too. */
  readonly created: number;
  /** Creations without a journalled answer; records may carry these slugs. */
  readonly unanswered: readonly IntendedRecord[];
}

/** A line that could not be written, for example on a full disk. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/** The journal of a run that writes. Each line is stored before its request is sent, so a crash loses nothing. */
export class Journal {
  readonly path: string;
  readonly #write: (path: string, line: string) => void;
  /** Why a line could not be written; undefined if all were. */
  problem: string | undefined;

  constructor(path: string, write?: (path: string, line: string) => void) {
    this.path = path;
    this.#write = write ?? ((to, line) => appendFileSync(to, line, { mode: 0o600 }));
    mkdirSync(dirname(path), { recursive: true });
  }

  /** Appends one line, and returns once the system has it. @throws JournalError: then the request must not be sent */
  append(line: JournalHead | JournalEntry): void {
    if (!this.note(line)) throw new JournalError(`the journal cannot be written: ${this.problem}`);
  }

  /** Appends one line about something already done. @returns whether it could be written */
  note(line: JournalHead | JournalEntry): boolean {
    try {
      this.#write(this.path, `${JSON.stringify(line)}\n`);
      return true;
    } catch (error) {
      this.problem ??= codeOf(error) || 'it failed';
      return false;
    }
  }

  /** Appends the beginning of a run. @throws JournalError if it cannot be written */
  begin(head: Omit<JournalHead, 'entry'>, census: Census): void {
    this.append({ entry: 'run', ...head });
    for (const [collection, count] of Object.entries(census)) {
      this.append({ entry: 'census', collection, count });
    }
  }
}

/** Reads a journal. A last line that a crash cut off was never sent. @throws Error for a file that is no journal */
export function readJournal(path: string): JournalState {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map(parseLine)
    .filter((line) => line !== undefined);
  const [head, ...entries] = lines;
  if (head?.entry !== 'run') throw new Error(`${path} is not the journal of a run`);
  const left = new Map<string, NotedRecord>();
  for (const line of entries) {
    if (!('id' in line)) continue;
    const { entry, collection, id } = line;
    const key = `${collection} ${id}`;
    const known = left.get(key);
    if (entry === 'created')
      left.set(key, { collection, id, slug: line.slug, proven: false, deleted: false });
    else if (entry === 'removed') left.delete(key);
    else if (known !== undefined) left.set(key, { ...known, [entry]: true });
  }
  const named = entries.filter((line) => 'slug' in line);
  const keyOf = ({ collection, slug }: IntendedRecord): string => `${collection} ${slug}`;
  const settled = new Set(named.filter(({ entry }) => entry !== 'intend').map(keyOf));
  const due = named.flatMap(({ entry, collection, slug }) =>
    entry === 'intend' ? [{ collection, slug }] : [],
  );
  const intended = [...new Map(due.map((one) => [keyOf(one), one])).values()];
  const created = entries.filter((line) => line.entry === 'created');
  const ids = [...Map.groupBy(created, ({ collection }) => collection)];
  return {
    head,
    census: Object.fromEntries(
      entries.flatMap((line) => (line.entry === 'census' ? [[line.collection, line.count]] : [])),
    ),
    created: created.length,
    left: [...left.values()],
    ids: new Map(ids.map(([collection, all]) => [collection, all.map(({ id }) => id)])),
    intended,
    unanswered: intended.filter((one) => !settled.has(keyOf(one))),
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
  if (value.entry === 'census') {
    const [ids, reason] = [member(value.count, 'ids'), member(value.count, 'reason')];
    return typeof reason === 'string' || (Array.isArray(ids) && ids.every((id) => typeof id === 'number'));
  }
  const [hasSlug, hasId] = [WITH_SLUG.has(value.entry), WITH_ID.has(value.entry)];
  if (hasSlug && typeof value.slug !== 'string') return false;
  return hasId ? typeof value.id === 'number' : hasSlug;
}
