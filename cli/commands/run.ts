import type { Command } from 'commander';
import { fleetCommand, isFleet } from '../fleet/run-fleet.ts';
import type { RunSettings } from '../options.ts';
import { addOptions, type CommandContext } from '../read-options.ts';
import { runCommand } from '../run/run-targets.ts';
import { readWatching, watchCommand } from '../run/watch.ts';

/** Adds the command `run`, the default command. */
export default function defineRun(program: Command, { ends, hide }: CommandContext): void {
  const command = program.command('run', { isDefault: true }).argument('[site...]', 'the same as --target');
  addOptions(command, ['shared', 'run', 'line'])
    .description('check a site, or the embedded deployments A and B (the default command)')
    .action(async (sites, { allTargets, targets, parallel, shard, watch, watchFile, ...given }) => {
      const settings = withSite(command, sites, given);
      const fleet = { allTargets, targets, parallel, shard };
      const watching = readWatching({ watch, watchFile }, isFleet(fleet));
      if (watching !== undefined) ends(await watchCommand(settings, watching, hide));
      else if (isFleet(fleet)) ends(await fleetCommand(settings, fleet, hide));
      else ends(await runCommand(settings, hide));
    });
}

function withSite<T extends Pick<RunSettings, 'target' | 'only' | 'skip'>>(
  command: Command,
  sites: readonly string[],
  given: T,
): T {
  const swallowed = [...(given.only ?? []), ...(given.skip ?? [])].find((glob) => glob.includes('://'));
  if (swallowed !== undefined) {
    command.error(
      `error: "${swallowed}" stands among the globs of --only or --skip: name the site before them, or with --target`,
    );
  }
  const [site, ...more] = given.target === undefined ? sites : [given.target, ...sites];
  if (more.length > 0) {
    command.error(
      `error: one run checks one site, and "${more[0]}" is another: name several under "targets" of site-conformance.config.json, and use --all-targets or --targets NAME`,
    );
  }
  return site === undefined ? given : { ...given, target: site };
}
