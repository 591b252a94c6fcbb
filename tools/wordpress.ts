import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../specs/validators.ts';
import { coreVersions } from './wordpress/check-requirements.ts';
import { type Command, parseCommand } from './wordpress/parse-command.ts';
import { runProgram } from './wordpress/run-command.ts';
import type { SiteContext } from './wordpress/run-tool.ts';
import { groupRuns, readState, removeSite, type SiteState, writeState } from './wordpress/site-state.ts';
import { startSite } from './wordpress/start-site.ts';

// Starts a real WordPress on loopback, stops it, or runs a command against it.

const interruption = new AbortController();
const { signal } = interruption;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort(name));

const context: SiteContext = { cache: cacheFolder(), report: (line) => console.error(line), signal };

async function perform(command: Command): Promise<number> {
  if (command.name === 'help') {
    console.log(command.usage);
    return 0;
  }
  if (command.name === 'list') {
    for (const version of coreVersions) console.log(version);
    return 0;
  }
  const file = command.state === undefined ? join(context.cache, 'wordpress.json') : resolve(command.state);
  if (command.name === 'start') {
    console.log(JSON.stringify(await start(command, file), null, 2));
    return 0;
  }
  if (command.name === 'stop') return stop(file);
  // Several commands may run at once. Without a given file, the state is kept with the site.
  const site = await start(command, command.state === undefined ? undefined : file);
  try {
    return await runProgram(command.command, command.args, site, signal);
  } finally {
    await stop(command.state === undefined ? ownFile(site) : file);
  }
}

async function start(
  wanted: Extract<Command, { name: 'start' | 'exec' }>,
  file?: string,
): Promise<SiteState> {
  const earlier = file === undefined ? undefined : await readState(file);
  if (earlier !== undefined) {
    if (await groupRuns(earlier.processGroup, earlier.folder)) {
      throw new UsageError(
        `a site runs at ${earlier.url} already; stop it first, or name another --state file`,
      );
    }
    await removeSite(earlier);
  }
  const site = await startSite(context, wanted);
  try {
    await writeState(file ?? ownFile(site), site);
  } catch (error) {
    await removeSite(site);
    throw error;
  }
  return site;
}

async function stop(file: string): Promise<number> {
  const site = await readState(file);
  if (site === undefined) {
    context.report(`nothing to stop: there is no ${file}`);
    return 0;
  }
  await removeSite(site);
  await rm(file, { force: true });
  context.report(`stopped ${site.url} and removed ${site.folder}`);
  return 0;
}

function ownFile(site: SiteState): string {
  return join(site.folder, 'state.json');
}

try {
  process.exitCode = await perform(parseCommand(process.argv.slice(2)));
} catch (error) {
  if (signal.aborted) {
    const name: NodeJS.Signals = signal.reason;
    console.error(`interrupted by ${name}`);
    process.exitCode = 128 + constants.signals[name];
  } else {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** The folder for downloads: `SITE_CONFORMANCE_CACHE`, otherwise `.cache` in the repository. */
function cacheFolder(): string {
  const { SITE_CONFORMANCE_CACHE: chosen } = process.env;
  return chosen ? resolve(chosen) : join(import.meta.dirname, '../.cache');
}
