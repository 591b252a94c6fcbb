import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder } from './site-context.ts';

describe('cacheFolder', () => {
  it('is .cache beside package.json', () => {
    const folder = cacheFolder({});
    expect(folder.endsWith('.cache')).toBe(true);
    expect(existsSync(join(dirname(folder), 'package.json'))).toBe(true);
  });

  it('is what the environment says, made absolute', () => {
    expect(cacheFolder({ SITE_CONFORMANCE_CACHE: '/var/cache/x' })).toBe('/var/cache/x');
    expect(cacheFolder({ SITE_CONFORMANCE_CACHE: 'elsewhere' })).toBe(resolve('elsewhere'));
  });

  it('takes an empty value for none', () => {
    expect(cacheFolder({ SITE_CONFORMANCE_CACHE: '' })).toBe(cacheFolder({}));
  });
});
