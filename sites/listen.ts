import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

/** A server that listens on loopback. */
export interface Listening {
  readonly url: string;
  /** Stops listening and closes every connection, even those that left HTTP. May be called again. */
  close(): Promise<void>;
}

/** Starts a server on loopback. @param port 0 for a free one @throws Error if the port is taken */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    // A client that disconnects during an answer must not end this process.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  let closed: Promise<unknown> | undefined;
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      if (closed === undefined) {
        closed = once(server, 'close');
        server.close();
        for (const socket of sockets) socket.destroy();
      }
      await closed;
    },
  };
}
