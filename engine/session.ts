import type { Client } from '../client/client.ts';
import { isObject, type JsonObject } from '../client/json.ts';
import type { Observation, RequestSpec } from '../client/observation.ts';
import type { Redactor } from '../client/redact.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { Contract, Operation } from '../specs/model.ts';
import { type FuzzCoverage, type FuzzOptions, STANDARD_FUZZ } from './fuzz-options.ts';
import type { FieldNames, ShownFields } from './result.ts';

/** Who a request is sent as. */
export type Caller = 'user' | 'anonymous';

/** Values by operation id and by neutral name. */
export type OwnerHints = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
/** Where a run notes what it writes, and the word that every record of its own carries. */
export interface JournalPlace {
  readonly path: string;
  readonly tag: string;
  /** How many records of each collection may be made, by its name; no bound unless given. */
  readonly most?: Readonly<Record<string, number>>;
  /** Words for records in place of those that count. */
  readonly nextSlug?: () => string;
}

/** Looks at what checks share, for whoever notes which check was answered what. */
interface FixtureWatch {
  /** Stands around the making of a fixture. @param name of the fixture and its subject */
  make<T>(name: string, make: () => Promise<T>): Promise<T>;
  /** Stands around each use of it. */
  use<T>(name: string, made: Promise<T>): Promise<T>;
}

/** A read that was asked for in this run, and its answer. */
export interface Asked {
  readonly route: string;
  readonly query: readonly (readonly [string, string])[];
  readonly answer: Observation;
}

/** What a check works with: the contract, the target's index, and the only way to the target. */
export interface Session {
  readonly contract: Contract;
  readonly index: SiteIndex;
  readonly client: Client;
  /** Seed of everything random in the run. */
  readonly seed: number;
  /** How much the fuzz checks try. */
  readonly fuzz: FuzzOptions;
  /** What each fuzz check has tried so far, by the id of the check. */
  readonly tried: Map<string, FuzzCoverage>;
  /** Which fields records showed, for whoever compares runs. */
  readonly fields: FieldNotes;
  /** Ids of the checks that the caller left out: what they would report, nobody does. */
  readonly deselected: Set<string>;
  /** The user when there are credentials, else nobody: who sees the most. */
  readonly caller: Caller;
  /** Good values that only the owner of the site knows, by operation id and neutral name of a parameter, of the path too. */
  readonly hints: OwnerHints;
  /** Where writes are noted, and the word that own records carry; undefined for a run that writes no records. */
  readonly journal: JournalPlace | undefined;
  /** Asks a read once and remembers the answer: identical reads of different checks cost one request. */
  ask(spec: RequestSpec): Promise<Observation>;
  /** What is remembered of some routes, as one caller is answered: what other checks were shown proves things for nothing. */
  remembered(isMeant: (route: string) => boolean, as: Caller): readonly Asked[];
  /** What fixtures were made in: another one where all answers are forgotten. */
  readonly memory: object;
  /** Who looks at what checks share; nobody in a plain run. */
  readonly watch?: FixtureWatch;
  /** An operation of the contract by its id; undefined when the deployment does not have it. */
  operation(id: string): Operation | undefined;
}

/** A session for one run: what is asked once is remembered until the run ends. */
export function createSession(parts: {
  contract: Contract;
  index: SiteIndex;
  client: Client;
  seed: number;
  fuzz?: FuzzOptions | undefined;
  hints?: OwnerHints | undefined;
  journal?: JournalPlace | undefined;
}): Session {
  const { contract, client, index, seed, fuzz = STANDARD_FUZZ, hints = {}, journal } = parts;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const answers = new RememberedAnswers();
  const asked = new Map<string, Pick<Asked, 'route' | 'query'> & { readonly as: Caller }>();
  return {
    contract,
    index,
    client,
    seed,
    fuzz,
    tried: new Map(),
    fields: new FieldNotes(client.redact),
    deselected: new Set(),
    hints,
    journal,
    caller: client.hasUser ? 'user' : 'anonymous',
    ask(spec) {
      const { as = 'anonymous', method, route, query = [], rawQuery } = spec;
      const key = `ask ${as} ${method} ${route} ${JSON.stringify([query, rawQuery])}`;
      if (method === 'GET' && rawQuery === undefined) {
        asked.set(key, { as, route, query });
      }
      return answers.answer(key, () => client.request(spec));
    },
    remembered(isMeant, as) {
      return [...asked].flatMap(([key, { as: by, route, query }]) => {
        const answer = by === as && isMeant(route) ? answers.known(key) : undefined;
        return answer === undefined ? [] : [{ route, query, answer }];
      });
    },
    memory: {},
    operation: (id) => operations.get(id),
  };
}

