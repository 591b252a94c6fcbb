import { rm } from 'node:fs/promises';
import { endGroup } from './process-group.ts';

/**
 * Ends the process group of a site, if it has one, and removes its folder. Safe to call again. Throws Error when a
 * process does not end.
 */
export async function removeSite(site: { folder: string; processGroup: number | undefined }): Promise<void> {
  // The command line of every worker names the folder, whose name is used once.
  if (site.processGroup !== undefined) await endGroup(site.processGroup, site.folder);
  await rm(site.folder, { recursive: true, force: true, maxRetries: 3 });
}
