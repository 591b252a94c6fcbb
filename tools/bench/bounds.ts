import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../client/json.ts';
import type { Ran } from '../../prove/hostile/run-watched.ts';
import { forward, type Handle, type ProxyAnswer, type ProxyRequest, proxiedSite } from '../../sites/proxy.ts';
import { COMMAND, MEGABYTE, renderTable, runNode, scaled } from './measure.ts';

// What hostile sites cost: time and peak memory of a whole run against each. Names may be given as arguments.

/** A site that puts a bound to the test: its name, what it does, and the options of the run. */
interface HostileSite {
  readonly name: string;
  readonly args: readonly string[];
  /** @param index what a healthy site shows; @param count how many requests came before */
  answer(asked: ProxyRequest, index: JsonObject, count: number): Promise<ProxyAnswer>;
}

const DENSE = `[${'[],'.repeat(310_000)}[]]`;
const DENSE_INDEX = `{"namespaces":["cms/v2"],"routes":{},"x":[${'[],'.repeat(21_000_000)}[]]}`;

/** Answers the index as a healthy site, and everything else in a way of its own. */
function besideIndex(handle: Handle): HostileSite['answer'] {
  return (asked) => (isIndex(asked) ? forward(asked) : handle(asked));
}

/** Answers as a healthy site but for the index. */
function withIndex(change: (index: JsonObject) => string): HostileSite['answer'] {
  return async (asked, index) => (isIndex(asked) ? json(change(index)) : forward(asked));
}

/** Answers HEAD, and nothing else ever. */
const answersHead: Handle = (asked) =>
  asked.method === 'HEAD' ? Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(0) }) : hang();

/** The sites that were seen to break a bound. */
const HOSTILE_SITES: readonly HostileSite[] = [
  { name: 'healthy', args: [], answer: forward },
  { name: 'answers of 930 kB of [],', args: [], answer: besideIndex(async () => json(DENSE)) },
  { name: 'a dense index of 63 MB', args: [], answer: async () => json(DENSE_INDEX) },
  { name: 'an index with 10^6 enum members', args: [], answer: withIndex(withEnum) },
  { name: 'patterns of 47 kB of counted groups', args: [], answer: withIndex(withPatterns) },
  {
    name: 'Retry-After: 999999, --budget 10',
    args: ['--budget', '10'],
    answer: besideIndex(async () => ({
      status: 429,
      headers: { 'retry-after': '999999' },
      body: Buffer.alloc(0),
    })),
  },
  {
    name: 'hangs on GET, answers HEAD, --budget 10',
    args: ['--budget', '10'],
    answer: besideIndex(answersHead),
  },
  {
    name: 'hangs on GET, answers HEAD, --timeout 5',
    args: ['--timeout', '5'],
    answer: besideIndex(answersHead),
  },
  {
    name: 'stops answering after 50 requests',
    args: [],
    answer: (asked, _index, count) => (count < 50 ? forward(asked) : hang()),
  },
];

/** Serves a hostile site on a free loopback port. */
async function serveHostile({ answer }: HostileSite): Promise<{ url: string; close(): Promise<void> }> {
  let handle: Handle = forward;
  const site = await proxiedSite({ deployment: 'core' }, (asked) => handle(asked));
  const index: unknown = await (await fetch(`${site.url}/index.php?rest_route=/`)).json();
  if (!isObject(index)) throw new Error('the reference deployment has no index');
  let count = 0;
  handle = (asked) => {
    count += 1;
    return answer(asked, index, count - 1);
  };
  return site;
}

function isIndex({ url, method }: ProxyRequest): boolean {
  return method === 'GET' && url.searchParams.get('rest_route') === '/';
}

function json(text: string): ProxyAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
}

/** No answer, ever. */
function hang(): Promise<never> {
  return new Promise(() => {});
}

/** Declares an enum of a million members. */
function withEnum(index: JsonObject): string {
  const members = JSON.stringify(Array.from({ length: 1_000_000 }, (_, at) => `member-${at}`));
  return JSON.stringify(index).replace('"enum":["asc","desc"]', `"enum":${members}`);
}

/** Replaces the pattern of each path parameter by one that is huge when it is written out. */
function withPatterns(index: JsonObject): string {
  const huge = '(?:(?:a{1,99}){99}b)'.repeat(2350);
  let times = 0;
  return JSON.stringify(index).replaceAll(/\[\\\\d\]\+/g, (all) => {
    times += 1;
    return times > 10 ? all : huge;
  });
}

const MOST_BYTES = 1000 * MEGABYTE;

const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked : scaled([], ['10^6']);
const rows = [['site', 'exit code', 'seconds', 'memory', '']];
for (const site of HOSTILE_SITES) {
  if (wanted.length > 0 && !wanted.some((word) => site.name.includes(word))) continue;
  const { code, seconds, bytes, stderr } = await run(site);
  const reason = String(stderr).trim().split('\n').at(-1)?.slice(0, 110) ?? '';
  rows.push([site.name, String(code), seconds.toFixed(1), `${Math.round(bytes / MEGABYTE)} MB`, reason]);
  if (bytes > MOST_BYTES || code === undefined || code > 3) process.exitCode = 1;
}
console.log(renderTable(rows));

/** One run against one site, in a process of its own. */
async function run(site: HostileSite): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-bounds-'));
  const { url, close } = await serveHostile(site);
  const only = scaled([], ['--only', 'posts.list/per_page/**']);
  const about = ['--target', url, '--deployment', 'core', '--seed', '1', '--out', join(folder, 'out')];
  try {
    return await runNode([...COMMAND, 'run', ...about, ...site.args, ...only]);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}
