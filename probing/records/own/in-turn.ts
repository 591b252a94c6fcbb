import type { RequestSpec } from '../../../client/observation.ts';
import type { Contract } from '../../../specs/model.ts';
import { collectionsWith, switchesIn, writableFields } from './writable-fields.ts';

/** The switches of all collections, as the target calls them. */
export function switchesOf(contract: Contract): string[] {
  const fields = (['create', 'update'] as const)
    .flatMap((kind) => collectionsWith(contract, kind))
    .flatMap(({ operation }) => switchesIn(writableFields(operation)));
  return [...new Set(fields.map(({ wire }) => wire))];
}

/**
 * Sends the writes that name one of some words one at a time. Software that keeps in one place which records have a field
 * on reads that place, changes it and writes it back: two such writes at the same time lose one of them.
 */
export class InTurn {
  readonly #words: readonly string[];
  #last: Promise<unknown> = Promise.resolve();

  /** @param words the fields, as the target calls them */
  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** Sends a write, after those before it if it names a word, or deletes what may have one on. */
  send<T>(spec: Pick<RequestSpec, 'method' | 'body' | 'query'>, send: () => Promise<T>): Promise<T> {
    if (!this.#concerns(spec)) return send();
    const sent = this.#last.then(send);
    // What fails is the matter of whoever sent it.
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  #concerns({ method, body, query }: Pick<RequestSpec, 'method' | 'body' | 'query'>): boolean {
    if (this.#words.length === 0) return false;
    if (method === 'DELETE') return true;
    const text = JSON.stringify([body !== undefined && 'bytes' in body ? null : body, query]);
    return ['"DELETE"', ...this.#words].some((word) => text.includes(word));
  }
}
