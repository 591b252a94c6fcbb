import { decoded, routeOf } from '../../client/address.ts';
import { byName, byText, defined, type JsonObject, member } from '../../client/json.ts';
import { TemplateFinder } from '../../client/observed/find-template.ts';
import { ShapeNotes } from '../../client/observed/shape.ts';
import { createRedactor, MASK } from '../../client/redact.ts';
import { readIndex, type SiteIndex, strings, wordsIn } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import { knownFeatures, namesIn } from '../../specs/deployment.ts';
import { routeKey } from '../../specs/find-resource.ts';
import { textsOf } from '../../specs/texts.ts';
import { kindOf, type SentParameter, type Use } from './uses.ts';

/** The result of reading a recording. */
export interface Reduction {
  readonly uses: readonly Use[];
  readonly left: ReadonlyMap<string, number>;
  readonly host: string | undefined;
}

/** How a recording is read. */
export interface ReadOptions {
  /** The index of the site, which has more routes than the contract. */
  readonly index?: SiteIndex | undefined;
  /** The address of the site in the recording; default: the host with most calls. */
  readonly site?: URL | undefined;
  readonly heard?: (bytes: number) => void;
}

/** Longer than the address of any call. */
const LONGEST_ADDRESS = 65_536;
const MOST_HOSTS = 20;
const MOST_LINES = 5000;
const MOST_SECRETS = 300;
const SHORTEST_SECRET = 6;
const LONGEST_SECRET = 5000;
/** The reason for leaving out an unreadable entry. */
export const BROKEN = 'entries that cannot be read';
/** The reason for leaving out a request for a page, a file or another interface. */
export const NOT_OF_INTERFACE = 'requests that are not of the interface';
const OTHER_HOST = 'calls of other hosts';
const NO_LINE = 'lines that are of no access log';
const NO_HOST = '';
/** The host for logs, which have none. */
export const ANYWHERE = 'http://recording.invalid';

/** The exchanges of a recording by host, until it is known which host is the site. */
export class Recording {
  readonly left: Map<string, number> = new Map();
  readonly #options: ReadOptions;
  readonly #finders: readonly TemplateFinder[];
  readonly #room = { entries: 40_000, paths: 60_000 };
  readonly #hosts = new Map<string, { readonly notes: UseNotes; calls: number }>();
  readonly #secrets = new Set<string>();
  readonly #lines = new Map<string, string | undefined>();
  exchanges = 0;
  isKnown = false;

  constructor(options: ReadOptions) {
    this.#options = options;
    // The site has more routes than the contract.
    const indexes = [...(options.index === undefined ? [] : [options.index]), ...contractIndexes()];
    this.#finders = indexes.map((one) => new TemplateFinder(one));
  }

  /** @param why something is left out, in the plural; undefined for what is not */
  leave(why: string | undefined, count: number = 1): void {
    if (why !== undefined && count > 0) this.left.set(why, (this.left.get(why) ?? 0) + count);
  }

  /** Notes a request. @returns why it is left out */
  note(
    address: string,
    { query = [], ...exchange }: Omit<RecordedCall, 'route' | 'query'> & Partial<Pick<RecordedCall, 'query'>>,
  ): string | undefined {
    this.exchanges += 1;
    if (address.length > LONGEST_ADDRESS || !URL.canParse(address, ANYWHERE)) return BROKEN;
    const url = new URL(address, ANYWHERE);
    const host = url.origin === ANYWHERE ? NO_HOST : url.host;
    const { site } = this.#options;
    if (site !== undefined && host !== NO_HOST && url.host !== site.host) return OTHER_HOST;
    const route = routeOf(url, site && new URL(site.pathname, url.origin));
    if (route === undefined) return NOT_OF_INTERFACE;
    if (exchange.method === 'OPTIONS') return 'questions of browsers before a call (OPTIONS)';
    for (const text of [url.username, url.password]) this.secret(decoded(text));
    const known = this.#hosts.get(host);
    if (known === undefined && this.#hosts.size >= MOST_HOSTS) return OTHER_HOST;
    const own = known ?? { notes: new UseNotes(this.#finders, this.#room), calls: 0 };
    this.#hosts.set(host, own);
    own.calls += 1;
    const pairs = [...url.searchParams].filter(([name]) => name !== 'rest_route');
    own.notes.note({ ...exchange, route, query: [...pairs, ...query] });
    return undefined;
  }

  secret(text: string): void {
    if (text.length >= SHORTEST_SECRET && text.length < LONGEST_SECRET && this.#secrets.size < MOST_SECRETS)
      this.#secrets.add(text);
  }

  /** Notes a line of an access log, in the common or the combined format. @returns why it is left out */
  line(line: string): string | undefined {
    const found = LOG_LINE.exec(line);
    if (found === null) return line.trim() === '' ? undefined : NO_LINE;
    const [, user = '-', method = '', address = '', status = ''] = found;
    this.isKnown = true;
    const caller = user === '-' ? 'anonymous' : 'user';
    // Cached, because most lines repeat and parsing an address takes most of the time.
    const key = `${caller} ${method} ${status} ${address}`;
    if (this.#lines.has(key)) return this.#lines.get(key);
    const mayBeCall = /\/wp-json|rest_route=/.test(address) || this.#options.site !== undefined;
    let left: string | undefined = NOT_OF_INTERFACE;
    if (!isMethod(method)) left = NO_LINE;
    else if (mayBeCall) left = this.note(address, { method, caller, status: Number(status) });
    if (this.#lines.size >= MOST_LINES) this.#lines.clear();
    this.#lines.set(key, left);
    return left;
  }

  reduction(): Reduction {
    const [first, ...others] = [...this.#hosts].sort(
      ([one, { calls }], [other, { calls: more }]) => more - calls || byText(one, other),
    );
    const [host, own] = first ?? [NO_HOST];
    const uses = own?.notes.uses(this.#secrets) ?? [];
    for (const [why, count] of own?.notes.left ?? []) this.leave(why, count);
    for (const [, { calls }] of others) this.leave(OTHER_HOST, calls);
    return { uses, left: this.left, host: host === NO_HOST ? undefined : host };
  }
}

/** `host ident user [time] "METHOD address PROTOCOL" status`; the rest does not matter. */
const LOG_LINE = /^\S+ \S+ ([^[]*?) \[[^\]]{0,80}\] "([A-Z]{1,20}) (\S+)(?: [^"\s]{1,20})?" (\d{3})(?: |$)/;

/** Whether a word is a method of the interface. */
export function isMethod(method: string): boolean {
  return /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method);
}

/** A request of a recording with the members of its body, and the JSON of its answer. */
interface RecordedCall extends Pick<Use, 'method' | 'route' | 'caller' | 'body'> {
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
class UseNotes {
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
    const outcome = outcomeOf(status);
    if (outcome !== undefined) row.answers.add(outcome);
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
  uses(secrets: Iterable<string>): Use[] {
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
  const words = wordsIn(declared);
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

function outcomeOf(status: number | undefined): 'accepted' | 'refused' | undefined {
  if (status === undefined) return undefined;
  if (status >= 400) return 'refused';
  return status < 300 || status === 304 ? 'accepted' : undefined;
}

function contractIndexes(): SiteIndex[] {
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
