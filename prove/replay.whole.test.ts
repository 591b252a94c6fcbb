import { readFileSync } from 'node:fs';
import { assert, describe, expect, it, onTestFinished } from 'vitest';
import { isObject } from '../client/json.ts';
import { type Exchange, readRecording } from '../sites/recordings/read-recording.fixture.ts';
import { serveExchanges, TRACES } from '../sites/recordings/recording.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runInProcess } from '../suites/run-checks.ts';
import type { RecordedRun } from './run-recorded.ts';
import { RECORDED_RUNS, runRecorded } from './run-recorded.ts';

/** The share of a recording that must be comparable, until somebody records the requests of newer checks. */
const ENOUGH = 0.97;

async function replay(
  run: RecordedRun,
  exchanges: readonly Exchange[],
  only: readonly string[] = [],
): ReturnType<typeof runRecorded> {
  const site = await serveExchanges(exchanges);
  onTestFinished(() => site.close());
  return runRecorded(run, { url: site.url, user: 'somebody', password: 'any password at all' }, { only });
}

/** The ids of the recorded verdicts that the replay can compare. */
function conclusiveOf(
  { results, inconclusive }: Awaited<ReturnType<typeof runRecorded>>,
  verdicts: Readonly<Record<string, string>>,
): string[] {
  const blocker = (id: string): string => results.get(id)?.message?.replace(/^blocked by /, '') ?? '';
  return Object.keys(verdicts).filter(
    (id) => results.has(id) && !inconclusive.has(id) && !inconclusive.has(blocker(id)),
  );
}

describe.each(RECORDED_RUNS)('the recording of a real WordPress 7.1.1: $name', (run) => {
  const { seed, verdicts, exchanges } = readRecording(run.file);

  it('leads to the verdicts that the site itself led to', async () => {
    const reported = await replay(run, exchanges);
    const ids = conclusiveOf(reported, verdicts);

    expect(seed).toBe(reported.seed);
    expect(ids.map((id) => [id, reported.results.get(id)?.verdict])).toEqual(
      ids.map((id) => [id, verdicts[id]]),
    );
    expect(ids.length, 'too much is not recorded: see docs/recordings.md').toBeGreaterThan(
      ENOUGH * Object.keys(verdicts).length,
    );
  }, 60_000);

  it('holds no trace of the machine and the site that it was made with', () => {
    const text = readFileSync(run.file, 'utf8');

    expect(TRACES.exec(text)?.[0]).toBeUndefined();
    expect(text.length).toBeLessThan(4_200_000);
  });
});

it('a real WordPress that is asked in neutral words fails once for each namespace with another word, beside its own fault', async () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const [anonymous] = RECORDED_RUNS;
  assert(anonymous !== undefined);
  const site = await serveExchanges(readRecording(anonymous.file).exchanges);
  onTestFinished(() => site.close());
  const about = { url: site.url, contract, checks: allChecks(contract), mode: 'read' } as const;
  const { results } = await runInProcess(about);
  const failed = [...results.values()].filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

  const renamed = ['cms/v2', 'cms-site-health/v1', 'cms-block-editor/v1', 'cms-abilities/v1'];
  // The root of a namespace fails for a list in the same parameter, as in WordPress.
  expect(failed).toEqual([...renamed.map((name) => `namespaces/${name}/served`), 'oembed.root/fuzz/robust']);
});

/** One altered answer of a site, and the one check that must fail. */
interface Alteration {
  readonly what: string;
  readonly run: string;
  readonly at: (exchange: Exchange) => boolean;
  readonly answer: (recorded: Exchange) => Pick<Exchange, 'status' | 'body'>;
  readonly fails: string;
}

const REFUSED = { status: 400, body: { json: { code: 'rest_invalid_param' } } };

/** A list of records, each with a raw title. */
function withRawTitle(body: Exchange['body']): unknown {
  const records = 'json' in body && Array.isArray(body.json) ? body.json.filter(isObject) : [];
  return records.map((record) => ({ ...record, title: { raw: 'a', rendered: 'a' } }));
}

const ALTERATIONS: readonly Alteration[] = [
  {
    what: 'an accepted value is refused',
    run: 'read',
    at: ({ route, query }) => /\/media\/\d+$/.test(route) && query === 'context=embed',
    answer: () => REFUSED,
    fails: 'media.read/context/enum/accepted',
  },
  {
    what: 'a value that is excluded is accepted',
    run: 'anonymous',
    at: ({ route, query }) => /\/media\/\d+$/.test(route) && query === 'context=admin',
    answer: () => ({ status: 200, body: { json: {} } }),
    fails: 'media.read/context/enum/enforced',
  },
  {
    what: 'a field has a member in a context that is not its own',
    run: 'read',
    at: ({ who, route, query }) =>
      who === 'user' &&
      route === '/wp/v2/posts' &&
      query === 'context=embed&per_page=100&orderby=id&order=desc',
    answer: ({ body }) => ({ status: 200, body: { json: withRawTitle(body) } }),
    fails: 'posts.list/contexts/title.raw',
  },
];

describe('a replay with one answer altered', () => {
  it.each(ALTERATIONS)(
    'fails one check of its topic where $what',
    async ({ run: name, at, answer, fails }) => {
      const run = RECORDED_RUNS.find((one) => one.name === name);
      assert(run !== undefined);
      const { verdicts, exchanges } = readRecording(run.file);
      const altered = exchanges.filter(at);
      const reported = await replay(
        run,
        exchanges.map((one) => (at(one) ? { ...one, ...answer(one) } : one)),
        [`${fails.split('/')[0]}/**`],
      );
      const failed = conclusiveOf(reported, verdicts).filter(
        (id) => reported.results.get(id)?.verdict === 'fail' && verdicts[id] !== 'fail',
      );

      expect(altered.length).toBe(1);
      expect(failed).toEqual([fails]);
    },
    60_000,
  );
});
