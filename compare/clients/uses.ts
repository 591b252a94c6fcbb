import { byName, defined, type JsonObject, member } from '../../client/json.ts';
import type { TemplateFinder } from '../../client/observed/find-template.ts';
import { ShapeNotes } from '../../client/observed/shape.ts';
import { createRedactor, MASK } from '../../client/redact.ts';
import { readIndex, type SiteIndex, strings } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import { knownFeatures, namesIn } from '../../specs/deployment.ts';
import { routeKey } from '../../specs/find-resource.ts';
import { textsOf } from '../../specs/texts.ts';
import { validated } from '../../specs/validators.ts';
import { readDocument } from '../side.ts';

/** A parameter that a client sends, without its values, except declared words and bounded numbers. */
export interface SentParameter {
  readonly kinds: readonly string[];
  readonly words?: readonly string[];
  readonly least?: number;
  readonly most?: number;
}

/** A call of a client, however often it is made. */
export interface Use {
  readonly method: string;
  readonly route: string;
  readonly caller: 'anonymous' | 'user';
  readonly context?: string;
  readonly body?: 'form';
  readonly parameters: Readonly<Record<string, SentParameter>>;
  readonly answers?: readonly ('accepted' | 'refused')[];
  readonly members: readonly string[] | 'unknown';
}

/** What a client uses: the output of `client make`, format 1; `specs/schemas/client.schema.json` describes it. */
export interface ClientFile {
  readonly format: 1;
  readonly kind: 'client';
  readonly uses: readonly Use[];
}

/** A file of uses with its name. */
export interface NamedClient extends Pick<ClientFile, 'uses'> {
  readonly name: string;
}

/** Reads such a file. Its name is the part before the first dot. @throws UsageError for another file */
export function readClient(path: string): NamedClient {
  const document = readDocument(path, 'what "client make" writes');
  const { uses } = validated<ClientFile>(path, document, 'client.schema.json');
  const name = (path.split(/[\\/]/).at(-1) ?? path).replace(/\..*$/, '');
  return { name: name === '' ? path : name, uses };
}

/** A request of a recording with the members of its body, and the JSON of its answer. */
export interface RecordedCall extends Pick<Use, 'method' | 'route' | 'caller' | 'body'> {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly sent?: JsonObject | undefined;
  readonly status?: number | undefined;
  readonly answer?: unknown;
}

interface Sent {
  readonly kinds: Set<string>;
  readonly words: Set<string>;
  readonly numbers: { least: number; most: number } | undefined;
}

/** What distinguishes calls besides the names of their parameters. */
type Place = Pick<Use, 'method' | 'route' | 'caller' | 'context' | 'body'>;

interface Row extends Place {
  readonly sent: Map<string, Sent>;
  readonly answers: Set<'accepted' | 'refused'>;
  readonly shape: ShapeNotes;
  asked: readonly string[] | undefined;
}

const MOST_USES = 2000;
/** Records read in the answers to one call. */
const MOST_RECORDS = 200;
const MOST_MEMBERS = 600;
const MOST_PARAMETERS = 60;

/** A name, not something that looks like a token. */
const NAME = /^(?=.{1,40}$)[A-Za-z_](?:[A-Za-z_:-]|\d(?!\d{3}))*$/;
const PATH_PART = /^[a-z][a-z_-]{0,39}$/;
const VERSION = /^v?\d{1,3}(?:\.\d{1,3})?$/;
/** Names of parameters that may hold a secret. */
const SECRET = /nonce|passw|secret|token|signature|(?:^|_)key$|consumer_|auth/i;

/** Reduces exchanges to uses, without hosts, headers, credentials and values of records. Its size is bounded. */
export class UseNotes {
  readonly #names = textsOf('observed');
  readonly #finders: readonly TemplateFinder[];
  readonly #rows = new Map<string, Row>();
  readonly #room: { entries: number; paths: number };
  readonly left: Map<string, number> = new Map();

  /** @param room for further calls with their parameters, and for paths of members, of all hosts together */
  constructor(finders: readonly TemplateFinder[], room: { entries: number; paths: number }) {
    this.#finders = finders;
    this.#room = room;
  }

