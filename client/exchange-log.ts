import { appendFileSync, closeSync, openSync } from 'node:fs';
import type { WireRequest } from './mode.ts';
import { MASK, type Redactor } from './redact.ts';
import type { RawAnswer } from './send.ts';

const MOST = { exchanges: 20_000, bytes: 64_000_000 };
/** Short enough that the beginning of a secret is recognised at the cut. */
const LONGEST_BODY = 16_000;
const LONGEST_HEADER = 2000;
const SECRET: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const HTTP = 'HTTP/1.1';
const TEXT = /json|text|xml|html|javascript|urlencoded|^$/i;

/** Records exchanges as HAR 1.2 entries, one in each line, so a crash loses nothing. Secrets are masked, bodies cut. */
export class ExchangeLog {
  readonly #file: number;
  readonly #redact: Redactor;
  readonly #secret: ReadonlySet<string>;
  readonly #bounds: typeof MOST;
  #exchanges = 0;
  #bytes = 0;
  #full = false;
  #closed = false;

  /** Appends to a file that clients may share. @param headers the caller's own headers, whose values are secrets */
  constructor(path: string, redact: Redactor, headers: readonly string[], bounds: typeof MOST = MOST) {
    this.#file = openSync(path, 'a');
    this.#redact = redact;
    this.#secret = new Set([...SECRET, ...headers.map((name) => name.toLowerCase())]);
    this.#bounds = bounds;
  }

  async recording(request: WireRequest, send: () => Promise<RawAnswer>): Promise<RawAnswer> {
    const started = new Date();
    const clock = performance.now();
    const note = (answer: RawAnswer | Error): void =>
      this.record(request, started, performance.now() - clock, answer);
    try {
      const answer = await send();
      note(answer);
      return answer;
    } catch (error) {
      note(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  record(request: WireRequest, started: Date, took: number, answer: RawAnswer | Error): void {
    if (this.#full || this.#closed) return;
    const milliseconds = Math.round(took * 1000) / 1000;
    const line = `${JSON.stringify({
      startedDateTime: started.toISOString(),
      time: milliseconds,
      request: this.#requestOf(request),
      response: {
        statusText: '',
        ...this.#responseOf(answer),
        httpVersion: HTTP,
        cookies: [],
        headersSize: -1,
      },
      cache: {},
      timings: { send: 0, wait: milliseconds, receive: 0 },
    })}\n`;
    this.#exchanges += 1;
    this.#bytes += Buffer.byteLength(line);
    this.#full = this.#exchanges > this.#bounds.exchanges || this.#bytes > this.#bounds.bytes;
    const full = { comment: `more exchanges followed: ${this.#exchanges - 1} are recorded` };
    appendFileSync(this.#file, this.#full ? `${JSON.stringify(full)}\n` : line);
  }

  close(): void {
    if (!this.#closed) closeSync(this.#file);
    this.#closed = true;
  }

  #requestOf({ method, url, headers, body }: WireRequest): unknown {
    const size = body === undefined ? 0 : Buffer.byteLength(body);
    return {
      method,
      url: this.#redact(url),
      httpVersion: HTTP,
      cookies: [],
      headers: this.#headersOf(headers),
      queryString: [...new URL(url).searchParams].map(([name, value]) => this.#pairOf(name, value)),
      ...(body !== undefined && {
        postData: {
          mimeType: headers['content-type'] ?? '',
          ...(typeof body === 'string'
            ? this.#textOf(body)
            : { text: '', comment: `${size} bytes, not kept` }),
        },
      }),
      headersSize: -1,
      bodySize: size,
    };
  }

  #responseOf(answer: RawAnswer | Error): object {
    if (answer instanceof Error) {
      const nothing = { headers: [], content: { size: 0, mimeType: '' }, redirectURL: '', bodySize: -1 };
      return { status: 0, ...nothing, comment: this.#redact(answer.message) };
    }
    const { status, headers, body } = answer;
    const mimeType = headers['content-type'] ?? '';
    const text = TEXT.test(mimeType)
      ? this.#textOf(body.toString('utf8', 0, LONGEST_BODY * 4), body.length)
      : { comment: `${body.length} bytes, not kept` };
    return {
      status,
      headers: this.#headersOf(headers),
      content: { size: body.length, mimeType: this.#redact(mimeType), ...text },
      redirectURL: this.#redact(headers.location ?? ''),
      bodySize: body.length,
    };
  }

  #textOf(text: string, size: number = text.length): { text: string; comment?: string } {
    if (text.length <= LONGEST_BODY) return { text: this.#redact(text) };
    return {
      text: this.#redact(`${text.slice(0, LONGEST_BODY)}…`),
      comment: `cut after ${LONGEST_BODY} characters, whole ${size}`,
    };
  }

  #headersOf(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
    return Object.entries(headers).map(([name, value]) =>
      this.#secret.has(name.toLowerCase()) ? { name, value: MASK } : this.#pairOf(name, value),
    );
  }

  #pairOf(name: string, value: string): { name: string; value: string } {
    const short = value.length > LONGEST_HEADER ? `${value.slice(0, LONGEST_HEADER)}…` : value;
    return { name: this.#redact(name), value: this.#redact(short) };
  }
}
