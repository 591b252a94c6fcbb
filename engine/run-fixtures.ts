import { TargetError } from '../client/target-error.ts';
import type { Check } from './check.ts';
import { blockerOf } from './dependencies.ts';
import type { CheckResult, StageReport } from './result.ts';
import { freshSession, type Session } from './session.ts';

/** How a run makes what its checks need. */
export interface FixtureOptions {
  /** Before anything is asked, rather than once checks could not tell. */
  readonly always: boolean;
  /**
   * Makes it. @param lacking the checks that could not tell, or all that are asked
   * @returns undefined where there was nothing to make
   */
  set(session: Session, lacking: readonly Check[]): Promise<StageReport | undefined>;
}

/** The stage of a run: set once, for the checks that cannot tell anything without it; they are told after that alone. */
export class Stage {
  /** What setting it came to; undefined where nothing was made. */
  report: StageReport | undefined;
  #options: FixtureOptions | undefined;
  readonly #held = new Map<string, CheckResult>();

  constructor(options: FixtureOptions | undefined) {
    this.#options = options;
  }

  /** Whether it is set before anything is asked. */
  get isFirst(): boolean {
    return this.#options?.always === true;
  }

  /** Keeps a result back where the check may tell more once the stage is set, or depends on one that may. @returns whether it does */
  holds(result: CheckResult): boolean {
    const { id, verdict, cut } = result;
    if (this.#options === undefined) return false;
    const by = blockerOf(result);
    const mayTell = by === undefined ? verdict === 'inconclusive' && cut !== true : this.#held.has(by);
    if (mayTell) this.#held.set(id, result);
    return mayTell;
  }

  /** What was kept back, which is forgotten. */
  release(): CheckResult[] {
    const held = [...this.#held.values()];
    this.#held.clear();
    return held;
  }

  /**
   * Sets it, for the first time only.
   * @returns a session that has forgotten what is true no longer; undefined where there is nothing new to see
   * @throws TargetError when the site is gone
   */
  async set(session: Session, lacking: readonly Check[]): Promise<Session | undefined> {
    const options = this.#options;
    // Where there was nothing to make for what only reads, there may be for what writes.
    this.#options = undefined;
    try {
      this.report = await options?.set(session, lacking);
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
