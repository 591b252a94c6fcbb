import { resolve } from 'node:path';
import { mergeFleets } from '../../compare/merge-fleets.ts';
import { readFleet } from '../../compare/read-fleet.ts';
import { print } from '../../reports/print.ts';
import { openOutFolder } from '../out-folder.ts';
import { UsageError } from '../usage-error.ts';
import { printFleet, writeFleet } from './publish-fleet.ts';

/** The options of `report --merge`. */
export interface MergeOptions {
  readonly merge: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

/**
 * The command `report --merge`: one fleet of the parts that runs with `--shard` made. Writes only where `--out` names a folder.
 * @returns the exit code of the whole fleet
 * @throws UnreadableFleet where a part is missing, is there twice, or belongs to another fleet, with nothing written
 */
export function mergeCommand({ merge, out, json }: MergeOptions): number {
  const base = resolve(out ?? '.');
  const parts = merge.map((part) => readFleet(resolve(part)));
  const fleet = mergeFleets(parts, base);
  let written: ReturnType<typeof writeFleet> = [];
  if (out !== undefined) {
    if (parts.some(({ path }) => path === resolve(base, 'fleet.json'))) {
      throw new UsageError(`--out ${out}: holds one of the parts: name another folder`);
    }
    const folder = openOutFolder(out, []);
    folder.clear();
    written = writeFleet(folder.path, fleet);
  }
  if (json === true) print(process.stdout, `${JSON.stringify(fleet, null, 2)}\n`, Number.POSITIVE_INFINITY);
  else printFleet(fleet, written);
  return fleet.exitCode;
}
