import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { openOutFolder } from './out-folder.ts';

const START = '{"event":"start","tool":{"name":"site-conformance","version":"0.1.0"}}\n';

describe('openOutFolder', () => {
  it('makes a folder with its parents, and removes them again if nothing was written', () => {
    const base = testFolder();
    const out = openOutFolder(join(base, 'one', 'two'), []);

    expect(readdirSync(base, { recursive: true })).toEqual(['one', join('one', 'two')]);
    out[Symbol.dispose]();
    expect(readdirSync(base)).toEqual([]);
  });

  it('removes nothing with a report', () => {
    const base = testFolder();
    const out = openOutFolder(join(base, 'one'), []);
    writeFileSync(join(base, 'one', 'events.ndjson'), START);
    out[Symbol.dispose]();

    expect(existsSync(join(base, 'one', 'events.ndjson'))).toBe(true);
  });

  it('clears the files of an earlier run, and nothing else', () => {
    const started = ['events.ndjson', 'a/events.ndjson', 'b/events.ndjson', 'monday/events.ndjson'];
    const others = ['results.json', 'junit.xml', 'index.json', 'summary.json', 'allure-report/index.html'];
    const below = ['a/results.json', 'b/notes.txt', 'core/results.json', 'notes.txt'];
    const base = testFolder({
      ...Object.fromEntries(started.map((name) => [name, START])),
      ...Object.fromEntries([...others, ...below].map((name) => [name, 'text'])),
    });
    openOutFolder(base, []).clear();

    expect(readdirSync(base, { recursive: true }).toSorted()).toEqual(
      ['b', 'b/notes.txt', 'core', 'core/results.json', 'monday', 'monday/events.ndjson', 'notes.txt'].map(
        (path) => join(...path.split('/')),
      ),
    );
  });

  it.each([
    ['results.json', []],
    ['allure-results/mine.json', []],
    ['a/junit.xml', ['a', 'b']],
    ['summary.json', ['a', 'b']],
  ])('refuses to replace %s that no run wrote', (path, parts) => {
    const base = testFolder({ [path]: 'text' });

    expect(() => openOutFolder(base, parts)).toThrow(/is there, and no run of this suite wrote it/);
    expect(readFileSync(join(base, path), 'utf8')).toBe('text');
  });

  const SUMMARY = JSON.stringify({ format: 1, conclusion: 'inconclusive', deployments: [] });
  const RESULTS = JSON.stringify({ format: 1, tool: { name: 'site-conformance' } }, undefined, 2);
  const STATES: readonly [state: string, files: Readonly<Record<string, string>>][] = [
    ['ended before its first event', { 'events.ndjson': '' }],
    ['ended within its first event', { 'events.ndjson': START.slice(0, 30), 'index.json': '{}' }],
    ['was being cleared away: the parts are gone', { 'summary.json': SUMMARY }],
    ['was followed by one that failed', { 'summary.json': SUMMARY, 'events.ndjson': START }],
    [
      'ended while it wrote',
      {
        'a/events.ndjson': START,
        'a/.results.json.71.tmp': '{',
        '.summary.json.72.tmp': '{',
        'b/events.ndjson': '',
      },
    ],
    ['was reported into another folder', { 'results.json': RESULTS, 'junit.xml': '<x/>' }],
    ['of several was reported into another folder', { 'a/results.json': RESULTS, 'a/junit.xml': '<x/>' }],
  ];

  it.each(STATES)('takes up, and empties, the folder of a run that %s', (_, files) => {
    for (const parts of [[], ['a', 'b']]) {
      const base = testFolder(files);
      openOutFolder(base, parts).clear();

      expect(readdirSync(base, { recursive: true })).toEqual([]);
    }
  });

  it('does not fail if the folder is gone meanwhile', () => {
    const base = testFolder();
    const out = openOutFolder(join(base, 'out'), []);
    out[Symbol.dispose]();

    expect(() => out.clear()).not.toThrow();
  });

  it('refuses the summary of another program', () => {
    const base = testFolder({ 'summary.json': '{"format":1,"total":3}' });

    expect(() => openOutFolder(base, ['a', 'b'])).toThrow(/summary\.json is there, and no run/);
  });

  // The recursive mkdir of Node never returns there.
  it.runIf(existsSync('/proc/self'))('ends on a file system that takes no folders', () => {
    expect(() => openOutFolder('/proc/none/out', [])).toThrow(
      /^--out \/proc\/none\/out: reports cannot be written/,
    );
  });
});
