import { routeUrl } from './address.ts';
import { classify, redirectOf } from './answer.ts';
import { ModeViolation } from './mode.ts';
import type { Deadline } from './pacing.ts';
import type { RawAnswer } from './send.ts';
import { TargetError } from './target-error.ts';

/** After so many pages, a site is known to answer with pages. Then only those like a login wall cause a look. */
const MOST_PAGES = 8;
/** Answers in a row that accept nothing, after which the index is read. */
const MOST_UNACCEPTED = 24;
/** Server errors in a row after which the index is read: at first this many, then twice as many each time. */
const FEW_BROKEN = 3;
/** A refusal for an unknown user causes a look at whether the site knows the user: at first, then after so many. */
const UNKNOWN_USERS = 50;
const MOST_HOPS = 5;
/** Statuses of proxies whose site does not answer. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 504]);

/**
 * Notices during a run that a firewall or a login wall replaced the site, or that it no longer knows the user.
 * @param ask sends a GET to an address of the target as the user @param forUser a read that the user only may make
 * @returns what has replaced the site, by one answer more; it throws TargetError if the deadline comes first
 */
export function createMonitor(
  base: URL,
  ask: (url: string) => Promise<RawAnswer>,
  deadline: Deadline,
  forUser: string | undefined,
): (raw: RawAnswer, isWall: boolean, asUser: boolean) => Promise<string | undefined> {
  let instead: string | undefined;
  let [pages, unaccepted, broken, mostBroken, unknown] = [0, 0, 0, FEW_BROKEN, 0];
  const isUserKnown =
    forUser === undefined
      ? undefined
      : createProbe(async () => (await ask(forUser)).status !== 401, deadline);
  const isUserGone = async (): Promise<boolean> => {
    if (isUserKnown === undefined) return false;
    unknown += 1;
    return unknown % UNKNOWN_USERS === 1 && !(await isUserKnown());
  };
  const isSiteThere = createProbe(async () => {
    const raw = await askIndex(base, ask);
    instead = raw && inPlaceOfIndex(raw);
    return instead === undefined;
  }, deadline);
  const insteadOfSite = async (raw: RawAnswer, isWall: boolean): Promise<string | undefined> => {
    const answer = classify(raw.status);
    const isStrange = isWall || (pages < MOST_PAGES && isUnlikeSite(raw));
    unaccepted = answer === 'accepted' ? 0 : unaccepted + 1;
    broken = answer === 'broken' ? broken + 1 : 0;
    const isRow = broken >= mostBroken;
    if (!isStrange && !isRow && unaccepted < MOST_UNACCEPTED) return undefined;
    if (!(await isSiteThere())) return instead;
    if (isRow) mostBroken *= 2;
    unaccepted = 0;
    if (isStrange) pages += 1;
    return undefined;
  };
  return async (raw, isWall, asUser) => {
    if (asUser && raw.status === 401 && (await isUserGone()))
      return 'it does not accept the user and the password any more, which it accepted at first';
    // Throttling is handled elsewhere.
    if (classify(raw.status) === 'throttled' && !isWall) return undefined;
    return insteadOfSite(raw, isWall);
  };
}

/** Whether an answer may come from what stands before the site. */
function isUnlikeSite(raw: RawAnswer): boolean {
  return isPage(raw) || redirectOf(raw) !== undefined || OF_PROXIES.has(raw.status);
}

/** The current index, through redirects within the site; undefined if no answer proves anything. */
async function askIndex(base: URL, ask: (url: string) => Promise<RawAnswer>): Promise<RawAnswer | undefined> {
  let url = routeUrl(base, '/');
  try {
    for (let hops = 0; ; hops += 1) {
      const raw = await ask(url);
      const location = redirectOf(raw);
      const to = location === undefined ? null : URL.parse(location, url);
      if (to === null || to.origin !== base.origin || hops === MOST_HOPS) return raw;
      url = to.href;
    }
  } catch (error) {
    // Broken and large answers are reported elsewhere, and the mode may forbid a redirect.
    if (error instanceof ModeViolation || (error instanceof TargetError && !error.isEnd)) return undefined;
    throw error;
  }
}

