import { Agent } from 'undici';
import { routeUrl } from './address.ts';
import { classify } from './classify.ts';
import { curlLine } from './curl-line.ts';
import { encodeForm, FORM_TYPE } from './encode-form.ts';
import { nestsDeeperThan } from './json.ts';
import { guardHeader, guardMode, type RunMode } from './mode.ts';
import type { Observation, RequestSpec } from './observation.ts';
import { Ownership } from './ownership.ts';
import { Pacing, retryAfter } from './pacing.ts';
import { Pulse } from './pulse.ts';
import { createRedactor, type Redactor, redactJson } from './redact.ts';
import { milliseconds, type RawAnswer, send } from './send.ts';
import { TargetError } from './target-error.ts';

const BODY_BYTES = 16_000_000;
const DEEPEST_JSON = 200;
const TRIES = 4;
const SHORTEST_HEADER_SECRET = 8;

/** Everything that reaching a target takes. Secrets are in `password`, `secrets` and the values of `headers` only. */
export interface ClientOptions {
  readonly base: URL;
  readonly mode: RunMode;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Sent with every request, also with anonymous ones (they open a gate before the site, such as a staging login). */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further texts that are masked wherever they come back. */
  readonly secrets?: readonly string[] | undefined;
  readonly concurrency: number;
  readonly rate?: number | undefined;
  /** Seconds for one exchange. */
  readonly timeout: number;
}

/** Requests sent so far, and those that were sent again because the target asked for patience. */
export interface Traffic {
  requests: number;
  retries: number;
}

/** The only way to the target: it keeps the mode, the pace, the bounds and the secrets. */
export class Client {
  readonly base: URL;
  readonly mode: RunMode;
  readonly redact: Redactor;
  readonly traffic: Traffic = { requests: 0, retries: 0 };
  /** The records that this run has created. */
  readonly ownership: Ownership = new Ownership();
  readonly #options: ClientOptions;
  readonly #agent: Agent;
  readonly #pacing: Pacing;
  readonly #pulse: Pulse;

