import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderJunit } from './render-junit.ts';
import { sampleCheck, sampleResult } from './result.fixture.ts';
import { summarise } from './summarise.ts';
import { writeReports } from './write-reports.ts';
import { writeSummary } from './write-summary.ts';

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reports-'));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

it('writes the result and the JUnit report into the folder and says where they are', () => {
  const result = sampleResult([sampleCheck({ verdict: 'fail', message: '\ud800 \u001b' })]);
  const folder = join(dir, 'a');

  const reports = writeReports(folder, result);

  expect(reports).toEqual([
    { label: 'results', path: join(folder, 'results.json') },
    { label: 'JUnit', path: join(folder, 'junit.xml') },
  ]);
  const text = readFileSync(join(folder, 'results.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(result);
  expect(text.startsWith('{\n  "format": 1,\n')).toBe(true);
  expect(text.endsWith('\n}\n')).toBe(true);
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toBe(renderJunit(result));
});

it('writes the summary beside the folders', () => {
  const summary = summarise([{ folder: 'a', result: sampleResult([sampleCheck({})]) }]);

  expect(writeSummary(dir, summary)).toEqual({ label: 'summary', path: join(dir, 'summary.json') });
  expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toEqual(summary);
});
