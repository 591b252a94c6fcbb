import { decoded, routeOf } from '../../client/address.ts';
import { byText } from '../../client/json.ts';
import { TemplateFinder } from '../../client/observed/find-template.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { contractIndexes, type RecordedCall, type Use, UseNotes } from './uses.ts';

/** The result of reading a recording. */
export interface Reduction {
  readonly uses: readonly Use[];
  /** What was left out, in words, with counts. */
  readonly left: ReadonlyMap<string, number>;
  /** The host of the site, if the recording has hosts. */
  readonly host: string | undefined;
}

/** How a recording is read. */
export interface ReadOptions {
  /** The index of the site, which has more routes than the contract. */
  readonly index?: SiteIndex | undefined;
  /** The address of the site in the recording; default: the host with most calls. */
  readonly site?: URL | undefined;
  /** Receives the number of bytes read. */
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
    const left = !isMethod(method)
      ? NO_LINE
      : mayBeCall
        ? this.note(address, { method, caller, status: Number(status) })
        : NOT_OF_INTERFACE;
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
