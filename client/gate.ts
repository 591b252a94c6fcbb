import type { RawAnswer } from './send.ts';

/** Letters of a page that are looked at. */
const LOOKED_AT = 100_000;

const ALLOW =
  'have it let this machine, or the user agent "site-conformance", through, or pass it with --header (such as a cookie)';

/** What stands in the pages of firewalls that ask for a browser, or turn somebody away; all in small letters. */
const FIREWALL: readonly string[] = [
  'challenge-platform',
  'cf-challenge',
  'cf-error-details',
  'captcha',
  'just a moment...',
  'checking your browser',
  'verify you are human',
  '_incapsula_',
  'sucuri website firewall',
  'wordfence',
  'request unsuccessful',
  'web application firewall',
];

/**
 * Tells a gate before the site apart from the site itself, by an answer that is no JSON.
 * @returns what it is and what to do, or undefined where nothing shows a gate
 */
export function describeGate({ status, headers, body }: RawAnswer): string | undefined {
  const page = body.toString('latin1', 0, LOOKED_AT).toLowerCase();
  const challenged = headers['cf-mitigated'] !== undefined || FIREWALL.some((sign) => page.includes(sign));
  if (challenged) return `a firewall before the site answers, not the site: ${ALLOW}`;
  if (status === 401 && headers['www-authenticate'] !== undefined) {
    return "a gate before the site asks for a login of its own, the site has not answered: give it with --header 'Authorization: …' (then without --user), or have it let this machine through";
  }
  if (page.includes('type="password"') || page.includes("type='password'")) {
    return `a login form answers, not the index: the site, or a gate before it, shows nothing to strangers; ${ALLOW}`;
  }
  const refuses = status === 401 || status === 403;
  if (refuses && page.trimStart().startsWith('<')) {
    return `a page answers, no JSON, as of a gate or firewall before the site: ${ALLOW}`;
  }
  return undefined;
}
