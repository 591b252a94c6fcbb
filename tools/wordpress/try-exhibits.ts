import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { runCommand } from '../../cli/run/run-targets.ts';
import { hideSecrets } from '../../cli/shell/hide-secrets.ts';
import { compareSides } from '../../compare/comparison.ts';
import { readSide, type Side } from '../../compare/side.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { causesSaid, EXHIBIT_RUN } from '../../prove/exhibits.ts';
import { type Exhibit, type Twin, usual as unaltered } from '../../sites/alterations/observed/exhibit.ts';
import { EXHIBITS, forMembers, forOthers } from '../../sites/alterations/observed/exhibits.ts';
import { TWINS } from '../../sites/alterations/observed/twins.ts';
import { isIndex } from '../../sites/alterations/unspecified/change.ts';
import { basic } from '../../sites/hostile/exchange.ts';
import { listen } from '../../sites/listen.ts';
import { forward, jsonOf } from '../../sites/proxy.ts';
import { isJson } from '../../sites/reference/json.ts';
import { type Alter, type Answer, type Behaviour, Text } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { startedSite } from './run-command.ts';

// Puts a proxy with altered answers in front of a real WordPress, and reports where a comparison with the unaltered
// site says anything unexpected. The proxy remembers answers, so each request reaches the site once. For `npm run
// wordpress -- exec`. Arguments are words in the wanted ids; default: all.

type Shown = Twin & Partial<Pick<Exhibit, 'shows'>>;
type Forwarded = Awaited<ReturnType<typeof forward>>;

const NEUTRAL = /^\/(wp)\/v2\//;
/** Headers that the answering server adds itself. */
const GIVEN = new Set([
  'content-type',
  'x-robots-tag',
  'x-content-type-options',
  'access-control-expose-headers',
]);
const EDITOR = 'editor';
/** Parameters that the reference ignores are not forwarded. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  ['search-ignored', 'search'],
  ['page-ignored', 'page'],
]);

const { url: site, user } = startedSite('-- node tools/wordpress/try-exhibits.ts');
const { SITE_CONFORMANCE_PASSWORD: password = '' } = process.env;
const words = process.argv.slice(2);
const shown = [...EXHIBITS, ...TWINS].filter(
  ({ id }: Shown) => words.length === 0 || words.some((word) => id.includes(word)),
);
const begun = Date.now();
const remembered = new Map<string, Promise<Forwarded>>();
const editor = await editorOf();
process.env.SITE_CONFORMANCE_EDITOR = 'the proxy knows another';
// The first run fills the memory of the proxy, slowly.
await seen(unaltered);
const usual = await seen(unaltered);
let wrong = 0;
for (const one of shown) await show(one);
console.log(`${shown.length} shown, ${wrong} wrong, ${Math.round((Date.now() - begun) / 1000)} s`);
process.exitCode = wrong === 0 ? 0 : 1;

async function show({ before, shows, ...one }: Shown): Promise<void> {
  const was = before === undefined ? usual : await seen(before);
  const comparison = compareSides(was, await seen(one.behaviour, IGNORED.get(one.id)));
  const said = causesSaid(comparison);
  const wanted = shows === undefined ? [] : [`${shows.class} ${shows.kind} ${shows.subject}`];
  const isRight = said.join() === wanted.join();
  if (!isRight) wrong += 1;
  const lines = comparison.groups
    .filter((group) => group.class !== 'compatible')
    .map(({ headline }) => headline);
  console.log(`${isRight ? 'ok   ' : 'WRONG'} ${one.id}: ${lines.join('; ') || 'nothing'}`);
  if (!isRight) console.log(`      ${said.join('; ')}`);
}

/** The observations of a run in mode read behind such a proxy. @param ignored a parameter that is not forwarded */
async function seen(alter: Alter, ignored?: string): Promise<Side> {
  using out = temporaryFolder('exhibits');
  const behaviour = { ...STANDARD_BEHAVIOUR, ...alter(STANDARD_BEHAVIOUR) };
  const proxy = await listen(
    createServer((message, response) => {
      message.url = without(message.url ?? '/', ignored);
      const isLess = message.headers.authorization === undefined ? forMembers : forOthers;
      if (alter === isLess) message.url = ofOthers(message.url);
      return answerBy(behaviour, message, response);
    }),
  );
  try {
    const target = { target: proxy.url, user, deployment: 'core', vocabulary: 'wordpress' };
    const how = {
      ...EXHIBIT_RUN,
      only: [...EXHIBIT_RUN.only],
      mode: 'read',
      seed: 1,
      out: out.path,
    } as const;
    await runCommand({ ...target, ...how }, hideSecrets([]), { file: {}, prints: 'nothing' });
    return readSide(out.path);
  } finally {
    await proxy.close();
  }
}

