import type { Description, Exchange, HostileContext, HostileServer } from '../server.ts';
import { family, INDEX_CHECKS, WRITING_CHECKS } from '../server.ts';
import { atIndex, evaluated, expecting, failsSomehow, raw, unreached, withHeaders } from '../turns.ts';

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
  return failsSomehow
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
export const REDIRECTS: readonly HostileServer[] = family(
  'redirects',
  {
    loop: atIndex('the index redirects to itself', raw(redirectTo('/index.php?rest_route=/', 301))),
    endless: unreached.everywhere(
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
    'answers-beside-a-location': evaluated.turningAnswers(
      'every answer names another address that nobody has to go to',
      (answer, { stage }) => withHeaders(answer, { location: stage.elsewhere }),
    ),
  },
  { only: INDEX_CHECKS },
);
