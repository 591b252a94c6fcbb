import { showBase } from '../../client/address.ts';
import { Client, type ClientOptions } from '../../client/client.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { AnswerRecorder, neutralText } from '../../client/observed/recorder.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { TargetError } from '../../client/target-error.ts';
import { loadObservedNames, type ObservedNames } from '../../specs/texts.ts';
import type { Exchange } from '../change.ts';

/** One of two sites: how it is reached, and its index. */
export interface TwinSite {
  readonly options: ClientOptions;
  readonly index: SiteIndex;
}

/** One side while it is asked: nothing but reads is sent. */
export class AskedSite {
  readonly client: Client;
  /** Takes the addresses of the site out of a text. */
  readonly neutral: (text: string) => string;
  readonly recorder: AnswerRecorder;
  readonly index: SiteIndex;
  readonly #when: string;

  /** @param when the side in a word, for messages */
  constructor(when: string, { options, index }: TwinSite, heard?: ClientOptions['heard']) {
    this.#when = when;
    this.index = index;
    this.client = new Client({ ...options, mode: 'read', heard });
    const { base } = options;
    const { redact } = this.client;
    this.neutral = neutralText(index, base);
    this.recorder = new AnswerRecorder({ names: loadObservedNames(), index, base, redact });
  }

  /** Sends one request. @throws TargetError naming this side, where it is down or throttles */
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

/** Whoever sees the most of a site. */
export function asOf({ client }: AskedSite): 'user' | 'anonymous' {
  return client.hasUser ? 'user' : 'anonymous';
}

/** One request, and what both sites answered to it. */
export interface Both {
  readonly spec: RequestSpec;
  readonly was: Observation;
  readonly is: Observation;
}

/** Requests that are asked for at once; each client bounds its own. */
const PARALLEL = 4;

/** Two sites while they are asked the same. */
export class TwoSites {
  readonly before: AskedSite;
  readonly after: AskedSite;
  readonly names: ObservedNames = loadObservedNames();

  /** @param heard hears every answer of the first site */
  constructor(before: TwinSite, after: TwinSite, heard: ClientOptions['heard']) {
    this.before = new AskedSite('before', before, heard);
    this.after = new AskedSite('after', after);
  }

  get requests(): number {
    return this.before.client.traffic.requests + this.after.client.traffic.requests;
  }

  async ask(spec: RequestSpec): Promise<Both> {
    const [was, is] = await Promise.all([this.before.ask(spec), this.after.ask(spec)]);
    return { spec, was, is };
  }

  /** Keeps what both answers look like, for the comparison of answers. */
  note({ spec, was, is }: Both): void {
    this.before.recorder.note(spec, was);
    this.after.recorder.note(spec, is);
  }

  /** The lines for a shell that send a request to both. */
  exchange(spec: RequestSpec): Exchange {
    return { before: this.before.client.curl(spec), after: this.after.client.curl(spec) };
  }

  async close(): Promise<void> {
    await Promise.all([this.before.client.close(), this.after.client.close()]);
  }
}

/** Does some work for each of several things, a few at once. */
export async function forEach<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all].values();
  const worker = async (): Promise<void> => {
    for (const one of queue) await work(one);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