function without(address: string, ignored = ''): string {
  const named = new URL(address, site);
  if (!named.searchParams.has(ignored)) return address;
  named.searchParams.delete(ignored);
  return `${named.pathname}${named.search}`;
}

/** Adds a filter that leaves out the posts of one author, which are among the others. */
function ofOthers(address: string): string {
  const isOfPosts = /rest_route=(?:%2F|\/)wp(?:%2F|\/)v2(?:%2F|\/)posts(?:&|$)/.test(address);
  // Of two filters on authors WordPress uses one.
  return isOfPosts && !address.includes('&author=') ? `${address}&author_exclude=2` : address;
}

/** The credentials of an editor, instead of those of the exhibits' user. */
async function editorOf(): Promise<string> {
  const headers = { authorization: basic({ user, password }) };
  const ask = async (route: string, method = 'GET'): Promise<unknown> =>
    (await fetch(`${site}/index.php?rest_route=${route}`, { method, headers })).json();
  const [found] = Object(await ask('/wp/v2/users&roles=editor&context=edit'));
  const made = Object(await ask(`/wp/v2/users/${found.id}/application-passwords&name=exhibits`, 'POST'));
  return basic({ user: found.username, password: made.password });
}

/** Answers as WordPress does, altered by an exhibit, which knows only neutral words. */
async function answerBy(
  { send, declare }: Behaviour,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer = asAnswer(await answerOf(message));
    const named = new URL(message.url ?? '/', site);
    const route = named.searchParams.get('rest_route') ?? '';
    named.searchParams.set('rest_route', route.replace(NEUTRAL, '/cms/v2/'));
    message.url = `${named.pathname}${named.search}`;
    if (route === '/' && isIndex(answer.body)) declare(answer.body);
    await send(message, response, answer);
  } catch {
    response.destroy();
  }
}

async function answerOf(message: IncomingMessage): Promise<Forwarded> {
  const { method = 'GET', url = '/', headers } = message;
  const body = await buffer(message);
  const { authorization = '', origin = '' } = headers;
  const [login] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  const given = login === EDITOR ? { ...headers, authorization: editor } : headers;
  const key = JSON.stringify([method, url, authorization, origin, body.toString('base64')]);
  const known = remembered.get(key) ?? forward({ method, url: new URL(url, site), headers: given, body });
  remembered.set(key, known);
  return known;
}

function asAnswer({ status, headers, body }: Forwarded): Answer {
  const json = jsonOf(body);
  const named = Object.entries(headers)
    .filter(([name]) => !GIVEN.has(name))
    .map(([name, value]) => [spelt(name), [value].flat().join(', ')]);
  const kept = Object.fromEntries(named);
  return {
    status,
    headers: kept,
    body: isJson(json) ? json : new Text(String(headers['content-type']), body),
  };
}

function spelt(name: string): string {
  const parts = name.split('-').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return parts.join('-').replace('-Wp-', '-WP-').replace('Totalpages', 'TotalPages');
}
