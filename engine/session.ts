import type { Client } from '../client/client.ts';
import { byName, isObject, type JsonObject, member } from '../client/json.ts';
import type { Observation, RequestSpec } from '../client/observation.ts';
import type { Redactor } from '../client/redact.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { Contract, Operation } from '../specs/model.ts';
import { type FuzzCoverage, type FuzzOptions, STANDARD_FUZZ } from './fuzz-options.ts';
import type { FieldNames, ShownFields } from './result.ts';

/** Who a request is sent as. */
export type Caller = 'user' | 'anonymous';

/** All callers, the one who sees most first. */
export const CALLERS: readonly Caller[] = ['user', 'anonymous'];

/** Values by operation id and neutral name of a parameter. */
export type OwnerHints = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
/** Where a run journals its writes, and the tag of its records. */
export interface JournalPlace {
  readonly path: string;
  readonly tag: string;
  /** The maximum number of records in each collection, by its name; default: no limit. */
  readonly most?: Readonly<Record<string, number>>;
  /** Makes slugs in place of numbered ones. */
  readonly nextSlug?: () => string;
}

/** Observes shared fixtures, for recordings that note which check received which answer. */
interface FixtureWatch {
  /** Wraps the creation of a fixture. @param name of the fixture and its subject */
  make<T>(name: string, make: () => Promise<T>): Promise<T>;
  /** Wraps each use of a fixture. */
  use<T>(name: string, made: Promise<T>): Promise<T>;
}

export interface Asked {
  readonly route: string;
  readonly query: readonly (readonly [string, string])[];
  readonly answer: Observation;
}

/** What a check works with: the contract, the index of the target, and the only access to the target. */
export interface Session {
  readonly contract: Contract;
  readonly index: SiteIndex;
  readonly client: Client;
  readonly seed: number;
  readonly fuzz: FuzzOptions;
  /** What each fuzz check has tried so far, by check id. */
  readonly tried: Map<string, FuzzCoverage>;
  /** The fields that records showed, to compare runs. */
  readonly fields: FieldNotes;
  /** Ids of the checks that run, once they are planned. */
  readonly running: Set<string>;
  /** Whether a check runs, so that another one may leave its finding to it. Without a plan, all checks do. */
  runs(id: string): boolean;
  /** Whether the failure of a check is waived or in the baseline, so that it must not stand for another one. */
  isAccepted(id: string): boolean;
  /** The shell commands in failures and warnings so far, with the id of the check that reports each first. */
  readonly reported: Map<string, string>;
  /** The caller who sees most: the user if there are credentials, otherwise anonymous. */
  readonly caller: Caller;
  /** Good values that only the owner of the site knows, by operation id and neutral name of a parameter. */
  readonly hints: OwnerHints;
  /** Where writes are journalled, and the tag of own records; undefined if the run writes no records. */
  readonly journal: JournalPlace | undefined;
  /** Sends a read once and remembers the answer, so identical reads of different checks cost one request. */
  ask(spec: RequestSpec): Promise<Observation>;
  /** Remembered answers of some routes for one caller. They can prove something without a request. */
  remembered(isMeant: (route: string) => boolean, as: Caller): readonly Asked[];
  /** The key of all fixtures; a new object when all answers are forgotten. */
  readonly memory: object;
  /** Observes shared fixtures; undefined in a plain run. */
  readonly watch?: FixtureWatch;
  operation(id: string): Operation | undefined;
}

