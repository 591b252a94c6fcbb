import { hash } from 'node:crypto';
import { isPretty, otherBase, routeUrl, showBase, siteBase } from './address.ts';
import { BYTE_ORDER_MARK, readAnswer, redirectOf, textBeforeJson } from './answer.ts';
import { wallOf } from './availability.ts';
import type { Client } from './client.ts';
import { asObject, isObject, type JsonObject, member, numberedList } from './json.ts';
import { ModeViolation } from './mode.ts';
import { parseRoutePattern, type RoutePart, shapeOf } from './route-pattern.ts';
import type { RawAnswer } from './send.ts';
import { TargetError, type TargetProblem } from './target-error.ts';

/** One member of a route's `endpoints`. Parts that do not have the form of §1 are undefined. */
export interface SiteEndpoint {
  readonly raw: unknown;
  readonly methods: readonly string[];
  readonly args: JsonObject | undefined;
  /** Whether it carries the batch mark; `{"v1": false}` counts as none (R6). */
  readonly batch: boolean;
}

/** One entry of `routes`, as the target declares it. */
export interface SiteRoute {
  readonly key: string;
  readonly raw: unknown;
  readonly parts: readonly RoutePart[];
  readonly endpoints: readonly SiteEndpoint[];
}

/** The index of a target, read leniently. Checks report what is malformed. */
export interface SiteIndex {
  readonly document: JsonObject;
  readonly digest: string;
  /** The name of its time zone, or its offset such as `+05:30`, if it has one. */
  readonly zone: string | undefined;
  readonly namespaces: readonly string[];
  readonly routes: readonly SiteRoute[];
  /** Routes by their text with `{}` for path parameters; several may have the same text. */
  readonly byShape: ReadonlyMap<string, readonly SiteRoute[]>;
}

/** Whether a document is an index: an object with at least one of the two required members (§1). */
export function looksLikeIndex(document: unknown): document is JsonObject {
  return (
    isObject(document) && (asObject(document.routes) !== undefined || Array.isArray(document.namespaces))
  );
}

/** Reads the document of route `/`. @param text its JSON text, for the digest */
export function readIndex(document: JsonObject, text: string): SiteIndex {
  const routes = Object.entries(asObject(member(document, 'routes')) ?? {}).map(
    ([key, raw]): SiteRoute => ({ key, raw, parts: parseRoutePattern(key), endpoints: endpointsOf(raw) }),
  );
  const namespaces = member(document, 'namespaces');
  return {
    document,
    digest: `sha256:${hash('sha256', text)}`,
    zone: zoneIn(document),
    namespaces: strings(numberedList(namespaces) ?? namespaces),
    routes,
    byShape: Map.groupBy(routes, ({ key }) => shapeOf(key)),
  };
}

/** Offsets are multiples of minutes, up to 14 hours. */
const FARTHEST = 14 * 60;

