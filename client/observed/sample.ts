import { hash } from 'node:crypto';
import type { ObservedNames } from '../../specs/texts.ts';
import { byName, byText, defined, isObject, member, orderedJson } from '../json.ts';
import type { Redactor } from '../redact.ts';
import type { AnswerNotes } from './document.ts';
import { LONGEST_NAME } from './shape.ts';

const MOST_RECORDS = 50;
/** Readings of one record that are compared. What changes by itself shows early. */
const MOST_LOOKS = 4;
/** The most members of a sample, besides links. */
export const MOST_MEMBERS = 40;
const MOST_LINKS = 12;
const LONGEST_ORDER = 30;
/** Short, so that digests show whether two values are equal, but not what they are. */
const DIGEST = 6;
/** Stands for a missing member. */
export const NONE = '-';
/** Stand for a missing date of change: of a record that was read once, or again with the same values. */
export const UNDATED = { once: '-', again: '=' } as const;
/** Stands before the digest of a list whose order does not count. */
const UNORDERED = '~';
/** Stands before the digest of an object whose numbers do not count, such as views of a page. */
const UNCOUNTED = '#';

type IsMade = (id: string) => boolean;

type Names = Pick<ObservedNames, 'identity' | 'modified' | 'links'>;

interface Sampled {
  /** Decides which records are kept, the same ones in every run. */
  readonly rank: string;
  modified: string;
  readonly values: Map<string, string>;
  /** Members that changed from one reading to the next, although the date did not. */
  readonly moving: Set<string>;
  looks: number;
}

/** Keeps short digests of some records of a list, and the order of its first page. */
export class SampleNotes {
  readonly #names: Names;
  readonly #neutral: (text: string) => string;
  readonly #records = new Map<string, Sampled>();
  readonly #changed = new Set<string>();
  /** Records that were left out because others have precedence. */
  readonly #passed = new Set<string>();
  #order: readonly string[] | undefined;
  #isOrderMoving = false;

  constructor(names: Names, neutral: (text: string) => string) {
    this.#names = names;
    this.#neutral = neutral;
  }

  /** @param isMade whether the run is known to have made a record, which would take the place of another */
  note(records: readonly unknown[], isFirst: boolean, isMade: IsMade = () => false): void {
    if (this.#records.size + records.length > MOST_RECORDS) this.#dropMade(isMade);
    for (const record of records) {
      const id = this.#idOf(record);
      if (id !== undefined && !this.#isDone(id) && !isMade(id)) this.#noteRecord(id, record);
    }
    const ids = records.slice(0, LONGEST_ORDER).flatMap((record) => this.#idOf(record) ?? []);
    if (!isFirst || ids.length < 2) return;
    this.#isOrderMoving ||= this.#order !== undefined && this.#order.join() !== ids.join();
    this.#order = ids;
  }

  /** The notes, if any. @param isMade the next run may give its records the same ids and dates after a restore */
  sample(redact: Redactor, isMade: IsMade): AnswerNotes['sample'] {
    const kept = [...this.#records].filter(([id]) => !isMade(id));
    // The run changes its own records more than once a second.
    const moving = new Set(kept.flatMap(([, one]) => [...one.moving]));
    const names = [...new Set(kept.flatMap(([, { values }]) => [...values.keys()]))]
      .filter((name) => !moving.has(name))
      .sort();
    const isLink = (name: string): boolean => name.startsWith(`${this.#names.links}.`);
    // A relation that some records lack, such as one to an older version, comes and goes without a change of the record.
    const links = names.filter((name) => isLink(name) && kept.every(([, { values }]) => values.has(name)));
    const members = [
      ...names.filter((name) => !isLink(name)).slice(0, MOST_MEMBERS),
      ...links.slice(0, MOST_LINKS),
    ];
    const records = kept.sort(byName).map(([id, { modified, values, looks }]): [string, string] => {
      const digests = members.map((name) => values.get(name) ?? NONE);
      const date = modified === UNDATED.once && looks > 1 ? UNDATED.again : modified;
      return [id, [date, ...digests].join(' ')];
    });
    const order = this.#isOrderMoving || this.#order?.some(isMade) ? undefined : this.#order;
    if (records.length === 0 && order === undefined) return undefined;
    return defined({ members: members.map(redact), records: Object.fromEntries(records), order });
  }

  #idOf(record: unknown): string | undefined {
    const id = member(record, this.#names.identity);
    return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : undefined;
  }

  #isDone(id: string): boolean {
    return this.#changed.has(id) || this.#passed.has(id) || this.#records.get(id)?.looks === MOST_LOOKS;
  }

  #noteRecord(id: string, record: unknown): void {
    if (!isObject(record)) return;
    const dating = this.#names.modified.find((name) => {
      const date = member(record, name);
      return typeof date === 'string' && date !== '';
    });
    const date = dating && member(record, dating);
    // No record of an earlier version has it, because digests were others.
    const modified = date === undefined ? UNDATED.once : shortDigest(`marked ${orderedJson(date)}`, DIGEST);
    const known = this.#records.get(id) ?? this.#enter(id, modified);
    if (known === undefined) return;
    if (known.modified !== modified) {
      this.#changed.add(id);
      this.#records.delete(id);
      // There is room again.
      this.#passed.clear();
      return;
    }
    known.looks += 1;
    for (const [name, value] of this.#membersOf(record, id)) {
      // The date of change is equal by definition. A second one tells whether the first is another one by itself.
      if (name === dating) continue;
      const isDate = this.#names.modified.includes(name);
      const digest = this.#digestOf(value, isDate ? `${id} ${name}` : `${id} ${modified} ${name}`);
      const before = known.values.get(name);
      if (before !== undefined && before !== digest) known.moving.add(name);
      known.values.set(name, digest);
    }
  }

