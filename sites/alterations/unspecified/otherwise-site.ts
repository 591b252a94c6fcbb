import { forward, jsonOf, type ProxyAnswer, type ProxyRequest, proxiedSite, withJson } from '../../proxy.ts';
import type { Served } from '../../reference/serve.ts';
import type { Behaviour } from '../../reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../reference/standard-behaviour.ts';
import type { IndexDocument } from '../toolkit/index-document.ts';
import type { Change, Passing } from './change.ts';

/** A reference deployment with changes, and the account that is served. */
export type OtherwiseSite = Pick<Served, 'url' | 'user' | 'password' | 'close'>;

/** Starts a reference deployment that does what the changes say. */
export function otherwiseSite(deployment: string, changes: readonly Change[]): Promise<OtherwiseSite> {
  let behaviour: Behaviour = STANDARD_BEHAVIOUR;
  for (const change of changes) behaviour = { ...behaviour, ...change.behaviour?.(behaviour) };
  return proxiedSite({ deployment, behaviour }, (asked) => answer(asked, changes));
}

async function answer(asked: ProxyRequest, changes: readonly Change[]): Promise<ProxyAnswer> {
  const { method, url } = asked;
  const headers = { ...asked.headers };
  for (const change of changes) change.request?.(headers);
  const healthy = await forward({ ...asked, headers });
  const json = jsonOf(healthy.body);
  if (json === undefined) return healthy;
  const route = url.searchParams.get('rest_route') ?? '';
  const anonymous = headers.authorization === undefined;
  const passing: Passing = { method, route, anonymous, status: healthy.status, headers: {}, json };
  applyTo(passing, changes);
  const answered = { status: passing.status, headers: { ...healthy.headers, ...passing.headers } };
  return withJson({ ...healthy, ...answered }, passing.json);
}

function applyTo(passing: Passing, changes: readonly Change[]): void {
  for (const change of changes) {
    if (passing.route !== '/') change.answer?.(passing);
    else if (isIndex(passing.json)) change.index?.(passing.json);
  }
}

function isIndex(json: unknown): json is IndexDocument {
  return typeof json === 'object' && json !== null && 'routes' in json && 'namespaces' in json;
}