function zoneIn(document: JsonObject): string | undefined {
  const [name, offset] = [member(document, 'timezone_string'), member(document, 'gmt_offset')];
  if (typeof name !== 'string' || name !== '') return typeof name === 'string' ? name : undefined;
  const isShown = typeof offset === 'number' || (typeof offset === 'string' && offset.trim() !== '');
  const minutes = isShown ? Number(offset) * 60 : Number.NaN;
  if (!Number.isInteger(minutes) || Math.abs(minutes) > FARTHEST) return undefined;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const padded = [hours, rest].map((count) => String(count).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${padded.join(':')}`;
}

function endpointsOf(raw: unknown): SiteEndpoint[] {
  const endpoints = member(raw, 'endpoints');
  if (!Array.isArray(endpoints)) return [];
  return endpoints.map((endpoint: unknown) => ({
    raw: endpoint,
    methods: strings(member(endpoint, 'methods')),
    args: asObject(member(endpoint, 'args')),
    batch: member(member(endpoint, 'allow_batch'), 'v1') === true,
  }));
}

/** The strings of an array; empty for anything else. */
export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item: unknown) => typeof item === 'string') : [];
}

/** The words that a parameter, or each of its items, may be. @param descriptor as declared */
export function wordsIn(descriptor: unknown): string[] {
  return [descriptor, member(descriptor, 'items')].flatMap((one) => strings(member(one, 'enum')));
}

const LARGEST_INDEX = { bytes: 64_000_000, values: 3_000_000 } as const;
const LONGEST = { address: 300, message: 120, printed: 200 } as const;
const MOST_REDIRECTS = 5;
const WRONG_ADDRESS = 'is this the address of the site?';

/** The index, and the text that it was read from. */
export interface FetchedIndex {
  readonly index: SiteIndex;
  readonly text: string;
  readonly address: string;
  /** Whether something was printed before it and took away its headers, so that no status can be relied on. */
  readonly hasLostHeaders: boolean;
}

/** Reads the index, through redirects within its origin. @param address default: of the base @throws TargetError */
export async function fetchIndex(
  client: Client,
  address: string = routeUrl(client.base, '/'),
): Promise<FetchedIndex> {
  const { url, raw } = await follow(client, address, LARGEST_INDEX.bytes);
  const from = showAddress(client, url);
  const answer = readAnswer(raw, LARGEST_INDEX.values);
  const wall = answer.json === undefined ? wallOf(raw) : undefined;
  const wrong = (problem: TargetProblem, what: string | number, own: string): TargetError =>
    new TargetError(problem, `${from} answered ${what}: ${wall ?? own}`);
  if (answer.answer === 'denied') throw wrong('denied', raw.status, refusal(client, answer.json));
  if (answer.answer === 'throttled') throw wrong('busy', raw.status, 'the site asks to retry later');
  if (answer.answer !== 'accepted') {
    const own = raw.status >= 500 ? 'the site, or a proxy before it, is out of order' : WRONG_ADDRESS;
    throw wrong('status', `${raw.status} instead of the index`, own);
  }
  if (answer.json === undefined) {
    const own = printedBefore(client, answer.text) ?? WRONG_ADDRESS;
    throw wrong('not-json', answer.problem ?? 'no JSON', own);
  }
  if (!looksLikeIndex(answer.json))
    throw wrong('not-an-index', 'JSON that is not an index', 'neither "routes" nor "namespaces" is there');
  return {
    index: readIndex(answer.json, answer.text),
    text: answer.text,
    address: url,
    // Blank lines were sent first, so that PHP could set neither the type nor, where it refuses, a status.
    hasLostHeaders: /^\s/.test(answer.text) && !/\bjson\b/i.test(answer.headers['content-type'] ?? ''),
  };
}

/** What to do about an index that something is printed before, with that text; undefined for another document. */
function printedBefore(client: Client, text: string): string | undefined {
  const printed = textBeforeJson(text);
  if (printed === undefined) return undefined;
  if (printed === BYTE_ORDER_MARK) return 'save the PHP file that begins with it without one';
  const words = printed
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const shown = client.redact(words).slice(0, LONGEST.printed);
  return `the site prints "${shown}": fix what prints it, or show no errors of PHP to visitors`;
}

/** What to do about a site that refuses its index, by the credentials that were sent. */
const REFUSALS = {
  header:
    'the site does not accept the Authorization header that was sent; if it is for a gate before the site, have the gate let this machine through, or take a cookie with --header',
  user: 'the site does not show its index to this user: check its name and application password',
  nobody: 'the index needs credentials (--user with SITE_CONFORMANCE_PASSWORD, or --header)',
} as const;

/** What to do about a site that refuses its index, with the site's own message. */
function refusal(client: Client, json: unknown): string {
  const message = member(json, 'message');
  const said = typeof message === 'string' ? client.redact(message).slice(0, LONGEST.message) : '';
  const own = said === '' ? '' : `; the site itself says "${said}"`;
  const key = client.sendsAuthorization ? 'header' : client.hasUser ? 'user' : 'nobody';
  return `${REFUSALS[key]}${own}`;
}

/** Requests an address, and follows redirects within its origin. @throws TargetError as {@link fetchIndex} does */
async function follow(
  client: Client,
  address: string,
  bytes: number,
): Promise<{ readonly url: string; readonly raw: RawAnswer }> {
  let url = address;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const raw = await client.fetch(url, bytes).catch((error: unknown) => {
      if (!(error instanceof ModeViolation)) throw error;
      // The target chooses the address of a redirect, so a refusal of the guard is an error of the target.
      const shown = showAddress(client, withoutQuery(url));
      const why = `${showBase(client.base)} redirects to ${shown} with a method override: it was not followed`;
      throw new TargetError('redirect', why);
    });
    const location = redirectOf(raw);
    if (location === undefined) return { url, raw };
    url = redirectWithin(client, url, location);
  }
  throw new TargetError(
    'redirect',
    `${showBase(client.base)} redirects in a loop (${MOST_REDIRECTS} redirects followed)`,
  );
}

function redirectWithin(client: Client, from: string, location: string): string {
  const refused = (where: string, of: string = withoutQuery(from)): TargetError =>
    new TargetError('redirect', `${showAddress(client, of)} redirects to ${where}`);
  const to = URL.parse(location, from);
  if (to === null) throw refused('an address that cannot be read');
  if (!/^https?:$/.test(to.protocol)) {
    const scheme = showAddress(client, to.protocol);
    throw refused(`a ${scheme} address, which is no page of a site: it was not followed`);
  }
  if (to.username !== '' || to.password !== '')
    throw refused('an address that holds credentials: it was not followed');
  const { origin } = new URL(from);
  if (to.origin !== origin) {
    const there = showAddress(client, to.origin);
    throw refused(
      `${there}, another site: nothing was sent there; if that is the site you mean, use --target ${there}`,
      origin,
    );
  }
  return to.href;
}

function showAddress(client: Client, address: string): string {
  const shown = client.redact(address);
  return shown.length > LONGEST.address ? `${shown.slice(0, LONGEST.address)}…` : shown;
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

const INDEX_RELATION = 'https://api.w.org/';
const PAGE_BYTES = 4_000_000;

/** Problems that another address of the same site may solve. */
const ELSEWHERE: ReadonlySet<TargetProblem> = new Set(['status', 'not-json', 'not-an-index']);

type FoundIndex = FetchedIndex & { readonly base: URL };

/**
 * Finds the index of the target: where the base says, and otherwise below pretty addresses, below the address itself,
 * or where a page of the site names it. If the address is pretty but the one of the interface works too, it takes the
 * latter, because some servers take a route such as `/oembed/1.0` for a file. Nothing is sent to another origin.
 * @throws TargetError as `fetchIndex` does for the first place, with the others
 */
export async function findIndex(client: Client): Promise<FoundIndex> {
  const site = siteBase(client.base);
  const wasPretty = isPretty(client.base);
  const plain = wasPretty ? await unlessProblem(fetchBelow(client, site)) : undefined;
  if (plain !== undefined) return plain;
  try {
    const found = await fetchBelow(client, client.base);
    // Some servers remove `index.php` from every address, and answer elsewhere.
    const isElsewhere = !isPretty(found.base) && found.address !== routeUrl(found.base, '/');
    return (isElsewhere ? await unlessProblem(fetchBelow(client, otherBase(site))) : undefined) ?? found;
  } catch (error) {
    if (!(error instanceof TargetError) || !ELSEWHERE.has(error.problem)) throw error;
    const other = otherBase(client.base);
    const found =
      (wasPretty ? undefined : await unlessProblem(fetchBelow(client, other))) ??
      (await fetchNamed(client, site, error));
    if (found !== undefined) return found;
    throw new TargetError(
      error.problem,
      `${error.message} (tried too: ${showBase(other)}, and what the page of the site names)`,
    );
  }
}

/** The result of a request; undefined if that place has no index. @throws TargetError if nothing more can be sent */
async function unlessProblem<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof TargetError) || error.isEnd) throw error;
    return undefined;
  }
}

async function fetchBelow(client: Client, base: URL): Promise<FoundIndex> {
  const address = routeUrl(base, '/');
  const fetched = await fetchIndex(client, address);
  const came = new URL(fetched.address);
  const moved = fetched.address !== address && !came.searchParams.has('rest_route');
  const pretty = moved && came.href.length <= LONGEST.address ? baseOf(came) : base;
  return { ...fetched, base: isPretty(pretty) ? pretty : base };
}

async function fetchNamed(client: Client, site: URL, first: TargetError): Promise<FoundIndex | undefined> {
  const page = new URL(site);
  if (page.pathname !== '/') page.pathname += '/';
  const answer = await unlessProblem(follow(client, page.href, PAGE_BYTES));
  const link = answer?.raw.headers.link?.split(',').find((one) => one.includes(`"${INDEX_RELATION}"`));
  const address = link?.slice(link.indexOf('<') + 1, link.indexOf('>')).trim() ?? '';
  const isAddress = link !== undefined && address.length <= LONGEST.address;
  const index = isAddress ? URL.parse(address, answer?.url) : null;
  if (index === null || !/^https?:$/.test(index.protocol) || index.username + index.password !== '') {
    return isPretty(page) ? unlessProblem(fetchBelow(client, page)) : undefined;
  }
  const named = baseOf(index);
  if (named.origin !== site.origin) {
    throw new TargetError(
      first.problem,
      `${first.message} (its page names the index of another origin: if that is the site you mean, use --target ${showAddress(client, named.href)})`,
    );
  }
  return unlessProblem(fetchBelow(client, named));
}

function baseOf(index: URL): URL {
  const base = new URL(index);
  const isPlain = index.searchParams.has('rest_route');
  base.search = '';
  base.hash = '';
  const path = base.pathname.replace(/\/+$/, '');
  base.pathname = isPlain ? path.replace(/\/index\.php$/, '') : `${path}/`;
  return base;
}
