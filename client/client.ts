import { otherBase, routeUrl } from './address.ts';
import { isServerError, lacksJson, readAnswer } from './answer.ts';
import { createMonitor, createProbe, WALLS, wallOf } from './availability.ts';
import { curlLine } from './curl-line.ts';
import { ExchangeLog } from './exchange-log.ts';
import { guardHeader, guardMode, guardWire, isSafe, type RunMode, type WireRequest } from './mode.ts';
import type { Observation, RequestSpec } from './observation.ts';
import { Ownership } from './ownership.ts';
import { Deadline, Pacing, retryAfter } from './pacing.ts';
import { type Redactor, redactorFor } from './redact.ts';
import { Connections, encodeBody, type RawAnswer, StaleConnection } from './send.ts';
import { TargetError } from './target-error.ts';

const BODY_BYTES = 16_000_000;
const TRIES = 4;
const MOST_FAILED = 2000;
/** Unanswered exchanges in a row after which a target counts as gone. */
const MOST_UNANSWERED = 8;
/** How long a site may only ask to retry later: more than the five minutes of common limits and updates. */
const LONGEST_PATIENCE_MS = 6 * 60_000;
/** The status of a gateway that lost its connection to the site, which says little about the request. */
const LOST_BEHIND_GATEWAY = 502;
const PAUSE_MS = 300;
/** Seconds for the health probe, which must be quick. */
const LONGEST_PULSE = 10;

/** A caller besides the user of a run, by its name in reports; without a user it is anonymous. */
export interface NamedCaller {
  readonly name: string;
  readonly user?: string;
  readonly password?: string;
  /** The environment variable that holds the password. */
  readonly passwordFrom?: string;
}

/** Everything needed to reach a target. Only `secrets`, passwords and the values of `headers` are secret. */
export interface ClientOptions {
  readonly base: URL;
  readonly mode: RunMode;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** The environment variable that holds the password, for commands that repeat a request. */
  readonly passwordFrom?: string | undefined;
  /** A read that the site allows the user, and answers with 401 for anonymous callers. */
  readonly forUser?: RequestSpec | undefined;
  readonly callers?: readonly NamedCaller[] | undefined;
  /** Sent with every request, also with anonymous ones, because they may open a staging login in front of the site. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether any TLS certificate is accepted; default: only trusted ones. */
  readonly insecure?: boolean | undefined;
  /** Further texts to mask wherever they appear. */
  readonly secrets?: readonly string[] | undefined;
  /** Words of the contract. A header whose value is one of them holds no secret. */
  readonly words?: ReadonlySet<string> | undefined;
  readonly concurrency: number;
  readonly rate?: number | undefined;
  /** Seconds for one exchange. */
  readonly timeout: number;
  /** When all requests end, in milliseconds since the epoch; undefined for never. */
  readonly deadline?: number | undefined;
  /** The path of a recording of every exchange, secrets masked; undefined for none. */
  readonly exchanges?: string | undefined;
  /** Receives each request of the contract with its answer. */
  readonly heard?: ((spec: RequestSpec, answer: Observation) => void) | undefined;
}

/** Requests sent so far, how many were repeated because the target was throttling, and how many never reached it. */
export interface Traffic {
  requests: number;
  retries: number;
  /** What a gate or firewall before the site denied, by method; undefined for nothing. */
  blocked?: Partial<Record<string, number>>;
}

function keepFirst(kept: RequestSpec[], spec: RequestSpec): void {
  if (kept.length < MOST_FAILED) kept.push(spec);
}

