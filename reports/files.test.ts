import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { summarise } from '../engine/conclusion.ts';
import { sampleCheck, sampleResult } from '../engine/result.fixture.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { jsonText, writeAtomically, writeSummary } from './files.ts';

let dir = '';

beforeEach(() => {
  dir = testFolder();
});

it('jsonText holds no half of a surrogate pair, which strict readers refuse', () => {
  const text = jsonText({ cut: '𝒜'.slice(0, 1), whole: '𝒜', spelled: '\\ud835' });

  expect(JSON.parse(text)).toEqual({ cut: '\ufffd', whole: '𝒜', spelled: '\\ud835' });
  expect(text).toContain('"spelled": "\\\\ud835"');
});

describe('writeAtomically', () => {
  it('makes the folder, replaces an earlier file and leaves nothing else behind', () => {
    const path = join(dir, 'a', 'b', 'file.txt');
    writeAtomically(path, 'earlier and longer');
    writeAtomically(path, 'later');

    expect(readFileSync(path, 'utf8')).toBe('later');
    expect(readdirSync(join(dir, 'a', 'b'))).toEqual(['file.txt']);
  });

  it('writes a text that comes in parts', () => {
    const path = join(dir, 'parts.txt');
    writeAtomically(path, new Set(['one\n', 'two\n']));

    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(dir)).toEqual(['parts.txt']);
  });

  it('leaves no temporary file behind when it fails', () => {
    mkdirSync(join(dir, 'taken', 'full'), { recursive: true });

    expect(() => writeAtomically(join(dir, 'taken'), 'text')).toThrow();
    expect(readdirSync(dir)).toEqual(['taken']);
  });
});

it('writes the summary beside the folders', () => {
  const summary = summarise([{ folder: 'a', result: sampleResult([sampleCheck({})]) }]);

  expect(writeSummary(dir, summary)).toEqual({ label: 'summary', path: join(dir, 'summary.json') });
  expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toEqual(summary);
});
