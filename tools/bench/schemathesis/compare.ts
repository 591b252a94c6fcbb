import { RARE_MUTANTS, RARE_SEQUENCES } from '../../../sites/alterations/mutants/rare-mutants.ts';
import type { Contract } from '../../../specs/model.ts';
import { renderTable } from '../measure.ts';

/** A site to compare two tools on: what is asked of it, and by which checks. */
export interface Subject {
  readonly kind: string;
  readonly title: string;
  readonly mutant: string;
  /** Operations that Schemathesis asks. */
  readonly operations: readonly string[];
  /** Globs of the checks that do the same. */
  readonly only: readonly string[];
  readonly writes: boolean;
}

const KINDS = {
  accepted: 'a combination that is refused',
  refused: 'an invalid value that is accepted beside others',
  robust: 'a value that makes the server fail',
  subset: 'a list that its filters do not describe',
} as const;

const ROLES = ['list', 'create', 'read', 'update', 'delete'];

/** The deviations that hardly any request shows. */
export function subjectsOf({ operations }: Contract): Subject[] {
  const ofResource = (id: string | undefined): string[] =>
    operations
      .filter(({ resource, role }) => resource?.id === id && ROLES.includes(role ?? ''))
      .map((one) => one.id);
  const values = RARE_MUTANTS.map(({ operation, aspect, how, title }): Subject => {
    const about = operations.find(({ id }) => id === operation);
    const writes = about?.effect !== 'reads';
    return {
      kind: KINDS[aspect],
      title,
      mutant: `${operation}/fuzz/${aspect}~${how}`,
      // A change needs records, which other operations make and list.
      operations: writes ? ofResource(about?.resource?.id) : [operation],
      only: [`${operation}/fuzz/**`],
      writes,
    };
  });
  const sequences = RARE_SEQUENCES.map(
    ({ resource, how, title }): Subject => ({
      kind: 'a sequence that leaves something else',
      title,
      mutant: `lifecycle/${resource}~${how}`,
      operations: ofResource(resource),
      only: [`lifecycle/${resource}`],
      writes: true,
    }),
  );
  return [...values, ...sequences];
}

/** What one tool made of one site. */
export interface Trial {
  readonly requests: number;
  /** What it reports. */
  readonly reported: readonly string[];
  /** Requests that the site failed of, a line each. */
  readonly broken: readonly string[];
}

/** What both tools made of one site. */
export type Pair = Readonly<Record<'theirs' | 'ours', Trial>>;

/** A mutant, and what both tools made of it beside the healthy site. */
export interface Compared extends Pick<Subject, 'kind' | 'title'> {
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

/** How often a cost is asked for at most. */
const TURNS = 6;

/**
 * The largest number whose cost is within a budget, roughly: the cost grows with the number, which costs one each at least.
 * @returns 1 where nothing is within it
 */
export async function largestWithin(
  budget: number,
  costOf: (count: number) => Promise<number>,
): Promise<number> {
  let [within, beyond] = [1, budget + 1];
  for (let turn = 0; turn < TURNS && beyond - within > 1; turn += 1) {
    const middle = Math.floor((within + beyond) / 2);
    if ((await costOf(middle)) <= budget) within = middle;
    else beyond = middle;
  }
  return within;
}
