import {
  ANYHOW,
  type Description,
  type Exchange,
  family,
  type HostileServer,
  INDEX_CHECKS,
  UNREACHED,
} from '../server.ts';
import { atIndex, turningIndex, turningText, withRoutes } from '../turns.ts';

/** A site whose index is not where the target says. @param turn answers whatever asks for an index or a page */
function astray(title: string, turn: (exchange: Exchange) => void | Promise<void>): Description {
  return atIndex(title, UNREACHED, turn);
}

function redirected(exchange: Exchange, to: string): void {
  exchange.send({ status: 302, headers: { location: to }, body: Buffer.of() });
}

/** A page in place of an index, with the address of an index in its header. */
function naming(address: (exchange: Exchange) => string): (exchange: Exchange) => void {
  return (exchange) => {
    const link = `<${address(exchange)}>; rel="https://api.w.org/"`;
    const headers = { 'content-type': 'text/html', link };
    exchange.send({ status: 200, headers, body: Buffer.from('<!doctype html><title>Welcome</title>') });
  };
}

/** What is left to the site: composition and vocabulary are told by an index that does not hold still, or lies. */
export const SETTLING: readonly HostileServer[] = family(
  'settling',
  {
    'pages-without-an-end': astray('every page names another index of the same site', (exchange) =>
      naming(({ nth, stage }) => `${stage.url}/place-${nth}/`)(exchange),
    ),
    'index-at-another-origin': astray(
      'every page names an index at another origin',
      naming(({ stage }) => `${stage.elsewhere}/wp-json/`),
    ),
    'index-with-credentials': astray(
      'every page names an index with credentials in its address',
      naming(({ stage }) => stage.url.replace('://', '://user:word@')),
    ),
    'index-in-a-file': astray(
      'every page names an index that is a file',
      naming(() => 'file:///etc/passwd'),
    ),
    'index-at-a-deletion': astray(
      'every page names an index that is a deletion',
      naming(({ stage }) => `${stage.url}/index.php?rest_route=/&_method=DELETE`),
    ),
    'link-of-a-megabyte': astray(
      'every page names an index with an endless address',
      naming(({ stage }) => `${stage.url}/${'a/'.repeat(3000)}`),
    ),
    'places-that-lead-to-each-other': astray(
      'each place where an index may be redirects to the next',
      (exchange) => {
        const places = ['/index.php?rest_route=/', '/wp-json/', '/', '/index.php/wp-json/'];
        const at = places.indexOf(exchange.seen.url ?? '');
        redirected(exchange, `${exchange.stage.url}${places[(at + 1) % places.length] ?? '/'}`);
      },
    ),
    'another-composition-every-time': turningText(
      'the index serves every other time nothing but its own namespaces',
      ANYHOW,
      (text, { route, nth }) =>
        route === '/' && nth % 2 === 0 ? text.replaceAll('cms/v2', 'acme/v2') : text,
    ),
    'both-vocabularies': turningIndex(
      'the index serves the namespaces of two vocabularies at once',
      ANYHOW,
      (index) => {
        const routes = withRoutes(index, (known) => ({
          ...known,
          ...Object.fromEntries(
            Object.entries(known).map(([key, value]) => [key.replace('/cms', '/wp'), value]),
          ),
        }));
        const namespaces = Array.isArray(index.namespaces) ? index.namespaces.map(String) : [];
        return {
          ...routes,
          namespaces: [...namespaces, ...namespaces.map((name) => name.replace('cms', 'wp'))],
        };
      },
    ),
    'namespaces-that-are-paths': turningIndex(
      'the index serves namespaces that are paths of files and of prototypes',
      ANYHOW,
      (index) => ({
        ...index,
        namespaces: ['../../etc/passwd', '__proto__', 'constructor', 'a'.repeat(5000), '\u001b[31m', ''],
      }),
    ),
  },
  { only: INDEX_CHECKS, further: ['--deployment', 'auto', '--vocabulary', 'auto'] },
);
