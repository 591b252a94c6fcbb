import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { History } from '../../compare/history/history.ts';
import { seriesRun } from '../../compare/history/run.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { validatorOf } from '../../specs/validators.ts';
import { refusal, tryMain } from '../try-main.fixture.ts';

const NIGHTS = { 'n1/results.json': seriesRun(0, 'ppfp'), 'n2/a/results.json': seriesRun(1, 'pffa') };

describe('history', () => {
  it('shows how long checks have failed and what is new, with a table of runs', async () => {
    const { code, stdout } = await tryMain('history', testFolder(NIGHTS));

    expect(code).toBe(0);
    expect(stdout).toContain('deployment a, mode write, 2 runs from 2025-01-01 02:00 to 2025-01-02 02:00');
    expect(stdout).toContain('nonconformant: 2 failed, 1 of them new; 1 waived');
    expect(stdout).toContain('since 2025-01-01 02:00 or earlier: 2 runs, 1 day');
    expect(stdout).toMatch(/^ {2}2025-01-02 02:00 +2 +1 +0 +1 +0 +1,001 +1 min 01 s$/m);
    expect(stdout).toContain('waived by us until 2099-01-01: known');
    expect(stdout).toContain('  run by run: p passed; f failed; a failed, and a waiver covers it\n');
  });

  it.each([80, 120])('fits %i columns', async (columns) => {
    const long = 'posts.list/'.repeat(20);
    const runs = Array.from({ length: 40 }, (_, at) => {
      const night = seriesRun(at, at % 3 === 0 ? 'fpua' : 'pfpp');
      const checks = night.checks.map((check) => ({ ...check, id: `${long}${check.id}` }));
      return [`${at}.json`, { ...night, checks }] as const;
    });
    const before = process.stdout.columns;
    process.stdout.columns = columns;
    const { stdout } = await tryMain('history', testFolder(Object.fromEntries(runs)));
    process.stdout.columns = before;

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(stdout).toContain('26 earlier, see history.json');
  });

  it('shows how requests and time grow, and tables only of series that need attention', async () => {
    const site = (name: string, at: number, word: string): RunResult => {
      const night = seriesRun(at, word);
      const target = { ...night.target, url: `https://${name}.example.test/` };
      return { ...night, target, run: { ...night.run, id: `${name}-${at}` } };
    };
    const names = ['one', 'two', 'three', 'four'];
    const files = names.flatMap((name) =>
      [0, 1].map((at) => [`${name}-${at}.json`, site(name, at, name === 'two' ? 'f' : 'p')] as const),
    );
    const folder = testFolder(Object.fromEntries(files));
    const { stdout } = await tryMain('history', folder);

    expect(stdout).toContain('requests 1,000 to 1,001, time 1 min 00 s to 1 min 01 s');
    expect(stdout.match(/^runs$/gm)).toHaveLength(1);
    expect(stdout.indexOf('two.example')).toBeLessThan(stdout.indexOf('one.example'));
    expect((await tryMain('history', folder, '--markdown')).stdout.match(/\| began/g)).toHaveLength(1);
  });

  it('writes a document that fits its schema, and Markdown, and ignores both the next time', async () => {
    const folder = testFolder(NIGHTS);
    const first = await tryMain('history', folder, '--json', '--out', folder);
    const validate = validatorOf<History>('history.schema.json');

    expect(validate(JSON.parse(first.stdout))).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, 'history.json'), 'utf8'))).toEqual(JSON.parse(first.stdout));
    expect(readFileSync(join(folder, 'history.md'), 'utf8')).toContain('### 1 new in the latest run');
    expect((await tryMain('history', folder, '--json')).stdout).toBe(first.stdout);
  });

  it('counts a run in two files once', async () => {
    const folder = testFolder({ ...NIGHTS, 'copy.json': seriesRun(0, 'ppfp') });
    const { stdout } = await tryMain('history', folder);

    expect(stdout).toContain('2 runs in 1 series; 1 result of a run that was there already');
  });

  it('names files that are not results in notes, and reads the others', async () => {
    const folder = testFolder({
      ...NIGHTS,
      'summary.json': '{"format":1,"conclusion":"conformant","deployments":[]}',
      'half/results.json': '{"format":1,"checks":[',
      'old/results.json': '{"format":2,"checks":[]}',
      'wrong/results.json': JSON.stringify({ ...seriesRun(3, 'p'), conclusion: 'perhaps' }),
    });
    symlinkSync(folder, join(folder, 'round'));
    const { code, stdout } = await tryMain('history', folder, '--json');
    const history: History = JSON.parse(stdout);

    expect(code).toBe(0);
    expect(history.runs.read).toBe(2);
    expect(history.notes.map((note) => /^left out (\S+):/.exec(note)?.[1])).toEqual([
      'half/results.json',
      'old/results.json',
      'wrong/results.json',
    ]);
    expect(stdout).not.toContain(folder);
  });

  it('shows text of a target and never executes it', async () => {
    const hostile = '\u001b[31m<script>alert(1)</script>\n::error::[x](http://evil.example)\n##[command] | a';
    const night = seriesRun(0, 'f');
    const checks = night.checks.map((check) => ({ ...check, id: hostile, title: hostile }));
    const folder = testFolder({
      'a.json': seriesRun(0, 'p'),
      'b.json': { ...seriesRun(1, 'f'), checks, target: { ...night.target, deployment: hostile } },
    });
    const [terminal, markdown] = [
      await tryMain('history', folder),
      await tryMain('history', folder, '--markdown'),
    ];

    for (const { stdout } of [terminal, markdown]) {
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toMatch(/^\s*::|##\[/m);
    }
    expect(markdown.stdout).not.toContain('<script');
    expect(markdown.stdout).not.toMatch(/\]\(http:|[^\\]\[x\]/);
  });

  it('explains how runs of sites with changing ports become one series', async () => {
    const moved = (at: number, port: number): RunResult => {
      const night = seriesRun(at, 'p');
      return { ...night, target: { ...night.target, url: `http://127.0.0.1:${port}/` } };
    };
    const folder = testFolder({ 'a.json': moved(0, 4001), 'b.json': moved(1, 4002) });
    const apart = await tryMain('history', folder);

    expect(apart.stdout.replaceAll(/\s+/g, ' ')).toContain(
      '2 series of deployment a on 127.0.0.1 differ in port or path alone: with --one-site they are one',
    );
    expect((await tryMain('history', folder, '--one-site')).stdout).toContain('2 runs in 1 series');
  });

  it.each([
    ['a folder that is not there', 'missing', /missing: cannot be read as a folder/],
    ['no results', '.', /holds no results of a run \(results\.json, format 1\), and 1 file that is none/],
    ['a file', 'note.json', /cannot be read as a folder/],
  ])('%s ends with one line and exit code 2, and nothing is written', async (_title, path, expected) => {
    const folder = testFolder({ 'note.json': '{"a":1}' });
    const out = join(folder, 'out');

    expect(await tryMain('history', join(folder, path), '--out', out)).toMatchObject(refusal(expected));
    expect(existsSync(out)).toBe(false);
  });
});
