import { isObject, member } from '../../client/json.ts';
import type { Census } from '../../sites/hostile/census.ts';
import { isAuthenticated, routeOf, type Seen } from '../../sites/hostile/request-log.ts';
import type { Evidence } from './evidence.ts';
import type { Result } from './judge-reports.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const RECORD = /^\/cms\/v2\/((?:posts|pages|media)\/\d+)(?![^/?])/;

/** Records of before that are not as they were, and requests with credentials that would have changed one. */
export function judgeTouched({ seen, before, after }: Evidence): string[] {
  const changed = [...before].filter(([place, record]) => after.get(place) !== record);
  const aimed = seen
    .filter((request) => isAuthenticated(request) && !SAFE.has(request.method))
    .flatMap((request) => aims(request).map((place) => ({ request, place })))
    .filter(({ place }) => before.has(place));
  return [
    ...changed.map(([place]) => `${place} ${after.has(place) ? 'was changed' : 'is gone'}`),
    ...aimed.map(({ request, place }) => `${request.method} for ${place}, which was there before`),
  ];
}

/** The records that a request, or a part of a batch, is about. */
function aims(request: Seen): string[] {
  const route = routeOf(request);
  const paths = route === '/batch/v1' ? partsOf(request.body.toString('utf8')) : [route];
  return paths.flatMap((path) => RECORD.exec(path)?.[1] ?? []);
}

function partsOf(body: string): string[] {
  try {
    const requests = member(JSON.parse(body), 'requests');
    if (!Array.isArray(requests)) return [];
    return requests.filter(isObject).map(({ path }) => String(path));
  } catch {
    return [];
  }
}

/** Records of the run that are still there and that its result document does not name. */
export function judgeLeft(
  { before, after, ran }: { before: Census; after: Census; ran: Evidence['ran'] },
  result: Result | undefined,
): string[] {
  const left = [...after.keys()].filter((place) => !before.has(place));
  if (left.length === 0) return [];
  const named = new Set(result?.left.map(String));
  const silent = left.filter((place) => !named.has(place.split('/')[1] ?? ''));
  const hushed = result?.doubts ? [] : silent;
  return [
    ...hushed.map((place) => `${place} is still there and not listed`),
    ...(ran.code === 0 || ran.code === 3
      ? [`${left.length} records are left, and the exit code is ${ran.code}`]
      : []),
  ];
}
