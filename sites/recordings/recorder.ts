import { createHash } from 'node:crypto';
import type { Listening } from '../listen.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../proxy.ts';
import { isObject, member } from '../reference/json.ts';
import { type Asked, askedOf, type RecordedExchange, SITE } from './recording.ts';

/** A site in front of a real one that lets requests through and keeps them, reduced. */
interface Recorder extends Listening {
  /** All exchanges so far, in the order of the answers. */
  exchanges(): RecordedExchange[];
}

/** The totals of lists, and what says that a site asks for patience. */
const KEPT_HEADERS = ['x-wp-total', 'x-wp-totalpages', 'retry-after'];

/** Starts a recorder on a free port of loopback. @param site the address of the real one, without a trailing slash */
export async function startRecorder(site: string): Promise<Recorder> {
  const kept: RecordedExchange[] = [];
  const proxy = await startProxy(site, (asked) => record(site, asked, kept));
  return { ...proxy, exchanges: () => [...kept] };
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
export function reduceBody(json: unknown, route: string, query: string, status: number): unknown {
  if (status >= 400) return isObject(json) ? reduceRefusal(json) : null;
  const isIndex = route === '/' && !query.includes('context=help');
  return isIndex ? reduceIndex(json, true) : reduce(json);
}

function reduceRefusal(refusal: unknown): unknown {
  const code = member(refusal, 'code');
  const params = member(member(refusal, 'data'), 'params');
  if (!isObject(params)) return { code };
  return { code, data: { params: Object.fromEntries(Object.keys(params).map((name) => [name, ''])) } };
}

function reduce(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(reduce);
  if (!isObject(json)) return json;
  // A refusal in a part of a batch.
  if (typeof json.code === 'string' && typeof json.message === 'string') return { code: json.code };
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, value]) => [name, name === 'routes' ? digest(value) : reduce(value)]),
  );
}

function reduceIndex(json: unknown, top = false): unknown {
  if (Array.isArray(json)) return json.map((item: unknown) => reduceIndex(item));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name, value]) =>
        top ? name !== '_links' : name !== 'description' || typeof value !== 'string',
      )
      .map(([name, value]) => [name, reduceIndex(value)]),
  );
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