/** The only access to the target. It enforces mode, pace and bounds, and masks secrets. */
export class Client {
  readonly base: URL;
  readonly mode: RunMode;
  readonly redact: Redactor;
  readonly traffic: Traffic = { requests: 0, retries: 0 };
  readonly ownership: Ownership = new Ownership();
  /** The first requests that were answered with a server error. */
  readonly failed: RequestSpec[] = [];
  /** The first reads that were accepted without the JSON that is due. */
  readonly withoutJson: RequestSpec[] = [];
  /** How many milliseconds reads wait after a write, for lists that lag behind; undefined until measured. */
  settling: number | undefined;
  #wroteAt = Number.NEGATIVE_INFINITY;
  readonly #options: ClientOptions;
  readonly #connections: Connections;
  readonly #deadline: Deadline;
  /** Exchanges in a row without a usable answer. One says something about the request, many about the target. */
  #unanswered = 0;
  #answers = 0;
  /** Since when the target only asks to retry later. */
  #patientSince: number | undefined;
  /** Operations that stayed unavailable while others answered, such as one that needs an outside service. */
  readonly #unavailable = new Set<string>();
  readonly #pacing: Pacing;
  readonly #isThere: ReturnType<typeof createProbe>;
  readonly #lost: ReturnType<typeof createMonitor>;
  readonly #log: ExchangeLog | undefined;

