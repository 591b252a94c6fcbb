import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { buildOnce } from './prepare-site.ts';

describe('buildOnce', () => {
  it('fills the folder the first time only', async () => {
    const root = testFolder();
    const folder = join(root, 'deep', 'cache');
    await buildOnce(folder, (draft) => writeFile(join(draft, 'a'), 'first'));
    await buildOnce(folder, (draft) => writeFile(join(draft, 'a'), 'second'));
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('first');
  });

  it('leaves nothing behind when filling fails, so that the next run starts anew', async () => {
    const root = testFolder();
    const folder = join(root, 'cache');
    const failing = buildOnce(folder, async (draft) => {
      await writeFile(join(draft, 'half'), '');
      throw new Error('broken off');
    });
    await expect(failing).rejects.toThrow('broken off');
    expect(await readdir(root)).toEqual([]);
  });

  it('keeps one result of two runs at once, and no draft', async () => {
    const root = testFolder();
    const folder = join(root, 'cache');
    const fill = (draft: string): Promise<void> => writeFile(join(draft, 'a'), 'x');
    await Promise.all([buildOnce(folder, fill), buildOnce(folder, fill)]);
    expect(await readdir(root)).toEqual(['cache']);
    expect(await readdir(folder)).toEqual(['a']);
  });
});
