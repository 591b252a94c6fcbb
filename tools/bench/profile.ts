import { readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { COMMAND } from '../../prove/hostile/run-watched.ts';
import { renderTable, runNode, scaled } from './measure.ts';

// Processor time of a read run of the embedded B, from start to reports, by the folder or package whose code runs or
// waits for Node. Time in sites/ belongs to the site; no run against it can take less.

const ROOT = pathToFileURL(join(import.meta.dirname, '../../')).href;
/** Smaller shares are summed up in one row. */
const LEAST_SHARE = 0.01;

using scratch = temporaryFolder('profile');
const only = scaled([], ['--only', 'posts.list/**']);
const run = ['run', '--deployment', 'b', '--mode', 'read', '--seed', '1', '--out', join(scratch.path, 'out')];
await runNode(['--cpu-prof', '--cpu-prof-dir', scratch.path, ...COMMAND, ...run, ...only]);
const file = readdirSync(scratch.path).find((name) => name.endsWith('.cpuprofile')) ?? '';
const profile: Profiler.Profile = JSON.parse(readFileSync(join(scratch.path, file), 'utf8'));
console.log(renderTable([['', 'seconds', 'share'], ...rowsOf(secondsByOwner(profile))]));

function secondsByOwner({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const ownerOf = (id: number): string => {
    const leaf = known.get(id)?.callFrame.functionName ?? '';
    if (['(idle)', '(program)', '(garbage collector)'].includes(leaf)) return leaf;
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const url = known.get(at)?.callFrame.url ?? '';
      if (url.startsWith('node:internal/modules/')) return '(loading modules)';
      const installed = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
      if (installed !== undefined) return installed;
      if (url.startsWith(ROOT)) return /^(?:[^/]+\/){1,2}/.exec(url.slice(ROOT.length))?.[0] ?? '';
    }
    return 'Node';
  };
  const owners = new Map(nodes.map(({ id }) => [id, ownerOf(id)]));
  const seconds = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const owner = owners.get(id) ?? '';
    if (owner !== '(idle)') seconds.set(owner, (seconds.get(owner) ?? 0) + (timeDeltas[at] ?? 0) / 1e6);
  }
  return seconds;
}

/** Sorted by time, with the total last. */
function rowsOf(seconds: ReadonlyMap<string, number>): string[][] {
  const sum = (some: readonly (readonly [string, number])[]): number =>
    some.reduce((all, [, one]) => all + one, 0);
  const all = [...seconds].sort(([, one], [, other]) => other - one);
  const total = sum(all);
  const shown = all.filter(([, one]) => one >= total * LEAST_SHARE);
  const rows: [string, number][] = [...shown, ['others', sum(all) - sum(shown)], ['in all', total]];
  return rows.map(([name, one]) => [name, one.toFixed(2), `${((100 * one) / total).toFixed(1)} %`]);
}
