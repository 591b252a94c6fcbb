import type { UnknownObject } from '../../reference/json.ts';
import { basic, type Exchange, type HostileContext, json } from '../exchange.ts';
import {
  ALL_CHECKS,
  atIndex,
  type Description,
  family,
  type HostileServer,
  INDEX_CHECKS,
  runs,
  withNamespaces,
  withParameter,
  withRoutes,
} from '../server.ts';

/** A site with a text everywhere that reports, a terminal and the log of a CI service show. */
function says(what: string, text: string): Description {
  return runs.fails.turningIndex(`the index says ${what} wherever there is room`, (index) => {
    const named = withNamespaces({ ...index, name: { [text]: text }, url: text }, text);
    const routed = withRoutes(named, (routes) => ({ ...routes, [`/${text}`]: routes['/cms/v2/posts'] }));
    const typed = withParameter(routed, 'per_page', { type: text, default: text, description: text });
    return withParameter(withParameter(typed, 'order', { enum: [text] }), text, { type: 'string' });
  });
}

/** Servers with texts that are active where they are shown. */
const ACTIVE: readonly HostileServer[] = family(
  'texts',
  {
    'escape-sequences': says('escape sequences', '\u001b[2J\u001b[31mred\u001b]0;title\u0007\u001b[8m'),
    hyperlinks: says('a link for terminals', '\u001b]8;;http://evil.invalid/\u001b\\click\u001b]8;;\u001b\\'),
    'c1-controls': says('control characters of eight bits', '\u009b31m\u009d0;title\u009c\u0085'),
    'carriage-returns': says('carriage returns and backspaces', 'FAIL\rPASS\b\b\b\b'),
    'workflow-commands': says(
      'commands of one CI service',
      '\n::error::x\n::set-output name=a::b\n::add-mask::a',
    ),
    'old-workflow-commands': says(
      'commands of one CI service as of old',
      '##[error]x ##[group]y\n##[set-env]a',
    ),
    'pipeline-commands': says('commands of another CI service', '\n##vso[task.setvariable variable=PATH]x'),
    'invalid-in-xml': says(
      'characters that XML does not have',
      'a\u0001\u0008\u000b\u000c\u001f\ufffe\uffffb',
    ),
    'ends-of-cdata': says('the end of a CDATA section', ']]><failure/>]]]]>'),
    entities: says('entities', '&x;&#0;&#x1F;<!ENTITY x SYSTEM "file:///etc/hostname">'),
    scripts: says('scripts', '</script></title><script>alert(1)</script><img src=x onerror=alert(1)>'),
    directions: says('changes of direction', '\u202egnp.exe\u2066\u2067abc\u2069\u200f'),
    'line-separators': says('line separators', 'one\u2028two\u2029three\u0085four'),
    'long-lines': says('a line of 1 MB', 'x'.repeat(1_000_000)),
    'many-lines': says('100,000 lines', 'x\n'.repeat(100_000)),
    formulas: says('formulas of spreadsheets', '=cmd|"/c calc"!A1'),
    'wide-characters': says('piles of accents and joined emoji', `${'e\u0301'.repeat(2000)}👩‍👩‍👧‍👦`),
    markdown: says('Markdown', '`` ` ``[a](javascript:alert(1))<details>|x|\n|-|\n![](http://evil.invalid)'),
    templates: says('placeholders', '$&{{7*7}}%s%d%n$(id)`id`\\'),
    'shell-in-routes': says('what a shell would run', `'; rm -rf "$HOME" #$(id)\`id\``),
    'in-error-bodies': runs.failsSomehow
      .but(ALL_CHECKS)
      .beyondIndex(
        'everything but the index answers 500 with commands for terminals and CI services',
        json('\n::error::x\n##vso[task.complete result=Failed]\u001b[2J\u202e\u2028##[error]x', 500),
      ),
  },
  { only: INDEX_CHECKS },
);

