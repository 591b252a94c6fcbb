import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleCheck } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { wrongSite } from '../run/wrong-site.fixture.ts';
import { resultIn, type TriedMain, testFile, tryMain } from '../try-main.fixture.ts';

const PATIENT = { timeout: 60_000 };
/** All but Allure, whose page takes a minute. */
const ALL = ['junit', 'sarif', 'markdown', 'badge', 'terminal', 'har'];
const FILES = [
  ...['junit.xml', 'results.sarif', 'report.md', 'badge.json', 'report.txt', 'exchanges.har'],
  'results.json',
];

function ownReporters(): { mine: string; broken: string } {
  const mine = testFile(
    'mine.ts',
    `const heard: string[] = [];
    export default {
      name: 'mine',
      file: 'mine.txt',
      onEvent(event: { event: string }) { heard.push(event.event); },
      render: (result: { checks: unknown[] }) => heard.splice(0).join(' ') + ' ' + result.checks.length,
    };`,
  );
  const broken = testFile(
    'broken.mjs',
    `export default { file: 'x.txt', render() { throw new Error('mine is\\nbroken'); } };`,
  );
  return { mine, broken };
}

interface Run extends Omit<TriedMain, 'left'> {
  readonly out: string;
}

async function failingRun(...args: string[]): Promise<Run> {
  const out = join(testFolder(), 'out');
  const deployment = smallDeployment();
  const site = await wrongSite(deployment, (index) => {
    index.name = 5;
  });
  const about = ['--target', site.url, '--deployment', deployment, '--only', 'index/**', 'cms.root/**'];
  return { out, ...(await tryMain('run', '--out', out, ...about, ...args)) };
}

function named(...names: string[]): string[] {
  return names.flatMap((name) => ['--reporter', name]);
}

it(
  'makes every report of a run again from its events, to the byte, and loses none to one that fails',
  PATIENT,
  async () => {
    const { mine, broken } = ownReporters();
    const { out, code, lines } = await failingRun(...named(...ALL, mine, broken));
    const again = join(testFolder(), 'again');
    const trial = await tryMain('report', out, '--out', again, ...named(...ALL, mine));
    const files = [...FILES, 'mine.txt'];

    expect(lines).toContainEqual(
      `site-conformance: the reporter ${broken} failed, the other reports are made (mine is\\nbroken)`,
    );
    // A missing report is a fault of the suite. Made again without it, the exit code is that of the checks.
    expect([code, trial.code]).toEqual([4, 1]);
    expect(readdirSync(again).toSorted()).toEqual(files.toSorted());
    for (const file of files) {
      const same = readFileSync(join(again, file)).equals(readFileSync(join(out, file)));
      expect([file, same]).toEqual([file, true]);
    }
    expect(readFileSync(join(out, 'mine.txt'), 'utf8')).toMatch(
      /^start (notice )*(check )+observed end \d+$/,
    );
    expect(trial.stdout).toContain('index/name/type');
  },
);

it('puts a report on standard output, and nothing else', PATIENT, async () => {
  const { code, stdout, lines, out } = await failingRun(...named('sarif=-'));

  expect(code).toBe(1);
  expect(JSON.parse(stdout).version).toBe('2.1.0');
  expect(lines.join('\n')).toContain('NOT CONFORMANT');
  expect(existsSync(join(out, 'junit.xml'))).toBe(false);
});

