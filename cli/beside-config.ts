import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConfigFile, Settings } from './run-config.ts';

/** Settings that name a file of the owner's. */
const FILES = ['deployment', 'vocabulary', 'hints'] as const;
type Found = Pick<Settings, (typeof FILES)[number] | 'checks'>;

/**
 * Finds the files that a configuration names: relative to where the caller is, or else beside the configuration, so that a
 * working folder can be used from anywhere.
 * @param folder where the configuration is
 */
export function besideConfig(config: ConfigFile, folder: string): ConfigFile {
  const { targets } = config;
  return {
    ...config,
    ...found(config, folder),
    ...(targets !== undefined && {
      targets: Object.fromEntries(
        Object.entries(targets).map(([name, target]) => [name, { ...target, ...found(target, folder) }]),
      ),
    }),
  };
}

function found(settings: Settings, folder: string): Found {
  const paths = FILES.flatMap((name) => {
    const path = settings[name];
    return path?.endsWith('.json') === true ? [[name, placeOf(path, folder)]] : [];
  });
  const { checks } = settings;
  return {
    ...Object.fromEntries(paths),
    ...(checks !== undefined && { checks: checks.map((path) => placeOf(path, folder)) }),
  };
}

function placeOf(path: string, folder: string): string {
  return !existsSync(resolve(path)) && existsSync(join(folder, path)) ? join(folder, path) : path;
}
