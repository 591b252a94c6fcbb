import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTable } from './measure.ts';

const ROOT: string = join(import.meta.dirname, '../..');
const MOST_ROWS = 14;

/** As much of a profile of Node as is read. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

/** Where the seconds of a profile went: each to the nearest folder of our own that asked for it, else to its package. */
export function renderProfile(file: string): string {
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(file, 'utf8'));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placeOf = (leaf: number): string => {
    let further: string | undefined;
    for (let at: number | undefined = leaf; at !== undefined; at = parents.get(at)) {
      const { functionName, url } = byId.get(at)?.callFrame ?? { functionName: '', url: '' };
      if (at === leaf && functionName.startsWith('(')) return functionName;
      const [, library] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
      if (library === undefined && url.startsWith(`file://${ROOT}`)) {
        return url.slice(`file://${ROOT}/`.length).split('/').slice(0, -1).slice(0, 2).join('/');
      }
      further ??= library ?? (url.startsWith('node:') ? 'node' : undefined);
    }
    return further ?? 'node';
  };
  const spent = new Map<string, number>();
  for (const [at, sample] of samples.entries()) {
    const place = placeOf(sample);
    spent.set(place, (spent.get(place) ?? 0) + (timeDeltas[at] ?? 0));
  }
  const rows = [...spent].toSorted(([, one], [, other]) => other - one).slice(0, MOST_ROWS);
  return renderTable([
    ['a read of B: where its seconds go', 'seconds'],
    ...rows.map(([place, time]) => [place, (time / 1e6).toFixed(2)]),
  ]);
}