  /** Counts something that is left out. @param why in words, in the plural */
  leave(why: string, count: number = 1): void {
    this.left.set(why, (this.left.get(why) ?? 0) + count);
  }

  note({ method, route, query, caller, sent = {}, body, status, answer }: RecordedCall): void {
    const found = this.#finders.map((finder) => finder.find(route)).find((one) => one !== undefined);
    if (found === undefined) this.leave('calls of routes that neither the contract nor --index knows');
    const declared = found?.args(method) ?? {};
    const asked = query.find(([name]) => name === this.#names.context)?.[1];
    const context = asked ?? member(declared[this.#names.context], 'default');
    const known = strings(member(declared[this.#names.context], 'enum'));
    const given = [
      ...query.map(([name, text]) => [name, read(text, name)] as const),
      ...Object.entries(sent),
    ];
    const arguments_ = given.flatMap(([name, value]) => {
      const base = name.split('[', 1)[0] ?? '';
      if (base === this.#names.context || SECRET.test(base)) return [];
      if (NAME.test(base)) return [[base, value] as const];
      this.leave('parameters whose names may be secrets');
      return [];
    });
    const place = {
      method,
      route: found?.route ?? generalRoute(route),
      caller,
      ...(typeof context === 'string' && known.includes(context) && { context }),
      ...defined({ body }),
    };
    const row = this.#rowOf(place, new Set(arguments_.map(([name]) => name)));
    if (row === undefined) return;
    for (const [name, value] of arguments_) noteParameter(row, name, value, declared[name]);
    const fields = query.find(([name]) => name === this.#names.tour.fields)?.[1];
    if (fields !== undefined)
      row.asked = fields.split(',').filter((name) => name.split('.').every((name) => NAME.test(name)));
    if (status !== undefined && status >= 400) row.answers.add('refused');
    else if (status !== undefined && (status < 300 || status === 304)) row.answers.add('accepted');
    if ((status ?? 200) < 300 && answer !== undefined) this.#noteShape(row, answer);
  }

  #noteShape({ shape: notes }: Row, answer: unknown): void {
    if (notes.records >= MOST_RECORDS || this.#room.paths <= 0) return;
    const before = notes.paths;
    for (const record of Array.isArray(answer) ? answer.slice(0, MOST_RECORDS) : [answer]) notes.note(record);
    this.#room.paths -= notes.paths - before;
  }

  #rowOf(about: Place, names: ReadonlySet<string>): Row | undefined {
    const key = JSON.stringify([...Object.values(about), [...names].sort()]);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const room = this.#room.entries - 1 - names.size;
    if (this.#rows.size >= MOST_USES || names.size > MOST_PARAMETERS || room < 0) {
      this.leave(
        `calls beyond what is held (${MOST_USES} of a host at most), or with more than ${MOST_PARAMETERS} parameters`,
      );
      return undefined;
    }
    const shape = new ShapeNotes(() => false);
    const row = { ...about, sent: new Map(), answers: new Set<'accepted'>(), shape, asked: undefined };
    this.#rows.set(key, row);
    this.#room.entries = room;
    return row;
  }

  /** The uses in a fixed order. @param secrets seen elsewhere in the recording */
  uses(secrets: Iterable<string> = []): Use[] {
    const redact = createRedactor([...secrets]);
    const isClean = (text: string): boolean => redact(text) === text && !text.includes(MASK);
    const all = [...this.#rows.values()].filter(({ route }) => isClean(route));
    if (all.length < this.#rows.size)
      this.leave('calls with a credential in a name', this.#rows.size - all.length);
    return all
      .map((row): [string, Use] => {
        const { method, route, caller, context, body, answers } = row;
        const sent = [...row.sent].filter(([name]) => isClean(name)).sort(byName);
        if (sent.length < row.sent.size) this.leave('parameters whose names may be secrets');
        const members = membersOf(row)?.filter(isClean);
        const use: Use = {
          ...defined({ method, route, caller, context, body }),
          parameters: Object.fromEntries(sent.map(([name, one]) => [name, sentOf(one)])),
          ...(answers.size > 0 && { answers: [...answers].sort() }),
          members: members ?? 'unknown',
        };
        const key = [route, method, caller, context ?? '', sent.map(([name]) => name), body];
        return [JSON.stringify(key), use];
      })
      .sort(byName)
      .map(([, use]) => use);
  }
}

function sentOf({ kinds, words, numbers }: Sent): SentParameter {
  return {
    kinds: [...kinds].sort(),
    ...(words.size > 0 && { words: [...words].sort() }),
    ...(numbers !== undefined && Number.isFinite(numbers.least) && numbers),
  };
}

function noteParameter({ sent }: Row, name: string, value: unknown, declared: unknown): void {
  const bounded = typeof member(declared, 'maximum') === 'number';
  const known = sent.get(name) ?? {
    kinds: new Set(),
    words: new Set(),
    numbers: bounded ? { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY } : undefined,
  };
  sent.set(name, known);
  known.kinds.add(kindOf(value));
  const words = [member(declared, 'enum'), member(member(declared, 'items'), 'enum')].flatMap(strings);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const one of values) if (typeof one === 'string' && words.includes(one)) known.words.add(one);
  if (known.numbers === undefined || typeof value !== 'number') return;
  known.numbers.least = Math.min(known.numbers.least, value);
  known.numbers.most = Math.max(known.numbers.most, value);
}

/** A value of a query. Its type is unknown, because a query is text. */
function read(text: string, name: string): unknown {
  if (name.includes('[')) return [text];
  if (text.includes(',') && text.length < 10_000) return text.split(',');
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** The kind of a value in a file of uses. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number')
    return Number.isInteger(value) || value === Infinity ? 'integer' : 'fraction';
  if (typeof value !== 'string') return typeof value === 'boolean' ? 'boolean' : 'object';
  if (value === '') return 'empty';
  if (/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value)) return 'date';
  return /^https?:\/\//i.test(value) ? 'address' : 'text';
}

/** The innermost members that answers had, or that were requested; undefined if neither is known. */
function membersOf({ shape: notes, asked }: Row): string[] | undefined {
  if (notes.records === 0) return asked?.toSorted();
  const seen = notes.members((name) => (NAME.test(name) || name === '*' ? name : '*'));
  const all = [...new Set(Object.keys(seen))].sort();
  const inner = new Set(
    all.flatMap((path) => [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index))),
  );
  return all.filter((path) => !inner.has(path)).slice(0, MOST_MEMBERS);
}

/** The namespace and collection of an unknown route, if they are plain words, without the rest. */
function generalRoute(route: string): string {
  const parts = route.split('/').filter((part) => part !== '');
  const version = parts.slice(0, 4).findIndex((part) => VERSION.test(part));
  const shown = parts.slice(0, 12).map((part, at) => {
    const isOpen = at <= version + 1 && (PATH_PART.test(part) || (at === version && VERSION.test(part)));
    return isOpen ? part : '{value}';
  });
  return `/${shown.join('/')}`;
}

/** Everything that the contract describes, in each vocabulary, as an index would list it. */
export function contractIndexes(): SiteIndex[] {
  const [operations, features] = [namesIn('operations'), knownFeatures()];
  const composed = { name: 'all', title: 'all', operations, features };
  return namesIn('vocabularies').map((vocabulary) => {
    const { operations } = loadContract({ deployment: 'all', vocabulary, composed });
    const byKey = Map.groupBy(operations, ({ route }) => routeKey(route));
    const routes = [...byKey].map(([key, all]) => {
      const endpoints = all.map(({ methods, parameters }) => ({
        methods,
        args: Object.fromEntries(parameters.map(({ wire, schema }) => [wire, schema])),
      }));
      return [key, { endpoints, namespace: all[0]?.route.namespace }];
    });
    return readIndex({ routes: Object.fromEntries(routes) }, '');
  });
}

/** A call in one line, such as `GET /x/v1/posts?context=edit&per_page as user`. */
export function describeUse({ method, route, caller, context, parameters }: Use): string {
  const words = [...(context === undefined ? [] : [`context=${context}`]), ...Object.keys(parameters)];
  return `${method} ${route}${words.length === 0 ? '' : `?${words.join('&')}`}${caller === 'user' ? ' as user' : ''}`;
}
