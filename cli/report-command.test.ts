import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../engine/result.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import { temporaryFolder, tryMain } from './try-main.fixture.ts';
import { wrongSite } from './wrong-site.fixture.ts';

const PATIENT = { timeout: 60_000 };
/** All that are made of the result alone, and none that needs minutes. */
const ALL = ['junit', 'sarif', 'markdown', 'badge', 'terminal', 'har'];
const FILES = [
  'junit.xml',
  'results.sarif',
  'report.md',
  'badge.json',
  'report.txt',
  'exchanges.har',
  'results.json',
];

/** A module that reports what it heard, one that fails, and what they are called. */
function ownReporters(): { mine: string; broken: string } {
  const folder = temporaryFolder();
  const mine = join(folder, 'mine.ts');
  const broken = join(folder, 'broken.mjs');
  writeFileSync(
    mine,
    `const heard: string[] = [];
    export default {
      name: 'mine',
      file: 'mine.txt',
      onEvent(event: { event: string }) { heard.push(event.event); },
      render: (result: { checks: unknown[] }) => heard.splice(0).join(' ') + ' ' + result.checks.length,
    };`,
  );
  writeFileSync(
    broken,
    `export default { file: 'broken.txt', render() { throw new Error('mine is\\nbroken'); } };`,
  );
  return { mine, broken };
}

/** A run that fails, with every report. */
async function failingRun(
  ...args: string[]
): Promise<{ out: string; code: number; stdout: string; lines: readonly string[] }> {
  const out = join(temporaryFolder(), 'out');
  const deployment = smallDeployment();
  const site = await wrongSite(deployment, (index) => {
    index.name = 5;
  });
  const about = [
    '--target',
    site.url,
    '--deployment',
    deployment,
    '--only',
    'index/**',
    'posts.list/per_page/**',
  ];
  return { out, ...(await tryMain('run', '--out', out, ...about, ...args)) };
}

function cutEvents(out: string, change: (lines: string[]) => string[]): string {
  const died = temporaryFolder();
  const lines = readFileSync(join(out, 'events.ndjson'), 'utf8').split('\n');
  writeFileSync(join(died, 'events.ndjson'), change(lines).join('\n'));
  return died;
}

describe('report', PATIENT, () => {
  it('makes every report of a run again from its events, to the byte, and ends as the run did', async () => {
    const { out, code } = await failingRun(...ALL.flatMap((name) => ['--reporter', name]));
    const again = join(temporaryFolder(), 'again');
    const trial = await tryMain(
      'report',
      out,
      '--out',
      again,
      ...ALL.flatMap((name) => ['--reporter', name]),
    );

    expect([code, trial.code]).toEqual([1, 1]);
    expect(readdirSync(again).toSorted()).toEqual(FILES.toSorted());
    for (const file of FILES) {
      expect([file, readFileSync(join(again, file)).equals(readFileSync(join(out, file)))]).toEqual([
        file,
        true,
      ]);
    }
    expect(trial.stdout).toContain('index/name/type');
  });

  it('reports a run that died as interrupted, with what it had learned', async () => {
    const { out } = await failingRun('--skip', 'index/name/**');
    const died = cutEvents(out, (lines) => [...lines.slice(0, 30), '{"event":"che']);
    const { code, stdout } = await tryMain('report', died, '--reporter', 'sarif', '--reporter', 'junit');
    const result: RunResult = JSON.parse(readFileSync(join(died, 'results.json'), 'utf8'));

    expect(code).toBe(3);
    expect(result).toMatchObject({ conclusion: 'inconclusive', run: { ended: 'interrupted' } });
    expect(result.checks).toHaveLength(29);
    expect(readFileSync(join(died, 'junit.xml'), 'utf8')).toContain('type="inconclusive"');
    expect(
      JSON.parse(readFileSync(join(died, 'results.sarif'), 'utf8')).runs[0].invocations[0].exitCode,
    ).toBe(3);
    expect(stdout).toContain('INCONCLUSIVE');
  });

  it('makes the reports of each deployment of a run of several', async () => {
    const { out } = await failingRun();
    const both = temporaryFolder();
    for (const part of ['a', 'b']) {
      mkdirSync(join(both, part));
      writeFileSync(join(both, part, 'events.ndjson'), readFileSync(join(out, 'events.ndjson')));
    }
    const { code } = await tryMain('report', both, '--reporter', 'badge');

    expect(code).toBe(1);
    expect(['a', 'b'].map((part) => existsSync(join(both, part, 'badge.json')))).toEqual([true, true]);
  });

  it.each<[string, (folder: string) => void, string[], RegExp]>([
    [
      'a folder without events',
      () => undefined,
      [],
      /has no events\.ndjson: expected the folder for reports of a run/,
    ],
    [
      'events that are none',
      (folder) => writeFileSync(join(folder, 'events.ndjson'), '{}\n{}\n'),
      [],
      /events\.ndjson, line 1: not a known event/,
    ],
    [
      'exchanges that were not recorded',
      (folder) => writeFileSync(join(folder, 'events.ndjson'), ''),
      ['--reporter', 'har'],
      /has no exchanges\.ndjson: the exchanges are recorded only where a run is asked for them \(--har\)/,
    ],
  ])('refuses %s in one line, and writes nothing', async (_what, prepare, args, line) => {
    const folder = temporaryFolder();
    prepare(folder);
    const before = readdirSync(folder);
    const { code, lines } = await tryMain('report', folder, ...args);

    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe('a reporter', PATIENT, () => {
  it('of the user hears every event and makes its report, also from events alone', async () => {
    const { mine } = ownReporters();
    const { out } = await failingRun('--reporter', mine);
    const live = readFileSync(join(out, 'mine.txt'), 'utf8');
    await tryMain('report', out, '--reporter', mine);

    expect(live).toMatch(/^start (notice )*(check )+end \d+$/);
    expect(readFileSync(join(out, 'mine.txt'), 'utf8')).toBe(live);
    expect(existsSync(join(out, 'junit.xml'))).toBe(false);
  });

  it('that fails is told in one line, loses no other report, and ends the run with 4', async () => {
    const { broken } = ownReporters();
    const { out, code, lines } = await failingRun('--reporter', broken, '--reporter', 'junit');

    expect(lines).toContainEqual(
      `site-conformance: the reporter ${broken} failed, the other reports are made (mine is\\nbroken)`,
    );
    expect(code).toBe(4);
    expect(existsSync(join(out, 'junit.xml'))).toBe(true);
    expect(existsSync(join(out, 'results.json'))).toBe(true);
  });

  it('on standard output leaves nothing else there', async () => {
    const { code, stdout, lines } = await failingRun('--reporter', 'sarif=-');

    expect(code).toBe(1);
    expect(JSON.parse(stdout).version).toBe('2.1.0');
    expect(lines.join('\n')).toContain('NONCONFORMANT');
  });

  it('writes the report of a run that could not begin', async () => {
    const out = join(temporaryFolder(), 'out');
    const file = join(temporaryFolder(), 'deep', 'x.sarif');
    const { code } = await tryMain(
      'run',
      '--target',
      'http://127.0.0.1:9',
      '--out',
      out,
      '--reporter',
      `sarif=${file}`,
    );

    expect(code).toBe(3);
    expect(JSON.parse(readFileSync(file, 'utf8')).runs[0].properties.conclusion).toBe('inconclusive');
  });
});
