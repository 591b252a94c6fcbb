import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '../../client/client.ts';
import { readJournal } from '../../client/journal.ts';
import { fetchIndex } from '../../client/site-index.ts';
import { Engine } from '../../engine/engine.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { type PlannedCheck, plan } from '../../engine/plan.ts';
import { resultsOf } from '../../engine/session.fixture.ts';
import { createSession } from '../../engine/session.ts';
import { mostRecords } from '../../probing/records/own/most-records.ts';
import { together } from '../../sites/alterations/alteration.ts';
import { variantsOf } from '../../sites/alterations/catalogue.ts';
import { handling } from '../../sites/alterations/handling.ts';
import { isOwnWrite } from '../../sites/alterations/selecting.ts';
import { demand } from '../../sites/reference/request.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { textsOf } from '../../specs/texts.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { DEFAULTS } from '../../suites/run-config.ts';
import { resultIn, targetOf, tryMainAs } from '../try-main.fixture.ts';
import { beginWriting } from './writing-run.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const ALL = plan(
  allChecks(CONTRACT).filter(({ effect }) => effect === 'writes'),
  { only: [], skip: [], mode: 'write', hasUser: true },
);
const STOPPED = 'nothing more is written';
const folder = mkdtempSync(join(tmpdir(), 'most-records-'));
let site: Served;

beforeAll(async () => {
  site = await serve({ deployment: 'core' });
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serveEmpty(): Promise<Served & AsyncDisposable> {
  const empty = await serve({ deployment: 'core', seed: 'empty' });
  return { ...empty, [Symbol.asyncDispose]: () => empty.close() };
}

async function made(
  planned: readonly PlannedCheck[],
  examples: number,
  at: Served = site,
): Promise<{ counts: ReadonlyMap<string, number>; stopped: string[] }> {
  const { url, user, password } = at;
  const options = { base: new URL(url), mode: 'write', concurrency: 4, timeout: 10, user, password } as const;
  const run = `run-${Math.random()}`;
  const config = {
    ...{ ...DEFAULTS, ...options, seed: 1, contract: CONTRACT },
    ...{ plan: planned, stage: 'never' as const, fuzz: { examples, kept: [] } },
  };
  const names = { run: { id: run, started: new Date().toISOString() }, target: { url } };
  const begun = await beginWriting(config, names, folder, () => undefined);
  if (begun === undefined) throw new Error('the run was not let write');
  const client = new Client(options);
  const { index } = await fetchIndex(client);
  const fuzz = { examples, kept: [] };
  const session = createSession({ contract: CONTRACT, index, client, seed: 1, journal: begun.journal, fuzz });
  const results = await resultsOf(new Engine(session, planned), planned);
  await client.close();
  const { ids } = readJournal(begun.journal.path);
  await begun.end();
  return {
    counts: new Map([...ids].map(([collection, some]) => [collection, some.length])),
    stopped: results.filter(({ message }) => message?.includes(STOPPED) === true).map(({ id }) => id),
  };
}

function ofKind(kind: string): PlannedCheck[] {
  return ALL.filter(({ check }) => check.kind === kind);
}

const KINDS = textsOf('check-kinds').filter(({ kind }) => ofKind(kind).length > 0);
const SELECTIONS = [
  ...KINDS.map(({ kind }) => ({
    what: `checks of the kind "${kind}"`,
    planned: ofKind(kind),
    examples: PROFILES.standard,
  })),
  { what: 'drawn sequences, a hundred each', planned: ofKind('states'), examples: PROFILES.nightly },
  { what: 'drawn arguments, a hundred each', planned: ofKind('drawn'), examples: PROFILES.nightly },
  {
    what: 'one check',
    planned: ALL.filter(({ check }) => check.id === 'batch/cap'),
    examples: PROFILES.standard,
  },
];

describe('the number of records that the plan announces', () => {
  it.each(SELECTIONS)(
    'holds of each collection for $what, with no check stopped by it',
    {
      timeout: 60_000,
    },
    async ({ planned, examples }) => {
      const most = mostRecords(CONTRACT, { plan: planned, stage: 'never', examples });
      const { counts, stopped } = await made(planned, examples);

      expect(stopped).toEqual([]);
      for (const [collection, count] of counts) expect(count).toBeLessThanOrEqual(most[collection] ?? 0);
    },
  );

  it('is small where a site asks for credentials before it validates: probes share records that refused all', {
    timeout: 60_000,
  }, async () => {
    const variant = variantsOf('core').find(({ id }) => id === 'denial-first');
    // A control of its own for each field, because the usual ones name nothing.
    const strict = handling(isOwnWrite, (call, next) => {
      const picture = Number(call.args.featured_media ?? 0);
      const isKnown = picture === 0 || call.site.store.get(picture, 'media') !== undefined;
      demand(isKnown && call.args.author !== 1, 'unknown', 'No such thing.', 400);
      return next(call);
    });
    const behaviour = together(...(variant === undefined ? [] : [variant.behaviour]), strict);
    const closed = await serve({ deployment: 'core', behaviour });
    onTestFinished(() => closed.close());
    const { counts } = await made(ofKind('refused'), PROFILES.standard, closed);

    expect(counts.get('pages')).toBeGreaterThan(0);
    expect(counts.get('pages')).toBeLessThan(14);
  });

  it('is not exceeded with all fixtures, and is announced before the run writes', {
    timeout: 120_000,
  }, async () => {
    const out = join(folder, 'whole');
    const args = ['--target', site.url, '--user', site.user, '--mode', 'write', '--stage', 'always'];
    const sparing = ['--reporter', 'json', '--tour', 'none', '--examples', '1'];
    const { lines } = await tryMainAs(site, 'run', ...args, ...sparing, '--out', out);
    const text = readFileSync(join(out, 'results.json'), 'utf8');
    const reported =
      /writing to .*: \d+ checks write, at most (.*), each with/.exec(lines.join('\n'))?.[1] ?? '';
    const sum = [...reported.matchAll(/\d+/g)].reduce((all, [count]) => all + Number(count), 0);

    expect(reported).toMatch(/^\d+ posts, \d+ pages, \d+ small files and \d+ terms$/);
    expect(text).not.toContain(STOPPED);
    expect(JSON.parse(text).writing.created).toBeGreaterThan(sum / 3);
    expect(JSON.parse(text).writing.created).toBeLessThanOrEqual(sum);
  });

  it('includes the records that a selection lacks which only reads', async () => {
    await using empty = await serveEmpty();
    const only = ['--mode', 'write', '--only', 'post-revisions.read/**', '--tour', 'none'];
    const out = join(folder, 'reading');
    const { code } = await tryMainAs(empty, 'run', ...targetOf(empty), ...only, '--out', out);

    expect({
      code,
      stopped: resultIn(out).checks.filter(({ message }) => message?.includes(STOPPED)),
    }).toEqual({
      code: 0,
      stopped: [],
    });
  });

  it('is announced in words if no selected check writes', async () => {
    const args = ['--target', site.url, '--user', site.user, '--mode', 'write', '--only', 'index/name/**'];
    const { lines } = await tryMainAs(site, 'run', ...args, '--out', join(folder, 'reads'));

    expect(lines).toContainEqual(expect.stringMatching(/^writing to .*: no selected check writes$/));
  });
});
