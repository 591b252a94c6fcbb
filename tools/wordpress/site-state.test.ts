import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { UsageError } from '../../specs/validators.ts';
import { readState, type SiteState, writeState } from './site-state.ts';

const state: SiteState = {
  url: 'http://127.0.0.1:8080',
  port: 8080,
  user: 'someone',
  password: 'abcd',
  version: '7.1.1',
  processGroup: 4711,
  folder: '/var/tmp/site-conformance-wordpress-x1',
};

describe('state file', () => {
  let root = '';
  beforeEach(() => {
    root = testFolder();
  });

  it('comes back as it was written, from a folder that did not exist', async () => {
    const file = join(root, 'cache', 'state.json');
    await writeState(file, state);
    expect(await readState(file)).toEqual(state);
  });

  it('is readable for its owner only, even in place of a readable file', async () => {
    const file = join(root, 'state.json');
    await writeFile(file, 'old', { mode: 0o644 });
    await writeState(file, state);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is undefined when absent', async () => {
    expect(await readState(join(root, 'none.json'))).toBeUndefined();
  });

  it.each([
    ['text that is not JSON', 'x'],
    ['null', 'null'],
    ['a missing member', JSON.stringify({ ...state, password: undefined })],
    ['a process group that would mean every process', JSON.stringify({ ...state, processGroup: 1 })],
    ['our own process group', JSON.stringify({ ...state, processGroup: 0 })],
    ['a fraction as a process group', JSON.stringify({ ...state, processGroup: 2.5 })],
    ['a folder that no site has', JSON.stringify({ ...state, folder: '/home/someone' })],
    ['a way out of the folder', JSON.stringify({ ...state, folder: `${state.folder}/..` })],
    ['a relative folder', JSON.stringify({ ...state, folder: 'site-conformance-wordpress-x1' })],
  ])('is refused where it is %s', async (_, text) => {
    const file = join(root, 'other.json');
    await writeFile(file, text);
    await expect(readState(file)).rejects.toThrow(UsageError);
  });
});