it('prints the text of an issue about what a check found, and writes nothing', PATIENT, async () => {
  const { out } = await failingRun();
  const before = readdirSync(out);
  const { code, stdout } = await tryMain('report', out, '--upstream', 'index/name/type');
  const passed = await tryMain('report', out, '--upstream', 'index/name/present');
  const unknown = await tryMain('report', out, '--upstream', 'no/such');
  const file = await tryMain('report', join(out, 'results.json'), '--upstream', 'index/name/type');

  expect(code).toBe(0);
  expect(stdout).toMatch(/^# /);
  expect(stdout).toContain('https://site.example');
  expect(stdout).not.toContain('127.0.0.1');
  expect(readdirSync(out)).toEqual(before);
  expect([passed.code, passed.lines.join()]).toEqual([2, expect.stringContaining('its verdict is pass')]);
  expect([unknown.code, unknown.lines.join()]).toEqual([2, expect.stringContaining('is called no/such')]);
  expect([file.code, file.lines.join()]).toEqual([2, expect.stringContaining('expected the folder')]);
});

describe('report', () => {
  const START = {
    event: 'start',
    tool: { name: 'site-conformance', version: '1', contract: '' },
    target: { url: 'http://127.0.0.1/', deployment: 'a', vocabulary: 'neutral', index: '' },
    run: { id: '1', started: '2025-03-04T05:06:07.000Z', mode: 'read', seed: 1 },
    planned: 0,
  };
  const END = { event: 'end', conclusion: 'conformant', reason: 'r', seconds: 1, requests: 1, retries: 0 };
  const EVENTS = `${JSON.stringify(START)}\n${JSON.stringify(END)}\n`;

  it('reports a run that died as interrupted, with its results so far', async () => {
    const check = JSON.stringify({ event: 'check', at: 0, check: sampleCheck({}) });
    const folder = testFolder({
      'events.ndjson': `${JSON.stringify({ ...START, planned: 2 })}\n${check}\n{"event":"che`,
    });
    const { code, stdout } = await tryMain('report', folder, ...named('sarif', 'junit'));
    const result = resultIn(folder);
    const [{ invocations }] = JSON.parse(readFileSync(join(folder, 'results.sarif'), 'utf8')).runs;

    expect(code).toBe(3);
    expect(result).toMatchObject({
      conclusion: 'inconclusive',
      run: { ended: 'interrupted' },
      checks: [sampleCheck({})],
      partial: { planned: 2, asked: 1 },
    });
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('type="inconclusive"');
    expect(invocations[0].exitCode).toBe(3);
    expect(stdout).toContain('INCONCLUSIVE');
  });

  it('makes the reports of each deployment of a run of several', async () => {
    const both = testFolder({ 'a/events.ndjson': EVENTS, 'b/events.ndjson': EVENTS });
    const { code } = await tryMain('report', both, ...named('badge'));

    expect(code).toBe(0);
    expect(['a', 'b'].map((part) => existsSync(join(both, part, 'badge.json')))).toEqual([true, true]);
  });

  it('reports that a reporter of the user made nothing', async () => {
    const folder = testFolder({ 'events.ndjson': EVENTS });
    const empty = testFile('empty.js', "export default { file: 'empty.txt', render() {} };");
    const { code, lines } = await tryMain('report', folder, ...named(empty));

    expect(lines).toEqual([
      expect.stringContaining('(render returned neither a text nor bytes nor parts of a text)'),
    ]);
    expect(code).toBe(4);
  });

  it('does not touch a folder that a run writes to, or that is not writable', async () => {
    const holder = { pid: process.ppid, host: hostname(), started: '2025-03-04T05:06:07.000Z' };
    const folder = testFolder({ 'events.ndjson': EVENTS, '.site-conformance.lock': holder });
    const before = readdirSync(folder);
    const busy = await tryMain('report', folder);
    const file = await tryMain('report', folder, '--out', join(folder, 'events.ndjson'));

    expect(busy.lines).toEqual([expect.stringContaining('writes its reports there: wait for it')]);
    expect(file.lines).toEqual([expect.stringMatching(/reports cannot be written to .*events\.ndjson/)]);
    expect([busy.code, file.code, readdirSync(folder)]).toEqual([2, 2, before]);
  });

  it.each<[string, string | undefined, string[], RegExp]>([
    ['an empty folder', undefined, [], /has no events\.ndjson: expected the folder for reports of a run/],
    ['events that are none', '{}\n{}\n', [], /events\.ndjson, line 1: not a known event/],
    [
      'exchanges that were not recorded',
      EVENTS,
      named('har'),
      /has no exchanges\.ndjson: the exchanges are recorded only where a run is asked for them \(--har\)/,
    ],
  ])('refuses %s in one line, and writes nothing', async (_what, events, args, line) => {
    const folder = testFolder(events === undefined ? {} : { 'events.ndjson': events });
    const before = readdirSync(folder);
    const { code, lines } = await tryMain('report', folder, ...args);

    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual(before);
  });
});

it('writes the report of a run that could not begin', async () => {
  const out = join(testFolder(), 'out');
  const file = join(testFolder(), 'deep', 'x.sarif');
  const target = ['--target', 'http://127.0.0.1:9', '--out', out];
  const { code } = await tryMain('run', ...target, ...named(`sarif=${file}`));

  expect(code).toBe(3);
  const [{ properties }] = JSON.parse(readFileSync(file, 'utf8')).runs;
  expect(properties.conclusion).toBe('inconclusive');
});
