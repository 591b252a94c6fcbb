import { dirname, resolve } from 'node:path';
import { readFleet } from '../../compare/fleet.ts';
import { mergeFleets } from '../../compare/merge-fleets.ts';
import { fleetView } from '../../reports/views/fleet.ts';
import { writeFleet } from '../fleet/fleet-folder.ts';
import { UsageError } from '../shell/errors.ts';
import { reportLeftovers } from '../shell/leftovers.ts';
import { openOutFolder } from '../shell/out-folder.ts';
import { openPage, printJson, printView } from '../shell/output.ts';

/** The options of `report --merge`. */
interface MergeOptions {
  readonly merge: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
  /** Opens the page. */
  readonly open?: boolean;
}

/** Whether `report` is to make one fleet of parts, or else the reports of one run again. @throws UsageError for both, or neither */
export function isMerge(
  folder: string | undefined,
  options: {
    readonly merge?: readonly string[];
    readonly json?: boolean;
    readonly reporter?: readonly string[];
  },
): options is MergeOptions {
  const { merge, json, reporter } = options;
  if (merge === undefined) {
    if (folder === undefined) throw new UsageError('report: expected the folder of a run, or --merge DIR…');
    if (json === true)
      throw new UsageError('report --json belongs to --merge; of a run, write --reporter json=-');
    return false;
  }
  if (folder !== undefined) throw new UsageError(`report --merge takes all folders: add ${folder} to them`);
  if (reporter !== undefined)
    throw new UsageError('report --merge makes the documents of a fleet: leave out --reporter');
  return true;
}

/**
 * The command `report --merge`: one fleet of the parts that runs with `--shard` made. Writes only where `--out` names a folder.
 * @returns the exit code of the whole fleet
 * @throws UnreadableFleet where a part is missing, is there twice, or belongs to another fleet, with nothing written
 */
export async function mergeCommand({ merge, out, json, open }: MergeOptions): Promise<number> {
  if (open === true && out === undefined) throw new UsageError('--open opens the page: add --out DIR');
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
  if (json === true) printJson(fleet);
  else printView(fleetView(fleet), written);
  if (open === true) {
    for (const { path } of written.filter(({ label }) => label === 'page')) await openPage(path);
  }
  for (const { path } of parts) reportLeftovers(dirname(path));
  return fleet.exitCode;
}
