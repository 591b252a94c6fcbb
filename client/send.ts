import { AssertionError } from 'node:assert';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Agent, Dispatcher } from 'undici';
import type { QueryPair } from './address.ts';
import { isSafe, type WireRequest } from './mode.ts';
import type { RequestBody } from './observation.ts';
import { codeOf, TargetError } from './target-error.ts';

const load: NodeJS.Require = createRequire(import.meta.url);

/** The HTTP library, loaded with the first client, because many commands send nothing. */
function undici(): typeof import('undici') {
  return load('undici');
}

/** Bounds of one exchange: `seconds` from the first byte sent to the last one received, and `bytes` of body. */
interface Bounds {
  readonly seconds: number;
  readonly bytes: number;
  /** Ends the exchange early, with its reason as the error. */
  readonly signal?: AbortSignal;
}

/** A raw answer with its whole body. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The connections to a target: a pool of them, and others for a single request each. */
export class Connections {
  readonly #pool: Agent;
  readonly #single: Agent;
  /** Whether the server was seen to close a kept connection, which may happen under any later request. */
  #isForgetful = false;
  /** Whether connections are kept: not once kept ones took the turn of others, as servers of few connections do. */
  #keeps = true;
  readonly #most: number;
  #answered = 0;
  #overtaken = 0;

  constructor(given: {
    readonly concurrency: number;
    readonly timeout: number;
    readonly insecure?: boolean | undefined;
  }) {
    const options: Agent.Options = {
      connections: given.concurrency,
      // Our own bound covers the whole exchange, and excludes time when nobody listened.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: milliseconds(Math.min(given.timeout, 10)),
        rejectUnauthorized: given.insecure !== true,
      },
    };
    this.#most = given.concurrency;
    const { Agent } = undici();
    this.#pool = new Agent(options);
    this.#single = new Agent({ ...options, pipelining: 0 });
  }

  /**
   * Sends one request and reads the whole answer. @param single whether the connection carries it alone, so that it
   * cannot break because of an earlier one; so go all writes, which cannot be repeated, after one that broke like that
   * @throws TargetError `timeout`, `too-large` or `network`
   * @throws StaleConnection if a connection of the pool was closed before the request
   */
  async send(request: WireRequest, bounds: Bounds, single: boolean): Promise<RawAnswer> {
    const url = new URL(request.url);
    const isSingle = single || !this.#keeps || (this.#isForgetful && !isSafe(request.method));
    const { signal } = bounds;
    signal?.throwIfAborted();
    const dispatcher = isSingle ? this.#single : this.#pool;
    const exchange = new Exchange(url.host, bounds.bytes);
    const stopTimer = afterListening(milliseconds(bounds.seconds), exchange.timeOut);
    const stopWatch = isSingle ? undefined : this.#watch(exchange, bounds.seconds);
    const end = (): void => exchange.end(signal?.reason);
    signal?.addEventListener('abort', end);
    try {
      const { url: _, ...rest } = request;
      dispatcher.dispatch({ ...rest, origin: url.origin, path: url.pathname + url.search }, exchange);
      const { status, headers, body } = await exchange.answer;
      this.#answered += 1;
      return { status, headers, body: decode(body, headers['content-encoding'], bounds.bytes, url.host) };
    } catch (error) {
      if (error instanceof TargetError) throw error;
      if (signal?.aborted === true) throw signal.reason;
      if (!(isSingle || exchange.begun) && isStale(error)) {
        this.#isForgetful = true;
        throw new StaleConnection(url.host);
      }
      throw asTargetError(error, url, exchange, bounds);
    } finally {
      stopTimer();
      stopWatch?.();
      signal?.removeEventListener('abort', end);
    }
  }

  /**
   * Ends the keeping of connections if many other exchanges end while half of all wait: one that waits alone may be slow.
   * @returns a function that stops it
   */
  #watch(exchange: Exchange, seconds: number): () => void {
    const before = this.#answered;
    let isOvertaken = false;
    const stop = afterListening(milliseconds(seconds * STARVING), () => {
      isOvertaken = !exchange.begun && this.#answered - before >= OVERTAKEN;
      if (isOvertaken) this.#overtaken += 1;
      if (!this.#keeps || this.#overtaken * 2 < this.#most) return;
      this.#keeps = false;
      // Idle connections are closed at once; those that wait for an answer get it.
      void this.#pool.close();
    });
    return () => {
      stop();
      if (isOvertaken) this.#overtaken -= 1;
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#single.destroy()]);
  }
}

