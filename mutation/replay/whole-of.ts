import type { IncomingMessage } from 'node:http';

/** The whole body of a request or an answer. */
export async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
