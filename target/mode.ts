import type { Intent, Method, RequestBody, RequestSpec } from './observation.ts';

/** What a run may send; each includes the ones before it. */
export type RunMode = 'read' | 'validate' | 'write' | 'full';

/** The modes, weakest first. */
export const MODES: readonly RunMode[] = ['read', 'validate', 'write', 'full'];

/** Whether a mode includes what another one allows. */
export function includesMode(mode: RunMode, wanted: RunMode): boolean {
  return MODES.indexOf(mode) >= MODES.indexOf(wanted);
}

const SAFE: ReadonlySet<Method> = new Set<Method>(['GET', 'HEAD', 'OPTIONS']);
const NEEDS: Readonly<Record<Intent, RunMode>> = {
  read: 'read',
  'must-be-refused': 'validate',
  'own-record': 'write',
  'alters-site': 'full',
};
/** The parameter that overrides the method, in every spelling that PHP reads as it. */
const OVERRIDE = /^[ ._[]+method(?:$|[[\0])/i;
const OVERRIDE_HEADER = /^x[-_]http[-_]method[-_]override$/i;

/** A request that the mode of the run does not allow: a fault of the suite, never sent. */
export class ModeViolation extends Error {
  override readonly name: string = 'ModeViolation';
}

/**
 * Refuses a request that the mode does not allow, and every request with a method override, in any mode: an override
 * turns a harmless read into something else.
 * @throws ModeViolation before anything is sent.
 */
export function guardMode(mode: RunMode, spec: RequestSpec): void {
  if (overridesInBody(spec.body) || overridesInPairs(spec.query)) {
    throw new ModeViolation(`${spec.method} ${spec.route}: a method override is never sent`);
  }
  const intent: Intent = spec.intent ?? (SAFE.has(spec.method) ? 'read' : 'alters-site');
  const needed = intent === 'read' && !SAFE.has(spec.method) ? 'full' : NEEDS[intent];
  if (!includesMode(mode, needed)) {
    throw new ModeViolation(
      `${spec.method} ${spec.route}: needs mode ${needed}, but the run is in mode ${mode}`,
    );
  }
}

/**
 * Refuses a header that overrides the method.
 * @throws ModeViolation for such a name.
 */
export function guardHeader(name: string): void {
  if (OVERRIDE_HEADER.test(name)) throw new ModeViolation(`the header ${name} is never sent`);
}

function overridesInPairs(pairs: RequestSpec['query']): boolean {
  return pairs?.some(([name]) => OVERRIDE.test(name)) === true;
}

function overridesInBody(body: RequestBody | undefined): boolean {
  if (body === undefined) return false;
  if ('json' in body) return overridesInJson(body.json);
  if ('form' in body) return overridesInPairs(body.form);
  return body.type.includes('form') && Buffer.from(body.bytes).includes('_method');
}

/** The parts of a batch are requests too: their members count at any depth. */
function overridesInJson(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return Object.entries(json).some(
    ([name, inner]) => OVERRIDE.test(name) || OVERRIDE_HEADER.test(name) || overridesInJson(inner),
  );
}
