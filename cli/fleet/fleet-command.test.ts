import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failingCheck, sampleFleet, sampleShare } from '../../compare/fleet/fleet.fixture.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { refusal, tryMain } from '../try-main.fixture.ts';
import { writeFleet } from './run-fleet.ts';

const DOWN = 'http://127.0.0.1:9';

async function tryFleet(
  targets: unknown,
  args: readonly string[],
  folder = testFolder(),
): Promise<{ code: number; lines: readonly string[]; stdout: string; out: string }> {
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ targets }));
  const out = join(folder, 'out');
  return { ...(await tryMain('run', '--config', config, '--out', out, ...args)), out };
}

describe('run for many targets', () => {
  it.each([
    ['both ways to choose', ['--all-targets', '--targets', '*'], /leave one out/],
    ['one target beside all', ['--all-targets', '--target', 'a'], /--target is one target/],
    ['a certificate', ['--all-targets', '--certify', 'read'], /--certify is about one implementation/],
    ['a replay', ['--all-targets', '--replay', 'x'], /--replay checks again/],
    ['a run again', ['--all-targets', '--rerun', 'x'], /--rerun runs again/],
    ['a part of one target', ['--target', DOWN, '--shard', '1/2'], /--shard is for many targets/],
    ['a number at once of one target', ['--target', DOWN, '--parallel', '2'], /--parallel is for many/],
    ['a part that is none', ['--all-targets', '--shard', '3/2'], /expected I\/N/],
    ['a misspelt name', ['--targets', 'bb'], /"bb" matches no target/],
    ['a misspelt glob of checks', ['--all-targets', '--only', 'indx/**'], /none of the 2 targets.*"indx/],
    ['a baseline that is none', ['--all-targets', '--baseline', '/nowhere'], /\/nowhere: cannot be read/],
  ])('refuses %s in one line, with nothing made', async (_what, args, message) => {
    const trial = await tryFleet({ a: { url: DOWN }, b: { url: DOWN } }, args);

    expect(trial).toMatchObject(refusal(message));
    expect(existsSync(trial.out)).toBe(false);
  });

  it('shows no credentials of an address', async () => {
    const url = 'http://me:s3cret4711@127.0.0.1:9';
    const { code, lines, stdout } = await tryFleet({ a: { url } }, ['--all-targets']);

    expect(code).toBe(2);
    expect(lines.join('\n') + stdout).not.toContain('s3cret4711');
  });

  it('replaces an earlier fleet where a wrong command line leaves none', async () => {
    const folder = testFolder({
      'out/a/events.ndjson': '{"event":"start","tool":{"name":"site-conformance","version":"0.1.0"}}\n',
      'out/a/results.json': '{}',
    });
    const out = join(folder, 'out');
    writeFleet(out, sampleFleet([sampleShare('a')]));
    const { code } = await tryFleet({ a: { url: DOWN } }, ['--targets', 'b'], folder);

    expect(code).toBe(2);
    expect(JSON.parse(readFileSync(join(out, 'fleet.json'), 'utf8'))).toMatchObject({
      conclusion: 'inconclusive',
      exitCode: 2,
      targets: [],
    });
    // Nothing of the earlier fleet is left, not even its targets.
    expect(readdirSync(out).toSorted()).toEqual(['fleet.html', 'fleet.json', 'fleet.md', 'junit.xml']);
  });

  it('keeps a baseline that stands where it would write', async () => {
    const folder = testFolder();
    const out = join(folder, 'out');
    writeFleet(out, sampleFleet([sampleShare('a', [failingCheck('index/name/present')])]));
    const before = readFileSync(join(out, 'fleet.json'), 'utf8');
    const trial = await tryFleet({ a: { url: DOWN } }, ['--all-targets', '--baseline', out], folder);

    expect(trial).toMatchObject(refusal('keep the earlier fleet in another folder'));
    expect(readFileSync(join(out, 'fleet.json'), 'utf8')).toBe(before);
  });

  it('makes no folders where another run writes', async () => {
    const holder = { pid: 1, host: hostname(), started: '2025-03-03T05:06:07.000Z' };
    const folder = testFolder({ 'out/.site-conformance.lock': holder });
    const trial = await tryFleet({ a: { url: DOWN } }, ['--all-targets'], folder);

    expect(trial).toMatchObject(refusal('the run of process 1'));
    expect(readdirSync(trial.out)).toEqual(['.site-conformance.lock']);
  });

  it('touches no folder that holds something else', async () => {
    const folder = testFolder({ 'out/a/results.json': 'mine' });
    const trial = await tryFleet({ a: { url: DOWN } }, ['--all-targets'], folder);

    expect(trial).toMatchObject(refusal('no run of this suite wrote it'));
    expect(readFileSync(join(trial.out, 'a', 'results.json'), 'utf8')).toBe('mine');
  });
});

describe('report --merge', () => {
  it('refuses a part alone, with nothing written', async () => {
    const folder = testFolder();
    writeFleet(join(folder, 'part'), sampleFleet([], { selected: 0, shard: { index: 1, of: 2 } }));
    const out = join(folder, 'all');
    const trial = await tryMain('report', '--merge', join(folder, 'part'), '--out', out);

    expect(trial).toMatchObject(refusal('part 2/2 missing: name the folders of all parts'));
    expect(existsSync(out)).toBe(false);
  });

  it('makes one fleet of all parts, and does not overwrite one of them', async () => {
    const found = { id: 'index/name/present', verdict: 'fail', message: 'there is no name' } as const;
    const folder = testFolder({ 'part-2/site-1/results.json': sampleResult([sampleCheck(found)]) });
    const parts = [1, 2].map((index) => join(folder, `part-${index}`));
    for (const [at, part] of parts.entries()) {
      const shard = { index: at + 1, of: 2 };
      const failing = at === 0 ? [] : [failingCheck('index/name/present')];
      writeFleet(part, sampleFleet([sampleShare(`site-${at}`, failing)], { selected: 2, shard }));
    }
    const wrong = await tryMain('report', '--merge', ...parts, '--out', parts[0] ?? '');
    const right = await tryMain('report', '--merge', ...parts, '--out', join(folder, 'all'));

    expect(wrong).toMatchObject(refusal('holds one of the parts'));
    expect(right).toMatchObject({ code: 1, lines: [] });
    expect(JSON.parse(readFileSync(join(folder, 'all', 'fleet.json'), 'utf8'))).toMatchObject({
      conclusion: 'nonconformant',
      parts: 2,
      targets: [{ folder: '../part-2/site-1' }, { folder: '../part-1/site-0' }],
      checks: [{ id: 'index/name/present', fail: 1, targets: ['site-1'] }],
    });
    // The results of the checks are read from the folders of the parts.
    expect(readFileSync(join(folder, 'all', 'junit.xml'), 'utf8')).toMatch(
      /<testcase classname="site-1" name="index\/name\/present.*?<failure message="there is no name"/s,
    );
  });
});