  #membersOf(record: object, id: string): [name: string, value: unknown][] {
    const own = Object.entries(record).filter(([name]) => !name.startsWith('_'));
    return [...own, ...this.#targetsOf(record, id)].filter(([name]) => name.length <= LONGEST_NAME);
  }

  /** The digest of a value, for lists another one that their order does not change, and for objects one without numbers. */
  #digestOf(value: unknown, about: string): string {
    const digest = (one: unknown): string =>
      shortDigest(`${about} ${this.#neutral(orderedJson(one))}`, DIGEST);
    if (isObject(value)) {
      const bare = withoutNumbers(value);
      return orderedJson(bare) === orderedJson(value)
        ? digest(value)
        : digest(value) + UNCOUNTED + digest(bare);
    }
    if (!Array.isArray(value) || value.length < 2) return digest(value);
    return digest(value) + UNORDERED + digest(value.map(orderedJson).sort());
  }

  /** Where its links lead, by relation, such as `_links.self`. Which other record it is, or how many, does not count. */
  #targetsOf(record: object, id: string): [name: string, targets: unknown][] {
    const links = member(record, this.#names.links);
    return Object.entries(isObject(links) ? links : {}).map(([relation, all]) => {
      const targets = (Array.isArray(all) ? all : []).map((one: unknown) => String(member(one, 'href')));
      const shown = targets.map((one) =>
        targetOf(one).replace(/\d+/g, (number) => (number === id ? number : '0')),
      );
      return [`${this.#names.links}.${relation}`, shown];
    });
  }

  /** A record may have been listed before the run knew it for its own. */
  #dropMade(isMade: IsMade): void {
    const made = [...this.#records.keys()].filter(isMade);
    for (const id of made) this.#records.delete(id);
    if (made.length > 0) this.#passed.clear();
  }

  #enter(id: string, modified: string): Sampled | undefined {
    const sampled = {
      rank: shortDigest(id, DIGEST),
      modified,
      values: new Map<string, string>(),
      moving: new Set<string>(),
      looks: 0,
    };
    if (this.#records.size >= MOST_RECORDS) {
      const [last] = [...this.#records].toSorted(([, one], [, other]) => byText(other.rank, one.rank));
      if (last === undefined) return undefined;
      const passed = last[1].rank <= sampled.rank ? id : last[0];
      this.#passed.add(passed);
      if (passed === id) return undefined;
      this.#records.delete(passed);
    }
    this.#records.set(id, sampled);
    return sampled;
  }
}

/** The same value with 0 for each number, also one in a text. */
function withoutNumbers(value: unknown): unknown {
  const isNumber = (one: unknown): boolean =>
    typeof one === 'number' || (typeof one === 'string' && /^\d+$/.test(one));
  return JSON.parse(JSON.stringify(value, (_, inner: unknown) => (isNumber(inner) ? 0 : inner)));
}

/** Whether two digests of a member differ, and if so, whether only by the order of a list or the numbers in an object. */
export function differenceOfDigests(
  was: string = NONE,
  is: string = NONE,
): 'order' | 'numbers' | 'value' | undefined {
  const [[then, all], [now, allNow]] = [was.split(/(?=[~#])/), is.split(/(?=[~#])/)] as const;
  if (then === now) return undefined;
  if (all === undefined || all !== allNow) return 'value';
  return all.startsWith(UNCOUNTED) ? 'numbers' : 'order';
}

/** A digest of a text. @param length number of characters; default: all */
export function shortDigest(text: string, length?: number): string {
  return hash('sha1', text, 'base64').slice(0, length);
}

/** So many last segments of a route tell where an address leads, under either form and scheme. */
const SEGMENTS = 3;

function targetOf(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const { pathname, searchParams } = url;
  const route = searchParams.get('rest_route') ?? pathname;
  searchParams.delete('rest_route');
  return [...route.split('/').slice(-SEGMENTS), ...searchParams].join('/');
}
