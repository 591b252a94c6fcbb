import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { UserError } from './site-context.ts';

/** Start of the name of every site's folder: nothing else is ever removed. */
export const folderPrefix = 'site-conformance-wordpress-';

/** A running site, as printed and as kept in the state file. */
export interface SiteState {
  /** Address without a trailing slash. */
  url: string;
  port: number;
  /** Login name of the administrator. */
  user: string;
  /** Application password of that user. */
  password: string;
  /** Version of WordPress, such as `7.1.1`. */
  version: string;
  /** Id of the process group of the server, which is the id of its first process. */
  processGroup: number;
  /** Absolute path of the temporary folder with everything of the site. */
  folder: string;
}

/** Writes the state file, readable for its owner only because it holds a password. */
export async function writeState(file: string, state: SiteState): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // An existing file would keep its own mode.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/** Reads a state file; undefined when there is none. Throws UserError for a file that writeState did not write. */
export async function readState(file: string): Promise<SiteState | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const state = parseState(text);
  if (state === undefined) throw new UserError(`${file} is not the state of a site`);
  return state;
}

/**
 * The state in a text, or undefined when it is not one. Strict about folder and process group, because the one is
 * removed and the other ended.
 */
export function parseState(text: string): SiteState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { url, port, user, password, version, processGroup, folder }: Record<string, unknown> = { ...value };
  if (typeof url !== 'string' || typeof user !== 'string' || typeof password !== 'string') return undefined;
  if (typeof port !== 'number' || typeof version !== 'string' || typeof folder !== 'string') return undefined;
  if (typeof processGroup !== 'number' || !Number.isInteger(processGroup) || processGroup <= 1)
    return undefined;
  if (!isAbsolute(folder) || !basename(folder).startsWith(folderPrefix)) return undefined;
  return { url, port, user, password, version, processGroup, folder };
}
