import { afterEach, expect, it, vi } from 'vitest';
import { phpEnvironment } from './run-tool.ts';

afterEach(() => vi.unstubAllEnvs());

it('the environment of PHP has the way to PHP and none of the secrets and proxies of the caller', () => {
  vi.stubEnv('PATH', '/opt/php/bin');
  vi.stubEnv('SITE_CONFORMANCE_PASSWORD', 'secret');
  vi.stubEnv('http_proxy', 'http://proxy.example');
  vi.stubEnv('HOME', '/home/someone');
  const environment = phpEnvironment('/var/tmp/site');
  expect(environment).toMatchObject({ PATH: '/opt/php/bin', HOME: '/var/tmp/site' });
  expect(Object.keys(environment)).not.toContain('SITE_CONFORMANCE_PASSWORD');
  expect(Object.keys(environment)).not.toContain('http_proxy');
});
