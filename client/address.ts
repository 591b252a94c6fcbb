import { TargetError } from './target-error.ts';

/** The usual first part of the path of the index, if a site serves addresses without a query. */
const USUAL_PREFIX = 'wp-json';

/** Pages whose address people copy. They are not part of the base. */
const PAGES: readonly string[] = ['index.php', 'wp-admin', 'wp-login.php'];

/** One query parameter in wire form, such as `['search_columns[]', 'post_title']`. */
export type QueryPair = readonly [name: string, value: string];

/**
 * Reads the base address of a site, as a user gives it: also that of the index, or of a page that people copy.
 * Returns the pretty base below `wp-json`. @throws TargetError for another address, or one with credentials
 */
export function readBase(text: string): URL {
  const wrong = (why: string): TargetError => new TargetError('address', why);
  const shown = `"${hideUserinfo(text)}" is not an`;
  const url = URL.parse(text);
  if (url === null)
    throw wrong(`${shown} address: expected something like https://staging.example.org${schemeHint(text)}`);
  if (!/^https?:$/.test(url.protocol)) throw wrong(`${shown} http or https address${schemeHint(text)}`);
  if (url.username !== '' || url.password !== '')
    throw wrong(
      'the address holds credentials: give the name with --user and the password in SITE_CONFORMANCE_PASSWORD',
    );
  url.search = '';
  url.hash = '';
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const prefix = parts.indexOf(USUAL_PREFIX);
  const page = parts.findIndex((part) => PAGES.includes(part));
  if (prefix === -1) url.pathname = parts.slice(0, page === -1 ? parts.length : page).join('/');
  else url.pathname = `${parts.slice(0, prefix + 1).join('/')}/`;
  return url;
}

/** Names the scheme that an author left out, as in `localhost:8080`, at the end of a message; empty for no host. */
export function schemeHint(text: string): string {
  const [, host = '', port] = /^([a-z\d](?:[a-z\d.-]*[a-z\d])?)(:\d{1,5})?(?:[/?#]|$)/i.exec(text) ?? [];
  const isHost = host === 'localhost' || port !== undefined || host.includes('.');
  const url = isHost ? URL.parse(`http://${text}`) : null;
  return url === null ? '' : `; a site is named as ${isLoopback(url) ? 'http' : 'https'}://${text}`;
}

/** Whether a base is one of pretty addresses, where routes are paths below it; otherwise the route is a parameter. */
export function isPretty(base: URL): boolean {
  return base.pathname !== '/' && base.pathname.endsWith('/');
}

/** The base of the site itself. For a pretty base, it is the part before its last one. */
export function siteBase(base: URL): URL {
  if (!isPretty(base)) return base;
  const site = new URL(base);
  const parts = base.pathname.split('/').filter((part) => part !== '');
  site.pathname = parts
    .slice(0, -1)
    .filter((part, at, all) => part !== 'index.php' || at < all.length - 1)
    .join('/');
  return site;
}

/** The base of the other form of addresses: for a pretty base that of the site, otherwise the usual pretty one. */
export function otherBase(base: URL): URL {
  return isPretty(base) ? siteBase(base) : new URL(`${base.href.replace(/\/$/, '')}/${USUAL_PREFIX}/`);
}

/** An address for messages, however it is typed: everything before the last `@` may be credentials. */
export function hideUserinfo(text: string): string {
  const end = Math.max(text.lastIndexOf('@'), text.lastIndexOf('%40'));
  const scheme = /^[a-z][a-z\d+.-]*:\/+/i.exec(text)?.[0] ?? '';
  return end < scheme.length ? text : `${scheme}[redacted]${text.slice(end)}`;
}

/** The base for reports, which `URL` can read again: without a trailing slash, unless it is pretty. */
export function showBase(base: URL): string {
  return isPretty(base) ? base.href : base.href.replace(/\/$/, '');
}

/**
 * The address of a route: a parameter of `{base}/index.php`, or a path below a pretty base.
 * @param raw further query @param encodes whether slashes in a parameter are encoded too
 */
export function routeUrl(
  base: URL,
  route: string,
  query: readonly QueryPair[] = [],
  raw: string | undefined = undefined,
  encodes = false,
): string {
  const encoded = encodePart(route);
  const path = encoded.replaceAll('%2F', '/');
  const pretty = isPretty(base);
  const pairs = [
    ...(pretty ? [] : [`rest_route=${encodes ? encoded : path}`]),
    ...query.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`),
    ...(raw === undefined ? [] : [raw]),
  ];
  if (!pretty) return `${showBase(base)}/index.php?${pairs.join('&')}`;
  // Dots alone would leave the path. Encoded twice, they name nothing on a site.
  const parts = path.replace(/^\//, '').split('/');
  const inside = parts.map((part) => (/^\.\.?$/.test(part) ? part.replaceAll('.', '%252e') : part)).join('/');
  return `${base.href}${inside}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** Encodes a text for an address. Half a surrogate pair becomes the replacement character. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Whether the host of an address is this machine. */
export function isLoopback(base: URL): boolean {
  const host = base.hostname.replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(host) || host === '::1'
  );
}

/** The route that an address leads to in either form; undefined if there is none, or it is outside the base. */
export function routeOf(url: URL, base?: URL): string | undefined {
  if (base !== undefined && url.origin !== base.origin) return undefined;
  const byQuery = url.searchParams.get('rest_route');
  if (byQuery !== null) return byQuery.startsWith('/') ? byQuery : `/${byQuery}`;
  const own = base !== undefined && isPretty(base) ? base.pathname : undefined;
  const prefix = own ?? `/${USUAL_PREFIX}/`;
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  const at = path.indexOf(prefix);
  if (at === -1 || (own !== undefined && at > 0)) return undefined;
  // Only the first of several slashes is tried, to keep the time linear.
  return decoded(`/${path.slice(at + prefix.length).replace(/(?<!\/)\/+$/, '')}`);
}

/** A text without percent-encoding; as it is if that is invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether an address leads to a route in either form (R19). A site may use another name for its host. */
export function leadsTo(href: string, route: string, base: URL): boolean {
  const url = URL.parse(href, base.href);
  if (url === null) return false;
  const byQuery = url.searchParams.get('rest_route');
  const trimmed = (path: string): string => path.replace(/\/+$/, '');
  if (byQuery !== null) return trimmed(byQuery) === trimmed(route);
  return trimmed(decoded(url.pathname)).endsWith(trimmed(route));
}
