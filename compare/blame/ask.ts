import { type QueryPair, routeOf } from '../../client/address.ts';
import { Client, type ClientOptions } from '../../client/client.ts';
import { asObject, member } from '../../client/json.ts';
import { isSafe } from '../../client/mode.ts';
import type { RequestSpec } from '../../client/observation.ts';
import type { ObservedAnswers } from '../../client/observed/document.ts';
import { AnswerRecorder } from '../../client/observed/recorder.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { findIndex, type SiteIndex } from '../../client/site-index.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Change } from '../change.ts';
import { type Comparison, compareSides } from '../comparison.ts';
import { compareAnswers } from '../observed/compare-answers.ts';
import type { Side } from '../side.ts';

/** A change, or a cause with its places, for which steps are sought. */
export interface Blamed {
  readonly id: string;
  readonly headline: string;
  readonly changes: readonly Change[];
}

/** A reading of a site with some steps applied. */
export interface SiteReading {
  readonly side: Side;
  readonly observed?: ObservedAnswers;
  readonly requests: number;
}

const MOST_RECORDS = 3;
/** Page size for lists, because more records show more. */
const MOST_LISTED = '100';
const MOST_REQUESTS = 12;
const OF_ANSWERS = /^(?:answer|header|refusal|right|field|check|list|record)-/;

/** The changes for the id of a change, a cause or a check; for `any`, all breaking causes. */
export function blamedIn({ groups, changes }: Comparison, id: string): Blamed[] {
  const byId = new Map(changes.map((one) => [one.id, one]));
  const all = groups.map(({ digest, headline, changes: ids }): Blamed => {
    const own = ids.flatMap((one) => byId.get(one) ?? []);
    // Any change of a cause will do, so one that a single request shows.
    const simplest = own.toSorted((one, other) => openParts(one) - openParts(other)).slice(0, 1);
    return { id: digest, headline, changes: simplest };
  });
  if (id === 'any') return all.filter((_, at) => ['breaking', 'exposed'].includes(groups[at]?.class ?? ''));
  const cause = all.filter((one) => one.id === id);
  if (cause.length > 0) return cause;
  const one = changes.find(({ digest, id: own }) => [digest, own].includes(id) || own === `checks/${id}`);
  if (one === undefined) return [];
  const group = groups.find(({ changes: parts }) => parts.includes(one.id));
  return [{ id, headline: group?.headline ?? one.place, changes: [one] }];
}

function openParts({ calls }: Change): number {
  return calls?.route.split('{').length ?? 0;
}

/** The ids of the changes that show between two readings. */
export function shownBetween(was: SiteReading, is: SiteReading, blamed: readonly Blamed[]): string[] {
  const noted = ({ observed, side }: SiteReading): Parameters<typeof compareAnswers>[0] => ({
    observed,
    target: side,
  });
  const changes = [
    ...compareSides(was.side, is.side).changes,
    ...compareAnswers(noted(was), noted(is)).changes,
  ];
  return blamed
    .filter((one) => one.changes.some((change) => changes.some((other) => isSame(change, other))))
    .map(({ id }) => id);
}

function isSame(wanted: Change, shown: Change): boolean {
  if (wanted.id === shown.id) return true;
  return (
    wanted.kind.startsWith('field-') &&
    shown.kind.startsWith('answer-member-') &&
    wanted.subject === shown.subject &&
    shapeOf(wanted.calls?.route ?? '') === shapeOf(shown.calls?.route ?? '')
  );
}

/** Whether the index alone shows all changes. */
export function areDeclared(blamed: readonly Blamed[]): boolean {
  return blamed.every(({ changes }) => changes.every(({ kind }) => !OF_ANSWERS.test(kind)));
}

