import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRequirements } from './check-requirements.ts';
import type { WantedSite } from './parse-command.ts';
import { prepareSite } from './prepare-site.ts';
import { removeSite } from './process-group.ts';
import type { SiteContext } from './site-context.ts';
import { folderPrefix, type SiteState } from './site-state.ts';
import { freePort, startServer } from './start-server.ts';

/**
 * Prepares a fresh site in a new temporary folder and starts it on its port, or any free one, of the loopback
 * interface. Whatever fails, nothing stays behind. Throws UserError when something must be installed first.
 */
export async function startSite(context: SiteContext, wanted: WantedSite): Promise<SiteState> {
  await checkRequirements(wanted.version);
  const chosen = await freePort(wanted.port);
  const url = `http://127.0.0.1:${chosen}`;
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  let processGroup: number | undefined;
  try {
    const prepared = await prepareSite(context, wanted, folder, url);
    const { site, user, password } = prepared;
    context.report(`starting the server on ${url}`);
    const started = (group: number): void => {
      processGroup = group;
    };
    await startServer(context, { folder, site, port: chosen, started });
    if (processGroup === undefined) throw new Error('the server has no process id');
    return { url, port: chosen, user, password, version: prepared.version, processGroup, folder };
  } catch (error) {
    await removeSite({ folder, processGroup });
    throw error;
  }
}
