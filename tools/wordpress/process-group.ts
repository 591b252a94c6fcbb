import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTool } from './run-tool.ts';

/**
 * Ids of the processes in `listing` (lines of process id, group id, command line) that belong to `group`, provided
 * that one of them has `mark` in its command line. Group ids are used again by the system: without the mark the
 * group is somebody else's, and the answer is empty.
 */
export function membersOf(listing: string, group: number, mark: string): number[] {
  const members = listing
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter((match) => Number(match[2]) === group);
  return members.some((match) => match[3]?.includes(mark)) ? members.map((match) => Number(match[1])) : [];
}

/** Whether a process group with `mark` in one of its command lines is running. Throws UserError without `ps`. */
export async function groupRuns(group: number, mark: string): Promise<boolean> {
  return membersOf(await runTool('ps', ['-A', '-ww', '-o', 'pid=,pgid=,args=']), group, mark).length > 0;
}

/**
 * Ends the process group that has `mark` in its command lines, by request and after three seconds by force.
 * Returns when none of it runs any more, at once when it does not run. Throws Error when it outlives even that.
 */
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
    // It may have ended since it was seen.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * Ends the process group of a site, if it has one, and removes its folder. Safe to call again. Throws Error when a
 * process does not end.
 */
export async function removeSite(site: { folder: string; processGroup: number | undefined }): Promise<void> {
  // The command line of every worker names the folder, whose name is used once.
  if (site.processGroup !== undefined) await endGroup(site.processGroup, site.folder);
  await rm(site.folder, { recursive: true, force: true, maxRetries: 3 });
}
