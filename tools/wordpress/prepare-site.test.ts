import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adaptDriver, renderDropIn } from './prepare-site.ts';

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

const template = `$path = '{SQLITE_IMPLEMENTATION_FOLDER_PATH}';
if ( is_plugin_inactive( '{SQLITE_PLUGIN}' ) ) { activate_plugin( '{SQLITE_PLUGIN}' ); }`;

describe('renderDropIn', () => {
  it('replaces every placeholder', () => {
    expect(renderDropIn(template, '/srv/driver')).toBe(`$path = '/srv/driver';
if ( is_plugin_inactive( 'sqlite-database-integration/load.php' ) ) { activate_plugin( 'sqlite-database-integration/load.php' ); }`);
  });

  it('keeps a path with quotes and dollars one PHP string', () => {
    expect(renderDropIn(template, "/a'b\\c$&")).toContain("$path = '/a\\'b\\\\c$&';");
  });

  it('refuses a driver whose template has changed', () => {
    expect(() => renderDropIn(template.replaceAll('{SQLITE_PLUGIN}', 'x'), '/srv')).toThrow(
      '{SQLITE_PLUGIN}',
    );
  });
});
