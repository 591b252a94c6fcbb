import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginWriting } from '../cli/run/writing-run.ts';
import { spawnMain } from '../cli/spawn-main.fixture.ts';
import { Client } from '../client/client.ts';
import { fetchIndex } from '../client/site-index.ts';
import { Engine } from '../engine/engine.ts';
import { plan } from '../engine/plan.ts';
import type { RunResult, WritingReport } from '../engine/result.ts';
import { resultsOf } from '../engine/session.fixture.ts';
import { createSession } from '../engine/session.ts';
import type { Seen } from '../sites/hostile/exchange.ts';
import { LIARS, LIED_TO } from '../sites/hostile/families/writing.ts';
import { type Census, changedIn, madeIn, openServer, writtenRecords } from '../sites/hostile/open-server.ts';
import type { HostileServer } from '../sites/hostile/server.ts';
import { type Served, serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { allChecks } from '../suites/all-checks.ts';
import { DEFAULTS } from '../suites/run-config.ts';

const LIMIT_MS = 120_000;
const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const PLAN = plan(allChecks(CONTRACT), { only: LIED_TO, skip: [], mode: 'write', hasUser: true });

const SHOWS_THE_DELETED = 'liars/shows-the-deleted';
/** What a run must report of a liar whose lies prevent a proof of removal, or concern no check. */
const LEAVES: ReadonlySet<string> = new Set([
  'liars/no-tag',
  'liars/deletions-are-not-found',
  'liars/deletions-do-nothing',
  'liars/deletions-are-denied',
  SHOWS_THE_DELETED,
  // A hidden record cannot be told from one whose tag was not kept.
  'liars/hidden-foreign-ids',
]);
const DOUBTS: ReadonlySet<string> = new Set(['liars/lists-fail-at-the-end']);
/** Who may delete, and the form of batch answers, are not stated (R37), and a search may show more than requested. */
const UNJUDGED: ReadonlySet<string> = new Set([
  'liars/deletions-are-denied',
  'liars/tag-on-foreign-records',
  'liars/batches-of-others',
  'liars/lists-fail-at-the-end',
]);

/** The outcome of a run against a liar: on the site, in its requests, and in its report. */
interface Lied {
  readonly before: Census;
  readonly after: Census;
  readonly seen: readonly Seen[];
  readonly counts: { readonly fail: number; readonly error: number };
  readonly writing: WritingReport | undefined;
}

/** Starts a healthy site with the liar in front of it, runs in mode write, and compares. */
async function against(
  liar: Pick<HostileServer, 'handler'>,
  run: (url: string, site: Served) => Promise<Pick<Lied, 'counts' | 'writing'>>,
): Promise<Lied> {
  const site = await serve({ deployment: 'core' });
  const open = await openServer(liar, site);
  onTestFinished(() => open.close());
  const ran = await run(open.url, site);
  return { before: open.before, after: await open.census(), seen: open.seen, ...ran };
}

/** Runs the checks of writes in this process. */
async function runHere(url: string, { user, password }: Served): Promise<Pick<Lied, 'counts' | 'writing'>> {
  const options = { base: new URL(url), mode: 'write', concurrency: 4, timeout: 10, user, password } as const;
  const folder = testFolder();
  const config = {
    ...DEFAULTS,
    ...options,
    seed: 1,
    contract: CONTRACT,
    plan: PLAN,
    stage: 'never',
  } as const;
  const names = { run: { id: 'lied-to', started: new Date().toISOString() }, target: { url } };
  const begun = await beginWriting(config, names, folder, () => undefined);
  if (begun === undefined) throw new Error('the run was not let write');
  const client = new Client(options);
  const { index } = await fetchIndex(client);
  const { journal } = begun;
  const session = createSession({ contract: CONTRACT, index, client, seed: 1, journal });
  const results = await resultsOf(new Engine(session, PLAN), PLAN);
  await client.close();
  const writing = await begun.end();
  const isClean = writing.left.length + writing.doubts.length === 0;
  expect(readdirSync(join(folder, 'journals')).length > 0).toBe(!isClean);
  const count = (wanted: string): number => results.filter(({ verdict }) => verdict === wanted).length;
  return { counts: { fail: count('fail'), error: count('error') }, writing };
}

describe.each(LIARS)('a run that writes to a site where $title', ({ name, ...liar }) => {
  it(
    'touches nothing that was there, and says what stayed',
    async () => {
      const { before, after, seen, counts, writing } = await against(liar, runHere);

      expect(changedIn(before, after)).toEqual([]);
      expect(seen.flatMap(writtenRecords).filter((key) => before.has(key))).toEqual([]);
      expect(counts.error).toBe(0);

      const { left = [], doubts = [], census = [] } = writing ?? {};
      const stayed = madeIn(before, after);
      const reported = [
        ...left.map(({ collection, id }) => `${collection}/${id}`),
        ...census.flatMap(({ collection, appeared, unanswered }) =>
          unanswered === undefined ? [] : appeared.map((id) => `${collection}/${id}`),
        ),
      ];
      expect(stayed.filter((key) => !reported.includes(key))).toEqual([]);
      // If every read still shows it, its removal cannot be proven.
      if (name !== SHOWS_THE_DELETED) {
        expect(left.filter(({ collection, id }) => !after.has(`${collection}/${id}`))).toEqual([]);
      }
      expect({ left: left.length > 0, doubts: doubts.length > 0 }).toEqual({
        left: LEAVES.has(name),
        doubts: DOUBTS.has(name),
      });
      expect(counts.fail > 0).toBe(!UNJUDGED.has(name));
    },
    LIMIT_MS,
  );
});

describe('the command line after a run that was lied to', () => {
  it(
    'says in every report that not everything was removed',
    async () => {
      const handler: HostileServer['handler'] = () => (exchange) =>
        exchange.seen.method === 'DELETE' ? exchange.json({}, 403) : exchange.pass();
      const out = testFolder();
      await against({ handler }, async (url, { user, password }) => {
        const about = ['--target', url, '--deployment', 'core', '--user', user, '--mode', 'write'];
        const env = { SITE_CONFORMANCE_PASSWORD: password };
        const args = ['run', ...about, '--only', 'posts.create/record', '--out', out];
        const { code, stdout, stderr } = await spawnMain(args, env).ended;
        const result: RunResult = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
        const { counts, writing } = result;

        expect(counts, stderr).toMatchObject({ error: 0, fail: 0 });
        expect(writing?.left).not.toEqual([]);
        expect(code).toBe(4);
        expect(stdout).toContain('NOT ALL REMOVED');
        expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('run/clean-up');
        expect(readdirSync(join(out, 'journals'))).toHaveLength(1);
        return { counts, writing };
      });
    },
    LIMIT_MS,
  );
});
