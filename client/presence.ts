import { routeUrl } from './address.ts';
import { classify } from './classify.ts';
import type { Deadline } from './deadline.ts';
import { describeGate, isPage } from './gate.ts';
import { ModeViolation } from './mode.ts';
import { Pulse } from './pulse.ts';
import type { RawAnswer } from './send.ts';
import { TargetError } from './target-error.ts';

/** Pages that came alone, after which a site is known to answer with pages: only what looks like a gate is asked about then. */
const MOST_PAGES = 8;
/** Answers in a row that accept nothing, after which it is asked whether the site is there at all. */
const MOST_UNACCEPTED = 24;
const MOST_HOPS = 5;
/** What proxies answer whose site does not. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 504]);

/**
 * Notices a gate that closes before the site while a run is under way: what it answers says nothing of the site. The index,
 * which was there when the run began, tells.
 */
export class Presence {
  readonly #pulse: Pulse;
  #instead: string | undefined;
  #pages = 0;
  #unaccepted = 0;

  /** @param base that of the target; @param ask sends a GET to an address of it */
  constructor(base: URL, ask: (url: string) => Promise<RawAnswer>, deadline: Deadline) {
    this.#pulse = new Pulse(async () => {
      const raw = await askIndex(base, ask);
      this.#instead = raw && inPlaceOfIndex(raw);
      return this.#instead === undefined;
    }, deadline);
  }

  /**
   * Hears of an answer, before anybody judges it.
   * @param isGate whether it looks like one
   * @returns what has taken the place of the site, or undefined where nothing has
   * @throws TargetError when the deadline comes first
   */
  async lost(raw: RawAnswer, isGate: boolean): Promise<string | undefined> {
    const answer = classify(raw.status);
    // Whatever asks for patience gets it.
    if (answer === 'throttled' && !isGate) return undefined;
    const strange = isGate || (this.#pages < MOST_PAGES && isStrange(raw));
    this.#unaccepted = answer === 'accepted' ? 0 : this.#unaccepted + 1;
    if (!strange && this.#unaccepted < MOST_UNACCEPTED) return undefined;
    if (!(await this.#pulse.beats())) return this.#instead;
    this.#unaccepted = 0;
    if (strange) this.#pages += 1;
    return undefined;
  }
}

/** The index as it is now, through redirects within the site; undefined where nothing came that tells anything. */
async function askIndex(base: URL, ask: (url: string) => Promise<RawAnswer>): Promise<RawAnswer | undefined> {
  let url = routeUrl(base, '/');
  try {
    for (let hops = 0; ; hops += 1) {
      const raw = await ask(url);
      const to = isRedirect(raw) ? URL.parse(raw.headers.location ?? '', url) : null;
      if (to === null || to.origin !== base.origin || hops === MOST_HOPS) return raw;
      url = to.href;
    }
  } catch (error) {
    // What breaks or is too large is for others to tell, and a redirect may be what the mode does not allow.
    if (error instanceof ModeViolation || (error instanceof TargetError && !isEnd(error))) return undefined;
    throw error;
  }
}

function isEnd({ problem }: TargetError): boolean {
  return problem === 'gone' || problem === 'over-budget';
}

function isStrange(raw: RawAnswer): boolean {
  return isPage(raw) || isRedirect(raw) || OF_PROXIES.has(raw.status);
}

function isRedirect({ status, headers }: RawAnswer): boolean {
  return status >= 300 && status < 400 && headers.location !== undefined;
}

/** What answers where the index was; undefined for the index, and for what may become it. */
function inPlaceOfIndex(raw: RawAnswer): string | undefined {
  const { status } = raw;
  const gate = describeGate(raw);
  if (gate !== undefined && isPage(raw)) return gate;
  const answer = classify(status);
  if (answer === 'throttled' || (answer === 'accepted' && !isPage(raw))) return undefined;
  if (isRedirect(raw)) return 'the index redirects to another site';
  return isPage(raw)
    ? `a page answers with status ${status} where the index was`
    : `the index is answered with status ${status}`;
}
