import { type QueryPair, showBase } from '../../client/address.ts';
import { Client, type ClientOptions } from '../../client/client.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { AnswerRecorder } from '../../client/observed/recorder.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { TargetError } from '../../client/target-error.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Exchange } from '../change.ts';

/** One of two sites: how to reach it, and its index. */
export interface TwinSite {
  readonly options: ClientOptions;
  readonly index: SiteIndex;
}

/** One of two sites during the comparison. It is only read. */
export class AskedSite {
  readonly client: Client;
  readonly recorder: AnswerRecorder;
  readonly index: SiteIndex;
  readonly #when: string;

  constructor(when: string, { options, index }: TwinSite, heard?: ClientOptions['heard']) {
    this.#when = when;
    this.index = index;
    this.client = new Client({ ...options, mode: 'read', heard });
    const { base } = options;
    const { redact } = this.client;
    this.recorder = new AnswerRecorder({ names: textsOf('observed'), index, base, redact });
  }

  /** The caller who sees most. */
  get caller(): 'user' | 'anonymous' {
    return this.client.hasUser ? 'user' : 'anonymous';
  }

  /** Reads a route as that caller. */
  read(route: string, query: readonly QueryPair[] = []): Promise<Observation> {
    return this.ask(this.specOf(route, query));
  }

  specOf(route: string, query: readonly QueryPair[] = []): RequestSpec {
    return { method: 'GET', route, query, as: this.caller };
  }

  /** Sends one request. @throws TargetError with this side, if it is down or throttles */
  async ask(spec: RequestSpec): Promise<Observation> {
    try {
      const answer = await this.client.request(spec);
      if (answer.answer !== 'throttled') return answer;
      throw new TargetError('busy', 'the site asks for patience and does not answer; use --rate');
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      const where = this.client.redact(showBase(this.client.base));
      throw new TargetError(error.problem, `${this.#when}, ${where}: ${error.message}`);
    }
  }
}

/** One request with the answers of both sites. */
export interface BothAnswers {
  readonly spec: RequestSpec;
  readonly was: Observation;
  readonly is: Observation;
}

/** How many reads are worked on at once; each client limits its requests. */
export const PARALLEL = 4;

/** Two sites that receive the same requests. */
export class TwoSites {
  readonly before: AskedSite;
  readonly after: AskedSite;

  constructor(before: TwinSite, after: TwinSite, heard: ClientOptions['heard']) {
    this.before = new AskedSite('before', before, heard);
    this.after = new AskedSite('after', after);
  }

  get requests(): number {
    return this.before.client.traffic.requests + this.after.client.traffic.requests;
  }

  async ask(spec: RequestSpec): Promise<BothAnswers> {
    const [was, is] = await Promise.all([this.before.ask(spec), this.after.ask(spec)]);
    return { spec, was, is };
  }

  note({ spec, was, is }: BothAnswers): void {
    this.before.recorder.note(spec, was);
    this.after.recorder.note(spec, is);
  }

  /** The shell commands that send a request to both. */
  exchange(spec: RequestSpec): Exchange {
    return { before: this.before.client.curl(spec), after: this.after.client.curl(spec) };
  }

  async close(): Promise<void> {
    await Promise.all([this.before.client.close(), this.after.client.close()]);
  }
}
