import { type JsonObject, member } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';

/** The most requests that a batch takes (§4.2). */
export const MOST_PARTS = 25;

/** A request inside a batch (§4.2). */
export interface BatchPart {
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A route in the words of the target; it may carry a query. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A part that deletes permanently: a site may read arguments of a deletion in the query, or in the body, alone. */
export function permanentDeletion(path: string): BatchPart {
  return { method: 'DELETE', path: `${path}?force=true`, body: { force: true } };
}

/** What the answer to a batch reports about each part, only a hint (R37); nothing where it is wrapped otherwise. */
export function readHints({
  json,
}: Observation): { status: number | undefined; id: number | undefined; body: unknown }[] {
  const responses = member(json, 'responses');
  const asNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return (Array.isArray(responses) ? responses : []).map((response: unknown) => {
    const body = member(response, 'body');
    return { status: asNumber(member(response, 'status')), id: asNumber(member(body, 'id')), body };
  });
}

/** The statuses of a successful deletion. */
export const DELETED: ReadonlySet<number | undefined> = new Set([200, 204]);

/** Whether the user may not delete what a request names, or something before the site stops the method. */
export function isDeletionDenied({ method, as }: RequestSpec, answer: Observation): boolean {
  if (method !== 'DELETE' || as === 'anonymous') return false;
  return answer.answer === 'denied' || isMethodStopped(answer);
}

/** Whether a page of a server or firewall says that it lets no request with this method through. */
export function isMethodStopped({ answer, json }: Observation): boolean {
  return json === undefined && (answer === 'denied' || answer === 'absent');
}

/** The routes of records that a request or its parts deleted permanently, according to the answer. */
export function deletedBy({ method, route, query = [], body }: RequestSpec, answer: Observation): string[] {
  const json = body !== undefined && 'json' in body ? body.json : undefined;
  // A site may not read the body of a deletion, and keep the record in its trash.
  const forced = Object.fromEntries(query).force === 'true';
  if (method === 'DELETE') return forced && answer.answer === 'accepted' ? [route] : [];
  const parts = member(json, 'requests');
  const hints = readHints(answer);
  if (!Array.isArray(parts) || hints.length !== parts.length) return [];
  return parts.flatMap((part: unknown, at) => {
    const path = String(member(part, 'path'));
    const isForced = path.endsWith('?force=true') || member(member(part, 'body'), 'force') === true;
    const isDone = member(part, 'method') === 'DELETE' && isForced && DELETED.has(hints[at]?.status);
    return isDone ? [path.split('?')[0] ?? ''] : [];
  });
}

/** The items in order, in groups of a size. */
export function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
