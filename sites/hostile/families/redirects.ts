import { type Exchange, type HostileContext, raw, withHeaders } from '../exchange.ts';
import {
  atIndex,
  type Description,
  expecting,
  family,
  type HostileServer,
  INDEX_CHECKS,
  runs,
  WRITING_CHECKS,
  withNamespaces,
  withRoutes,
} from '../server.ts';

/** An index that is a redirect. @param to its target, as in the header */
function redirect(
  what: string,
  to: string | ((context: HostileContext) => string),
  status = 302,
): Description {
  return atIndex(`the index redirects ${what}`, (exchange) => {
    const location = typeof to === 'string' ? to : to(exchange.stage);
    return exchange.nth === 1 ? exchange.raw(redirectTo(location, status)) : exchange.pass();
  });
}

function redirectTo(location: string, status: number): string {
  return `HTTP/1.1 ${status} Elsewhere\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
}

function redirectedWrites(title: string, status: number, to: (exchange: Exchange) => string): Description {
  const isWrite = ({ seen }: Exchange): boolean => seen.method !== 'GET';
  return runs.failsSomehow
    .but({ mode: 'write', only: WRITING_CHECKS })
    .where(title, isWrite, (exchange) => exchange.raw(redirectTo(to(exchange), status)));
}

/** A redirect that may be followed, if nothing else goes wrong. */
function followable(description: Description): Description {
  return { ...description, expected: { codes: [0, 3], endings: ['whole', 'unreached'] } };
}

/** A redirect is not an answer of a route, whatever follows from that. */
const unanswered = expecting([0, 1, 3], 'whole');

const DELETION = '/index.php?rest_route=/cms/v2/posts/1&force=true';

/** Servers that redirect their callers to forbidden places. */
const REDIRECTING: readonly HostileServer[] = family(
  'redirects',
  {
    loop: atIndex('the index redirects to itself', raw(redirectTo('/index.php?rest_route=/', 301))),
    endless: runs.unreached.everywhere(
      'the index redirects to another address of its own every time',
      (exchange) => exchange.raw(redirectTo(`/?rest_route=/&turn=${exchange.nth}`, 302)),
    ),
    'to-another-origin': redirect('to another origin', ({ elsewhere }) => `${elsewhere}/?rest_route=/`),
    'to-another-origin-with-307': redirect('to another origin with 307', ({ elsewhere }) => elsewhere, 307),
    'without-a-scheme': redirect('to another origin without a scheme', ({ elsewhere }) =>
      elsewhere.replace('http:', ''),
    ),
    'with-backslashes': redirect('to another origin with backslashes', ({ elsewhere }) =>
      elsewhere.replace('http://', '\\\\'),
    ),
    'to-a-host-that-looks-alike': redirect(
      'to another host behind an address that begins like its own',
      ({ url, elsewhere }) => `${url}@${new URL(elsewhere).host}/`,
    ),
    'to-javascript': redirect('to a script', 'javascript:alert(1)'),
    'to-a-file': redirect('to a file', 'file:///etc/hostname'),
    'to-data': redirect('to data', 'data:application/json,{"namespaces":[],"routes":{}}'),
    'to-no-address': redirect('to something that is no address', 'http://[:::]/%%%'),
    'to-a-long-address': redirect('to an address of 10 kB', `/?${'x'.repeat(10_000)}`),
    nowhere: atIndex(
      'the index redirects without saying where to',
      raw('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'),
    ),
    'to-a-deletion': redirect('to a deletion', `${DELETION}&_method=DELETE`),
    'to-a-deletion-encoded': redirect('to a deletion, its name encoded', `${DELETION}&%5Fmethod=DELETE`),
    'to-a-deletion-in-capitals': redirect('to a deletion in capitals', `${DELETION}&_METHOD=delete`),
    'to-a-deletion-with-a-dot': redirect('to a deletion whose name PHP reads', `${DELETION}&.method=DELETE`),
    'to-a-deletion-with-a-blank': redirect('to a deletion behind a blank', `${DELETION}&%20_method=DELETE`),
    'to-a-deletion-in-brackets': redirect('to a deletion in brackets', `${DELETION}&_method[]=DELETE`),
    'to-a-deletion-by-307': redirect('to a deletion with 307', `${DELETION}&_method=DELETE`, 307),
    'with-credentials': followable(
      redirect(
        'to its own address with other credentials',
        ({ url }) => `${url.replace('://', '://someone:else@')}/index.php?rest_route=/&context=view`,
      ),
    ),
    'to-a-path-of-its-own': followable(redirect('to another path of its own', '/?rest_route=/')),
    'lists-to-a-deletion': unanswered.atLists(
      'lists redirect to a deletion',
      raw(redirectTo(`${DELETION}&_method=DELETE`, 302)),
    ),
    'lists-to-another-origin': unanswered.atLists('lists redirect to another origin', (exchange) =>
      exchange.raw(redirectTo(exchange.stage.elsewhere, 308)),
    ),
    'writes-to-another-origin': redirectedWrites(
      'every write redirects to another origin with 307',
      307,
      ({ stage, seen }) => `${stage.elsewhere}${seen.url}`,
    ),
    'writes-to-a-foreign-record': redirectedWrites(
      'every write redirects to a record that was there before with 308',
      308,
      () => DELETION,
    ),
    'answers-beside-a-location': runs.evaluated.turningAnswers(
      'every answer names another address that nobody has to go to',
      (answer, { stage }) => withHeaders(answer, { location: stage.elsewhere }),
    ),
  },
  { only: INDEX_CHECKS },
);

/** A site with a page in place of its index, and the address of an index in a header. */
function naming(what: string, address: (exchange: Exchange) => string): Description {
  return atIndex(`every page names ${what}`, (exchange) => {
    const link = `<${address(exchange)}>; rel="https://api.w.org/"`;
    const headers = { 'content-type': 'text/html', link };
    exchange.send({ status: 200, headers, body: Buffer.from('<!doctype html><title>Welcome</title>') });
  });
}

/** Sites whose index changes or lies while composition and vocabulary are derived from it. */
const SETTLING: readonly HostileServer[] = family(
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
    'another-composition-every-time': runs.anyhow.turningText(
      'the index serves every other time nothing but its own namespaces',
      (text, { route, nth }) =>
        route === '/' && nth % 2 === 0 ? text.replaceAll('cms/v2', 'acme/v2') : text,
    ),
    'both-vocabularies': runs.anyhow.turningIndex(
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
    'namespaces-that-are-paths': runs.anyhow.turningIndex(
      'the index serves namespaces that are paths of files and of prototypes',
      (index) => ({
        ...index,
        namespaces: ['../../etc/passwd', '__proto__', 'constructor', 'a'.repeat(5000), '\u001b[31m', ''],
      }),
    ),
  },
  { only: INDEX_CHECKS, further: ['--deployment', 'auto', '--vocabulary', 'auto'] },
);

/** Servers that lead their callers elsewhere. */
export const REDIRECTS: readonly HostileServer[] = [...REDIRECTING, ...SETTLING];
