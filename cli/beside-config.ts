import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConfigFile, Settings } from './run-config.ts';

/** Settings that name a file of the owner's. */
const FILES = ['deployment', 'vocabulary', 'hints'] as const;

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

function found(settings: Settings, folder: string): Pick<Settings, (typeof FILES)[number]> {
  const paths = FILES.flatMap((name) => {
    const path = settings[name];
    const isElsewhere = path?.endsWith('.json') === true && !existsSync(resolve(path));
    return isElsewhere && existsSync(join(folder, path)) ? [[name, join(folder, path)]] : [];
  });
  return Object.fromEntries(paths);
}
