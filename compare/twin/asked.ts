import { showBase } from '../../client/address.ts';
import { Client, type ClientOptions } from '../../client/client.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { AnswerRecorder, neutralText } from '../../client/observed/recorder.ts';
import type { Redactor } from '../../client/redact.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { TargetError } from '../../client/target-error.ts';
import { loadObservedNames } from '../../specs/texts.ts';

/** One of two sites: how it is reached, and its index. */
export interface TwinSite {
  readonly options: ClientOptions;
  readonly index: SiteIndex;
}

/** One side while it is asked: nothing but reads is sent. */
export class Asked {
  readonly client: Client;
  /** Takes the addresses of the site out of a text. */
  readonly neutral: (text: string) => string;
  readonly recorder: AnswerRecorder;
  readonly index: SiteIndex;
  readonly redact: Redactor;
  readonly #when: string;

  /** @param when the side in a word, for messages */
  constructor(when: string, { options, index }: TwinSite, heard?: ClientOptions['heard']) {
    this.#when = when;
    this.index = index;
    this.client = new Client({ ...options, mode: 'read', heard });
    this.redact = this.client.redact;
    const { base } = options;
    this.neutral = neutralText(index, base);
    this.recorder = new AnswerRecorder({ names: loadObservedNames(), index, base, redact: this.redact });
  }

  /** Sends one request. @throws TargetError naming this side, where it is down or throttles */
  async ask(spec: RequestSpec): Promise<Observation> {
    try {
      const answer = await this.client.request(spec);
      if (answer.answer !== 'throttled') return answer;
      throw new TargetError('busy', 'the site asks for patience and does not answer; use --rate');
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      const where = this.redact(showBase(this.client.base));
      throw new TargetError(error.problem, `${this.#when}, ${where}: ${error.message}`);
    }
  }
}

/** Whoever sees the most of a site. */
export function asOf({ client }: Asked): 'user' | 'anonymous' {
  return client.hasUser ? 'user' : 'anonymous';
}

/** What one request showed on both sides. */
export interface Both {
  readonly spec: RequestSpec;
  readonly was: Observation;
  readonly is: Observation;
}
