import type { Observation } from '../client/observation.ts';

/** Bytes that remembered answers may take in memory together, by estimate. */
const MOST_BYTES = 96_000_000;
/** Bytes of an answer that costs more to keep than to ask for again. */
const MOST_BYTES_OF_ONE = 8_000_000;
/** What a parsed value and a letter take, about. */
const BYTES_OF_VALUE = 64;
const BYTES_OF_LETTER = 2;
/** What an exchange takes beside its texts and values, about. */
const BYTES_OF_EXCHANGE = 1_000;

/**
 * Answers by what was asked, within a bound for all of them: whatever was not asked for longest is forgotten first, and
 * asked for again when it is needed.
 */
export class RememberedAnswers {
  /** In the order of their last use. */
  readonly #answers = new Map<string, { readonly answer: Promise<Observation>; bytes: number }>();
  readonly #most: number;
  #bytes = 0;

  constructor(most: number = MOST_BYTES) {
    this.#most = most;
  }

  /** The answer under a key; `ask` sends the request where it is not remembered. A failure is not remembered. */
  async answer(key: string, ask: () => Promise<Observation>): Promise<Observation> {
    const known = this.#answers.get(key);
    if (known !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return known.answer;
    }
    const entry = { answer: ask(), bytes: 0 };
    this.#answers.set(key, entry);
    try {
      const answer = await entry.answer;
      entry.bytes = weightOf(answer);
      this.#bytes += entry.bytes;
      if (entry.bytes > Math.min(MOST_BYTES_OF_ONE, this.#most)) this.#forget(key);
      for (const oldest of this.#answers.keys()) {
        if (this.#bytes <= this.#most) break;
        this.#forget(oldest);
      }
      return answer;
    } catch (error) {
      this.#forget(key);
      throw error;
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.bytes ?? 0;
    this.#answers.delete(key);
  }
}

/** What an answer takes in memory, by estimate: its text, what it was parsed to, and how it was asked for. */
export function weightOf(answer: Pick<Observation, 'text' | 'values' | 'url' | 'curl' | 'headers'>): number {
  const { text, values = 0, url, curl, headers } = answer;
  // The key that it is remembered by is as long as its address.
  const asked = 2 * url.length + curl.length;
  const headed = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return (text.length + asked + headed) * BYTES_OF_LETTER + values * BYTES_OF_VALUE + BYTES_OF_EXCHANGE;
}
