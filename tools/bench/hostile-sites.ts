import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { isObject, type JsonObject } from '../../client/json.ts';
import { listen } from '../../client/listen.ts';
import { serve } from '../../reference/serve.ts';

/** A site that puts a bound to the test: its name, what it does, and the options of the run. */
export interface HostileSite {
  readonly name: string;
  readonly args: readonly string[];
  /** @param pass answers as a healthy site; @param count how many requests came before */
  answer(site: Healthy, request: IncomingMessage, response: ServerResponse, count: number): void;
}

/** A healthy site: its index, and a way to let it answer. */
export interface Healthy {
  readonly index: JsonObject;
  pass(request: IncomingMessage, response: ServerResponse): void;
}

const DENSE = `[${'[],'.repeat(310_000)}[]]`;
const DENSE_INDEX = `{"namespaces":["cms/v2"],"routes":{},"x":[${'[],'.repeat(21_000_000)}[]]}`;

/** The sites that were seen to break a bound. */
export const HOSTILE_SITES: readonly HostileSite[] = [
  { name: 'healthy', args: [], answer: (site, request, response) => site.pass(request, response) },
  {
    name: 'answers of 930 kB of [],',
    args: [],
    answer: (site, request, response) =>
      isIndex(request) ? site.pass(request, response) : json(response, DENSE),
  },
  {
    name: 'a dense index of 63 MB',
    args: [],
    answer: (_site, _request, response) => json(response, DENSE_INDEX),
  },
  {
    name: 'an index with 10^6 enum members',
    args: [],
    answer: (site, request, response) =>
      isIndex(request) ? json(response, withEnum(site.index)) : site.pass(request, response),
  },
  {
    name: 'patterns of 47 kB of counted groups',
    args: [],
    answer: (site, request, response) =>
      isIndex(request) ? json(response, withPatterns(site.index)) : site.pass(request, response),
  },
  {
    name: 'Retry-After: 999999, --budget 10',
    args: ['--budget', '10'],
    answer: (site, request, response) => {
      if (isIndex(request)) return site.pass(request, response);
      response.writeHead(429, { 'retry-after': '999999' });
      response.end();
    },
  },
  {
    name: 'hangs on GET, answers HEAD, --budget 10',
    args: ['--budget', '10'],
    answer: (site, request, response) => {
      if (isIndex(request)) return site.pass(request, response);
      if (request.method === 'HEAD') response.end();
    },
  },
  {
    name: 'hangs on GET, answers HEAD, --timeout 5',
    args: ['--timeout', '5'],
    answer: (site, request, response) => {
      if (isIndex(request)) return site.pass(request, response);
      if (request.method === 'HEAD') response.end();
    },
  },
  {
    name: 'stops answering after 50 requests',
    args: [],
    answer: (site, request, response, count) => {
      if (count < 50) site.pass(request, response);
    },
  },
];

/** Serves a hostile site on a free loopback port. */
export async function serveHostile({
  answer,
}: HostileSite): Promise<{ url: string; close(): Promise<void> }> {
  const served = await serve({ deployment: 'core' });
  const index: unknown = await (await fetch(`${served.url}/index.php?rest_route=/`)).json();
  if (!isObject(index)) throw new Error('the reference deployment has no index');
  const site: Healthy = { index, pass: (request, response) => void relay(served.url, request, response) };
  let count = 0;
  const listener: RequestListener = (request, response) => {
    answer(site, request, response, count);
    count += 1;
  };
  const { url, close } = await listen(createServer(listener));
  return {
    url,
    async close() {
      await close();
      await served.close();
    },
  };
}

async function relay(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(`${url}${request.url}`, { method: request.method ?? 'GET' });
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(await answer.text());
}

function isIndex({ url = '', method }: IncomingMessage): boolean {
  return method === 'GET' && /rest_route=(?:\/|%2F)(?:&|$)/i.test(url);
}

function json(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text);
}

/** Declares an enum of a million members. */
function withEnum(index: JsonObject): string {
  const members = JSON.stringify(Array.from({ length: 1_000_000 }, (_, at) => `member-${at}`));
  return JSON.stringify(index).replace('"enum":["asc","desc"]', `"enum":${members}`);
}

/** Replaces the pattern of each capture by one that is huge when it is written out. */
function withPatterns(index: JsonObject): string {
  const huge = '(?:(?:a{1,99}){99}b)'.repeat(2350);
  let times = 0;
  return JSON.stringify(index).replaceAll(/\[\\\\d\]\+/g, (all) => {
    times += 1;
    return times > 10 ? all : huge;
  });
}