  constructor(options: ClientOptions) {
    this.base = options.base;
    this.mode = options.mode;
    this.#options = options;
    for (const name of Object.keys(options.headers ?? {})) guardHeader(name);
    this.redact = createRedactor([
      options.password ?? '',
      ...(options.secrets ?? []),
      ...secretWords(options),
    ]);
    this.#pacing = new Pacing(options);
    this.#agent = new Agent({
      connections: options.concurrency,
      headersTimeout: milliseconds(options.timeout),
      bodyTimeout: milliseconds(options.timeout),
      connect: { timeout: milliseconds(Math.min(options.timeout, 10)) },
    });
    this.#pulse = new Pulse(() => this.#answersAtAll());
  }

  /** Whether requests can carry the credentials of a user. */
  get hasUser(): boolean {
    return this.#options.user !== undefined;
  }

  /**
   * Sends one request of the contract and returns what came back. Throttled answers are waited for and asked again.
   * @param spec the request; `bytes` bounds the body of the answer (16 MB unless given)
   * @returns an observation, also when the connection broke (answer `broken`).
   * @throws ModeViolation when the mode does not allow it; TargetError `gone` when the target has stopped answering.
   */
  async request(spec: RequestSpec, bytes: number = BODY_BYTES): Promise<Observation> {
    guardMode(this.mode, spec);
    this.ownership.guard(spec);
    for (let attempt = 1; ; attempt += 1) {
      const observation = await this.#pacing.run(() => this.#exchange(spec, bytes));
      if (observation.answer !== 'throttled' || attempt === TRIES) return observation;
      this.traffic.retries += 1;
      this.#pacing.slowDown(retryAfter(observation.headers['retry-after'], new Date()));
    }
  }

  /** Sends a GET to any address of the target, for the preflight; redirects are left to the caller. */
  async fetch(url: string, bytes: number): Promise<RawAnswer> {
    this.traffic.requests += 1;
    const spec: RequestSpec = { method: 'GET', route: '/', as: 'user' };
    const request = { url, method: 'GET', headers: this.#headers(spec) };
    return this.#pacing.run(() => send(this.#agent, request, { seconds: this.#options.timeout, bytes }));
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** The line for a shell that repeats a request. */
  curl(spec: RequestSpec): string {
    const user = spec.as === 'user' ? this.#options.user : undefined;
    return this.redact(
      curlLine({
        method: spec.method,
        url: routeUrl(this.base, spec.route, spec.query),
        ...(user !== undefined && { user }),
        secretHeaders: Object.keys(this.#options.headers ?? {}),
        ...(spec.body !== undefined && { body: spec.body }),
      }),
    );
  }

  /** Whether the address of the index answers anything, whatever it says. */
  async #answersAtAll(): Promise<boolean> {
    this.traffic.requests += 1;
    const request = {
      url: routeUrl(this.base, '/'),
      method: 'HEAD',
      headers: this.#headers({ method: 'HEAD', route: '/' }),
    };
    try {
      await send(this.#agent, request, { seconds: this.#options.timeout, bytes: BODY_BYTES });
      return true;
    } catch {
      return false;
    }
  }

  #headers(spec: RequestSpec): Record<string, string> {
    const authorization = spec.as === 'user' ? basic(this.#options) : undefined;
    return {
      accept: 'application/json',
      'user-agent': 'site-conformance',
      ...(authorization !== undefined && { authorization }),
      ...this.#options.headers,
    };
  }

  async #exchange(spec: RequestSpec, bytes: number): Promise<Observation> {
    const url = routeUrl(this.base, spec.route, spec.query);
    const started = performance.now();
    const about = { method: spec.method, url: this.redact(url), curl: this.curl(spec) };
    const body = spec.body === undefined ? undefined : encodeBody(spec.body);
    this.traffic.requests += 1;
    try {
      const raw = await send(
        this.#agent,
        {
          url,
          method: spec.method,
          headers: { ...this.#headers(spec), ...body?.headers },
          ...(body !== undefined && { body: body.content }),
        },
        { seconds: this.#options.timeout, bytes },
      );
      return { ...about, ...readAnswer(raw, this.redact), seconds: (performance.now() - started) / 1000 };
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      // A request that breaks the connection is a finding; a target that answers nothing else either is gone.
      if (isUnanswered(error) && !(await this.#pulse.beats())) {
        throw new TargetError('gone', `the target stopped answering: ${this.redact(error.message)}`);
      }
      return {
        ...about,
        status: 0,
        answer: 'broken',
        headers: {},
        json: undefined,
        bytes: 0,
        text: '',
        problem: this.redact(error.message),
        seconds: (performance.now() - started) / 1000,
      };
    }
  }
}

function isUnanswered({ problem }: TargetError): boolean {
  return problem === 'network' || problem === 'timeout';
}

/** What headers carry in secret: their values, and of `Basic …` or `Bearer …` the second word. Short ones are switches. */
function secretWords(options: ClientOptions): string[] {
  const values = [basic(options) ?? '', ...Object.values(options.headers ?? {})];
  return values
    .flatMap((value) => [value, value.split(' ').at(-1) ?? ''])
    .filter((word) => word.length >= SHORTEST_HEADER_SECRET);
}

function basic(options: Pick<ClientOptions, 'user' | 'password'>): string | undefined {
  if (options.user === undefined || options.password === undefined) return undefined;
  return `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`;
}

function encodeBody(body: NonNullable<RequestSpec['body']>): {
  headers: Record<string, string>;
  content: string | Uint8Array;
} {
  if ('json' in body) {
    return { headers: { 'content-type': 'application/json' }, content: JSON.stringify(body.json) };
  }
  if ('form' in body) return { headers: { 'content-type': FORM_TYPE }, content: encodeForm(body.form) };
  return {
    headers: {
      'content-type': body.type,
      ...(body.disposition !== undefined && { 'content-disposition': body.disposition }),
    },
    content: body.bytes,
  };
}

/** Reads an answer: its class, and its JSON when there is some within bounds. */
export function readAnswer(
  raw: RawAnswer,
  redact: Redactor,
): Pick<Observation, 'status' | 'answer' | 'headers' | 'json' | 'bytes' | 'text'> & { problem?: string } {
  const whole = raw.body.toString('utf8');
  const text = redact(whole);
  // Parsed before it is masked: a secret that reads like a word of JSON must not break it.
  const parsed = parseJson(whole);
  const answer = classify(raw.status);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw.headers)) headers[name] = redact(value);
  return {
    status: raw.status,
    answer,
    headers,
    json: text === whole ? parsed.json : redactJson(parsed.json, redact),
    bytes: raw.body.length,
    text,
    ...(parsed.problem !== undefined && { problem: parsed.problem }),
  };
}

/** Parses a body as JSON, bounded in depth; `problem` says why there is none. */
export function parseJson(text: string): { json: unknown; problem?: string } {
  if (text === '') return { json: undefined, problem: 'an empty body' };
  if (text.startsWith('\ufeff')) return { json: undefined, problem: 'a byte-order mark before the JSON' };
  if (nestsDeeperThan(text, DEEPEST_JSON)) {
    return { json: undefined, problem: `JSON nested deeper than ${DEEPEST_JSON} levels` };
  }
  try {
    return { json: JSON.parse(text) };
  } catch {
    const page = /^\s*</.test(text);
    return {
      json: undefined,
      problem: page ? 'a page of HTML or XML instead of JSON' : 'a body that is not JSON',
    };
  }
}
