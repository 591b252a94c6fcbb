import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adaptDriver } from './adapt-driver.ts';

describe('adaptDriver', () => {
  let root = '';
  let file = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'adapt-driver-'));
    await mkdir(join(root, 'wp-includes', 'sqlite'), { recursive: true });
    file = join(root, 'wp-includes', 'sqlite', 'class-wp-sqlite-db.php');
  });
  afterEach(() => rm(root, { recursive: true }));

  it('opens that one property', async () => {
    await writeFile(file, 'private $other;\nprivate $allow_unsafe_unquoted_parameters = true;\n');
    await adaptDriver(root);
    expect(await readFile(file, 'utf8')).toBe(
      'private $other;\npublic $allow_unsafe_unquoted_parameters = true;\n',
    );
  });

  it('refuses a driver that does not have it', async () => {
    await writeFile(file, 'private $other;\n');
    await expect(adaptDriver(root)).rejects.toThrow('no longer has');
  });
});