/** Further routes and parameters with a pattern. Those of the contract are correct. */
function beside(what: string, patterns: readonly string[]): Description {
  return runs.conforms.turningIndex(`further routes have ${what}`, (index) => {
    const routed = withRoutes(index, (routes) => ({
      ...routes,
      ...Object.fromEntries(
        patterns.map((pattern, at) => [
          `/hostile/v1/${at}/(?P<id>${pattern})`,
          {
            namespace: 'hostile/v1',
            methods: ['GET'],
            endpoints: [{ methods: ['GET'], args: { id: { type: 'string', pattern } } }],
          },
        ]),
      ),
    }));
    return withParameter(routed, 'hostile', { type: 'string', pattern: patterns[0] });
  });
}

function inPlace(what: string, pattern: string): Description {
  return runs.anyhow.turningIndex(`the pattern of an id is ${what}`, (index) =>
    withRoutes(index, (routes) =>
      Object.fromEntries(
        Object.entries(routes).map(([route, entry]) => [route.replaceAll('[\\d]+', () => pattern), entry]),
      ),
    ),
  );
}

const CATASTROPHE = '(([a-z0-9]+)+)+';
/** 47 kB of groups, each counted a thousand times. */
const COUNTED = '(?:[0-9a-f]{1,1000}x?){1,1000}'.repeat(1550);
/** A few hundred characters that expand to some 40,000 states. */
const DEAR = `(?:(?:${'\\d{0,10}'.repeat(40)}){0,100})`;
const COUNTED_NESTED = '((((((\\d{1,1000}){1,1000}){1,1000}){1,1000}){1,1000}){1,1000})';

/** Many spellings of one route, each of which must be compared with the contract. */
function candidates(index: UnknownObject): UnknownObject {
  return withRoutes(index, ({ '/cms/v2/posts/(?P<id>[\\d]+)': entry, ...routes }) => ({
    ...routes,
    ...Object.fromEntries(
      Array.from({ length: 1200 }, (_, at) => [`/cms/v2/posts/(?P<id>(?:${DEAR}|${at}))`, entry]),
    ),
  }));
}

/** Servers with patterns in the index that are costly to compile or match, or invalid. */
const PATTERNS: readonly HostileServer[] = family(
  'patterns',
  {
    catastrophic: beside('patterns that backtrack for ever', [CATASTROPHE, '(a|a)*$', '(.*)*!', '^(\\d+)*$']),
    'catastrophic-in-place': inPlace('one that backtracks for ever', '(?:(?:\\d+)+)+'),
    counted: beside('47 kB of counted repetitions each, eleven times', Array(11).fill(COUNTED)),
    'counted-in-place': inPlace('47 kB of counted repetitions', COUNTED),
    'dear-in-place': inPlace('short and takes seconds to compile', DEAR),
    'dear-candidates': runs.anyhow.turningIndex(
      'a route is there 1,200 times, each with another pattern that takes seconds to compile',
      candidates,
    ),
    'counted-nested-in-place': inPlace('a nest of counted repetitions', COUNTED_NESTED),
    'alternatives-in-place': inPlace(
      '20,000 alternatives',
      `(?:${Array.from({ length: 20_000 }, (_, at) => `${at}\\d*`).join('|')})`,
    ),
    'groups-in-place': inPlace('a nest of 20,000 groups', `${'('.repeat(20_000)}\\d+${')'.repeat(20_000)}`),
    'unclosed-in-place': inPlace('not closed', '[\\d+'),
    'unclosed-group-in-place': inPlace('a group that does not close', '(\\d+'),
    'looks-back-in-place': inPlace('one that looks back and refers to itself', '(?<=/)(\\d)\\1*(?=$)'),
    'recursive-in-place': inPlace('one that calls itself, as PHP can', '(\\d(?1)?)'),
    'captures-named-twice': beside('a path parameter of the same name inside', ['(?P<id>(?P<id>\\d+))']),
    'captures-with-own-names': beside('path parameters with the names that every object has', [
      '(?P<__proto__>\\d+)/(?P<constructor>\\w+)',
    ]),
    'classes-in-place': inPlace(
      'a class of every character, a thousand times',
      '[\\x{0}-\\x{10FFFF}]'.repeat(1000),
    ),
  },
  { only: INDEX_CHECKS },
);

