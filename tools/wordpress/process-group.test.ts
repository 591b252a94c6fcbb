import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderPrefix, groupRuns, processIds, removeSite } from './site-state.ts';

const listing = `    1     1 /sbin/init
  410   410 php -S 127.0.0.1:8080 -t /var/tmp/site-x1/site
  411   410 php -S 127.0.0.1:8080 -t /var/tmp/site-x1/site
  500   500 vi /var/tmp/site-x1/notes
  600   600 php -S 127.0.0.1:8081 -t /var/tmp/site-y2/site
  601   600 [php]
`;

describe('processIds', () => {
  it('finds the first process and its workers, and no other group with the mark', () => {
    expect(processIds(listing, 410, '/site-x1')).toEqual([410, 411]);
  });

  it('finds workers that outlived the first process', () => {
    expect(processIds(listing.replace(/^ +410 .*\n/m, ''), 410, '/site-x1')).toEqual([411]);
  });

  it('leaves a group alone whose id now belongs to somebody else', () => {
    expect(processIds(listing, 500, '/site-z9')).toEqual([]);
    expect(processIds(listing, 600, '/site-x1')).toEqual([]);
  });

  it('counts members whose command line is not shown when another one carries the mark', () => {
    expect(processIds(listing, 600, '/site-y2')).toEqual([600, 601]);
  });

  it('is empty for a group that does not run', () => {
    expect(processIds(listing, 41, '/site-x1')).toEqual([]);
  });
});

/** A process with a worker in a group of their own, with the folder in both command lines. */
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
