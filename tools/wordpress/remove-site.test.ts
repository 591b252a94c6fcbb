import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groupRuns } from './process-group.ts';
import { removeSite } from './remove-site.ts';
import { folderPrefix } from './site-state.ts';

/** A process with a worker, both naming the folder in their command lines, in a group of their own. */
async function group(folder: string): Promise<number> {
  const code = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', process.argv[1]]);
    setInterval(() => {}, 1000); console.log('up')`;
  const child = spawn(process.execPath, ['-e', code, folder], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

describe('removeSite', () => {
  it('ends workers whose first process is gone, removes the folder, and may be called again', async () => {
    const folder = await mkdtemp(join(tmpdir(), folderPrefix));
    const processGroup = await group(folder);
    process.kill(processGroup, 'SIGKILL');
    expect(await groupRuns(processGroup, folder)).toBe(true);
    await removeSite({ folder, processGroup });
    expect(await groupRuns(processGroup, folder)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    await removeSite({ folder, processGroup });
  });

  it('leaves a group alone that is not of this folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), folderPrefix));
    const other = await mkdtemp(join(tmpdir(), folderPrefix));
    const processGroup = await group(other);
    await removeSite({ folder, processGroup });
    expect(await groupRuns(processGroup, other)).toBe(true);
    await removeSite({ folder: other, processGroup });
  });
});