/** The share of the time limit, and the answers to others in it, after which a request waits for a connection. */
const STARVING = 1 / 6;
const OVERTAKEN = 20;

/** Milliseconds that a timer may be late although this process was not busy. */
const LATE = 50;

/** Calls back after a time in which answers could be received. @returns a function that cancels the timer */
function afterListening(time: number, done: () => void): () => void {
  const wait = (left: number): NodeJS.Timeout => {
    const due = performance.now() + left;
    return setTimeout(() => {
      const late = performance.now() - due;
      if (late < LATE) done();
      else timer = wait(Math.min(late, time));
    }, left).unref();
  };
  let timer = wait(time);
  return () => clearTimeout(timer);
}

/** One exchange. It keeps only what is needed of the answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<RawAnswer>;
  begun = false;
  timedOut = false;
  readonly #host: string;
  readonly #most: number;
  readonly #settle: PromiseWithResolvers<RawAnswer> = Promise.withResolvers();
  readonly #headers: Record<string, string> = {};
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #ended: Error | undefined;
  #status = 0;
  #size = 0;

  constructor(host: string, most: number) {
    this.#host = host;
    this.#most = most;
    this.answer = this.#settle.promise;
  }

  readonly timeOut = (): void => {
    this.timedOut = true;
    this.end(new Error('timed out'));
  };

  end(reason: unknown): void {
    this.#ended ??= reason instanceof Error ? reason : new Error(String(reason));
    this.#settle.reject(this.#ended);
    this.#controller?.abort(this.#ended);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended !== undefined) controller.abort(this.#ended);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // An interim answer; the real one follows.
    if (status < 200) return;
    this.begun = true;
    this.#status = status;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined)
        this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= this.#most) this.#chunks.push(chunk);
    else this.end(tooLarge(this.#host, this.#most, ': reading stopped there'));
  }

  onResponseEnd(): void {
    const [only, ...more] = this.#chunks;
    const body = only !== undefined && more.length === 0 ? only : Buffer.concat(this.#chunks, this.#size);
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle.reject(error);
  }
}

/** A kept-alive connection that the server closed before it answered this request. */
export class StaleConnection extends TargetError {
  constructor(host: string) {
    super('network', `${host} closed a connection that it had kept open`);
  }
}

