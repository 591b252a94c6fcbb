import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { phpEnvironment } from './run-tool.ts';
import { UserError } from './site-context.ts';
import { freePort } from './start-site.ts';

describe('freePort', () => {
  it('gives a port that can be listened on, and the same one when asked for it', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    await expect(freePort(port)).rejects.toThrow(UserError);
    server.close();
    await once(server, 'close');
    expect(await freePort(port)).toBe(port);
  });
});

describe('phpEnvironment', () => {
  it('keeps the way to PHP and none of the secrets and proxies of the caller', () => {
    vi.stubEnv('PATH', '/opt/php/bin');
    vi.stubEnv('SITE_CONFORMANCE_PASSWORD', 'secret');
    vi.stubEnv('http_proxy', 'http://proxy.example');
    vi.stubEnv('HOME', '/home/someone');
    const environment = phpEnvironment('/var/tmp/site');
    expect(environment).toMatchObject({ PATH: '/opt/php/bin', HOME: '/var/tmp/site' });
    expect(Object.keys(environment)).not.toContain('SITE_CONFORMANCE_PASSWORD');
    expect(Object.keys(environment)).not.toContain('http_proxy');
  });
});