/** What answers in place of the index; undefined for the index, or an answer that may be temporary. */
function inPlaceOfIndex(raw: RawAnswer): string | undefined {
  const { status } = raw;
  const wall = wallOf(raw);
  if (wall !== undefined && isPage(raw)) return wall;
  const answer = classify(status);
  if (answer === 'throttled' || (answer === 'accepted' && !isPage(raw))) return undefined;
  if (redirectOf(raw) !== undefined) return 'the index redirects to another site';
  return isPage(raw)
    ? `a page answers with status ${status} where the index was`
    : `the index is answered with status ${status}`;
}

const LOOKED_AT = 100_000;

const ALLOW =
  'have it let this machine, or the user agent "site-conformance", through, or pass it with --header (such as a cookie)';

/** Texts of pages that ask for a browser, whatever their status; lower case. */
const CHALLENGE: readonly string[] = [
  'cf-challenge',
  'just a moment...',
  'checking your browser',
  'verify you are human',
  'enable javascript and cookies to continue',
  'sgcaptcha',
  'request unsuccessful. incapsula',
  'your request is being verified',
  "making sure you're not a bot",
  'making sure you&#39;re not a bot',
  'pardon our interruption',
  'the requested url was rejected. please consult with your administrator',
];

/** Texts of firewalls' refusals, and also of ordinary pages of sites with a firewall. */
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
  'generated by cloudfront',
  'imunify360',
  'ddos-guard',
  'bitninja',
];

const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 406, 429, 503]);

/** Headers that services add to answers of their own. */
const HEADERS: readonly string[] = ['cf-mitigated', 'x-amzn-waf-action', 'x-sucuri-block'];

/** What answers in front of the site, and what to do. */
export const WALLS: Readonly<Record<'firewall' | 'login' | 'form' | 'page', string>> = {
  firewall: `a firewall before the site answers, not the site: ${ALLOW}`,
  login:
    "a gate before the site asks for a login of its own, the site has not answered: give it with --header 'Authorization: …' (then without --user), or have it let this machine through",
  form: `a login form answers, not the index: the site, or a gate before it, shows nothing to anonymous callers; ${ALLOW}`,
  page: `a page answers, no JSON, as of a gate or firewall before the site: ${ALLOW}`,
};

/** Tells a firewall or a login wall from the site itself, by an answer that is not JSON; undefined if it is the site. */
export function wallOf({ status, headers, body }: RawAnswer): string | undefined {
  const page = body.toString('latin1', 0, LOOKED_AT).toLowerCase();
  const holds = (signs: readonly string[]): boolean => signs.some((sign) => page.includes(sign));
  const isMarked = HEADERS.some((name) => headers[name] !== undefined) || holds(CHALLENGE);
  if (isMarked || (TURNED_AWAY.has(status) && holds(FIREWALL))) return WALLS.firewall;
  if (status === 401 && headers['www-authenticate'] !== undefined) return WALLS.login;
  if (holds(['type="password"', "type='password'"])) return WALLS.form;
  const refuses = status === 401 || status === 403 || status === 406;
  return refuses && page.trimStart().startsWith('<') ? WALLS.page : undefined;
}

/** Whether an answer is a page, not a document for programs. */
function isPage({ body }: RawAnswer): boolean {
  const begin = body.toString('latin1', 0, 200).trimStart().toLowerCase();
  return begin.startsWith('<') && !begin.startsWith('<?xml');
}

/** Milliseconds before each try. A restarting server is back within seconds. */
const PAUSES = [0, 300, 1500];

/**
 * Tells a target that is gone from a single request that breaks it. Everybody waits for one probe.
 * @param ask sends a plain read, and returns whether there was any answer
 * @returns whether the target still answers; it throws TargetError if the deadline comes first
 */
export function createProbe(ask: () => Promise<boolean>, deadline: Deadline): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const attempt = async (): Promise<boolean> => {
    for (const pause of PAUSES) {
      await deadline.wait(pause);
      if (await ask()) return true;
    }
    return false;
  };
  return () => {
    asking ??= attempt().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}
