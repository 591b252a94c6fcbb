import { routeUrl, showBase } from './address.ts';
import type { Client } from './client.ts';
import { describeGate } from './gate.ts';
import { member } from './json.ts';
import { ModeViolation } from './mode.ts';
import { readAnswer } from './read-answer.ts';
import type { RawAnswer } from './send.ts';
import { looksLikeIndex, readIndex, type SiteIndex } from './site-index.ts';
import { TargetError } from './target-error.ts';

const INDEX_BYTES = 64_000_000;
const INDEX_VALUES = 3_000_000;
const LONGEST_ADDRESS = 300;
const LONGEST_MESSAGE = 120;
const MOST_REDIRECTS = 5;

/** The index and the text it was read from. */
export interface FetchedIndex {
  readonly index: SiteIndex;
  readonly text: string;
  /** The address that it came from, after redirects. */
  readonly address: string;
}

/**
 * Asks the target for its index, once; redirects within the same origin are followed.
 * @param address where it is, unless it is where the base of the client says
 * @throws TargetError when nothing can be concluded: unreachable, denied, not JSON, not an index, too large, or
 *   redirected elsewhere (credentials are not sent along).
 */
export async function fetchIndex(
  client: Client,
  address: string = routeUrl(client.base, '/'),
): Promise<FetchedIndex> {
  const { url, raw } = await follow(client, address, INDEX_BYTES);
  const from = showAddress(client, url);
  const answer = readAnswer(raw, INDEX_VALUES);
  const gate = answer.json === undefined ? describeGate(raw) : undefined;
  if (answer.answer === 'denied') {
    throw new TargetError(
      'denied',
      `${from} answered ${raw.status}: ${gate ?? refusal(client, answer.json)}`,
    );
  }
  if (answer.answer === 'throttled') {
    const own = 'the site asks for patience, try again later';
    throw new TargetError('busy', `${from} answered ${raw.status}: ${gate ?? own}`);
  }
  if (answer.answer !== 'accepted') {
    const own =
      raw.status >= 500
        ? 'the site, or a proxy before it, is out of order'
        : 'is this the address of the site?';
    throw new TargetError('status', `${from} answered ${raw.status} instead of the index: ${gate ?? own}`);
  }
  if (answer.json === undefined) {
    throw new TargetError(
      'not-json',
      `${from} answered ${answer.problem ?? 'no JSON'}: ${gate ?? 'is this the address of the site?'}`,
    );
  }
  if (!looksLikeIndex(answer.json)) {
    throw new TargetError(
      'not-an-index',
      `${from} answered JSON that is not an index: neither "routes" nor "namespaces" is there`,
    );
  }
  return { index: readIndex(answer.json, answer.text), text: answer.text, address: url };
}

/** What to do about a site that refuses its index, and its own word on it. */
function refusal(client: Client, json: unknown): string {
  const message = member(json, 'message');
  const said = typeof message === 'string' ? client.redact(message).slice(0, LONGEST_MESSAGE) : '';
  const own = said === '' ? '' : `; the site itself says "${said}"`;
  return `the index needs credentials (--user with SITE_CONFORMANCE_PASSWORD, or --header)${own}`;
}

/**
 * Asks for an address of the target; redirects within the same origin are followed.
 * @param bytes the most of an answer
 * @returns the answer and the address that it came from
 * @throws TargetError as {@link fetchIndex} does of the way there
 */
export async function follow(
  client: Client,
  address: string,
  bytes: number,
): Promise<{ readonly url: string; readonly raw: RawAnswer }> {
  let url = address;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const raw = await fetchGuarded(client, url, bytes);
    const location = raw.headers.location;
    if (raw.status < 300 || raw.status >= 400 || location === undefined) return { url, raw };
    url = redirectWithin(client, url, location);
  }
  throw new TargetError(
    'redirect',
    `${showBase(client.base)} redirects in a loop (${MOST_REDIRECTS} redirects followed)`,
  );
}

/** A redirect is a request that the target words: what the guard refuses is said of the target, and never sent. */
async function fetchGuarded(client: Client, url: string, bytes: number): Promise<RawAnswer> {
  try {
    return await client.fetch(url, bytes);
  } catch (error) {
    if (!(error instanceof ModeViolation)) throw error;
    throw new TargetError(
      'redirect',
      `${showBase(client.base)} redirects to ${showAddress(client, withoutQuery(url))} with a method override: it was not followed`,
    );
  }
}

function redirectWithin(client: Client, from: string, location: string): string {
  const shown = showAddress(client, withoutQuery(from));
  if (!URL.canParse(location, from)) {
    throw new TargetError('redirect', `${shown} redirects to an address that cannot be read`);
  }
  const to = new URL(location, from);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') {
    throw new TargetError(
      'redirect',
      `${shown} redirects to a ${showAddress(client, to.protocol)} address, which is no page of a site: it was not followed`,
    );
  }
  if (to.username !== '' || to.password !== '') {
    throw new TargetError(
      'redirect',
      `${shown} redirects to an address that holds credentials: it was not followed`,
    );
  }
  if (to.origin !== new URL(from).origin) {
    const there = showAddress(client, to.origin);
    throw new TargetError(
      'redirect',
      `${showAddress(client, new URL(from).origin)} redirects to ${there}, another site: nothing was sent there; if that is the site you mean, use --target ${there}`,
    );
  }
  return to.href;
}

/** An address that the target may have worded, redacted and short enough for a line. */
export function showAddress(client: Client, address: string): string {
  const shown = client.redact(address);
  return shown.length > LONGEST_ADDRESS ? `${shown.slice(0, LONGEST_ADDRESS)}…` : shown;
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}
