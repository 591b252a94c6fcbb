import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject, member } from '../reference/json.ts';

/** A request to a site, reduced to what tells it apart from others. */
export interface Asked {
  readonly who: 'user' | 'anonymous';
  readonly method: string;
  readonly route: string;
  /** The rest of the query, with the address of the site as `{site}`. */
  readonly query: string;
  /** A digest of the body and what it is, where there is one. */
  readonly sent?: string;
}

/** An exchange with a site, reduced to what it says about the interface. */
export interface RecordedExchange extends Asked {
  readonly status: number;
  /** Headers of the answer that a client of the interface may read. */
  readonly headers: Readonly<Record<string, string>>;
  /** A parsed body, with the address of the site as `{site}`; a text where it is no JSON. */
  readonly body: { readonly json: unknown } | { readonly text: string };
}

/** A recording: exchanges with one site in their order, and what a run with them concluded. */
export interface Recording {
  /** The seed of the run. */
  readonly seed: number;
  /** Verdicts by check id; skipped checks are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly exchanges: readonly RecordedExchange[];
}

/** Stands where there is no word between parts, and nowhere else. */
const NO_BOUNDARY = '\0';

/** Stands for the address of the site. */
export const SITE = '{site}';

/**
 * What is asked of a site, as a recording knows it.
 * @param message method, address from the root of the site, and headers; @param site the address of the site
 */
export function askedOf(
  message: {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
  },
  body: Buffer,
  site: string,
): Asked {
  const { method = '', url = '/', headers } = message;
  const parameters = new URL(url, site).searchParams;
  const route = parameters.get('rest_route') ?? '';
  parameters.delete('rest_route');
  const rest = [...parameters].map(([name, value]) => `${name}=${value.replaceAll(site, SITE)}`);
  const sent = digestOf(body, headers, site);
  return {
    who: headers.authorization === undefined ? 'anonymous' : 'user',
    method,
    route,
    query: rest.join('&'),
    ...(sent !== undefined && { sent }),
  };
}

/** Requests with one key are the same request. */
export function keyOf({ who, method, route, query, sent = '' }: Asked): string {
  return [who, method, route, query, sent].join(' ').trimEnd();
}

function digestOf(body: Buffer, headers: IncomingHttpHeaders, site: string): string | undefined {
  if (body.length === 0) return undefined;
  const forms = [site, site.replaceAll('/', '\\/'), encodeURIComponent(site)];
  const type = headers['content-type'] ?? '';
  // The word between the parts of a form is another one each time.
  const [, boundary = NO_BOUNDARY] = /boundary=(\S+)/.exec(type) ?? [];
  const text = forms
    .reduce((left, form) => left.replaceAll(form, SITE), body.toString('latin1'))
    .replaceAll(boundary, '');
  const about = `${type.replaceAll(boundary, '')}\n${headers['content-disposition'] ?? ''}\n`;
  return createHash('sha256').update(about).update(text).digest('hex').slice(0, 12);
}

/** Reads what `writeRecording` has written. @throws Error for a file that is no recording */
export function readRecording(path: string): Recording {
  const [head, ...lines] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const seed = member(head, 'seed');
  if (typeof seed !== 'number') throw new Error(`${path} is not a recording`);
  const parts: unknown[] = [];
  const verdicts: Record<string, string> = {};
  const exchanges: RecordedExchange[] = [];
  for (const line of lines.filter(isObject)) {
    if ('part' in line) parts.push(readPart(line, parts));
    else if ('check' in line) verdicts[String(line.check)] = String(line.verdict);
    else exchanges.push(readExchange(line, parts));
  }
  return { seed, verdicts, exchanges };
}

/** A part whose routes are parts before it. */
function readPart({ part, routes }: Readonly<Record<string, unknown>>, parts: readonly unknown[]): unknown {
  if (!isObject(part) || !isObject(routes)) return part;
  const entries = Object.entries(routes).map(([route, number]) => [route, parts[Number(number)]]);
  return { ...part, routes: Object.fromEntries(entries) };
}

function readExchange(line: unknown, parts: readonly unknown[]): RecordedExchange {
  const headers = member(line, 'headers');
  const list = member(line, 'list');
  const sent = member(line, 'sent');
  const text = member(line, 'text');
  const part = (number: unknown): unknown => parts[Number(number)];
  return {
    who: member(line, 'who') === 'user' ? 'user' : 'anonymous',
    method: String(member(line, 'method')),
    route: String(member(line, 'route')),
    query: String(member(line, 'query')),
    ...(typeof sent === 'string' && { sent }),
    status: Number(member(line, 'status')),
    headers: Object.fromEntries(
      Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [name, String(value)]),
    ),
    body:
      typeof text === 'string'
        ? { text }
        : { json: Array.isArray(list) ? list.map(part) : part(member(line, 'json')) },
  };
}

/**
 * Writes a recording as lines of JSON: its seed, a line for each verdict, and a line for each exchange. What several
 * answers hold, such as a record in many lists, is written once before them: a line `{"part": …}`, which answers name
 * by its number. Every route of an index is a part too, so that a difference between two recordings shows line by line.
 */
export function writeRecording(path: string, { seed, verdicts, exchanges }: Recording): void {
  const parts = new Map<string, number>();
  const keep = (line: object): number => {
    const text = JSON.stringify(line);
    const known = parts.get(text) ?? parts.size;
    parts.set(text, known);
    return known;
  };
  const number = (value: unknown): number => {
    if (!isObject(value) || !isObject(value.routes)) return keep({ part: value });
    const { routes, ...part } = value;
    const kept = Object.entries(routes).map(([route, entry]) => [route, number(entry)]);
    return keep({ part, routes: Object.fromEntries(kept) });
  };
  const lines = exchanges.map(({ body, ...rest }) => {
    if ('text' in body) return { ...rest, text: body.text };
    return Array.isArray(body.json)
      ? { ...rest, list: body.json.map(number) }
      : { ...rest, json: number(body.json) };
  });
  const told = Object.entries(verdicts).map(([check, verdict]) => ({ check, verdict }));
  const texts = [{ seed }, ...told].map((line) => JSON.stringify(line));
  const all = [...texts, ...parts.keys(), ...lines.map((line) => JSON.stringify(line))];
  writeFileSync(path, `${all.join('\n')}\n`);
}

/** Exchanges without those that say of a request what the one before it said already; the order is kept. */
export function withoutRepeats(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  const all = Map.groupBy(exchanges, keyOf);
  const dropped = new Set<RecordedExchange>();
  // The last answer is given again and again: only what leads up to it has to be there.
  for (const answers of all.values()) {
    for (let at = answers.length - 1; at > 0; at -= 1) {
      const [one, last] = [answers[at - 1], answers[at]];
      if (one === undefined || last === undefined || JSON.stringify(one) !== JSON.stringify(last)) break;
      dropped.add(last);
    }
  }
  return exchanges.filter((one) => !dropped.has(one));
}

/** What tells about the machine, the people and the secrets of a recorded site: addresses, folders, mail, credentials, nonces. */
export const TRACES: RegExp =
  /(?:\d{1,3}\.){3}\d{1,3}|localhost|"\/(?:tmp|var|home|usr|root)\/|[\w.-]+@[\w-]+\.\w+|Basic |nonce"/;