/** Whether a connection broke that had carried an earlier answer. Closing it between two requests is legal. */
function isStale(error: unknown): boolean {
  if (error instanceof undici().errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

const DECODERS = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
} as const;

/** Some sites compress although nothing asks for it. */
function decode(body: Buffer, encoding: string | undefined, bytes: number, host: string): Buffer {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '' || body.length === 0) return body;
  const decoder = Object.entries(DECODERS).find(([known]) => known === name)?.[1];
  if (decoder === undefined)
    throw new TargetError('network', `${host} answered in an encoding that was not asked for`);
  try {
    return decoder(body, { maxOutputLength: bytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(host, bytes, ' when unpacked');
    throw new TargetError('network', `${host} answered with a body that is not the ${name} it claims to be`);
  }
}

function asTargetError(
  error: unknown,
  url: URL,
  state: { readonly timedOut: boolean; readonly begun: boolean },
  bounds: Bounds,
): TargetError {
  if (state.timedOut) {
    return new TargetError(
      'timeout',
      `${url.host} did not finish its answer within ${bounds.seconds} s (raise --timeout if the site is that slow)`,
    );
  }
  const cause = causeOf(error);
  if (!state.begun && isSenseless(error)) {
    const isOther = error instanceof undici().errors.HTTPParserError;
    const hint = isOther ? ' (what answers there does not speak HTTP)' : '';
    const what = `${url.host} gave an answer that makes no sense: ${cause.message}${hint}`;
    return new TargetError('network', what);
  }
  const broken = error instanceof undici().errors.HTTPParserError ? BROKEN_BODY : '';
  const hint = HINTS.find(([code]) => cause.code.startsWith(code))?.[1] ?? broken;
  return new TargetError('network', `${url.host}: ${cause.message}${hint === '' ? '' : ` (${hint})`}`);
}

/** Whether the received bytes are not a valid answer: not HTTP, a status out of range, or another protocol. */
function isSenseless(error: unknown): boolean {
  const { errors } = undici();
  if (error instanceof errors.HTTPParserError || error instanceof AssertionError) return true;
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0;
}

const CLOSED =
  'the connection was closed in the middle: did the server stop, does a firewall end such connections, or is it http where https is due, or the other way round?';
const UNTRUSTED =
  'a certificate that this machine does not trust: name its authority in NODE_EXTRA_CA_CERTS, or add --insecure where that is safe';
const NO_TLS = 'TLS could not be agreed: http where https is due, or the other way round?';
const BROKEN_BODY =
  'the connection was closed before the answer was complete, or its chunks are malformed: did the server restart?';

/** What to do about an error, by the beginning of its code. */
const HINTS: readonly (readonly [string, string])[] = [
  ['ECONNREFUSED', 'nothing listens there: is the site running, and is the port right?'],
  ['ENOTFOUND', 'the name does not resolve: is the host spelled right?'],
  ['EAI_AGAIN', 'the name does not resolve now: is the host spelled right, and is there a network?'],
  ['ECONNRESET', CLOSED],
  ['UND_ERR_SOCKET', CLOSED],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the network of the host'],
  [
    'UND_ERR_CONNECT_TIMEOUT',
    'no connection in time: is the host up, and does a firewall let this machine through?',
  ],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_', UNTRUSTED],
  [
    'CERT_HAS_EXPIRED',
    'the certificate of the site has expired: renew it, or add --insecure where that is safe',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'the certificate of the site is for another name: use that name, or add --insecure where that is safe',
  ],
  ['ERR_SSL', NO_TLS],
  ['EPROTO', NO_TLS],
];

function causeOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  // A host with several addresses gives one error for each; the first one shows why.
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  const code = codeOf(error);
  if (code === '' && error.cause instanceof Error) return causeOf(error.cause);
  if (error instanceof AssertionError)
    return { code, message: 'a status or framing that HTTP does not have' };
  // OpenSSL ends its messages with a line break.
  const message = error.message.replaceAll(/\s+/g, ' ').trim();
  return { code, message: message === '' ? code : message };
}

function milliseconds(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), 2 ** 31 - 1);
}

function tooLarge(host: string, bytes: number, when: string): TargetError {
  const most = `${Math.round(bytes / 1_000_000)} MB`;
  return new TargetError('too-large', `the answer of ${host} is larger than ${most}${when}`);
}

/** The encoded body of a request, with the headers that describe it. */
export function encodeBody(body: RequestBody): {
  headers: Record<string, string>;
  content: string | Uint8Array;
} {
  if (!('bytes' in body)) {
    const type = 'json' in body ? 'application/json' : 'application/x-www-form-urlencoded';
    const headers = { 'content-type': body.charset === true ? `${type}; charset=UTF-8` : type };
    return { headers, content: 'json' in body ? JSON.stringify(body.json) : encodeForm(body.form) };
  }
  return {
    headers: {
      'content-type': body.type,
      ...(body.disposition !== undefined && { 'content-disposition': body.disposition }),
    },
    content: body.bytes,
  };
}

/** Encodes names and values as a form. */
export function encodeForm(pairs: readonly QueryPair[]): string {
  return String(new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])));
}
