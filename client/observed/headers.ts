import type { ObservedNames } from '../../specs/texts.ts';
import { byName, defined } from '../json.ts';
import type { Redactor } from '../redact.ts';
import { Counter } from './counter.ts';
import type { HeaderNotes } from './document.ts';
import { type IsOwn, isOtherScheme } from './shape.ts';

const LONGEST_WORD = 80;
const LONGEST_HEADER = 4000;
/** Parts of names that are for one visitor only, such as the digest of an address. */
const DIGEST = /[\da-f]{8,}/gi;

/** Added to a relation whose link does not lead to the site by its own address. */
export const ENDS = {
  elsewhere: ' on another host',
  /** With `http` instead of `https`, or the reverse. */
  otherScheme: ' by another scheme',
  relative: ' by a relative address',
} as const;

type Kind = ObservedNames['headers'][number]['as'];

interface HeaderReading {
  readonly names: Pick<ObservedNames, 'headers' | 'tour'>;
  readonly redact: Redactor;
  readonly isOwn: IsOwn;
}

interface Noted {
  seen: number;
  /** The last value with its words, because most headers repeat. */
  last: string;
  of: readonly string[];
  readonly words: Counter;
}

/** Notes which headers answers have, and their kinds of values. */
export class HeaderRecorder {
  readonly #reading: HeaderReading;
  readonly #noted = new Map<string, Noted>();

  constructor(reading: HeaderReading) {
    this.#reading = reading;
  }

  note(headers: Readonly<Record<string, string>>): void {
    for (const { name, as } of this.#reading.names.headers) {
      const value = headers[name];
      if (value === undefined) continue;
      const noted = this.#noted.get(name) ?? { seen: 0, last: '', of: [], words: new Counter() };
      this.#noted.set(name, noted);
      noted.seen += 1;
      if (noted.last !== value) {
        noted.last = value;
        noted.of = [...new Set(wordsOfHeader(value, as, this.#reading))];
      }
      for (const word of noted.of) noted.words.add(word);
    }
  }

  headers(): Record<string, HeaderNotes> {
    const noted = [...this.#noted].sort(byName);
    return Object.fromEntries(
      noted.map(([name, { seen, words }]) => [name, defined({ seen, words: words.tallies() })]),
    );
  }
}

function wordsOfHeader(text: string, as: Kind, { names, redact, isOwn }: HeaderReading): string[] {
  const value = redact(text).slice(0, LONGEST_HEADER);
  switch (as) {
    case 'presence':
      return [];
    case 'number':
      return [/^\d+$/.test(value) ? 'whole number' : 'no whole number'];
    case 'relations':
      return linksIn(value).map(
        ([relation, address]) => relation.slice(0, LONGEST_WORD) + endOf(address, isOwn),
      );
    case 'type':
      return split(value.replaceAll('"', ''), ';');
    case 'words':
      return split(value, ',').map((word) => word.replace(/=.*$/, ''));
    case 'cookies':
      return split(value, /,(?=[^;,]+=)/).map((cookie) => cookie.replace(/=.*$/, '').replaceAll(DIGEST, '*'));
    case 'origin':
      return [originOf(value.trim(), names.tour.preflight.origin)];
  }
}

/** Which origins may read. @param asking the origin in our preflights */
function originOf(value: string, asking: string | undefined): string {
  if (value === '*' || value === asking) return 'the origin that asks';
  if (value === 'null') return 'null';
  return value.includes(',') ? 'several origins' : 'another origin';
}

function split(value: string, separator: string | RegExp): string[] {
  const words = value.split(separator).map((word) => word.trim().toLowerCase());
  const bare = words.map((word) => word.replaceAll(/\s*=\s*/g, '=').slice(0, LONGEST_WORD));
  return bare.filter((word) => word !== '');
}

/** Added to a relation, if its link does not lead to the site by its own address. */
function endOf(address: string, isOwn: IsOwn): string {
  if (!/^https?:/i.test(address)) return ENDS.relative;
  if (isOwn(address)) return '';
  return isOtherScheme(address, isOwn) ? ENDS.otherScheme : ENDS.elsewhere;
}

/** The links in a header, by relation. */
export function linksIn(value: string): (readonly [relation: string, address: string])[] {
  const links = value.slice(0, LONGEST_HEADER).split('<');
  return links.flatMap((link) => {
    const [address = ''] = link.split('>');
    const relations = link.matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/gi);
    const words = [...relations].flatMap(([, quoted, plain]) => (quoted ?? plain ?? '').split(/\s+/));
    return words.filter((word) => word !== '').map((word) => [word, address] as const);
  });
}
