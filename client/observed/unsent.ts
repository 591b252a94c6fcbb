import { byName, member } from '../json.ts';
import type { RequestSpec } from '../observation.ts';
import type { Redactor } from '../redact.ts';
import { strings } from '../site-index.ts';
import type { Tallies } from './document.ts';
import type { Template } from './find-template.ts';
import { count, talliesOf } from './head.ts';

/** Whether a request has an argument. Deletions take theirs in a body too. */
export function isGiven({ query = [], body }: RequestSpec, name: string): boolean {
  const form = body !== undefined && 'form' in body ? body.form : [];
  const names = [
    ...[...query, ...form].map(([given]) => given),
    ...Object.keys(Object(member(body, 'json'))),
  ];
  return names.some((given) => given === name || given.startsWith(`${name}[`));
}

/** Longer words of a site are cut. */
const LONGEST_WORD = 100;

/** Notes what new records have in fields of few words that their creation did not send. */
export class UnsentNotes {
  readonly #fields = new Map<string, Map<string, number>>();

  note({ route, args }: Template, spec: RequestSpec, record: unknown): void {
    // An update leaves such fields as they are.
    if (route.includes('{')) return;
    for (const [name, descriptor] of Object.entries(args('POST'))) {
      const value = member(record, name);
      const isWord =
        typeof value === 'boolean' || strings(member(descriptor, 'enum')).includes(String(value));
      if (!isWord || isGiven(spec, name)) continue;
      const words = this.#fields.get(name) ?? new Map<string, number>();
      this.#fields.set(name, words);
      count(words, String(value));
    }
  }

  /** How often a field had each word, by field; undefined if none was left to the site. */
  tallies(redact: Redactor): Record<string, Tallies> | undefined {
    if (this.#fields.size === 0) return undefined;
    const shownIn = (words: ReadonlyMap<string, number>): Tallies =>
      talliesOf(new Map([...words].map(([word, times]) => [redact(word).slice(0, LONGEST_WORD), times])));
    const shown = [...this.#fields].sort(byName).map(([name, words]) => [redact(name), shownIn(words)]);
    return Object.fromEntries(shown);
  }
}
