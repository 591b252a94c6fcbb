import { describe, expect, it } from 'vitest';
import { renderDropIn } from './render-drop-in.ts';

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
