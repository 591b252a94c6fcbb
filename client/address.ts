import { TargetError } from './target-error.ts';

/** One query parameter in wire form, such as `['search_columns[]', 'post_title']`. */
export type QueryPair = readonly [name: string, value: string];

/**
 * Reads the base address of a site, as a user gives it. An address of the index itself is accepted as well.
 * @returns an http or https URL without query, fragment, credentials and trailing slash.
 * @throws TargetError when it is no such address, or holds credentials (they would end up in reports).
 */
export function readBase(text: string): URL {
  if (!URL.canParse(text)) {
    throw new TargetError(
      'address',
      `"${hideUserinfo(text)}" is not an address: expected something like https://staging.example.org`,
    );
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TargetError('address', `"${hideUserinfo(text)}" is not an http or https address`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetError(
      'address',
      'the address holds credentials: give the name with --user and the password in SITE_CONFORMANCE_PASSWORD',
    );
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/index\.php$/, '').replace(/\/+$/, '');
  return url;
}

/**
 * An address as a message may show it, however wrongly it is typed: everything before the last `@` may be credentials.
 */
export function hideUserinfo(text: string): string {
  const end = Math.max(text.lastIndexOf('@'), text.lastIndexOf('%40'));
  const scheme = /^[a-z][a-z\d+.-]*:\/+/i.exec(text)?.[0] ?? '';
  return end < scheme.length ? text : `${scheme}[redacted]${text.slice(end)}`;
}

/** The base as reports show it, without a trailing slash. */
export function showBase(base: URL): string {
  return base.href.replace(/\/$/, '');
}

/**
 * The address of a route: `{base}/index.php?rest_route=<route>` and further parameters (§1).
 * @param raw further text of the query, which stands there as it is
 */
export function routeUrl(
  base: URL,
  route: string,
  query: readonly QueryPair[] = [],
  raw: string | undefined = undefined,
): string {
  const pairs = [
    `rest_route=${encodePart(route).replaceAll('%2F', '/')}`,
    ...query.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`),
    ...(raw === undefined ? [] : [raw]),
  ];
  return `${showBase(base)}/index.php?${pairs.join('&')}`;
}

/** A text as part of an address. Half of a surrogate pair, which no address can hold, becomes the replacement character. */
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

/**
 * Whether an address leads to a route in either form: `?rest_route=<route>`, or a pretty path that ends with it (R19).
 * The host is not compared: a site may know itself by another name than the one it was reached under.
 */
export function leadsTo(href: string, route: string, base: URL): boolean {
  if (!URL.canParse(href, base.href)) return false;
  const url = new URL(href, base.href);
  const byQuery = url.searchParams.get('rest_route');
  const trimmed = (path: string): string => path.replace(/\/+$/, '');
  if (byQuery !== null) return trimmed(byQuery) === trimmed(route);
  let path = url.pathname;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    // A path that is not valid percent-encoding is compared as it is.
  }
  return trimmed(path).endsWith(trimmed(route));
}
