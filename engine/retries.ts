import type { CheckResult } from './result.ts';
import type { Session } from './session.ts';

/** How often a failed check runs in total. */
const TIMES = 3;

/** What retries need from the run. Each returns undefined once the run has ended. */
interface Asking {
  /** A session without remembered answers. */
  forget(): Promise<Session | undefined>;
  ask(id: string, session: Session): Promise<CheckResult | undefined>;
}

interface Retried {
  /** The retry results of each check, in order; none if it could not be retried. */
  readonly later: ReadonlyMap<string, readonly CheckResult[]>;
  /** The session of the latest answers; undefined if there are none. */
  readonly latest: Session | undefined;
}

/** Retries all checks in several rounds with fresh answers, one at a time, so that load does not cause the findings. */
export async function retry(ids: readonly string[], { forget, ask }: Asking): Promise<Retried> {
  const later = new Map<string, CheckResult[]>(ids.map((id) => [id, []]));
  let latest: Session | undefined;
  for (let time = 1; time < TIMES && ids.length > 0; time += 1) {
    const fresh = await forget();
    if (fresh === undefined) break;
    latest = fresh;
    for (const [id, results] of later) {
      const result = await ask(id, latest);
      if (result === undefined) return { later, latest };
      results.push(result);
    }
  }
  return { later, latest };
}

/** The result of a failed check after its retries; inconclusive if not every retry failed. @param why it had none */
export function resultOfRetries(first: CheckResult, later: readonly CheckResult[], why: string): CheckResult {
  const { message = 'it failed' } = first;
  if (later.length === 0) return { ...first, message: `${message} (not retried: ${why})` };
  const fault = later.find(({ verdict }) => verdict === 'error');
  if (fault !== undefined) return fault;
  const asked = later.length + 1;
  const failed = later.filter(({ verdict }) => verdict === 'fail').length + 1;
  if (failed === asked) return first;
  return {
    ...first,
    verdict: 'inconclusive',
    unstable: { failed, asked },
    message: `unstable: it failed ${failed} of ${asked} times that it was asked; when it did: ${message}`,
  };
}

/** A session in which a search evaluates only its earlier findings. */
export function narrowed(session: Session, { id, replay }: Pick<CheckResult, 'id' | 'replay'>): Session {
  const sets = replay?.sets ?? [];
  // A masked secret cannot be sent again.
  if (sets.length === 0 || sets.some(({ masked }) => masked === true)) return session;
  const kept = sets.map(({ args, shows, id: finding }) => ({ check: id, args, shows, id: finding }));
  return { ...session, fuzz: { examples: 0, kept, replay: true } };
}
