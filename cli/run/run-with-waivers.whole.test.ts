import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../reports/read-events.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { resultIn, tryMainAs } from '../try-main.fixture.ts';
import { wrongDefault } from './wrong-site.fixture.ts';

const PATIENT = { timeout: 60_000 };
const WORDS = { reason: 'another page size', owner: 'the shop', expires: '2999-12-31' };
const FAILS = { check: 'posts.list/per_page/default', ...WORDS };

async function runWith(waivers: readonly object[], ...args: string[]) {
  const folder = testFolder();
  const path = join(folder, 'waivers.json');
  writeFileSync(path, JSON.stringify({ format: 1, waivers }));
  const { deployment, ...site } = await wrongDefault();
  const about = ['--target', site.url, '--deployment', deployment, '--user', site.user];
  const what = ['--only', 'posts.list/per_page/**', '--waivers', path, '--out', join(folder, 'out')];
  const { code, stdout } = await tryMainAs(site, 'run', ...about, ...what, ...args);
  const junit = readFileSync(join(folder, 'out/junit.xml'), 'utf8');
  return { code, stdout, result: resultIn(folder, 'out'), junit, events: join(folder, 'out/events.ndjson') };
}

describe('run --waivers', PATIENT, () => {
  it('ends with 0 for a waived failure, marks it everywhere, and can replay it', async () => {
    const { code, stdout, result, junit, events } = await runWith([FAILS]);
    const failed = result.checks.filter(({ verdict }) => verdict === 'fail');

    expect({ code, conclusion: result.conclusion }).toEqual({ code: 0, conclusion: 'conformant' });
    expect(failed.map(({ id, waived }) => [id, waived?.reason])).toEqual([[FAILS.check, WORDS.reason]]);
    expect(result.counts).toMatchObject({ fail: 0, waived: 1 });
    expect(result.reason).toContain('1 failure waived');
    expect(result.checks.find(({ skip }) => skip?.kind === 'blocked')?.skip).toEqual({
      kind: 'blocked',
      by: FAILS.check,
    });
    expect(result.waivers).toEqual({ waived: 1, expired: [], unmatched: [], passing: [] });
    expect(stdout).toContain('1 failure waived, not counted');
    expect(stdout).not.toContain('── 1 failure ─');
    expect(junit).toContain('waived: another page size (the shop, until 2999-12-31)');
    expect(junit).toContain('failures="0"');
    expect({ ...readEvents(events), checks: [] }).toEqual({ ...result, checks: [] });
    expect(readEvents(events).checks.flatMap(({ waived }) => waived ?? [])).toEqual([failed[0]?.waived]);
  });

  it('counts the failure of an expired waiver, and says that it expired', async () => {
    const { code, stdout, result } = await runWith([{ ...FAILS, expires: '2020-01-01' }]);

    expect(code).toBe(1);
    expect(result.waivers?.expired).toEqual([FAILS.check]);
    expect(result.counts).toMatchObject({ fail: 1 });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(its waiver expired on 2020-01-01)');
  });

  it('ends with 0 for a needless waiver, and with 1 if strict', async () => {
    const idle = { ...FAILS, check: 'posts.list/per_page/maximum' };
    const lax = await runWith([FAILS, idle]);
    const strict = await runWith([FAILS, idle], '--strict');

    expect(lax.result.waivers?.passing).toEqual([idle.check]);
    expect([lax.code, strict.code]).toEqual([0, 1]);
    expect(strict.result.reason).toContain('1 waiver no longer needed, which strict mode does not accept');
    expect(strict.junit).toContain('failures="1"');
  });
});