type Spell = (secret: string, context: HostileContext) => string;

const percent: Spell = (secret) => encodeURIComponent(secret);
const html: Spell = (secret) =>
  secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const SPELLINGS: Readonly<Record<string, readonly [string, Spell]>> = {
  plain: ['as it is', (secret) => secret],
  'without-blanks': ['without its blanks', (secret) => secret.replaceAll(' ', '')],
  base64: ['in base64, with the user', (_secret, { user, password }) => basic({ user, password }).slice(6)],
  'base64-alone': ['in base64, without the user', (secret) => Buffer.from(secret).toString('base64')],
  'base64-for-addresses': ['in base64 for addresses', (secret) => Buffer.from(secret).toString('base64url')],
  percent: ['percent-encoded', percent],
  'percent-in-small-letters': [
    'percent-encoded in small letters',
    (secret) => encodeURIComponent(secret).replaceAll(/%../g, (byte) => byte.toLowerCase()),
  ],
  'percent-strict': [
    "percent-encoded, !'()* too",
    (secret) =>
      encodeURIComponent(secret).replaceAll(
        /[!'()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
  ],
  form: ['as a form has it', (secret) => new URLSearchParams([['', secret]]).toString().slice(1)],
  html: ['escaped for HTML', (secret, context) => html(secret, context).replaceAll("'", '&#039;')],
  'html-apostrophe': [
    'escaped for XML',
    (secret, context) => html(secret, context).replaceAll("'", '&apos;'),
  ],
  json: ['as JSON has it', (secret) => JSON.stringify(secret).slice(1, -1)],
  'json-of-ascii': [
    'as JSON of ASCII has it',
    (secret) =>
      JSON.stringify(secret)
        .slice(1, -1)
        .replaceAll('/', '\\/')
        .replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
};

/** A site that repeats the secret everywhere in index and records, in values that reports show. */
function spelled([how, spell]: readonly [string, Spell]): Description {
  return runs.fails.turningIndex(`the index repeats the password ${how}, in values`, (index, context) => {
    const said = spell(context.password, context);
    const typed = withParameter({ ...index, name: { said }, url: [said] }, 'per_page', {
      type: said,
      default: said,
      description: said,
    });
    return withParameter(typed, 'order', { type: 'string', enum: [said], default: 'desc' });
  });
}

const CUTS = [60, 80, 100, 120, 160, 200, 240, 256, 300, 400, 500, 1000, 2000, 4000];

/** Servers that repeat the received credentials. */
const SECRETS: readonly HostileServer[] = family(
  'secrets',
  {
    ...Object.fromEntries(Object.entries(SPELLINGS).map(([name, spelling]) => [name, spelled(spelling)])),
    'in-member-names': runs.anyhow
      .but(ALL_CHECKS)
      .turningText('members of the index and of records are named after the password', (text, { stage }) => {
        const name = JSON.stringify(stage.password);
        return text.replaceAll('{"', `{${name}:{${name}:${name}},"`);
      }),
    'in-route-names': runs.anyhow.turningIndex('routes are named after the password', (index, { password }) =>
      withRoutes(index, (routes) => ({
        ...routes,
        [`/${password}`]: routes['/cms/v2/posts'],
        [`/cms/v2/${encodeURIComponent(password)}/(?P<id>[\\d]+)`]: routes['/cms/v2/posts'],
      })),
    ),
    'in-namespaces': runs.anyhow.turningIndex(
      'a namespace is named after the password',
      (index, { password }) => withNamespaces(index, password, `${password}/v1`),
    ),
    'in-parameter-names': runs.anyhow.turningIndex(
      'parameters and methods are named after the password',
      (index, { password }) => {
        const named = withParameter(index, password, { type: 'string', required: true });
        return JSON.stringify(named).replaceAll('"GET"', `"GET",${JSON.stringify(password)}`);
      },
    ),
    'in-a-redirect': atIndex('the index redirects to an address with the password in it', (exchange) =>
      exchange.json({}, 302, {
        location: `${exchange.stage.elsewhere}/?said=${percent(exchange.stage.password, exchange.stage)}`,
      }),
    ),
    'in-a-redirect-host': atIndex(
      'the index redirects to a host with the password as its user',
      redirectWithUser,
    ),
    'in-headers': runs.anyhow.everywhere(
      'every header and the reason of the status repeat the credentials',
      async (exchange) => {
        const answer = await exchange.forward();
        const said = percent(exchange.stage.password, exchange.stage);
        const { authorization = '' } = exchange.seen.headers;
        exchange.response.writeHead(answer.status, said, {
          ...answer.headers,
          'x-echo': authorization,
          link: `<${said}>; rel="next"`,
          'set-cookie': said,
          'content-type': `application/json; said="${said}"`,
          'x-wp-total': said,
        });
        exchange.response.end(exchange.seen.method === 'HEAD' ? undefined : answer.body);
      },
    ),
    'in-error-pages': runs.failsSomehow
      .but(ALL_CHECKS)
      .beyondIndex(
        'everything but the index answers 500 with a page that repeats the request',
        (exchange) => {
          const { password } = exchange.stage;
          const said = [password, html(password, exchange.stage), JSON.stringify(exchange.seen.headers)];
          const body = Buffer.from(`<!doctype html><title>${said.join(' ')}</title>${said.join('<br>')}`);
          exchange.send({ status: 500, headers: { 'content-type': 'text/html' }, body });
        },
      ),
    'in-errors': runs.anyhow.atLists(
      'lists are refused with the password in code and message',
      (exchange) => {
        const { password } = exchange.stage;
        exchange.json(
          { code: password, message: password, data: { status: 400, params: { [password]: password } } },
          400,
        );
      },
    ),
    'in-records': runs.anyhow
      .but(ALL_CHECKS)
      .turningRecords(
        'titles, slugs and dates of records are the password',
        (record, { stage: { password } }) => ({
          ...record,
          title: { rendered: password, raw: password },
          slug: password,
          date: password,
          status: password,
          type: password,
        }),
      ),
    'at-every-cut': runs.fails.turningIndex(
      'the password stands where texts are cut',
      (index, { password }) => {
        let turned = index;
        const names = ['per_page', 'order', 'orderby', 'page', 'offset', 'search', 'context', 'include'];
        for (const [at, name] of names.entries()) {
          const texts = CUTS.map((cut) => 'x'.repeat(Math.max(0, cut - 4 - 3 * at)) + password.repeat(2));
          turned = withParameter(turned, name, { type: texts[at], default: texts.at(-at - 1), enum: texts });
        }
        return turned;
      },
    ),
    'in-what-breaks': runs.anyhow
      .but(ALL_CHECKS)
      .after('after 50 requests the connection ends with the password in place of HTTP', 50, (exchange) =>
        exchange.raw(`${exchange.stage.password}\r\n\r\n`),
      ),
  },
  { only: INDEX_CHECKS },
);

function redirectWithUser({ stage, response }: Pick<Exchange, 'stage' | 'response'>): void {
  const { host } = new URL(stage.elsewhere);
  const user = `${stage.user}:${percent(stage.password, stage)}`;
  response.writeHead(302, { location: `http://${user}@${host}/` }).end();
}

/** Servers with texts that are active, costly, or secret. */
export const TEXTS: readonly HostileServer[] = [...ACTIVE, ...PATTERNS, ...SECRETS];
