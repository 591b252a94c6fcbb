import { dirname, relative, sep } from 'node:path';
import { namesIn } from '../../specs/deployment.ts';
import { UsageError } from '../../specs/validators.ts';
import type { Fleet, readFleet } from './document.ts';
import { FleetTally } from './tally.ts';

type FleetFile = ReturnType<typeof readFleet>;

/** Parts that started further apart are probably from different runs. */
const APART_MS = 12 * 3_600_000;

/** Merges parts. @param base of their folders @throws UsageError if one is missing, twice, or of another fleet */
export function mergeFleets(parts: readonly FleetFile[], base: string): Fleet {
  const [first, ...others] = parts;
  if (first === undefined) throw new UsageError('--merge: name the folders of the parts');
  for (const other of others) guardSame(first, other);
  guardComplete(parts);
  guardContracts(parts);
  const tally = new FleetTally();
  for (const { path, fleet } of parts) {
    const place = relative(base, dirname(path)).split(sep).join('/');
    const targets = fleet.targets.map((target) => ({
      ...target,
      folder: place === '' ? target.folder : `${place}/${target.folder}`,
    }));
    tally.add(targets, fleet.checks);
  }
  const fleets = parts.map(({ fleet }) => fleet);
  const ended = fleets.flatMap(({ run }) => run.ended ?? []);
  const merged = tally.fleet({
    tool: first.fleet.tool,
    run: {
      started: fleets.map(({ run }) => run.started).toSorted()[0] ?? '',
      seconds: Math.max(...fleets.map(({ run }) => run.seconds)),
      parallel: fleets.reduce((sum, { run }) => sum + run.parallel, 0),
      ...(ended[0] !== undefined && { ended: ended[0] }),
    },
    configuration: first.fleet.configuration,
    selected: first.fleet.selected,
    parts: parts.length,
    notes: [...new Set(fleets.flatMap(({ notes }) => notes)), ...apart(fleets)],
  });
  if (merged.counts.targets !== merged.selected) {
    throw new UsageError(
      `the parts hold ${merged.counts.targets} targets and the configuration selects ${merged.selected}: run the parts again`,
    );
  }
  return merged;
}

function guardSame(first: FleetFile, other: FleetFile): void {
  const differs = (what: string): UsageError =>
    new UsageError(`${other.path} is of ${what} than ${first.path}: run all parts the same way`);
  if (other.fleet.tool.version !== first.fleet.tool.version) throw differs('another version of the tool');
  if (other.fleet.configuration !== first.fleet.configuration) throw differs('another configuration');
  if (other.fleet.selected !== first.fleet.selected) throw differs('another selection of targets');
}

function guardComplete(parts: readonly FleetFile[]): void {
  const [first] = parts;
  const of = first?.fleet.shard?.of;
  const seen = new Map<number, string>();
  const wrong = (path: string, { shard }: Fleet): string | undefined => {
    if (shard === undefined) return `${path} is no part of a fleet: it was made without --shard`;
    if (shard.of !== of) return `${path} is part ${shard.index}/${shard.of}, and ${first?.path} one of ${of}`;
    const other = seen.get(shard.index);
    seen.set(shard.index, path);
    return other && `part ${shard.index}/${of} is there twice: ${other} and ${path}`;
  };
  for (const { path, fleet } of parts) {
    const why = wrong(path, fleet);
    if (why !== undefined) throw new UsageError(why);
  }
  const missing = Array.from({ length: of ?? 0 }, (_, at) => at + 1).filter((index) => !seen.has(index));
  if (missing.length > 0) {
    const names = missing.map((index) => `${index}/${of}`).join(', ');
    throw new UsageError(
      `${missing.length === 1 ? 'part' : 'parts'} ${names} missing: name the folders of all parts`,
    );
  }
}

/** Refuses parts with different contracts for a built-in deployment. Other targets may each have their own. */
function guardContracts(parts: readonly FleetFile[]): void {
  const builtIn = new Set(namesIn('deployments'));
  const known = new Map<string, { contract: string; path: string }>();
  for (const { path, fleet } of parts) {
    for (const { deployment, vocabulary, contract } of fleet.targets) {
      if (contract === '' || !builtIn.has(deployment)) continue;
      const key = JSON.stringify([deployment, vocabulary]);
      const other = known.get(key) ?? { contract, path };
      known.set(key, other);
      if (other.contract !== contract) {
        throw new UsageError(
          `${path} checks deployment ${deployment} by another contract than ${other.path}: run all parts from the same checkout`,
        );
      }
    }
  }
}

function apart(fleets: readonly Fleet[]): string[] {
  const times = fleets.map(({ run }) => Date.parse(run.started));
  const span = Math.max(...times) - Math.min(...times);
  if (span <= APART_MS) return [];
  return [`the parts began ${Math.round(span / 3_600_000)} hours apart: one may be of an earlier run`];
}
