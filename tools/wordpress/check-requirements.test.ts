import { describe, expect, it } from 'vitest';
import { missingExtensions } from './check-requirements.ts';

describe('missingExtensions', () => {
  it('finds nothing missing in a full listing, whatever the letter case', () => {
    const listing = '[PHP Modules]\ncurl\ndom\nGD\nmbstring\npdo_sqlite\nSimpleXML\n\n[Zend Modules]\n';
    expect(missingExtensions(listing)).toEqual({ extensions: [], packages: [] });
  });

  it('names each missing extension, and each package once', () => {
    expect(missingExtensions('[PHP Modules]\ncurl\nmbstring\nPDO\nsqlite3\ngd')).toEqual({
      extensions: ['pdo_sqlite', 'dom', 'SimpleXML'],
      packages: ['php-sqlite3', 'php-xml'],
    });
  });

  it('asks for the extension of zips where a version comes as one', () => {
    const listing = 'curl\ndom\ngd\nmbstring\npdo_sqlite\nSimpleXML';
    expect(missingExtensions(listing, true)).toEqual({ extensions: ['zip'], packages: ['php-zip'] });
    expect(missingExtensions(listing)).toEqual({ extensions: [], packages: [] });
  });
});