/** Reads the index, and sends what shows the changes, as the same callers. @throws TargetError without an index */
export async function askFor(blamed: readonly Blamed[], config: ClientOptions): Promise<SiteReading> {
  let recorder: AnswerRecorder | undefined;
  await using client = new Client({
    ...config,
    mode: 'read',
    heard: (spec, answer) => recorder?.note(spec, answer),
  });
  const { index, base } = await findIndex(client);
  if (base.href !== client.base.href) return await askFor(blamed, { ...config, base });
  const { redact } = client;
  recorder = new AnswerRecorder({ names: textsOf('observed'), index, base, redact });
  const hasUser = config.user !== undefined;
  const asked = new Set<string>();
  for (const change of blamed.flatMap(({ changes }) => changes)) {
    for (const spec of (await requestsFor(change, client, index, hasUser)).slice(0, MOST_REQUESTS)) {
      const key = JSON.stringify(spec);
      if (asked.has(key)) continue;
      asked.add(key);
      await client.request(spec);
    }
  }
  const taken = new Date().toISOString();
  return {
    side: { path: '', url: base.href, taken, index: index.document, run: undefined },
    observed: recorder.take(true),
    requests: client.traffic.requests,
  };
}

async function requestsFor(
  change: Change,
  client: Client,
  index: SiteIndex,
  hasUser: boolean,
): Promise<RequestSpec[]> {
  const { calls, exchange } = change;
  if (calls === undefined || change.kind.startsWith('check-')) return [];
  const methods = calls.methods.filter(isSafe);
  const named = exchange === undefined ? undefined : namedBy(exchange.before);
  const isRefusal = change.kind.startsWith('refusal-');
  const as = hasUser && (named?.hasUser ?? calls.callers?.includes('user') ?? true) ? 'user' : 'anonymous';
  const context = named === undefined ? calls.contexts?.slice(0, 1) : [];
  const asked = [...(named?.query ?? []), ...(context ?? []).map((one) => ['context', one] as const)];
  const paths =
    isRefusal && named !== undefined ? [named.route] : await pathsOf(calls.route, client, hasUser);
  const size = textsOf('observed').totals.size;
  return paths.flatMap((route) => {
    const isMore = !isRefusal && takes(index, route, size) && !asked.some(([name]) => name === size);
    const query = [...asked, ...(isMore ? [[size, MOST_LISTED] as const] : [])];
    return methods.map((method): RequestSpec => ({ method, route, as, ...(query.length > 0 && { query }) }));
  });
}

/** Route and query of a shell command, without placeholders for values of the caller. */
function namedBy(line: string): { route: string; query: QueryPair[]; hasUser: boolean } | undefined {
  const url = URL.parse(/https?:\/\/[^'"\s]+/.exec(line)?.[0] ?? '');
  const route = url === null ? undefined : routeOf(url);
  if (url === null || route === undefined) return undefined;
  const query = [...url.searchParams].filter(
    ([name, value]) => name !== 'rest_route' && !/^[A-Z_]+$/.test(value),
  );
  return { route, query, hasUser: line.includes(' -u ') };
}

function takes({ byShape }: SiteIndex, route: string, name: string): boolean {
  const reads = byShape.get(route)?.[0]?.endpoints.filter(({ methods }) => methods.includes('GET'));
  return reads?.some(({ args }) => args?.[name] !== undefined) === true;
}

/** A route with its path parameter filled with the first records of its list; empty if it has several parameters. */
async function pathsOf(route: string, client: Client, hasUser: boolean): Promise<string[]> {
  const [before = '', after, ...more] = route.split(/\/\{\w*\}/);
  if (after === undefined) return [route];
  if (after !== '' || more.length > 0) return [];
  const { json } = await client.request({ method: 'GET', route: before, as: hasUser ? 'user' : 'anonymous' });
  const records = Array.isArray(json) ? json : Object.values(asObject(json) ?? {});
  const parameter = /\{(\w+)\}$/.exec(route)?.[1] ?? 'id';
  return records.slice(0, MOST_RECORDS).flatMap((record) => {
    const known = [parameter, 'id', 'slug'].map((name) => member(record, name));
    const value = known.find((one) => one !== undefined);
    const isPlain = typeof value === 'number' || (typeof value === 'string' && /^[\w/.-]+$/.test(value));
    return isPlain && !String(value).includes('..') ? [`${before}/${value}`] : [];
  });
}
