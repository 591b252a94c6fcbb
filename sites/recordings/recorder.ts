import type { Listening } from '../listen.ts';
import { forward, type ProxyAnswer, type ProxyRequest, startProxy } from '../proxy.ts';
import { type Asked, askedOf, type RecordedExchange, SITE } from './exchange.ts';
import { reduceBody } from './reduce-body.ts';

/** A site in front of a real one that lets requests through and keeps them, reduced. */
export interface Recorder extends Listening {
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
