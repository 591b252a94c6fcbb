import { TargetError } from '../client/target-error.ts';
import type { Check } from './check.ts';
import { blockerOf } from './plan.ts';
import type { CheckResult, FixtureReport } from './result.ts';
import { freshSession, type Session } from './session.ts';

export interface FixtureOptions {
  /** Whether they are created first, not only for inconclusive checks. */
  readonly always: boolean;
  /** Creates fixtures for the inconclusive checks, or all that run; undefined if there was nothing to create. */
  create(session: Session, lacking: readonly Check[]): Promise<FixtureReport | undefined>;
}

/** Creates the fixtures of a run, once, for checks that are inconclusive without them and wait for them. */
export class RunFixtures {
  report: FixtureReport | undefined;
  #options: FixtureOptions | undefined;
  readonly #deferred = new Map<string, CheckResult>();

  constructor(options: FixtureOptions | undefined) {
    this.#options = options;
  }

  get isFirst(): boolean {
    return this.#options?.always === true;
  }

  /** Defers a result that may become conclusive with fixtures, or depends on such a result. @returns whether it did */
  defer(result: CheckResult): boolean {
    const { id, verdict, cut } = result;
    if (this.#options === undefined) return false;
    const by = blockerOf(result);
    const mayChange = by === undefined ? verdict === 'inconclusive' && cut !== true : this.#deferred.has(by);
    if (mayChange) this.#deferred.set(id, result);
    return mayChange;
  }

  release(): CheckResult[] {
    const deferred = [...this.#deferred.values()];
    this.#deferred.clear();
    return deferred;
  }

  /** Creates the fixtures on the first call. @returns a session without outdated answers; undefined if nothing is new */
  async create(session: Session, lacking: readonly Check[]): Promise<Session | undefined> {
    const options = this.#options;
    // If reads needed nothing, writes may still need fixtures.
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
