import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from './free-port.ts';
import { UserError } from './user-error.ts';

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