  constructor(options: ClientOptions) {
    this.base = options.base;
    this.mode = options.mode;
    this.#options = options;
    const secret = Object.keys(options.headers ?? {});
    for (const name of secret) guardHeader(name);
    this.redact = redactorFor(options);
    this.#log =
      options.exchanges === undefined ? undefined : new ExchangeLog(options.exchanges, this.redact, secret);
    this.#deadline = new Deadline(options.deadline);
    this.#pacing = new Pacing(options, this.#deadline);
    this.#connections = new Connections(options);
    this.#isThere = createProbe(() => this.#answersAtAll(), this.#deadline);
    this.#lost = createMonitor(
      this.base,
      (url) => this.#ask(url),
      this.#deadline,
      options.forUser && this.#addressOf(options.forUser),
    );
  }

  /** Whether every request carries an Authorization header that the caller gave. */
  get sendsAuthorization(): boolean {
    return this.#options.headers?.authorization !== undefined;
  }

  /** Whether the client waits because the target asked to retry later. */
  get isPaused(): boolean {
    return this.#pacing.isPaused;
  }

  get hasUser(): boolean {
    return this.#options.user !== undefined;
  }

  userOf(spec: Pick<RequestSpec, 'as' | 'caller'>): string | undefined {
    return this.#callerOf(spec).user;
  }

  get users(): readonly string[] {
    return (this.#options.callers ?? []).flatMap(({ name, user }) => (user === undefined ? [] : [name]));
  }

  /**
   * Sends one request of the contract, again after a pause if throttled. A broken connection is the answer `broken`.
   * @throws ModeViolation, or TargetError `gone` or `over-budget`
   */
  async request(spec: RequestSpec): Promise<Observation> {
    guardMode(this.mode, spec);
    this.ownership.guard(spec);
    const reads = isSafe(spec.method);
    const unsettled = this.#wroteAt + (this.settling ?? 0) - performance.now();
    if (reads && unsettled > 0) await this.#deadline.wait(unsettled);
    const observation = await this.#patiently(spec);
    if (!reads) this.#wroteAt = performance.now();
    return observation;
  }

  async #patiently(spec: RequestSpec): Promise<Observation> {
    const operation = `${spec.method} ${spec.route}`;
    const answers = this.#answers;
    for (let attempt = 1; ; attempt += 1) {
      const observation = await this.#pacing.run(() => this.#exchange(spec));
      this.#note(spec, observation);
      if (observation.answer !== 'throttled') {
        this.#pacing.answered();
        this.#answers += 1;
        this.#patientSince = undefined;
        this.#unavailable.delete(operation);
        return observation;
      }
      this.#patientSince ??= this.#deadline.now();
      if (spec.once === true || this.#unavailable.has(operation)) return observation;
      const isLast = attempt === TRIES;
      const isTooLong = this.#deadline.now() - this.#patientSince > LONGEST_PATIENCE_MS;
      if (isTooLong || (isLast && this.#isUnanswered()))
        throw this.#endAsGone('the target keeps asking to retry later');
      if (isLast && observation.status === 503 && this.#answers > answers) this.#unavailable.add(operation);
      if (isLast) return observation;
      this.traffic.retries += 1;
      this.#pacing.slowDown(retryAfter(observation.headers['retry-after'], new Date()));
    }
  }

  #note(spec: RequestSpec, observation: Observation): void {
    this.#options.heard?.(spec, observation);
    if (isServerError(observation)) keepFirst(this.failed, spec);
    if (lacksJson(observation)) keepFirst(this.withoutJson, spec);
  }

  /** Sends a GET to any address of the target, to find the index. The caller handles redirects. */
  async fetch(url: string, bytes: number): Promise<RawAnswer> {
    return this.#pacing.run(() => this.#ask(url, bytes));
  }

  /** Replaces the deadline, because cleaning up has time of its own. @param at milliseconds; undefined for none */
  endAt(at: number | undefined): void {
    this.#patientSince = undefined;
    this.#deadline.set(at);
  }

  async close(): Promise<void> {
    this.#deadline.end(new TargetError('gone', 'the connection to the target was closed'));
    await this.#connections.close();
    this.#log?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  curl(spec: RequestSpec): string {
    const { user, passwordFrom } = this.#callerOf(spec);
    const { method, headers, body } = spec;
    const secretHeaders = Object.keys(this.#options.headers ?? {});
    const insecure = this.#options.insecure === true;
    const url = this.#addressOf(spec);
    return this.redact(curlLine({ method, url, headers, user, passwordFrom, insecure, secretHeaders, body }));
  }

  async #answersAtAll(): Promise<boolean> {
    this.traffic.requests += 1;
    const url = routeUrl(this.base, '/');
    const headers = this.#headers({ method: 'HEAD', route: '/' });
    const seconds = Math.min(this.#options.timeout, LONGEST_PULSE);
    try {
      await this.#transmit({ url, method: 'HEAD', headers }, { seconds });
      return true;
    } catch (error) {
      this.#deadline.signal.throwIfAborted();
      if (error instanceof TargetError) return false;
      throw error;
    }
  }

  async #ask(url: string, bytes = BODY_BYTES): Promise<RawAnswer> {
    this.traffic.requests += 1;
    const headers = this.#headers({ method: 'GET', route: '/', as: 'user' });
    return this.#transmit({ url, method: 'GET', headers }, { bytes });
  }

  async #read(raw: RawAnswer, asUser: boolean, method: string): Promise<ReturnType<typeof readAnswer>> {
    const answer = readAnswer(raw);
    const wall = answer.json === undefined ? wallOf(raw) : undefined;
    const instead = await this.#lost(raw, wall !== undefined, asUser);
    if (instead !== undefined) {
      throw this.#endAsGone(
        `after about ${this.traffic.requests} requests the site does not answer any more: ${instead}; if that comes of many requests, use --rate`,
      );
    }
    // What a firewall answers says nothing about the site, whatever its status.
    const isFirewall = wall === WALLS.firewall || wall === WALLS.page;
    if (!isFirewall) return answer;
    const { blocked = {} } = this.traffic;
    this.traffic.blocked = { ...blocked, [method]: (blocked[method] ?? 0) + 1 };
    return { ...answer, answer: 'denied', problem: wall };
  }

  /**
   * Sends every request. Only reads are repeated, once, if their connection was closed or the one of a gateway to the
   * site was, and only reads end at the deadline.
   */
  async #transmit(
    request: WireRequest,
    bounds: { readonly bytes?: number; readonly seconds?: number } = {},
  ): Promise<RawAnswer> {
    guardWire(this.mode, this.base, request);
    const reads = isSafe(request.method);
    const within = {
      seconds: this.#options.timeout,
      bytes: BODY_BYTES,
      ...bounds,
      ...(reads && { signal: this.#deadline.signal }),
    };
    const sent = (isSingle: boolean): Promise<RawAnswer> => {
      const work = (): Promise<RawAnswer> => this.#connections.send(request, within, isSingle);
      return this.#log?.recording(request, work) ?? work();
    };
    const first = await sent(false).catch((error: unknown) => {
      if (reads && error instanceof StaleConnection) return undefined;
      throw error;
    });
    const isLost = reads && first?.status === LOST_BEHIND_GATEWAY;
    if (first !== undefined && !isLost) return first;
    if (isLost) await this.#deadline.wait(PAUSE_MS);
    this.traffic.requests += 1;
    return sent(true);
  }

  /** Notes an exchange without an answer. @returns whether there were too many, each of which may hang alone */
  #isUnanswered(): boolean {
    this.#unanswered += 1;
    return this.#unanswered >= Math.max(MOST_UNANSWERED, 2 * this.#options.concurrency);
  }

  #endAsGone(why: string): TargetError {
    const gone = new TargetError('gone', this.redact(why));
    this.#deadline.end(gone);
    return gone;
  }

  #headers(spec: RequestSpec): Record<string, string> {
    const { user, password } = this.#callerOf(spec);
    const hasLogin = user !== undefined && password !== undefined;
    const authorization = hasLogin && `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    return {
      accept: 'application/json',
      'user-agent': 'site-conformance',
      ...spec.headers,
      ...(authorization && { authorization }),
      ...this.#options.headers,
    };
  }

  #callerOf({ as, caller }: Pick<RequestSpec, 'as' | 'caller'>): Omit<NamedCaller, 'name'> | ClientOptions {
    if (caller === undefined) return as === 'user' ? this.#options : {};
    const named = this.#options.callers?.find(({ name }) => name === caller);
    if (named === undefined) throw new Error(`no caller is named ${caller}`);
    return named;
  }

  #addressOf({ route, query, rawQuery, otherForm, encodesSlashes }: RequestSpec): string {
    const base = otherForm === true ? otherBase(this.base) : this.base;
    return routeUrl(base, route, query, rawQuery, encodesSlashes);
  }

  async #exchange(spec: RequestSpec): Promise<Observation> {
    const url = this.#addressOf(spec);
    const started = performance.now();
    const about = { method: spec.method, url: this.redact(url) };
    const made = (answer: ReturnType<typeof readAnswer>): Observation => {
      let line: string | undefined;
      // Made only when they are used, because few are.
      const curl = (): string => {
        line ??= this.curl(spec);
        return line;
      };
      return {
        ...about,
        ...answer,
        seconds: (performance.now() - started) / 1000,
        get curl() {
          return curl();
        },
      };
    };
    const body = spec.body === undefined ? undefined : encodeBody(spec.body);
    this.traffic.requests += 1;
    try {
      const headers = { ...this.#headers(spec), ...body?.headers };
      const content = body && { body: body.content };
      const raw = await this.#transmit({ url, method: spec.method, headers, ...content });
      const answer = await this.#read(raw, spec.as === 'user', spec.method);
      if (answer.answer !== 'throttled') this.#unanswered = 0;
      return made(answer);
    } catch (error) {
      if (!(error instanceof TargetError) || error.isEnd) throw error;
      // If only this request breaks the connection, that is a finding. If nothing is answered any
      // more, the target is gone.
      const isUnanswered = error.problem === 'network' || error.problem === 'timeout';
      if (isUnanswered && !(await this.#isThere())) {
        throw this.#endAsGone(`the target stopped answering: ${error.message}`);
      }
      if (error.problem === 'timeout' && this.#isUnanswered()) {
        throw this.#endAsGone(
          `the target stopped answering: ${this.#unanswered} requests in a row had no answer (${error.message})`,
        );
      }
      const nothing = {
        status: 0,
        answer: 'broken',
        headers: {},
        json: undefined,
        bytes: 0,
        text: '',
      } as const;
      const tooLarge = error.problem === 'too-large' && { tooLarge: true };
      return made({ ...nothing, problem: this.redact(error.message), ...tooLarge });
    }
  }
}
