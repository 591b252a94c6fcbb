import { type Description, type Exchange, family, type HostileServer, INDEX_CHECKS } from '../server.ts';
import { anyhow, atIndex, withNamespaces, withRoutes } from '../turns.ts';

/** A site with a page in place of its index, and the address of an index in a header. */
function naming(what: string, address: (exchange: Exchange) => string): Description {
  return atIndex(`every page names ${what}`, (exchange) => {
    const link = `<${address(exchange)}>; rel="https://api.w.org/"`;
    const headers = { 'content-type': 'text/html', link };
    exchange.send({ status: 200, headers, body: Buffer.from('<!doctype html><title>Welcome</title>') });
  });
}

/** Sites whose index changes or lies while composition and vocabulary are derived from it. */
export const SETTLING: readonly HostileServer[] = family(
  'settling',
  {
    'pages-without-an-end': naming(
      'another index of the same site',
      ({ nth, stage }) => `${stage.url}/place-${nth}/`,
    ),
    'index-at-another-origin': naming(
      'an index at another origin',
      ({ stage }) => `${stage.elsewhere}/wp-json/`,
    ),
    'index-with-credentials': naming('an index with credentials in its address', ({ stage }) =>
      stage.url.replace('://', '://user:word@'),
    ),
    'index-in-a-file': naming('an index that is a file', () => 'file:///etc/passwd'),
    'index-at-a-deletion': naming(
      'an index that is a deletion',
      ({ stage }) => `${stage.url}/index.php?rest_route=/&_method=DELETE`,
    ),
    'link-of-a-megabyte': naming(
      'an index with an endless address',
      ({ stage }) => `${stage.url}/${'a/'.repeat(3000)}`,
    ),
    'places-that-lead-to-each-other': atIndex(
      'each place where an index may be redirects to the next',
      (exchange) => {
        const places = ['/index.php?rest_route=/', '/wp-json/', '/', '/index.php/wp-json/'];
        const at = places.indexOf(exchange.seen.url ?? '');
        const location = `${exchange.stage.url}${places[(at + 1) % places.length] ?? '/'}`;
        exchange.send({ status: 302, headers: { location }, body: Buffer.of() });
      },
    ),
    'another-composition-every-time': anyhow.turningText(
      'the index serves every other time nothing but its own namespaces',
      (text, { route, nth }) =>
        route === '/' && nth % 2 === 0 ? text.replaceAll('cms/v2', 'acme/v2') : text,
    ),
    'both-vocabularies': anyhow.turningIndex(
      'the index serves the namespaces of two vocabularies at once',
      (index) => {
        const routes = withRoutes(index, (known) => ({
          ...known,
          ...Object.fromEntries(
            Object.entries(known).map(([key, value]) => [key.replace('/cms', '/wp'), value]),
          ),
        }));
        const namespaces = Array.isArray(index.namespaces) ? index.namespaces.map(String) : [];
        return withNamespaces(routes, ...namespaces.map((name) => name.replace('cms', 'wp')));
      },
    ),
    'namespaces-that-are-paths': anyhow.turningIndex(
      'the index serves namespaces that are paths of files and of prototypes',
      (index) => ({
        ...index,
        namespaces: ['../../etc/passwd', '__proto__', 'constructor', 'a'.repeat(5000), '\u001b[31m', ''],
      }),
    ),
  },
  { only: INDEX_CHECKS, further: ['--deployment', 'auto', '--vocabulary', 'auto'] },
);
