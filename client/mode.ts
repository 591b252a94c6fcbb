import type { Intent, Method, RequestBody, RequestSpec } from './observation.ts';
import { TargetError } from './target-error.ts';

/** What a run may send. Each mode includes those before it. */
export type RunMode = 'read' | 'validate' | 'write' | 'full';

/** The modes, the most restrictive first. */
export const MODES: readonly RunMode[] = ['read', 'validate', 'write', 'full'];

/** Whether a mode includes another one. */
export function includesMode(mode: RunMode, wanted: RunMode): boolean {
  return MODES.indexOf(mode) >= MODES.indexOf(wanted);
}

/** Whether a method changes nothing. */
export function isSafe(method: string): method is Method & ('GET' | 'HEAD' | 'OPTIONS') {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

const NEEDS: Readonly<Record<Intent, RunMode>> = {
  read: 'read',
  'must-be-refused': 'validate',
  'own-record': 'write',
  'alters-site': 'full',
};

/** A request that the mode does not allow. This is a fault of the suite, and the request is not sent. */
export class ModeViolation extends Error {
  override readonly name: string = 'ModeViolation';
}

/** Refuses what the mode does not allow, and every method override. @throws ModeViolation before anything is sent */
export function guardMode(mode: RunMode, spec: RequestSpec): void {
  if (overridesInBody(spec.body) || overridesInPairs(spec.query)) {
    throw new ModeViolation(`${spec.method} ${spec.route}: a method override is never sent`);
  }
  // A raw query may be read in several ways, so nobody knows which record a write would change.
  if (spec.rawQuery !== undefined && (!isSafe(spec.method) || overridesInQuery(spec.rawQuery))) {
    throw new ModeViolation(`${spec.method} ${spec.route}: only a read has a raw query, without an override`);
  }
  const intent: Intent = spec.intent ?? (isSafe(spec.method) ? 'read' : 'alters-site');
  const needed = intent === 'read' && !isSafe(spec.method) ? 'full' : NEEDS[intent];
  if (!includesMode(mode, needed)) {
    throw new ModeViolation(
      `${spec.method} ${spec.route}: needs mode ${needed}, but the run is in mode ${mode}`,
    );
  }
}

/** Refuses a header that overrides the method. @throws ModeViolation for such a name */
export function guardHeader(name: string): void {
  if (HEADER.test(name)) throw new ModeViolation(`the header ${name} is never sent`);
}

/** A request in its final form, just before it is sent. */
export interface WireRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/**
 * The last check of every request: its origin, its mode, and no method override, before anything is sent.
 * @throws ModeViolation, or TargetError `redirect` for an address that the target named
 */
export function guardWire(mode: RunMode, base: URL, request: WireRequest): void {
  const url = new URL(request.url);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') {
    throw new TargetError('redirect', `${url.origin} is not the target: nothing was sent there`);
  }
  if (overridesInAddress(request.url)) {
    throw new ModeViolation(`${request.method} ${url.pathname}: a method override is never sent`);
  }
  for (const name of Object.keys(request.headers)) guardHeader(name);
  if (mode === 'read' && !isSafe(request.method)) {
    throw new ModeViolation(`${request.method} ${url.pathname}: the run only reads`);
  }
}

function overridesInPairs(pairs: RequestSpec['query']): boolean {
  return pairs?.some(([name]) => PARAMETER.test(name)) === true;
}

function overridesInBody(body: RequestBody | undefined): boolean {
  if (body === undefined) return false;
  if ('json' in body) return overridesInJson(body.json);
  if ('form' in body) return overridesInPairs(body.form);
  return overridesInBytes(body.bytes, body.type);
}

/** The parameter that overrides the method, in every spelling that PHP accepts. */
const PARAMETER = /^[ ._[]+method(?:$|[[\0])/i;
/** A query with a name that may be such a parameter, encoded or not. Few queries match. */
const MAY_OVERRIDE = /(?:^|[&;])[ ._[%+]/;
/** The headers that override it. A server may read any character between the words as an underscore. */
const HEADER = /^x[^a-z\d]http[^a-z\d]method[^a-z\d]override$/i;
const NAME_IN_MULTIPART = /\bname\s*=\s*(?:"([^"]*)"|([^\s";]+))/gi;

/** Whether a query or a form overrides it. Names are decoded as in PHP, invalid escapes stay; `;` may separate too. */
function overridesInQuery(query: string): boolean {
  if (!MAY_OVERRIDE.test(query)) return false;
  const decoded = (_all: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  const names = query.split(/[&;]/).map((pair) => pair.split('=', 1)[0]?.replaceAll('+', ' ') ?? '');
  return names.some((name) => PARAMETER.test(name.replaceAll(/%([\da-f]{2})/gi, decoded)));
}

function overridesInAddress(address: string): boolean {
  const [, query = ''] = address.split('#', 1)[0]?.split(/\?(.*)/s) ?? [];
  return overridesInQuery(query);
}

/** Whether a JSON value overrides it at any depth. The parts of a batch are requests too, with their own paths. */
function overridesInJson(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return Object.entries(json).some(
    ([name, inner]) =>
      PARAMETER.test(name) ||
      HEADER.test(name) ||
      (name === 'path' && typeof inner === 'string' && overridesInAddress(inner)) ||
      overridesInJson(inner),
  );
}

/** Whether a form overrides it. Bytes of another type are a file and name nothing. */
function overridesInBytes(bytes: Uint8Array, type: string): boolean {
  if (!type.includes('form')) return false;
  const text = Buffer.from(bytes).toString('latin1');
  if (type.includes('urlencoded')) return overridesInQuery(text);
  return [...text.matchAll(NAME_IN_MULTIPART)].some(([, quoted, bare]) =>
    PARAMETER.test(quoted ?? bare ?? ''),
  );
}
