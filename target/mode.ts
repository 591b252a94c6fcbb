import type { Intent, Method, RequestSpec } from './observation.ts';

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
const OVERRIDE = '_method';

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
  const json = spec.body !== undefined && 'json' in spec.body ? spec.body.json : undefined;
  const inBody = typeof json === 'object' && json !== null && Object.hasOwn(json, OVERRIDE);
  if (inBody || spec.query?.some(([name]) => name === OVERRIDE || name.startsWith(`${OVERRIDE}[`)) === true) {
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
