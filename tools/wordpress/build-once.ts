import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns `folder`, filling it first when it does not exist. `fill` works in a folder beside it that is renamed
 * when it is complete: an interrupted run leaves nothing half done, and of two runs at once one wins.
 */
export async function buildOnce(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.part-`);
  try {
    await fill(draft);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
