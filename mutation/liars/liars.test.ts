import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnMain } from '../../cli/spawn-main.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { type Served, serve } from '../../reference/serve.ts';
import { LIARS, WRITING_CHECKS } from './liars.ts';
import { type Asked, COLLECTIONS, type Collection, startLyingProxy } from './lying-proxy.ts';

const LIMIT_MS = 120_000;

/** What the run must say of a liar whose lies keep it from telling that everything is gone, or whose lies no check is about. */
const LEAVES: ReadonlySet<string> = new Set([
  'the tag is kept in no text',
  'a deletion answers 404 and does nothing',
  'a deletion answers 200 and does nothing',
  'a deletion answers 403',
  // Nothing tells a record that lists hid before from one whose tag was not kept.
  'a creation answers with an id that lists hide',
  'a read still shows what is deleted',
]);
const DOUBTS: ReadonlySet<string> = new Set(['the lists fail at the end']);
/** The batch answers are silent (R37), and what a search shows beyond what it was asked for is no requirement. */
const UNJUDGED: ReadonlySet<string> = new Set([
  'a search shows the tag on records that were there',
  'a batch answers with the ids of other records',
  'the lists fail at the end',
]);

type Records = ReadonlyMap<string, string>;

/** Every record of the site, by collection and id, as its editors see it. */
async function recordsOf({ url, user, password }: Served): Promise<Records> {
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const records = new Map<string, string>();
  for (const collection of COLLECTIONS) {
    const status = collection === 'media' ? 'inherit,private,trash' : 'any,trash,inherit';
    const query = `context=edit&per_page=100&orderby=id&status=${status}`;
    for (let page = 1; ; page += 1) {
      const address = `${url}/index.php?rest_route=/cms/v2/${collection}&${query}&page=${page}`;
      const response = await fetch(address, { headers });
      const list: unknown = response.ok ? await response.json() : [];
      if (!Array.isArray(list)) throw new Error(`the list of ${collection} is none`);
      for (const record of list) records.set(`${collection}/${record.id}`, JSON.stringify(record));
      if (list.length < 100) break;
    }
  }
  return records;
}

function idsOf(records: Records, collection: Collection): number[] {
  return [...records.keys()]
    .filter((key) => key.startsWith(`${collection}/`))
    .map((key) => Number(key.split('/')[1]))
    .sort((one, other) => one - other);
}

/** The records that a request would change, whatever the site made of it. */
function changed({ method, about, parts }: Asked): string[] {
  const named = [{ method, about }, ...parts];
  return named.flatMap((one) =>
    one.method === 'GET' || one.about?.id === undefined ? [] : [`${one.about.collection}/${one.about.id}`],
  );
}

describe.each(Object.entries(LIARS))('a run that writes to a site where %s', (name, liar) => {
  it(
    'touches nothing that was there, and says what stayed',
    async () => {
      const site = await serve({ deployment: 'core' });
      onTestFinished(() => site.close());
      const before = await recordsOf(site);
      const foreign = {
        posts: idsOf(before, 'posts'),
        pages: idsOf(before, 'pages'),
        media: idsOf(before, 'media'),
      };
      const proxy = await startLyingProxy(site.url, foreign, liar);
      onTestFinished(() => proxy.close());
      const out = mkdtempSync(join(tmpdir(), 'liars-'));
      onTestFinished(() => rmSync(out, { recursive: true, force: true }));
      const about = ['--target', proxy.url, '--deployment', 'core', '--user', site.user, '--mode', 'write'];
      const { code, stdout, stderr } = await spawnMain(
        ['run', ...about, '--only', ...WRITING_CHECKS, '--out', out],
        {
          SITE_CONFORMANCE_PASSWORD: site.password,
        },
      ).ended;
      const result: RunResult = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
      const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
      const after = await recordsOf(site);

      expect([...before].filter(([key, record]) => after.get(key) !== record)).toEqual([]);
      expect(proxy.log.flatMap(changed).filter((key) => before.has(key))).toEqual([]);
      expect(result.counts.error, stderr).toBe(0);

      const { left = [], doubts = [], census = [] } = result.writing ?? {};
      const stayed = [...after.keys()].filter((key) => !before.has(key));
      const told = [
        ...left.map(({ collection, id }) => `${collection}/${id}`),
        ...census.flatMap(({ collection, appeared, unanswered }) =>
          unanswered === undefined ? [] : appeared.map((id) => `${collection}/${id}`),
        ),
      ];
      expect(stayed.filter((key) => !told.includes(key))).toEqual([]);
      // What every read still shows cannot be known to be gone.
      if (name !== 'a read still shows what is deleted') {
        expect(left.filter(({ collection, id }) => !after.has(`${collection}/${id}`))).toEqual([]);
      }
      expect({ left: left.length > 0, doubts: doubts.length > 0 }).toEqual({
        left: LEAVES.has(name),
        doubts: DOUBTS.has(name),
      });
      const isClean = left.length + doubts.length === 0;
      expect(code).toBe(result.counts.fail > 0 ? 1 : isClean ? 0 : 4);
      expect(result.counts.fail > 0).toBe(!UNJUDGED.has(name));
      expect(stdout.includes('all removed')).toBe(isClean);
      expect(stdout.includes('NOT ALL REMOVED')).toBe(left.length > 0);
      expect(junit.includes('run/clean-up')).toBe(!isClean);
      expect(readdirSync(join(out, 'journals')).length > 0).toBe(!isClean);
    },
    LIMIT_MS,
  );
});
