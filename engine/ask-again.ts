import type { CheckResult } from './result.ts';
import type { Session } from './session.ts';

/** How often a check that failed runs, the first time included. */
const TIMES = 3;

/** What retrying needs of the run; each of them says undefined when the run has ended. */
interface Asking<Memory> {
  /** Forgets all answers, so that the next ones are fresh. */
  forget(): Promise<Memory | undefined>;
  /** Asks one check. */
  ask(id: string, memory: Memory): Promise<CheckResult | undefined>;
}

/** What came of checks that were retried. */
interface Retried<Memory> {
  /** The later results of each check, in their order; none where it could not be retried any more. */
  readonly later: ReadonlyMap<string, readonly CheckResult[]>;
  /** The latest answers; undefined where none could be had. */
  readonly memory: Memory | undefined;
}

/**
 * Retries checks, one at a time, so that load is not the reason for what they find; each time all of them, on answers
 * that are fresh for that time.
 */
export async function retry<Memory>(
  ids: readonly string[],
  asking: Asking<Memory>,
): Promise<Retried<Memory>> {
  const later = new Map<string, CheckResult[]>(ids.map((id) => [id, []]));
  let memory: Memory | undefined;
  for (let time = 1; time < TIMES; time += 1) {
    const fresh = await asking.forget();
    if (fresh === undefined) return { later, memory };
    memory = fresh;
    for (const [id, results] of later) {
      const result = await asking.ask(id, memory);
      if (result === undefined) return { later, memory };
      results.push(result);
    }
  }
  return { later, memory };
}

/**
 * The result of a check that failed, and was retried. One that did not fail each time is unstable: it is inconclusive,
 * and keeps what it showed when it failed.
 * @param why it could not be retried, where it could not
 */
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

/** A session in which a search evaluates exactly what it found, and nothing else. */
export function narrowed(session: Session, { id, replay }: Pick<CheckResult, 'id' | 'replay'>): Session {
  const sets = replay?.sets ?? [];
  // A secret that is masked cannot be sent again.
  if (sets.length === 0 || sets.some(({ masked }) => masked === true)) return session;
  const kept = sets.map(({ args, shows, id: finding }) => ({ check: id, args, shows, id: finding }));
  return { ...session, fuzz: { examples: 0, kept, replay: true } };
}