/** Creates the session of a run. It remembers answers until the run ends. */
export function createSession(
  parts: Pick<Session, 'contract' | 'index' | 'client' | 'seed'> & {
    readonly [Name in 'fuzz' | 'hints' | 'journal' | 'isAccepted']?: Session[Name] | undefined;
  },
): Session {
  const { contract, client, index, seed, fuzz = STANDARD_FUZZ, hints = {}, journal } = parts;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const asked = new Map<string, Pick<Asked, 'route' | 'query'> & { readonly as: Caller }>();
  const answers = new RememberedAnswers(MOST_BYTES, (key) => asked.delete(key));
  const running = new Set<string>();
  return {
    contract,
    index,
    client,
    seed,
    fuzz,
    tried: new Map(),
    fields: new FieldNotes(client.redact),
    running,
    runs: (id) => running.size === 0 || running.has(id),
    isAccepted: parts.isAccepted ?? (() => false),
    reported: new Map(),
    hints,
    journal,
    caller: client.hasUser ? 'user' : 'anonymous',
    ask(spec) {
      const { as = 'anonymous', method, route, query = [], rawQuery } = spec;
      const key = `ask ${as} ${method} ${route} ${JSON.stringify([query, rawQuery])}`;
      if (method === 'GET' && rawQuery === undefined) asked.set(key, { as, route, query });
      return answers.answer(key, () => client.request(spec));
    },
    remembered(isMeant, as) {
      const found: Asked[] = [];
      for (const [key, { as: by, route, query }] of asked) {
        const answer = by === as && isMeant(route) ? answers.known(key) : undefined;
        if (answer !== undefined) found.push({ route, query, answer });
      }
      return found;
    },
    memory: {},
    operation: (id) => operations.get(id),
  };
}

/** A session without remembered answers. It keeps the journal, and with it the own records. */
export function freshSession(session: Session, index: SiteIndex): Session {
  // Notes for reports are kept for the whole run.
  const { running, runs, reported, fields } = session;
  return { ...createSession({ ...session, index }), running, runs, reported, fields };
}

/** Estimated bytes in memory that all remembered answers may take. */
const MOST_BYTES = 96_000_000;
/** Larger answers are cheaper to request again than to keep. */
const MOST_BYTES_OF_ONE = 8_000_000;
/** Estimated bytes of a parsed value and of a character. */
const BYTES_OF_VALUE = 64;
const BYTES_OF_LETTER = 2;
/** Estimated bytes of an exchange without its texts and values. */
const BYTES_OF_EXCHANGE = 1_000;

interface Entry {
  readonly answer: Promise<Observation>;
  settled?: Observation;
  bytes: number;
}

/** Remembered answers by request, within a bound for all. The least recently used is forgotten first. */
export class RememberedAnswers {
  /** In order of last use. */
  readonly #answers = new Map<string, Entry>();
  readonly #most: number;
  readonly #forgotten: (key: string) => void;
  #bytes = 0;

  /** @param most bytes; @param forgotten receives each key that is forgotten */
  constructor(most: number = MOST_BYTES, forgotten: (key: string) => void = () => undefined) {
    this.#most = most;
    this.#forgotten = forgotten;
  }

