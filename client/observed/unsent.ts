import type { ObservedNames } from '../../specs/texts.ts';
import { byName, member } from '../json.ts';
import { isSafe } from '../mode.ts';
import type { Observation, RequestSpec } from '../observation.ts';
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

/** What an update does to the date of change of a record. */
export const DATE = { moved: 'moved', kept: 'kept' } as const;
/** Dates may have whole seconds only. */
const TICK_MS = 2000;
const MOST_DATES = 2000;

/** The dates of change that records were last seen with. */
export class DatesOfChange {
  readonly #names: Pick<ObservedNames, 'identity' | 'modified'>;
  readonly #known = new Map<string, { readonly date: string; readonly since: number }>();

  constructor(names: Pick<ObservedNames, 'identity' | 'modified'>) {
    this.#names = names;
  }

  /** Notes the date of a record. @returns what an update did to it; undefined if that shows nothing, as within one second */
  note(
    { method, route }: RequestSpec,
    { json, seconds }: Observation,
  ): [name: string, did: string] | undefined {
    const name = this.#names.modified.find((one) => typeof member(json, one) === 'string');
    const id = member(json, this.#names.identity);
    if (name === undefined || method === 'DELETE') return undefined;
    const [date, place] = [String(member(json, name)), route.endsWith(`/${id}`) ? route : `${route}/${id}`];
    const known = this.#known.get(place);
    const isMoved = known?.date !== date;
    if (isMoved && (known !== undefined || this.#known.size < MOST_DATES))
      this.#known.set(place, { date, since: Date.now() });
    if (known === undefined || isSafe(method)) return undefined;
    if (isMoved) return [name, DATE.moved];
    return Date.now() - seconds * 1000 - known.since < TICK_MS ? undefined : [name, DATE.kept];
  }
}

/** Longer words of a site are cut. */
const LONGEST_WORD = 100;

/** Notes what new records have in fields of few words that their creation did not send, and what updates do to the date of change. */
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
      this.add(name, String(value));
    }
  }

  add(name: string, word: string): void {
    const words = this.#fields.get(name) ?? new Map<string, number>();
    this.#fields.set(name, words);
    count(words, word);
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
