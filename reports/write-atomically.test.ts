import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomically } from './write-atomically.ts';

describe('writeAtomically', () => {
  let dir = '';

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'reports-'));
  });

  afterEach(() => {
    rmSync(dir, { recursive: true });
  });

  it('makes the folder, takes the place of an earlier file and leaves nothing else behind', () => {
    const path = join(dir, 'a', 'b', 'file.txt');
    writeAtomically(path, 'earlier and longer');
    writeAtomically(path, 'later');

    expect(readFileSync(path, 'utf8')).toBe('later');
    expect(readdirSync(join(dir, 'a', 'b'))).toEqual(['file.txt']);
  });

  it('leaves no temporary file behind when it fails', () => {
    mkdirSync(join(dir, 'taken', 'full'), { recursive: true });

    expect(() => writeAtomically(join(dir, 'taken'), 'text')).toThrow();
    expect(readdirSync(dir)).toEqual(['taken']);
  });
});