  /** The answer for a key. `ask` sends the request if it is not remembered. Failures are not remembered. */
  async answer(key: string, ask: () => Promise<Observation>): Promise<Observation> {
    const known = this.#answers.get(key);
    if (known !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return known.answer;
    }
    const entry: Entry = { answer: ask(), bytes: 0 };
    this.#answers.set(key, entry);
    try {
      const answer = await entry.answer;
      entry.settled = answer;
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

  /** The answer for a key, if it has arrived and is remembered. */
  known(key: string): Observation | undefined {
    return this.#answers.get(key)?.settled;
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.bytes ?? 0;
    this.#answers.delete(key);
    this.#forgotten(key);
  }
}

function weightOf(answer: Pick<Observation, 'text' | 'values' | 'url' | 'headers'>): number {
  const { text, values = 0, url, headers } = answer;
  // The address is stored in the answer, in its key and in its request.
  const asked = 3 * url.length;
  const headed = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return (text.length + asked + headed) * BYTES_OF_LETTER + values * BYTES_OF_VALUE + BYTES_OF_EXCHANGE;
}

/** More fields than records of real software have. */
const MOST_NAMES = 400;
const LONGEST_NAME = 120;

type FieldsOf = Pick<ShownFields, 'resource' | 'operation' | 'context'>;

/** Notes the fields of records on the first read of each resource and context, so that every run notes the same. */
export class FieldNotes {
  readonly #seen = new Set<string>();
  #fresh: ShownFields[] = [];
  readonly #redact: Redactor;

  constructor(redact: Redactor) {
    this.#redact = redact;
  }

  note(about: FieldsOf, records: readonly JsonObject[]): void {
    const key = JSON.stringify([about.resource, about.context]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#fresh.push(shownFields(about, records, this.#redact));
  }

  /** What was noted since the last call. */
  take(): ShownFields[] {
    const taken = this.#fresh;
    this.#fresh = [];
    return taken;
  }
}

/** The names of the fields of records, and of the members inside them, without numbers, links and long names. */
function shownFields(about: FieldsOf, records: readonly JsonObject[], redact: Redactor): ShownFields {
  const outer = namesOf(records, redact);
  // Fields that begin with an underscore hold links and the like, and there are many of them.
  const fields = [...outer.always, ...outer.sometimes].filter((field) => !field.startsWith('_'));
  const inside = fields.flatMap((field): [string, FieldNames][] => {
    const objects = records.map((record) => member(record, field)).filter(isObject);
    const { cut: _cut, ...names } = namesOf(objects, redact, records.length);
    return names.always.length + names.sometimes.length === 0 ? [] : [[field, names]];
  });
  const { cut, ...names } = outer;
  return {
    ...about,
    records: records.length,
    ...names,
    ...(inside.length > 0 && { inside: Object.fromEntries(inside) }),
    ...(cut && { cut: true }),
  };
}

/** @param whole how many objects there would be if every record had one */
function namesOf(
  objects: readonly JsonObject[],
  redact: Redactor,
  whole: number = objects.length,
): FieldNames & { readonly cut: boolean } {
  const occurrences = Map.groupBy(objects.flatMap(Object.keys), (name: string) => name);
  const named = [...occurrences].filter(([name]) => name.length <= LONGEST_NAME && !/^\d+$/.test(name));
  const kept = named.sort(byName).slice(0, MOST_NAMES);
  const those = (isAlways: boolean): string[] =>
    kept.filter(([, all]) => (all.length === whole) === isAlways).map(([name]) => redact(name));
  return { always: those(true), sometimes: those(false), cut: kept.length < named.length };
}

/** Something that is made once in a run, by the first check that needs it. */
export type Fixture<T, Subject extends readonly unknown[] = []> = (
  session: Session,
  ...subject: Subject
) => Promise<T>;

interface Cell<T> {
  made?: Promise<T>;
  readonly next: Map<unknown, Cell<T>>;
}

/**
 * Creates a fixture: its function runs once for each subject and memory of a run, and a failure is kept too. The
 * fixture itself is the key, so nothing can be found under another type.
 * @param name for readers and recordings; `{}` stands for the parts of the subject, in order
 * @param by the parts that distinguish subjects: objects by identity, texts and numbers by value; default: all
 */
export function fixture<T, Subject extends readonly unknown[] = []>(
  name: string,
  make: (session: Session, ...subject: Subject) => Promise<T>,
  by: (...subject: Subject) => readonly unknown[] = (...subject) => subject,
): Fixture<T, Subject> {
  const memories = new WeakMap<object, Cell<T>>();
  return (session, ...subject) => {
    const { memory, watch } = session;
    const key = by(...subject);
    let cell: Cell<T> = memories.get(memory) ?? { next: new Map() };
    memories.set(memory, cell);
    for (const part of key) {
      const next: Cell<T> = cell.next.get(part) ?? { next: new Map() };
      cell.next.set(part, next);
      cell = next;
    }
    if (watch === undefined) {
      cell.made ??= make(session, ...subject);
      return cell.made;
    }
    const full = nameOf(name, key);
    cell.made ??= watch.make(full, () => make(session, ...subject));
    return watch.use(full, cell.made);
  };
}

/** The name of a fixture for one subject. Parts without a text or an id are left out. */
function nameOf(name: string, key: readonly unknown[]): string {
  const words = key.flatMap((part) => {
    const word = typeof part === 'object' && part !== null && 'id' in part ? part.id : part;
    return typeof word === 'string' || typeof word === 'number' ? [String(word)] : [];
  });
  const filled = name.replaceAll('{}', () => words.shift() ?? '');
  return [filled, ...words].join(' ');
}