/** A session that has forgotten all answers. Own records are known as before: the journal is the same. */
export function freshSession(session: Session, index: SiteIndex): Session {
  const { contract, client, seed, fuzz, hints, journal, deselected, fields } = session;
  const fresh = createSession({ contract, index, client, seed, fuzz, hints, journal });
  // What is noted for reports is noted once for the run.
  return { ...fresh, deselected, fields };
}

/** Bytes that remembered answers may take in memory together, by estimate. */
const MOST_BYTES = 96_000_000;
/** Bytes of an answer that costs more to keep than to ask for again. */
const MOST_BYTES_OF_ONE = 8_000_000;
/** What a parsed value and a letter take, about. */
const BYTES_OF_VALUE = 64;
const BYTES_OF_LETTER = 2;
/** What an exchange takes beside its texts and values, about. */
const BYTES_OF_EXCHANGE = 1_000;

interface Entry {
  readonly answer: Promise<Observation>;
  /** Once it has come. */
  settled?: Observation;
  bytes: number;
}

/**
 * Answers by what was asked, within a bound for all of them: whatever was not asked for longest is forgotten first, and
 * asked for again when it is needed.
 */
export class RememberedAnswers {
  /** In the order of their last use. */
  readonly #answers = new Map<string, Entry>();
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

  /** The answer under a key, where it has come and is remembered. */
  known(key: string): Observation | undefined {
    return this.#answers.get(key)?.settled;
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.bytes ?? 0;
    this.#answers.delete(key);
  }
}

/** What an answer takes in memory, by estimate: its text, what it was parsed to, and how it was asked for. */
function weightOf(answer: Pick<Observation, 'text' | 'values' | 'url' | 'headers'>): number {
  const { text, values = 0, url, headers } = answer;
  // The key that it is remembered by is as long as its address, and so is the request.
  const asked = 3 * url.length;
  const headed = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return (text.length + asked + headed) * BYTES_OF_LETTER + values * BYTES_OF_VALUE + BYTES_OF_EXCHANGE;
}

/** More fields than records of real software have. */
const MOST_NAMES = 400;
const LONGEST_NAME = 120;

/** What the fields of records are noted for. */
type FieldsOf = Pick<ShownFields, 'resource' | 'operation' | 'context'>;

/** Notes which fields records showed: the first look at each resource and context, so that every run notes the same. */
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

  /** What was noted since this was last asked. */
  take(): ShownFields[] {
    const taken = this.#fresh;
    this.#fresh = [];
    return taken;
  }
}

/**
 * The names of the fields that records show, and of the members inside those that are objects. What is no name but a
 * number, a link, or longer than names are is left out.
 */
function shownFields(about: FieldsOf, records: readonly JsonObject[], redact: Redactor): ShownFields {
  const outer = namesOf(records, redact);
  const inside = [...outer.always, ...outer.sometimes].flatMap((field): [string, FieldNames][] => {
    // What begins so is about the record, such as its links, and as many as there are others.
    if (field.startsWith('_')) return [];
    const objects = records.flatMap((record) => {
      const value = Object.hasOwn(record, field) ? record[field] : undefined;
      return isObject(value) ? [value] : [];
    });
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
  const counts = new Map<string, number>();
  for (const object of objects) {
    for (const name of Object.keys(object)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts].filter(([name]) => name.length <= LONGEST_NAME && !/^\d+$/.test(name)).sort();
  const kept = named.slice(0, MOST_NAMES);
  const those = (isAlways: boolean): string[] =>
    kept.filter(([, count]) => (count === whole) === isAlways).map(([name]) => redact(name));
  return { always: those(true), sometimes: those(false), cut: kept.length < named.length };
}

/** Something that is made once in a run, by whichever check needs it first. */
export type Fixture<T, Subject extends readonly unknown[] = []> = (
  session: Session,
  ...subject: Subject
) => Promise<T>;

/** What was made of one subject, and of the subjects that begin with the same parts. */
interface Cell<T> {
  made?: Promise<T>;
  readonly next: Map<unknown, Cell<T>>;
}

/**
 * A fixture: what its function makes of a subject is made once for each memory of a run, a failure too. The fixture itself is
 * the key, so that nothing can be found under another type.
 * @param name for readers and recordings; `{}` stands for a part of the subject, in their order
 * @param by the parts that distinguish subjects: objects by what they are, texts and numbers by their value; all unless given
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

/** The name of a fixture of one subject; parts that have neither a text nor an id are left out. */
function nameOf(name: string, key: readonly unknown[]): string {
  const words = key.flatMap((part) => wordOf(part) ?? []);
  const filled = name.replaceAll('{}', () => words.shift() ?? '');
  return [filled, ...words].join(' ');
}

function wordOf(part: unknown): string | undefined {
  if (typeof part === 'string' || typeof part === 'number') return String(part);
  if (typeof part !== 'object' || part === null || !('id' in part)) return undefined;
  return String(part.id);
}
