import { TargetError } from '../client/target-error.ts';
import type { Check } from './check.ts';
import { blockerOf } from './plan.ts';
import type { CheckResult, FixtureReport } from './result.ts';
import { freshSession, type Session } from './session.ts';

/** How a run creates what its checks need. */
export interface FixtureOptions {
  /** Before anything is asked, rather than once checks were inconclusive. */
  readonly always: boolean;
  /**
   * Creates them. @param lacking the checks that were inconclusive, or all that are asked
   * @returns undefined where there was nothing to make
   */
  create(session: Session, lacking: readonly Check[]): Promise<FixtureReport | undefined>;
}

/** The fixtures of a run: created once, for the checks that are inconclusive without them; these are reported after that alone. */
export class RunFixtures {
  /** What creating them came to; undefined where nothing was made. */
  report: FixtureReport | undefined;
  #options: FixtureOptions | undefined;
  readonly #deferred = new Map<string, CheckResult>();

  constructor(options: FixtureOptions | undefined) {
    this.#options = options;
  }

  /** Whether they are created before anything is asked. */
  get isFirst(): boolean {
    return this.#options?.always === true;
  }

  /** Defers a result that may become conclusive with fixtures, or depends on one that may. @returns whether it does */
  defer(result: CheckResult): boolean {
    const { id, verdict, cut } = result;
    if (this.#options === undefined) return false;
    const by = blockerOf(result);
    const mayChange = by === undefined ? verdict === 'inconclusive' && cut !== true : this.#deferred.has(by);
    if (mayChange) this.#deferred.set(id, result);
    return mayChange;
  }

  /** The deferred results, which are forgotten. */
  release(): CheckResult[] {
    const deferred = [...this.#deferred.values()];
    this.#deferred.clear();
    return deferred;
  }

  /**
   * Creates them, for the first time only.
   * @returns a session that has forgotten what is true no longer; undefined where there is nothing new to see
   * @throws TargetError when the site is gone
   */
  async create(session: Session, lacking: readonly Check[]): Promise<Session | undefined> {
    const options = this.#options;
    // Where there was nothing to make for what only reads, there may be for what writes.
    this.#options = undefined;
    try {
      this.report = await options?.create(session, lacking);
      if (this.report === undefined) this.#options = options;
    } catch (error) {
      if (error instanceof TargetError) throw error;
      const why = session.client.redact(error instanceof Error ? error.message : String(error));
      this.report = {
        made: {},
        requests: 0,
        missing: [{ resource: '', name: 'all fixtures', why, checks: [] }],
      };
    }
    if (this.report === undefined) return undefined;
    const { tried } = session;
    for (const { id } of lacking) tried.delete(id);
    return { ...freshSession(session, session.index), tried };
  }
}
