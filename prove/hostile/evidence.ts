import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Census } from '../../sites/hostile/census.ts';
import type { Seen } from '../../sites/hostile/request-log.ts';
import type { Ran } from './run-watched.ts';

/** All that a run is judged by, seen from outside. */
export interface Evidence {
  readonly ran: Ran;
  readonly seen: readonly Seen[];
  readonly strayed: readonly Seen[];
  readonly before: Census;
  readonly after: Census;
  /** Each file of the output folder, by its path there. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The files below a folder; none when it is not there. */
export function readFiles(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), readFileSync(path));
  }
  return files;
}
