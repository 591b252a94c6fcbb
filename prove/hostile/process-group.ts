import { readdirSync, readFileSync } from 'node:fs';

/** A process of a group and the memory that it holds of its own: the text of the program is shared by all of them. */
export interface Member {
  readonly pid: number;
  readonly bytes: number;
  /** The most that it has held at once. */
  readonly peak: number;
}

/** The living processes of a group, as `/proc` shows them. */
export function membersOf(group: number): Member[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => groupOf(read(`/proc/${name}/stat`)) === group)
    .map((name) => {
      const status = read(`/proc/${name}/status`);
      const shared = kilobytes(status, 'RssFile');
      return {
        pid: Number(name),
        bytes: kilobytes(status, 'VmRSS') - shared,
        peak: kilobytes(status, 'VmHWM') - shared,
      };
    });
}

/** Ends a process group at once, if there is still one. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The group of a process that is not a zombie; the command line before it may hold anything. */
function groupOf(stat: string): number | undefined {
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || group === undefined ? undefined : Number(group);
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended since it was seen.
    return '';
  }
}
