import { routeUrl } from './address.ts';
import { classify } from './answer.ts';
import { ModeViolation } from './mode.ts';
import type { Deadline } from './pacing.ts';
import type { RawAnswer } from './send.ts';
import { TargetError } from './target-error.ts';

/** Pages that came alone, after which a site is known to answer with pages: only what looks like a login wall is asked about then. */
const MOST_PAGES = 8;
/** Answers in a row that accept nothing, after which it is asked whether the site is there at all. */
const MOST_UNACCEPTED = 24;
/** Refusals of a user who is nobody to the site, of which the first and each so many later has it asked whether it still knows the user. */
const UNKNOWN_USERS = 50;
const MOST_HOPS = 5;
/** What proxies answer whose site does not. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 504]);

/**
 * Notices a firewall or a login wall that appears before the site during a run, and that the site does not know the user any more:
 * what it answers then says nothing of the site. The index, and a read for the user alone, which were there when the run began, show whether it is down.
 */
export class AvailabilityMonitor {
  readonly #probe: HealthProbe;
  readonly #user: HealthProbe | undefined;
  #instead: string | undefined;
  #pages = 0;
  #unaccepted = 0;
  #unknown = 0;

  /**
   * @param base that of the target; @param ask sends a GET to an address of it as the user
   * @param forUser the address of a read that the site allows the user and nobody without a name; undefined where there is no user
   */
  constructor(
    base: URL,
    ask: (url: string) => Promise<RawAnswer>,
    deadline: Deadline,
    forUser: string | undefined,
  ) {
    if (forUser !== undefined)
      this.#user = new HealthProbe(async () => (await ask(forUser)).status !== 401, deadline);
    this.#probe = new HealthProbe(async () => {
      const raw = await askIndex(base, ask);
      this.#instead = raw && inPlaceOfIndex(raw);
      return this.#instead === undefined;
    }, deadline);
  }

  /**
   * Takes note of an answer, before any check evaluates it.
   * @param isWall whether it looks like one; @param asUser whether the user asked
   * @returns what has taken the place of the site, or undefined where nothing has
   * @throws TargetError when the deadline comes first
   */
  async lost(raw: RawAnswer, isWall: boolean, asUser: boolean): Promise<string | undefined> {
    const answer = classify(raw.status);
    if (asUser && raw.status === 401 && this.#user !== undefined) {
      this.#unknown += 1;
      if (this.#unknown % UNKNOWN_USERS === 1 && !(await this.#user.answers()))
        return 'it does not accept the user and the password any more, which it accepted at first';
    }
    // Whatever asks for patience gets it.
    if (answer === 'throttled' && !isWall) return undefined;
    const strange = isWall || (this.#pages < MOST_PAGES && isStrange(raw));
    this.#unaccepted = answer === 'accepted' ? 0 : this.#unaccepted + 1;
    if (!strange && this.#unaccepted < MOST_UNACCEPTED) return undefined;
    if (!(await this.#probe.answers())) return this.#instead;
    this.#unaccepted = 0;
    if (strange) this.#pages += 1;
    return undefined;
  }
}

/** The index as it is now, through redirects within the site; undefined where nothing came that shows anything. */
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
    // What breaks or is too large is reported elsewhere, and a redirect may be what the mode does not allow.
    if (error instanceof ModeViolation || (error instanceof TargetError && !error.isEnd)) return undefined;
    throw error;
  }
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
  const wall = describeWall(raw);
  if (wall !== undefined && isPage(raw)) return wall;
  const answer = classify(status);
  if (answer === 'throttled' || (answer === 'accepted' && !isPage(raw))) return undefined;
  if (isRedirect(raw)) return 'the index redirects to another site';
  return isPage(raw)
    ? `a page answers with status ${status} where the index was`
    : `the index is answered with status ${status}`;
}

/** Letters of a page that are looked at. */
const LOOKED_AT = 100_000;

const ALLOW =
  'have it let this machine, or the user agent "site-conformance", through, or pass it with --header (such as a cookie)';

/** What stands in pages that ask for a browser, whatever their status; all in small letters. */
const CHALLENGE: readonly string[] = [
  'cf-challenge',
  'just a moment...',
  'checking your browser',
  'verify you are human',
  'enable javascript and cookies to continue',
  'sgcaptcha',
  'request unsuccessful. incapsula',
];

/** What stands in pages of firewalls that turn somebody away, and in ordinary pages of sites that have them. */
const FIREWALL: readonly string[] = [
  'challenge-platform',
  'cf-error-details',
  'captcha',
  '_incapsula_',
  'sucuri website firewall',
  'wordfence',
  'request unsuccessful',
  'web application firewall',
  'mod_security',
  'modsecurity',
  'the requested url was rejected',
  'generated by cloudfront',
  'imunify360',
  'ddos-guard',
  'bitninja',
];

/** Statuses by which firewalls turn somebody away. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 406, 429, 503]);

/** Headers by which services name an answer of their own. */
const HEADERS: readonly string[] = ['cf-mitigated', 'x-amzn-waf-action', 'x-sucuri-block'];

/** What answers before the site: a firewall, a login of its own, a form to log in, or a page that does not say. */
interface Wall {
  readonly by: 'firewall' | 'login' | 'form' | 'page';
  /** What it is and what to do. */
  readonly says: string;
}

/** Distinguishes a firewall or a login wall before the site from the site itself, by an answer that is no JSON; undefined where nothing shows one. */
export function wallOf({ status, headers, body }: RawAnswer): Wall | undefined {
  const page = body.toString('latin1', 0, LOOKED_AT).toLowerCase();
  const holds = (signs: readonly string[]): boolean => signs.some((sign) => page.includes(sign));
  if (
    HEADERS.some((name) => headers[name] !== undefined) ||
    holds(CHALLENGE) ||
    (TURNED_AWAY.has(status) && holds(FIREWALL))
  ) {
    return { by: 'firewall', says: `a firewall before the site answers, not the site: ${ALLOW}` };
  }
  if (status === 401 && headers['www-authenticate'] !== undefined) {
    return {
      by: 'login',
      says: "a gate before the site asks for a login of its own, the site has not answered: give it with --header 'Authorization: …' (then without --user), or have it let this machine through",
    };
  }
  if (page.includes('type="password"') || page.includes("type='password'")) {
    return {
      by: 'form',
      says: `a login form answers, not the index: the site, or a gate before it, shows nothing to anonymous callers; ${ALLOW}`,
    };
  }
  const refuses = status === 401 || status === 403 || status === 406;
  if (refuses && page.trimStart().startsWith('<')) {
    return {
      by: 'page',
      says: `a page answers, no JSON, as of a gate or firewall before the site: ${ALLOW}`,
    };
  }
  return undefined;
}

/** The same in words alone. */
export function describeWall(raw: RawAnswer): string | undefined {
  return wallOf(raw)?.says;
}

/** Whether an answer is a page, and no document for programs. */
function isPage({ body }: RawAnswer): boolean {
  const begin = body.toString('latin1', 0, 200).trimStart().toLowerCase();
  return begin.startsWith('<') && !begin.startsWith('<?xml');
}

/** Milliseconds before each try: a server that restarts is back within seconds. */
const PAUSES = [0, 300, 1500];

/**
 * Distinguishes a target that is gone from a request that it does not survive: after a broken connection a plain read is
 * asked, a few times. Whoever asks meanwhile waits for the same answer.
 */
export class HealthProbe {
  readonly #ask: () => Promise<boolean>;
  readonly #deadline: Deadline;
  #asking: Promise<boolean> | undefined;

  /** @param ask sends a plain read; whether anything came back */
  constructor(ask: () => Promise<boolean>, deadline: Deadline) {
    this.#ask = ask;
    this.#deadline = deadline;
  }

  /** Whether the target still answers. @throws TargetError when the deadline comes first */
  async answers(): Promise<boolean> {
    this.#asking ??= this.#try().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #try(): Promise<boolean> {
    for (const pause of PAUSES) {
      await this.#deadline.wait(pause);
      if (await this.#ask()) return true;
    }
    return false;
  }
}
