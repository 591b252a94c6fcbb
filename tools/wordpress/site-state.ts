import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../specs/validators.ts';
import { runTool } from './run-tool.ts';

/** The beginning of every site's folder name. Other folders are never removed. */
export const folderPrefix = 'site-conformance-wordpress-';

/** A running site, as printed and kept in the state file. */
export interface SiteState {
  url: string;
  port: number;
  user: string;
  password: string;
  version: string;
  /** The id of the server's process group, which is that of its first process. */
  processGroup: number;
  folder: string;
}

/** Writes the state file, readable only by its owner because it holds a password. */
export async function writeState(file: string, state: SiteState): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // An existing file would keep its mode.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/** Reads a state file; undefined if there is none. Throws UsageError for any other file. */
export async function readState(file: string): Promise<SiteState | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const state = parseState(text);
  if (state === undefined) throw new UsageError(`${file} is not the state of a site`);
  return state;
}

/** Strict about folder and process group, because these are removed and ended. */
function parseState(text: string): SiteState | undefined {
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

/** Ids of the processes of a group, if one has `mark` in its command line, because systems reuse group ids. */
export function processIds(listing: string, group: number, mark: string): number[] {
  const members = listing
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter((match) => Number(match[2]) === group);
  return members.some((match) => match[3]?.includes(mark)) ? members.map((match) => Number(match[1])) : [];
}

/** Whether a process group with `mark` in a command line is running. Throws UsageError without `ps`. */
export async function groupRuns(group: number, mark: string): Promise<boolean> {
  return processIds(await runTool('ps', ['-A', '-ww', '-o', 'pid=,pgid=,args=']), group, mark).length > 0;
}

/** Ends the process group with `mark` in its command lines, and kills it after three seconds. */
async function endGroup(group: number, mark: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (let waited = 0; waited < 3000; waited += 50) {
      if (!(await groupRuns(group, mark))) return;
      if (waited === 0) signalGroup(group, signal);
      await sleep(50);
    }
  }
  throw new Error(`process group ${group} does not end`);
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // It may have ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Ends the process group of a site, if it has one, and removes its folder. May be called again. */
export async function removeSite(site: { folder: string; processGroup: number | undefined }): Promise<void> {
  // The command line of every worker names the folder, which is unique.
  if (site.processGroup !== undefined) await endGroup(site.processGroup, site.folder);
  await rm(site.folder, { recursive: true, force: true, maxRetries: 3 });
}
