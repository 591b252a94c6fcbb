import type { CheckResult } from './result.ts';
import type { Session } from './session.ts';

/** How often a failed check runs in total. */
const TIMES = 3;

/** How failed checks run again; both give undefined once the run has ended. */
interface Retrying {
  /** Opens a session with fresh answers. */
  open(): Promise<Session | undefined>;
  retry(failed: CheckResult, session: Session): Promise<CheckResult | undefined>;
}

interface Retried {
  /** For each failure the results of its retries, in order. */
  readonly retries: ReadonlyMap<CheckResult, readonly CheckResult[]>;
  /** The session of the last retries. */
  readonly session: Session | undefined;
}

/** Retries failures in rounds with fresh answers, one check at a time, so that load does not cause the findings. */
export async function retryAll(pending: readonly CheckResult[], { open, retry }: Retrying): Promise<Retried> {
  const retries = new Map<CheckResult, CheckResult[]>(pending.map((failed) => [failed, []]));
  let session: Session | undefined;
  for (let time = 1; time < TIMES && retries.size > 0; time += 1) {
    const fresh = await open();
    if (fresh === undefined) break;
    session = fresh;
    for (const [failed, results] of retries) {
      const result = await retry(failed, fresh);
      if (result === undefined) return { retries, session };
      results.push(result);
    }
  }
  return { retries, session };
}

/** The result of a failed check after its retries; inconclusive if not every retry failed. @param why it had none */
export function resultOfRetries(
  first: CheckResult,
  retries: readonly CheckResult[],
  why: string,
): CheckResult {
  const { message = 'it failed' } = first;
  if (retries.length === 0) return { ...first, message: `${message} (not retried: ${why})` };
  const fault = retries.find(({ verdict }) => verdict === 'error');
  if (fault !== undefined) return fault;
  const asked = retries.length + 1;
  const failed = retries.filter(({ verdict }) => verdict === 'fail').length + 1;
  if (failed === asked) return first;
  return {
    ...first,
    verdict: 'inconclusive',
    unstable: { failed, asked },
    message: `unstable: it failed ${failed} of ${asked} times that it was asked; when it did: ${message}`,
  };
}

/** The session for a retry: a search repeats only the sets of arguments that it found. */
export function narrowed(session: Session, { id: check, replay }: CheckResult): Session {
  const sets = replay?.sets ?? [];
  // A masked secret cannot be sent again.
  if (sets.length === 0 || sets.some(({ masked }) => masked === true)) return session;
  const kept = sets.map(({ args, shows, id }) => ({ check, args, shows, id }));
  return { ...session, fuzz: { examples: 0, kept, replay: true } };
}
