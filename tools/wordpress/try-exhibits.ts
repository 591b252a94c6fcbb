import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareSides } from '../../compare/comparison.ts';
import { readSide, type Side } from '../../compare/side.ts';
import { altered } from '../../sites/alterations/alteration.ts';
import { ANSWER_EXHIBITS } from '../../sites/alterations/observed/answer-exhibits.ts';
import type { Exhibit } from '../../sites/alterations/observed/exhibit.ts';
import { RECORD_EXHIBITS } from '../../sites/alterations/observed/record-exhibits.ts';
import { REPORTED_ANSWERS } from '../../sites/alterations/observed/reported-answers.ts';
import { REPORTED_RECORDS } from '../../sites/alterations/observed/reported-records.ts';
import { TWINS } from '../../sites/alterations/observed/twins.ts';
import { listen } from '../../sites/listen.ts';
import { forward, jsonOf, wholeOf } from '../../sites/proxy.ts';
import { isJson, isObject } from '../../sites/reference/json.ts';
import { type Alter, type Answer, type Behaviour, Text } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { startedSite } from './run-command.ts';

// Puts what clients notice, and what they must not, before a real WordPress, by a proxy, and says where a comparison with the site as
// it is says anything else. For `npm run wordpress -- exec`; arguments are words in the ids that are wanted, all without.

type Send = Behaviour['send'];
type Shown = Pick<Exhibit, 'id' | 'title' | 'before' | 'behaviour'> & Partial<Pick<Exhibit, 'shows'>>;

const ROOT = join(import.meta.dirname, '../..');
const NEUTRAL = /^\/(wp)\/v2\//;
/** What the one who answers gives every answer. */
const GIVEN = new Set([
  'content-type',
  'x-robots-tag',
  'x-content-type-options',
  'access-control-expose-headers',
]);
/** Its delay is several times what the reference takes, and less than what a real site does. */
const TOO_SMALL = 'slow-pages';
const ASKED = ['*/answers/**', 'posts.list/per_page/**', 'pages.list/per_page/**', 'pages.list/page/**'];
/** Checks that ask for little: the rest is read by a tour. */
const TOUR = ['index/name/**', '--tour', 'full'];

const { url: site, user } = startedSite('-- node tools/wordpress/try-exhibits.ts');
const words = process.argv.slice(2);
const isWanted = ({ id }: Shown): boolean =>
  id !== TOO_SMALL && (words.length === 0 || words.some((word) => id.includes(word)));
const byChecks: readonly Shown[] = [...RECORD_EXHIBITS, ...ANSWER_EXHIBITS, ...TWINS].filter(isWanted);
const onTour: readonly Shown[] = [...REPORTED_RECORDS, ...REPORTED_ANSWERS].filter(isWanted);
const shown = [...byChecks, ...onTour];
const begun = Date.now();
const usual = new Map<readonly string[], Side>();
let wrong = 0;
for (const one of shown) {
  const asked = onTour.includes(one) ? TOUR : ASKED;
  // What only one side is to have must not be the software's own.
  const hidden = one.before === undefined ? '' : (one.shows?.subject ?? '');
  const known = one.before === undefined ? usual.get(asked) : undefined;
  const was = known ?? (await seen(asked, one.before ?? (() => ({})), hidden));
  if (one.before === undefined) usual.set(asked, was);
  const { groups, changes } = compareSides(was, await seen(asked, altered([one]), hidden), '0.0.0');
  const said = groups
    .filter((group) => group.class !== 'compatible')
    .map((group) => {
      const first = changes.find(({ id }) => id === group.id);
      return wordsOf(group.class, first?.kind ?? '', first?.subject ?? '');
    });
  const { shows } = one;
  const wanted = shows === undefined ? [] : [wordsOf(shows.class, shows.kind, shows.subject)];
  const isRight = said.join() === wanted.join();
  if (!isRight) wrong += 1;
  console.log(`${isRight ? 'ok   ' : 'WRONG'} ${one.id}: ${said.join(', ') || 'nothing'}`);
}
console.log(`${shown.length} shown, ${wrong} wrong, ${Math.round((Date.now() - begun) / 1000)} s`);
process.exitCode = wrong === 0 ? 0 : 1;

/** Without checks of contexts, a field is a member like any other. */
function wordsOf(found: string, kind: string, subject: string): string {
  return `${found} ${kind.replace('field-', 'answer-member-')} ${subject}`;
}

/** What a run in mode read noted of the site behind a proxy that behaves so. @param hidden a header that it takes away first */
async function seen(asked: readonly string[], alter: Alter, hidden: string): Promise<Side> {
  const out = mkdtempSync(join(tmpdir(), 'site-conformance-exhibits-'));
  const send = alter(STANDARD_BEHAVIOUR).send ?? STANDARD_BEHAVIOUR.send;
  const proxy = await listen(createServer((message, response) => answerBy(send, hidden, message, response)));
  try {
    const target = [
      '--target',
      proxy.url,
      '--user',
      user,
      '--deployment',
      'core',
      '--vocabulary',
      'wordpress',
    ];
    const how = ['--mode', 'read', '--quiet', '--seed', '1', '--reporter', 'json', '--out', out];
    const args = [join(ROOT, 'cli', 'site-conformance.js'), 'run', ...target, ...how, '--only', ...asked];
    await promisify(execFile)(process.execPath, args).catch((error: unknown) => {
      // Checks may fail: what answers look like is noted all the same.
      if (!isObject(error) || (error.code !== 1 && error.code !== 3)) throw error;
    });
    return readSide(out);
  } finally {
    await proxy.close();
    rmSync(out, { recursive: true, force: true });
  }
}

/** Answers as WordPress does, in the way of an exhibit, which knows the neutral words of routes alone. */
async function answerBy(
  send: Send,
  hidden: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { method = 'GET', url = '/', headers } = message;
    const body = await wholeOf(message);
    const answer = await forward({ method, url: new URL(url, site), headers, body });
    const named = new URL(url, site);
    const route = named.searchParams.get('rest_route') ?? '';
    named.searchParams.set('rest_route', route.replace(NEUTRAL, '/cms/v2/'));
    message.url = `${named.pathname}${named.search}`;
    await send(message, response, asAnswer(answer, hidden));
  } catch {
    response.destroy();
  }
}

function asAnswer({ status, headers, body }: Awaited<ReturnType<typeof forward>>, hidden: string): Answer {
  const json = jsonOf(body);
  const named = Object.entries(headers)
    .filter(([name]) => name !== hidden && !GIVEN.has(name))
    .map(([name, value]) => [spelt(name), [value].flat().join(', ')]);
  const kept = Object.fromEntries(named);
  return {
    status,
    headers: kept,
    body: isJson(json) ? json : new Text(String(headers['content-type']), body),
  };
}

/** The name of a header as the software spells it: X-WP-TotalPages. */
function spelt(name: string): string {
  const parts = name.split('-').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return parts.join('-').replace('-Wp-', '-WP-').replace('Totalpages', 'TotalPages');
}
