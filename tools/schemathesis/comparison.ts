import { renderTable } from '../bench/render-table.ts';

/** What one tool made of one site. */
export interface Trial {
  readonly requests: number;
  /** What it reports. */
  readonly reported: readonly string[];
  /** Requests that the site failed of, a line each. */
  readonly broken: readonly string[];
}

/** What both tools made of one site. */
export interface Pair {
  readonly theirs: Trial;
  readonly ours: Trial;
}

/** A mutant, and what both tools made of it beside the healthy site. */
export interface Compared {
  readonly kind: string;
  readonly title: string;
  readonly mutant: Pair;
  readonly healthy: Pair;
}

/** Whether a tool reports something of the mutant that it does not report of the healthy site. */
export function isFound(compared: Compared, tool: keyof Pair): boolean {
  const before = new Set(compared.healthy[tool].reported);
  return compared.mutant[tool].reported.some((one) => !before.has(one));
}

/** Whether a tool reports something, but nothing that it does not report of the healthy site as well. */
function isHidden(compared: Compared, tool: keyof Pair): boolean {
  return !isFound(compared, tool) && compared.mutant[tool].reported.length > 0;
}

/**
 * The table: deviations found, requests, deviations for each 1,000 requests, and false alarms.
 * @param healthy each healthy site once
 */
export function renderComparison(compared: readonly Compared[], healthy: readonly Pair[]): string {
  const kinds = [...new Set(compared.map(({ kind }) => kind))];
  const found = (of: readonly Compared[], tool: keyof Pair): number =>
    of.filter((one) => isFound(one, tool)).length;
  const requests = (tool: keyof Pair): number =>
    compared.reduce((sum, { mutant }) => sum + mutant[tool].requests, 0);
  const rate = (tool: keyof Pair): string =>
    ((found(compared, tool) * 1000) / Math.max(1, requests(tool))).toFixed(2);
  const falseAlarms = (tool: keyof Pair): number =>
    new Set(healthy.flatMap((pair) => pair[tool].reported)).size;
  const row = (name: string, count: string, of: (tool: keyof Pair) => string | number): string[] => [
    name,
    count,
    String(of('theirs')),
    String(of('ours')),
  ];
  return renderTable([
    ['', 'mutants', 'Schemathesis', 'fuzz checks'],
    ...kinds.map((kind) => {
      const of = compared.filter((one) => one.kind === kind);
      return row(kind, String(of.length), (tool) => found(of, tool));
    }),
    row('found', String(compared.length), (tool) => found(compared, tool)),
    row('hidden behind a false alarm', '', (tool) => compared.filter((one) => isHidden(one, tool)).length),
    row('requests', '', requests),
    row('found for each 1,000 requests', '', rate),
    row('false alarms on the healthy site', '', falseAlarms),
  ]);
}

/** Sites of which only one tool saw a server error, and the first request that showed it. */
export function onlyOneFailed(compared: readonly Compared[]): string[] {
  return compared.flatMap(({ title, mutant: { theirs, ours } }) => {
    const [[one], [other]] = [theirs.broken, ours.broken];
    if (one !== undefined && other === undefined) return [`Schemathesis alone: ${title}: ${one}`];
    if (other !== undefined && one === undefined) return [`the fuzz checks alone: ${title}: ${other}`];
    return [];
  });
}
