import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../listen.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../proxy.ts';
import { isObject, mapped, member } from '../reference/json.ts';

/** A request to a site, reduced to what tells it apart from others. */
interface Asked {
  readonly who: 'user' | 'anonymous';
  readonly method: string;
  readonly route: string;
  /** The rest of the query, with the address of the site as `{site}`. */
  readonly query: string;
  /** A digest of the body and what it is, where there is one. */
  readonly sent?: string;
}

/** An exchange with a site, reduced to what it says about the interface. */
interface RecordedExchange extends Asked {
  readonly status: number;
  /** Headers of the answer that a client of the interface may read. */
  readonly headers: Readonly<Record<string, string>>;
  /** A parsed body, with the address of the site as `{site}`; a text where it is no JSON. */
  readonly body: { readonly json: unknown } | { readonly text: string };
}

/** A recording: exchanges with one site in their order, and what a run with them concluded. */
export interface Recording {
  /** The seed of the run. */
  readonly seed: number;
  /** Verdicts by check id; skipped checks are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly exchanges: readonly RecordedExchange[];
}

/** Stands where there is no word between parts, and nowhere else. */
const NO_BOUNDARY = '\0';

const SITE = '{site}';

/** What is asked of a site, as a recording knows it. @param message with the address from the root of the site */
function askedOf(
  message: {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
  },
  body: Buffer,
  site: string,
): Asked {
  const { method = '', url = '/', headers } = message;
  const parameters = new URL(url, site).searchParams;
  const route = parameters.get('rest_route') ?? '';
  parameters.delete('rest_route');
  const rest = [...parameters].map(([name, value]) => `${name}=${value.replaceAll(site, SITE)}`);
  const sent = digestOf(body, headers, site);
  return {
    who: headers.authorization === undefined ? 'anonymous' : 'user',
    method,
    route,
    query: rest.join('&'),
    ...(sent !== undefined && { sent }),
  };
}

/** Requests with one key are the same request. */
function requestKey({ who, method, route, query, sent = '' }: Asked): string {
  return [who, method, route, query, sent].join(' ').trimEnd();
}

function digestOf(body: Buffer, headers: IncomingHttpHeaders, site: string): string | undefined {
  if (body.length === 0) return undefined;
  const forms = [site, site.replaceAll('/', '\\/'), encodeURIComponent(site)];
  const type = headers['content-type'] ?? '';
  // The word between the parts of a form is another one each time.
  const [, boundary = NO_BOUNDARY] = /boundary=(\S+)/.exec(type) ?? [];
  const text = forms
    .reduce((left, form) => left.replaceAll(form, SITE), body.toString('latin1'))
    .replaceAll(boundary, '');
  const about = `${type.replaceAll(boundary, '')}\n${headers['content-disposition'] ?? ''}\n`;
  return hash('sha256', about + text).slice(0, 12);
}

/**
 * Writes a recording as lines of JSON: its seed, a line for each verdict, and a line for each exchange. What several
 * answers hold, such as a record in many lists, is written once before them: a line `{"part": …}`, which answers name
 * by its number. Every route of an index is a part too, so that a difference between two recordings shows line by line.
 */
export function writeRecording(path: string, { seed, verdicts, exchanges }: Recording): void {
  const parts = new Map<string, number>();
  const keep = (line: object): number => {
    const text = JSON.stringify(line);
    const known = parts.get(text) ?? parts.size;
    parts.set(text, known);
    return known;
  };
  const number = (value: unknown): number => {
    if (!isObject(value) || !isObject(value.routes)) return keep({ part: value });
    const { routes, ...part } = value;
    return keep({ part, routes: mapped(routes, number) });
  };
  const lines = exchanges.map(({ body, ...rest }) => {
    if ('text' in body) return { ...rest, text: body.text };
    return Array.isArray(body.json)
      ? { ...rest, list: body.json.map(number) }
      : { ...rest, json: number(body.json) };
  });
  const rows = Object.entries(verdicts).map(([check, verdict]) => ({ check, verdict }));
  const texts = [{ seed }, ...rows].map((line) => JSON.stringify(line));
  const all = [...texts, ...parts.keys(), ...lines.map((line) => JSON.stringify(line))];
  writeFileSync(path, `${all.join('\n')}\n`);
}

/** Exchanges without those that say of a request what the one before it said already; the order is kept. */
function withoutRepeats(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  const all = Map.groupBy(exchanges, requestKey);
  const dropped = new Set<RecordedExchange>();
  // The last answer is given again and again: only what leads up to it has to be there.
  for (const answers of all.values()) {
    for (let at = answers.length - 1; at > 0; at -= 1) {
      const [one, last] = [answers[at - 1], answers[at]];
      if (one === undefined || last === undefined || JSON.stringify(one) !== JSON.stringify(last)) break;
      dropped.add(last);
    }
  }
  return exchanges.filter((one) => !dropped.has(one));
}

/** What tells about the machine, the people and the secrets of a recorded site: addresses, folders, mail, credentials, nonces. */
export const TRACES: RegExp =
  /(?:\d{1,3}\.){3}\d{1,3}|localhost|"\/(?:tmp|var|home|usr|root)\/|[\w.-]@[\w-]+\.\w+|Basic |nonce"/;

/** A site in front of a real one that lets requests through and keeps them, reduced. */
interface Recorder extends Listening {
  /** The exchanges so far, in the order of the answers, without repeats. */
  exchanges(): RecordedExchange[];
}

/** The totals of lists, and what says that a site asks for patience. */
const KEPT_HEADERS = ['x-wp-total', 'x-wp-totalpages', 'retry-after'];

/** Starts a recorder on a free port of loopback. @param site the address of the real one, without a trailing slash */
export async function startRecorder(site: string): Promise<Recorder> {
  const kept: RecordedExchange[] = [];
  const proxy = await startProxy(site, (asked) => record(site, asked, kept));
  return { ...proxy, exchanges: () => withoutRepeats(kept) };
}

/** The real site sees its own address, and the run sees that of the recorder. */
async function record(site: string, request: ProxyRequest, kept: RecordedExchange[]): Promise<ProxyAnswer> {
  const { method, url, headers, body } = request;
  const own = `http://${String(headers.host ?? '')}`;
  const path = `${url.pathname}${url.search}`;
  const asked = askedOf({ method, url: path, headers }, body, own);
  const answer = await forward({
    ...request,
    url: new URL(readdressed(path, own, site), site),
    body: isText(headers) ? Buffer.from(readdressed(body.toString('utf8'), own, site)) : body,
  });
  const text = readdressed(answer.body.toString('utf8'), site, SITE);
  const { status } = answer;
  kept.push({ ...asked, status, headers: keptHeaders(answer), body: readBody(text, asked, status) });
  return { ...answer, body: Buffer.from(text.replaceAll(SITE, own)) };
}

function isText(headers: ProxyRequest['headers']): boolean {
  return /json|urlencoded/.test(String(headers['content-type'] ?? ''));
}

function keptHeaders({ headers }: ProxyAnswer): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** Another address in place of one: as it is, as JSON spells it, and as addresses carry it. */
function readdressed(text: string, from: string, to: string): string {
  // A placeholder is one text in every spelling.
  const spell = (write: (address: string) => string): string => (to === SITE ? to : write(to));
  return text
    .replaceAll(from, to)
    .replaceAll(
      from.replaceAll('/', '\\/'),
      spell((address) => address.replaceAll('/', '\\/')),
    )
    .replaceAll(encodeURIComponent(from), spell(encodeURIComponent));
}

/** What is no JSON is a page for people; that it is none is all that counts. */
function readBody(text: string, { route, query }: Asked, status: number): RecordedExchange['body'] {
  try {
    return { json: reduceBody(JSON.parse(text), route, query, status) };
  } catch {
    return { text: text === '' ? '' : 'a text' };
  }
}

/** Members that tell about one site, or repeat for people what others say. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['_links', 'class_list', 'guid', 'permalink_template', 'generated_slug', 'author_name', 'author_url'],
  ...['media_details', 'missing_image_sizes', 'html', 'thumbnail_url'],
]);

/**
 * An answer without what is no fact of the interface: of a refusal its code and the names of what it refuses stay, and of the index all but descriptions
 * and links to elsewhere. What namespace roots answer, and the index in another context than the one that is stated, is
 * silent (§4.1): of their routes a digest stays, which tells answers apart.
 */
function reduceBody(json: unknown, route: string, query: string, status: number): unknown {
  if (status >= 400) return isObject(json) ? reduceRefusal(json) : null;
  const isIndex = route === '/' && !query.includes('context=help');
  return isIndex ? reduceIndex(json, true) : reduce(json);
}

function reduceRefusal(refusal: unknown): unknown {
  const code = member(refusal, 'code');
  const params = member(member(refusal, 'data'), 'params');
  if (!isObject(params)) return { code };
  return { code, data: { params: mapped(params, () => '') } };
}

function reduce(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(reduce);
  if (!isObject(json)) return json;
  // A refusal in a part of a batch.
  if (typeof json.code === 'string' && typeof json.message === 'string') return { code: json.code };
  return mapped(json, (value, name) => {
    if (LEFT_OUT.has(name)) return undefined;
    return name === 'routes' ? hash('sha256', JSON.stringify(value)).slice(0, 16) : reduce(value);
  });
}

function reduceIndex(json: unknown, top = false): unknown {
  if (Array.isArray(json)) return json.map((item: unknown) => reduceIndex(item));
  if (!isObject(json)) return json;
  return mapped(json, (value, name) => {
    const isLeftOut = top ? name === '_links' : name === 'description' && typeof value === 'string';
    return isLeftOut ? undefined : reduceIndex(value);
  });
}

/** The header of an answer to what was never recorded. */
export const NOT_RECORDED = 'x-not-recorded';

/**
 * Serves exchanges on a free port of loopback; what was not recorded is answered with 404 and a mark. Every credentials
 * are those of the user. What was asked several times is answered in the order in which it was, and then as it was the
 * last time.
 */
export function serveExchanges(exchanges: readonly RecordedExchange[]): Promise<Listening> {
  const left = new Map([...Map.groupBy(exchanges, requestKey)].map(([key, all]) => [key, [...all]]));
  const server = createServer((message, response) => {
    void answer(message, response, (key) => {
      const answers = left.get(key) ?? [];
      return answers.length > 1 ? answers.shift() : answers[0];
    });
  });
  return listen(server);
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  find: (key: string) => RecordedExchange | undefined,
): Promise<void> {
  const url = `http://${message.headers.host ?? ''}`;
  const found = find(requestKey(askedOf(message, await buffer(message), url)));
  if (found === undefined) {
    response.writeHead(404, { 'content-type': 'application/json', [NOT_RECORDED]: '1' }).end('{}');
    return;
  }
  const { status, headers, body } = found;
  const text = 'text' in body ? body.text : JSON.stringify(body.json);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text.replaceAll(SITE, url));
}
