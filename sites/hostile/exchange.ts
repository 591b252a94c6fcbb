import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ForwardedAnswer, forward } from './forward.ts';
import { routeOf, type Seen } from './request-log.ts';
import type { Stage } from './stage.ts';

/** One request at a hostile server, and the ways to answer it. */
export class Exchange {
  readonly seen: Seen;
  /** The value of `rest_route`. */
  readonly route: string;
  /** 1 for the first request of the run. */
  readonly nth: number;
  readonly stage: Stage;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;

  constructor(
    seen: Seen,
    nth: number,
    stage: Stage,
    http: { message: IncomingMessage; response: ServerResponse },
  ) {
    this.seen = seen;
    this.route = routeOf(seen);
    this.nth = nth;
    this.stage = stage;
    this.message = http.message;
    this.response = http.response;
  }

  /** The answer of the healthy site to this request, or to one that differs from it. */
  forward(changes: Partial<Seen> = {}): Promise<ForwardedAnswer> {
    return forward(this.stage, { ...this.seen, ...changes });
  }

  /** Answers as the healthy site does. */
  async pass(): Promise<void> {
    this.send(await this.forward());
  }

  /** Answers. */
  send({ status, headers, body }: ForwardedAnswer): void {
    this.response.writeHead(status, headers);
    this.response.end(this.seen.method === 'HEAD' ? undefined : body);
  }

  /** Answers with a JSON text, or a value. */
  json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    this.send({ status, headers: { 'content-type': 'application/json', ...headers }, body });
  }

  /** Writes bytes past HTTP, and closes the connection unless told to keep it. */
  raw(text: string | Buffer, keep: 'keep' | 'close' = 'close'): void {
    const { socket } = this.message;
    const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
    if (keep === 'keep') socket.write(bytes);
    else socket.end(bytes);
  }
}
