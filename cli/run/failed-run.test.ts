import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendJson, testServer } from '../../client/server.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { readEvents } from '../../reports/read-events.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { validatorOf } from '../../specs/validators.ts';
import { refusal, resultIn, tryMain } from '../try-main.fixture.ts';

const START = '{"event":"start","tool":{"name":"site-conformance","version":"0.1.0"}}\n';

function reported(...parts: string[]): string {
  const conformant = '{"conclusion":"conformant"}';
  const reports = { 'events.ndjson': START, 'results.json': conformant, 'junit.xml': '<testsuites/>' };
  const placed = (parts.length === 0 ? ['.'] : parts).flatMap((part) =>
    Object.entries(reports).map(([name, text]) => [join(part, name), text]),
  );
  const summary = parts.length > 0 && { 'summary.json': conformant };
  return testFolder({ ...Object.fromEntries(placed), ...summary, 'notes.txt': 'mine' });
}

function failureIn(folder: string): RunResult {
  const result = resultIn(folder);
  const validate = validatorOf('result.schema.json');
  const junit = readFileSync(join(folder, 'junit.xml'), 'utf8');

  expect(validate(result), JSON.stringify(validate.errors)).toBe(true);
  expect(result.conclusion).toBe('inconclusive');
  expect(junit).toMatch(/^<testsuites [^>]*tests="1" failures="0" errors="1"/m);
  expect(readEvents(join(folder, 'events.ndjson'))).toEqual(result);
  return result;
}

describe('the folder for reports of a run that could not begin', () => {
  it.each([
    ['an unknown option', ['--targett', 'x'], "unknown option '--targett'"],
    ['an unknown deployment', ['--deployment', 'c'], 'unknown deployment "c"'],
    ['a glob that matches nothing', ['--only', 'zzz'], 'has an id like "zzz"'],
    ['a configuration that is not there', ['--config', 'none.json'], 'none.json does not exist'],
  ])('says inconclusive in place of an earlier run after %s', async (_what, args, reason) => {
    const folder = reported();
    const { code } = await tryMain('run', '--out', folder, ...args);

    expect(code).toBe(2);
    expect(failureIn(folder).reason).toContain(reason);
    expect(readdirSync(folder).toSorted()).toEqual([
      'events.ndjson',
      'junit.xml',
      'notes.txt',
      'report.html',
      'results.json',
    ]);
  });

  it('loses the deployments and the summary of an earlier run', async () => {
    const folder = reported('a', 'b');
    await tryMain('--targett', 'x', `--out=${folder}`);

    failureIn(folder);
    expect(existsSync(join(folder, 'a'))).toBe(false);
    expect(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'))).toMatchObject({
      conclusion: 'inconclusive',
    });
  });

  it('is made for a target that allows no conclusion, and names what was to be checked', async () => {
    const { url } = await testServer((_request, response) => sendJson(response, {}, 404));
    const folder = join(testFolder(), 'out');
    const { code } = await tryMain('run', '--target', url, '--out', folder, '--mode', 'validate');

    expect(code).toBe(3);
    expect(failureIn(folder)).toMatchObject({
      reason: expect.stringContaining('answered 404 instead of the index'),
      target: { url: expect.stringContaining(url), deployment: 'core', vocabulary: 'neutral' },
      run: { mode: 'validate' },
    });
  });

  it('is not touched if no run wrote its files', async () => {
    const folder = testFolder({ 'results.json': 'mine' });
    await tryMain('run', '--targett', 'x', '--out', folder);

    expect(readdirSync(folder)).toEqual(['results.json']);
    expect(readFileSync(join(folder, 'results.json'), 'utf8')).toBe('mine');
  });

  it('is not touched by a command that makes no reports', async () => {
    const folder = reported();
    await tryMain('clean', '--out', folder, '--unknown');

    expect(readFileSync(join(folder, 'results.json'), 'utf8')).toContain('"conformant"');
  });
});

describe('a folder into which another run writes', () => {
  const holder = (pid: number, host = hostname()): string =>
    JSON.stringify({ pid, host, started: '2025-03-04T05:06:07.000Z' });
  const LOCK = '.site-conformance.lock';

  it.each([
    ['on this machine', holder(process.ppid), `process ${process.ppid} on ${hostname()}`],
    ['on another machine', holder(1, 'elsewhere'), 'process 1 on elsewhere'],
  ])('is left alone, with one line, when it runs %s', async (_where, lock, who) => {
    const folder = reported();
    writeFileSync(join(folder, LOCK), lock);

    expect(await tryMain('run', '--deployment', 'core', '--out', folder)).toMatchObject(refusal(who));
    expect(readFileSync(join(folder, 'results.json'), 'utf8')).toContain('"conformant"');
    expect(readFileSync(join(folder, LOCK), 'utf8')).toBe(lock);
  });

  it('is taken over from a process that is gone, and given back', async () => {
    const { url } = await testServer((_request, response) => sendJson(response, {}, 404));
    const folder = reported();
    writeFileSync(join(folder, LOCK), holder(2 ** 22 + 1));
    const { code } = await tryMain('run', '--target', url, '--out', folder);

    expect(code).toBe(3);
    expect(existsSync(join(folder, LOCK))).toBe(false);
  });
});
