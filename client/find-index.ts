import { isPretty, prettyBase, routeUrl, showBase, siteBase } from './address.ts';
import type { Client } from './client.ts';
import { type FetchedIndex, fetchIndex, follow, showAddress } from './fetch-index.ts';
import { TargetError, type TargetProblem } from './target-error.ts';

/** The relation under which a page of a site names its index. */
const INDEX_RELATION = 'https://api.w.org/';
const PAGE_BYTES = 4_000_000;
const LONGEST_ADDRESS = 300;

/** What another address of the same site may mend. */
const ELSEWHERE: ReadonlySet<TargetProblem> = new Set(['status', 'not-json', 'not-an-index']);

/** The index and the base under which the site serves its routes. */
export interface FoundIndex extends FetchedIndex {
  readonly base: URL;
}

/**
 * Asks the target for its index where the base says, and where that is no index, in the other places where a site has it:
 * below pretty addresses, below the address itself, and where its page names it. Where a pretty address is given and the one
 * of the interface works too, that is used: some servers take a route such as `/oembed/1.0` for a file. Nothing is sent to
 * another origin.
 * @throws TargetError as `fetchIndex` does of the first place, with the others that were tried
 */
export async function findIndex(client: Client): Promise<FoundIndex> {
  const site = siteBase(client.base);
  const wasPretty = isPretty(client.base);
  const plain = wasPretty ? await tryBase(client, site) : undefined;
  if (plain !== undefined) return plain;
  try {
    return settled(client.base, await fetchIndex(client));
  } catch (error) {
    if (!(error instanceof TargetError) || !ELSEWHERE.has(error.problem)) throw error;
    const other = wasPretty ? site : prettyBase(site);
    const found =
      (wasPretty ? undefined : await tryBase(client, other)) ?? (await trySitePage(client, site, error));
    if (found !== undefined) return found;
    throw new TargetError(
      error.problem,
      `${error.message} (tried too: ${showBase(other)}, and what the page of the site names)`,
    );
  }
}

async function tryBase(client: Client, base: URL): Promise<FoundIndex | undefined> {
  try {
    return settled(base, await fetchIndex(client, routeUrl(base, '/')));
  } catch (error) {
    if (!(error instanceof TargetError) || isEnd(error)) throw error;
    return undefined;
  }
}

/** The page of the site may be the index itself, or name it. @param first what the first place said */
async function trySitePage(client: Client, site: URL, first: TargetError): Promise<FoundIndex | undefined> {
  const page = new URL(site);
  if (page.pathname !== '/') page.pathname += '/';
  const named = await namedIndex(client, page);
  if (named === undefined) return isPretty(page) ? tryBase(client, page) : undefined;
  if (named.origin !== site.origin) {
    throw new TargetError(
      first.problem,
      `${first.message} (its page names the index of another origin: if that is the site you mean, use --target ${showAddress(client, named.href)})`,
    );
  }
  return tryBase(client, named);
}

/** The base that a page of the site names in its header Link. */
async function namedIndex(client: Client, page: URL): Promise<URL | undefined> {
  try {
    const { url, raw } = await follow(client, page.href, PAGE_BYTES);
    const link = raw.headers.link?.split(',').find((one) => one.includes(`"${INDEX_RELATION}"`));
    const address = link?.slice(link.indexOf('<') + 1, link.indexOf('>')).trim();
    if (address === undefined || address.length > LONGEST_ADDRESS || !URL.canParse(address, url))
      return undefined;
    const index = new URL(address, url);
    const isWeb = index.protocol === 'http:' || index.protocol === 'https:';
    return isWeb && index.username === '' && index.password === '' ? baseOf(index) : undefined;
  } catch (error) {
    if (!(error instanceof TargetError) || isEnd(error)) throw error;
    return undefined;
  }
}

/** The base that an address of an index belongs to. */
function baseOf(index: URL): URL {
  const base = new URL(index);
  const isPlain = index.searchParams.has('rest_route');
  base.search = '';
  base.hash = '';
  const path = base.pathname.replace(/\/+$/, '');
  base.pathname = isPlain ? path.replace(/\/index\.php$/, '') : `${path}/`;
  return base;
}

/** Routes are where a redirect of the index has led, if that was to pretty addresses. */
function settled(base: URL, fetched: FetchedIndex): FoundIndex {
  const came = new URL(fetched.address);
  const moved = fetched.address !== routeUrl(base, '/') && !came.searchParams.has('rest_route');
  const pretty = moved && came.href.length <= LONGEST_ADDRESS ? baseOf(came) : base;
  return { ...fetched, base: isPretty(pretty) ? pretty : base };
}

function isEnd({ problem }: TargetError): boolean {
  return problem === 'gone' || problem === 'over-budget';
}
