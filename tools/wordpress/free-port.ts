import { once } from 'node:events';
import { createServer } from 'node:net';
import { UserError } from './user-error.ts';

/**
 * A port of the loopback interface that nothing listens on at this moment: `wanted`, or any by default. Throws
 * UserError when the wanted one is taken or not allowed, because another server would answer in the site's place.
 */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(`port ${wanted}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}
