import type { Description, Exchange, HostileContext, HostileServer } from '../server.ts';
import { ALL_CHECKS, basic, family, INDEX_CHECKS } from '../server.ts';
import { anyhow, atIndex, fails, failsSomehow, withNamespaces, withParameter, withRoutes } from '../turns.ts';

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
  return fails.turningIndex(`the index repeats the password ${how}, in values`, (index, context) => {
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
export const SECRETS: readonly HostileServer[] = family(
  'secrets',
  {
    ...Object.fromEntries(Object.entries(SPELLINGS).map(([name, spelling]) => [name, spelled(spelling)])),
    'in-member-names': anyhow
      .but(ALL_CHECKS)
      .turningText('members of the index and of records are named after the password', (text, { stage }) => {
        const name = JSON.stringify(stage.password);
        return text.replaceAll('{"', `{${name}:{${name}:${name}},"`);
      }),
    'in-route-names': anyhow.turningIndex('routes are named after the password', (index, { password }) =>
      withRoutes(index, (routes) => ({
        ...routes,
        [`/${password}`]: routes['/cms/v2/posts'],
        [`/cms/v2/${encodeURIComponent(password)}/(?P<id>[\\d]+)`]: routes['/cms/v2/posts'],
      })),
    ),
    'in-namespaces': anyhow.turningIndex('a namespace is named after the password', (index, { password }) =>
      withNamespaces(index, password, `${password}/v1`),
    ),
    'in-parameter-names': anyhow.turningIndex(
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
    'in-headers': anyhow.everywhere(
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
    'in-error-pages': failsSomehow
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
    'in-errors': anyhow.atLists('lists are refused with the password in code and message', (exchange) => {
      const { password } = exchange.stage;
      exchange.json(
        { code: password, message: password, data: { status: 400, params: { [password]: password } } },
        400,
      );
    }),
    'in-records': anyhow
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
    'at-every-cut': fails.turningIndex('the password stands where texts are cut', (index, { password }) => {
      let turned = index;
      const names = ['per_page', 'order', 'orderby', 'page', 'offset', 'search', 'context', 'include'];
      for (const [at, name] of names.entries()) {
        const texts = CUTS.map((cut) => 'x'.repeat(Math.max(0, cut - 4 - 3 * at)) + password.repeat(2));
        turned = withParameter(turned, name, { type: texts[at], default: texts.at(-at - 1), enum: texts });
      }
      return turned;
    }),
    'in-what-breaks': anyhow
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
