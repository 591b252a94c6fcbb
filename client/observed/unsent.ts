import type { ObservedNames } from '../../specs/texts.ts';
import { decoded } from '../address.ts';
import { byName, member } from '../json.ts';
import { isSafe } from '../mode.ts';
import type { Observation, RequestSpec } from '../observation.ts';
import type { Redactor } from '../redact.ts';
import { strings } from '../site-index.ts';
import { Counter } from './counter.ts';
import type { Tallies } from './document.ts';
import type { Template } from './find-template.ts';

/** Whether a request has an argument. Deletions take theirs in a body too. */
export function isGiven({ query = [], body }: RequestSpec, name: string): boolean {
  const form = body !== undefined && 'form' in body ? body.form : [];
  const pairs = [...query, ...form, ...Object.entries(Object(member(body, 'json')))];
  const names = pairs.map(([given]) => given);
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

/** What becomes of a part of a written value. */
const FATE = { kept: DATE.kept, encoded: 'encoded', lost: 'lost' } as const;
/** Between a field and a part of what was written to it, in the name of a note. */
export const WRITTEN = ' written with ';
/** Longer texts are not looked at. */
const LONGEST_TEXT = 100_000;

const WHOLE = 'a long text';
/** Parts of texts that software changes, and how to find them. */
const PARTS: readonly (readonly [name: string, find: (text: string) => readonly string[]])[] = [
  ['blanks at its ends', blanksAtEnds],
  ['line breaks', (text) => matching(/\r?\n/g)(text.trim())],
  ['straight quotes', matching(/["']/g)],
  ['ampersands', matching(/&(?:#?\w+;)?/g)],
  ['markup', matching(/<\/?[a-z][a-z\d]*/gi)],
  ['capital letters', matching(/\p{Lu}/gu)],
  ['letters beyond ASCII', (text) => matching(/(?!\p{ASCII})\p{L}/gu)(text.toLowerCase())],
  [WHOLE, endOfLong],
];
const DATE_TIME = /^\d{4}-\d\d-\d\dT/;
/** Texts of fewer characters are hardly cut. */
const LONG = 60;
/** So many last letters show whether a text was cut. */
const END = 3;

function matching(pattern: RegExp): (text: string) => readonly string[] {
  return (text) => text.match(pattern) ?? [];
}

/** The last letters of a long text; none of one word, such as a slug, which may get a number. */
function endOfLong(text: string): readonly string[] {
  return text.length < LONG || !/\s/.test(text) ? [] : (text.match(/[\p{L}\p{N}]/gu) ?? []).slice(-END);
}

function blanksAtEnds(text: string): readonly string[] {
  const ends = [text.slice(0, text.length - text.trimStart().length), text.slice(text.trimEnd().length)];
  return ends.filter((blanks) => blanks !== '');
}

/** What became of the values that a write sent, by field and part, as far as the record in its answer shows it. */
export function fatesOf({ body }: RequestSpec, record: unknown): (readonly [name: string, fate: string])[] {
  return Object.entries(Object(member(body, 'json'))).flatMap(([field, value]) => {
    const [sent, shown] = [value, member(record, field)].map((one) => member(one, 'raw') ?? one);
    const note = ([part, fate]: readonly [string, string]) => [field + WRITTEN + part, fate] as const;
    if (Array.isArray(sent) && Array.isArray(shown)) return fatesOfList(sent, shown).map(note);
    if (typeof sent !== 'string' || typeof shown !== 'string' || shown === '' || DATE_TIME.test(sent))
      return [];
    return sent.length + shown.length > LONGEST_TEXT ? [] : fatesOfText(sent, shown).map(note);
  });
}

/** Values that name nothing are dropped, but seldom all but one. */
function fatesOfList(sent: readonly unknown[], shown: readonly unknown[]): [string, string][] {
  const kept = shown.filter((one) => sent.includes(one)).length;
  return new Set(sent).size < 2 || kept === 0 ? [] : [['several values', kept > 1 ? FATE.kept : FATE.lost]];
}

function fatesOfText(sent: string, shown: string): [string, string][] {
  const fates = PARTS.flatMap(([part, find]): [string, string][] => {
    const due = find(sent).join();
    if (due === '') return [];
    const isKept = (text: string): boolean => find(text).join() === due;
    return [[part, isKept(shown) ? FATE.kept : isKept(decoded(shown)) ? FATE.encoded : FATE.lost]];
  });
  // What a text lacks that was cut may have been in the part that is gone.
  const cut = fates.filter(([part, fate]) => part === WHOLE && fate !== FATE.kept);
  return cut.length > 0 ? cut : fates;
}

/** Longer words of a site are cut. */
const LONGEST_WORD = 100;

/** Notes what new records have in fields of few words that their creation did not send, and what updates do to the date of change. */
export class UnsentNotes {
  readonly #fields = new Map<string, Counter>();

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
    const words = this.#fields.get(name) ?? new Counter();
    this.#fields.set(name, words);
    words.add(word);
  }

  /** How often a field had each word, by field; undefined if none was left to the site. */
  tallies(redact: Redactor): Record<string, Tallies> | undefined {
    if (this.#fields.size === 0) return undefined;
    const masked = (word: string): string => redact(word).slice(0, LONGEST_WORD);
    const fields = [...this.#fields].sort(byName);
    return Object.fromEntries(fields.map(([name, words]) => [redact(name), words.tallies(masked) ?? {}]));
  }
}
