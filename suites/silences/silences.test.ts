import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { loadSilences } from '../../specs/requirements.ts';
import { allChecks } from '../all-checks.ts';
import type { CheckResult, Verdict } from '../result.ts';
import { runInProcess } from '../run-in-process.ts';
import { ANSWER_CHANGES } from './answer-changes.ts';
import { BEHAVIOUR_CHANGES } from './behaviour-changes.ts';
import type { Change } from './change.ts';
import { INDEX_CHANGES } from './index-changes.ts';
import { otherwiseSite } from './otherwise-site.ts';

const CHANGES: Readonly<Record<string, Change>> = {
  ...INDEX_CHANGES,
  ...ANSWER_CHANGES,
  ...BEHAVIOUR_CHANGES,
};

/** Silences in which a site has nothing to do otherwise during a run, with the reason. */
const NOTHING_TO_CHANGE: Readonly<Record<string, string>> = {
  'default-fits-itself': 'B declares a default of another type as it is',
  'activation-transitions': 'only mode full activates anything, and only on the embedded deployments',
  'capture-kinds': 'every capture of B has a kind',
  'bodies-of-none-listed': 'no check sends a body there',
  'credential-format': 'a run has one format, and a site without it answers an anonymous caller',
  events: 'no check listens',
  'plugin-argument-types': 'B refuses them; what accepts them is worth a warning',
  'rate-limits': 'a site that asks for patience is waited for; the tests of pacing show it',
};

type Results = ReadonlyMap<string, CheckResult>;

const CONTRACT = loadContract({ deployment: 'b', vocabulary: 'neutral' });
const CHECKS = allChecks(CONTRACT);

/** Of some 4800 checks that pass on a healthy B in mode write; where answers show less, a few more cannot tell. */
const MOST = 4600;

async function run(
  changes: readonly Change[],
): Promise<{ results: Results; effective: ReadonlySet<Change> }> {
  const site = await otherwiseSite('b', changes);
  const folder = mkdtempSync(join(tmpdir(), 'silences-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = { path: join(folder, 'journal.ndjson'), tag: 'sc-5170ce' };
  const about = { url: site.url, contract: CONTRACT, checks: CHECKS, mode: 'write', user: site } as const;
  return { ...(await runInProcess({ ...about, journal })), effective: site.effective };
}

function withVerdict(results: Results, ...verdicts: Verdict[]): string[] {
  return [...results.values()]
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ verdict, id, message, observed }) => `${verdict} ${id}: ${message} (${observed})`);
}

describe('silences', () => {
  it('are each answered otherwise, or say why there is nothing to answer', () => {
    const ids = loadSilences().map(({ id }) => id);

    expect([...Object.keys(CHANGES), ...Object.keys(NOTHING_TO_CHANGE)].toSorted()).toEqual(ids.toSorted());
  });

  it.each([
    ['the index', INDEX_CHANGES],
    ['the answers', ANSWER_CHANGES],
    ['the behaviour', BEHAVIOUR_CHANGES],
    ['everything', CHANGES],
  ])(
    'are asserted by no check of a site that does all of %s otherwise',
    async (_, changes) => {
      const { results, effective } = await run(Object.values(changes));
      const idle = Object.entries(changes).filter(([, one]) => !one.behaviour && !effective.has(one));

      expect(withVerdict(results, 'fail', 'warn', 'error')).toEqual([]);
      expect(withVerdict(results, 'pass').length).toBeGreaterThan(MOST);
      expect(idle.map(([id]) => id)).toEqual([]);
    },
    60_000,
  );
});
