import { createReadStream, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { routeOf } from '../../client/address.ts';
import { parseJson } from '../../client/answer.ts';
import { asObject, isObject, type JsonObject, member } from '../../client/json.ts';
import { messageOf } from '../../engine/text.ts';
import { UsageError } from '../../specs/validators.ts';
import {
  ANYWHERE,
  BROKEN,
  isMethod,
  NOT_OF_INTERFACE,
  type ReadOptions,
  Recording,
  type Reduction,
} from './recording.ts';
import type { Use } from './uses.ts';

/** Longer texts are not read as bodies. */
const LONGEST_TEXT = 8_000_000;
const MOST_VALUES = 50_000;
/** JSON values of a document without entries. */
const MOST_DOCUMENT_VALUES = 1_000_000;
const DEEPEST = 200;
const LONGEST_LINE = 65_536;
const PART = 65_536;
const TOKENS = 4096;

/** Reduces a HAR, access log, OpenAPI document or Pact to its uses, in bounded memory. @throws UsageError for others */
export async function reduceRecording(path: string, options: ReadOptions = {}): Promise<Reduction> {
  const recording = new Recording(options);
  const bytes = open(path, options.heard);
  try {
    let reader: Reader | undefined;
    for await (const part of bytes) {
      if (reader === undefined) {
        // Blanks and the byte-order mark are both trimmed.
        const start = part.toString('utf8').trimStart();
        if (start === '') continue;
        reader = start.startsWith('{')
          ? new DocumentReader(recording)
          : lineReader((line) => recording.leave(recording.line(line)));
      }
      reader.write(part);
    }
    reader?.end();
  } catch (error) {
    if (recording.exchanges === 0) throw new UsageError(`${path}: cannot be read (${messageOf(error)})`);
    recording.left.set('the rest of the file, which cannot be read', 1);
  }
  if (!recording.isKnown) {
    throw new UsageError(
      `${path}: is no HAR, access log, OpenAPI document or Pact; YAML has to be turned into JSON first`,
    );
  }
  return recording.reduction();
}

async function* open(path: string, heard: (bytes: number) => void = () => undefined): AsyncGenerator<Buffer> {
  const head = Buffer.alloc(2);
  const descriptor = openSync(path, 'r');
  readSync(descriptor, head, 0, head.length, 0);
  const file = createReadStream(path, { fd: descriptor, start: 0, highWaterMark: PART });
  const unzipped = head[0] === 0x1f && head[1] === 0x8b ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => unzipped.destroy(error));
  for await (const part of unzipped) {
    heard(file.bytesRead);
    yield part;
  }
}

interface Reader {
  write(bytes: Buffer): void;
  end(): void;
}

/** Splits a text into lines of limited length. */
function lineReader(heard: (line: string) => void): Reader {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    write(bytes) {
      const lines = (rest + decoder.write(bytes)).split('\n');
      rest = lines.pop() ?? '';
      // A line that is too long is cut, and so is not a line of a log.
      if (rest.length > LONGEST_LINE) rest = rest.slice(0, 1);
      for (const line of lines) heard(line);
    },
    end: () => heard(rest),
  };
}

type Frame = { readonly list: unknown[] } | { readonly object: [string, unknown][]; key: string };

/** Reads a JSON document as a stream: entries of `log.entries` and `interactions` one by one, others as wholes. */
class DocumentReader implements Reader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #tokens = jsonParser({ packValues: false });
  readonly #recording: Recording;
  readonly #stack: Frame[] = [];
  /** The depth of the value that is being built. */
  #from: number | undefined;
  #values = 0;
  #text = '';
  #isLong = false;
  readonly #document: Record<string, unknown> = {};
  /** What each token does. */
  readonly #on: Readonly<Partial<Record<Token['name'], (value: unknown) => void>>> = {
    startObject: () => this.#open({ object: [], key: '' }),
    startArray: () => this.#open({ list: [] }),
    endObject: () => this.#close(),
    endArray: () => this.#close(),
    startKey: () => this.#beginText(),
    startString: () => this.#beginText(),
    startNumber: () => this.#beginText(),
    stringChunk: (chunk) => this.#addText(String(chunk)),
    numberChunk: (chunk) => this.#addText(String(chunk)),
    endKey: () => this.#endKey(),
    endString: () => this.#add(this.#isLong ? undefined : this.#text),
    endNumber: () => this.#add(Number(this.#text)),
    nullValue: (value) => this.#add(value),
    trueValue: (value) => this.#add(value),
    falseValue: (value) => this.#add(value),
  };

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  write(bytes: Buffer): void {
    // If the text is broken, only the tokens of a small part are lost.
    for (let at = 0; at < bytes.length; at += TOKENS) {
      this.#take(this.#decoder.write(bytes.subarray(at, at + TOKENS)).replace(/^\ufeff/, ''));
    }
  }

  end(): void {
    if (this.#stack.length > 0) this.#recording.leave('the rest of the file, which ends too early');
    noteDocument(this.#document, this.#recording);
  }

  #take(text: string): void {
    const made = this.#tokens(text);
    if (typeof made !== 'object' || made === null || !('values' in made)) return;
    for (const token of made.values) this.#on[token.name]?.('value' in token ? token.value : undefined);
  }

  #beginText(): void {
    this.#text = '';
    this.#isLong = false;
  }

  #addText(chunk: string): void {
    if (this.#text.length > LONGEST_TEXT) this.#isLong = true;
    else this.#text += chunk;
  }

  #endKey(): void {
    const top = this.#stack.at(-1);
    if (top !== undefined && 'object' in top) top.key = this.#text;
  }

  #open(frame: Frame): void {
    if (this.#stack.length >= DEEPEST) throw new Error(`JSON nested deeper than ${DEEPEST} levels`);
    if (this.#from === undefined && this.#isWanted()) {
      this.#from = this.#stack.length;
      this.#values = 0;
    }
    this.#stack.push(frame);
  }

  /** Whether the value that begins here is built: an entry, or a member of the document without entries. */
  #isWanted(): boolean {
    const path = this.#stack.map((frame) => ('list' in frame ? '[]' : frame.key)).join('/');
    if (path === 'log/entries/[]' || path === 'interactions/[]') return true;
    return this.#stack.length === 1 && path !== 'log' && path !== 'interactions';
  }

  #close(): void {
    const frame = this.#stack.pop();
    if (frame === undefined || this.#from === undefined) return;
    const value = 'list' in frame ? frame.list : Object.fromEntries(frame.object);
    if (this.#stack.length > this.#from) {
      this.#add(value);
      return;
    }
    this.#from = undefined;
    const most = this.#stack.length === 1 ? MOST_DOCUMENT_VALUES : MOST_VALUES;
    this.#recording.leave(this.#values > most ? BROKEN : this.#deliver(value));
  }

  #add(value: unknown): void {
    const top = this.#stack.at(-1);
    if (top === undefined) return;
    if (this.#from === undefined) {
      if (this.#stack.length === 1 && 'object' in top && typeof value === 'string')
        this.#document[top.key] = value;
      return;
    }
    this.#values += 1;
    if (this.#values > MOST_DOCUMENT_VALUES) return;
    if ('list' in top) top.list.push(value);
    else top.object.push([top.key, value]);
  }

  #deliver(value: unknown): string | undefined {
    const [document, , entries] = this.#stack;
    const name = document !== undefined && 'object' in document ? document.key : '';
    if (entries !== undefined && name === 'log') return noteEntry(value, this.#recording);
    if (name === 'interactions') return noteInteraction(value, this.#recording);
    if (name !== '__proto__') this.#document[name] = value;
    return undefined;
  }
}

type Headers = ReadonlyMap<string, string>;

function headersIn(given: unknown): Headers {
  const pairs = Array.isArray(given)
    ? given.map((one: unknown) => [member(one, 'name'), member(one, 'value')] as const)
    : Object.entries(asObject(given) ?? {});
  return new Map(
    pairs.map(([name, value]) => [String(name).toLowerCase(), typeof value === 'string' ? value : '']),
  );
}

const FORM = /urlencoded|form-data/;
/** A field of a multipart form, and the first line of its value. Files have a type and are not parameters. */
const FIELD = /\bname="([^"\r\n]{1,100})"\r?\n\r?\n([^\r\n]{0,10000})/g;
const LOGGED_IN = ['authorization', 'x-wp-nonce'];

/** Whether a request carries credentials, which are kept out of all output. */
function callerOf(headers: Headers, address: string, recording: Recording): Use['caller'] {
  const cookies = (headers.get('cookie') ?? '').split(';');
  const secrets = [...LOGGED_IN.map((name) => headers.get(name) ?? ''), ...cookies];
  for (const secret of secrets) for (const part of secret.split(/[\s=]+/)) recording.secret(part);
  const isUser = LOGGED_IN.some((name) => headers.has(name)) || /[?&]_wpnonce=/.test(address);
  const isLoggedIn = cookies.some(
    (one) => one.split('=', 1)[0]?.includes('logged_in') === true && one.includes('='),
  );
  return isUser || isLoggedIn ? 'user' : 'anonymous';
}

function noteEntry(entry: unknown, recording: Recording): string | undefined {
  recording.isKnown = true;
  const [request, response] = [member(entry, 'request'), member(entry, 'response')];
  const [address, verb] = [member(request, 'url'), member(request, 'method')];
  const status = member(response, 'status');
  if (typeof address !== 'string' || typeof verb !== 'string') return BROKEN;
  const headers = headersIn(member(request, 'headers'));
  const method = (headers.get('x-http-method-override') ?? verb).toUpperCase();
  if (!isMethod(method) || !/^https?:/i.test(address)) return NOT_OF_INTERFACE;
  const body = member(request, 'postData');
  // A browser does not keep a body with a file, but keeps its header.
  const type = String(member(body, 'mimeType') ?? headers.get('content-type'));
  const content = member(response, 'content');
  return recording.note(address, {
    method,
    caller: callerOf(headers, address, recording),
    sent: sentIn(member(body, 'text'), type),
    ...(FORM.test(type) && { body: 'form' }),
    ...(typeof status === 'number' && status > 0 && { status }),
    answer: jsonIn(content, recording),
  });
}

function sentIn(text: unknown, type: string): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  if (type.includes('json')) return asObject(parseJson(Buffer.from(text), MOST_VALUES).json);
  if (!FORM.test(type)) return undefined;
  const form = text.slice(0, LONGEST_TEXT);
  if (type.includes('urlencoded')) return Object.fromEntries(new URLSearchParams(form));
  return Object.fromEntries([...form.matchAll(FIELD)].map(([, name = '', value = '']) => [name, value]));
}

function jsonIn(content: unknown, recording: Recording): unknown {
  const text = member(content, 'text');
  if (typeof text !== 'string' || !String(member(content, 'mimeType')).includes('json')) return undefined;
  const bytes = Buffer.from(text, member(content, 'encoding') === 'base64' ? 'base64' : 'utf8');
  const { json } = parseJson(bytes);
  if (json === undefined && text !== '') recording.leave('answers that are not JSON, or too large');
  return json;
}

function noteInteraction(one: unknown, recording: Recording): string | undefined {
  recording.isKnown = true;
  const [request, response] = [member(one, 'request'), member(one, 'response')];
  const [verb, path, query] = [member(request, 'method'), member(request, 'path'), member(request, 'query')];
  if (typeof verb !== 'string' || typeof path !== 'string') return BROKEN;
  const method = verb.toUpperCase();
  if (!isMethod(method)) return NOT_OF_INTERFACE;
  const pairs = Object.entries(asObject(query) ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)] as const),
  );
  const text = typeof query === 'string' ? [...new URLSearchParams(query)] : pairs;
  const [status, body] = [member(response, 'status'), member(response, 'body')];
  const isRoute = routeOf(new URL(encodeURI(path), ANYWHERE)) !== undefined;
  return recording.note(isRoute ? path : `/wp-json${path}`, {
    method,
    query: text,
    caller: callerOf(headersIn(member(request, 'headers')), path, recording),
    sent: asObject(contentOf(member(request, 'body'))),
    ...(typeof status === 'number' && { status }),
    answer: contentOf(body),
  });
}

/** From version 4 on, a body is inside its description. */
function contentOf(body: unknown): unknown {
  return isObject(body) && 'content' in body && 'contentType' in body ? body.content : body;
}

/** A limit, because schemas may be recursive and shared. */
const MOST_SAMPLES = 1_000_000;
const DEEPEST_SAMPLE = 8;
const LONGEST_REFERENCE = 1000;

/** Notes an OpenAPI document. A client may use everything in it, and reads the members of its schemas. */
function noteDocument(document: JsonObject, recording: Recording): void {
  if (typeof document.openapi !== 'string' && typeof document.swagger !== 'string') return;
  recording.isKnown = true;
  const { resolved, of, ofBody } = samplesOf(document);
  const operations = Object.entries(asObject(document.paths) ?? {}).flatMap(([path, item]) =>
    Object.entries(asObject(item) ?? {}).map(([verb, operation]) => ({ path, item, verb, operation })),
  );
  for (const { path, item, verb, operation } of operations) {
    const method = verb.toUpperCase();
    if (!isMethod(method) || method === 'OPTIONS') continue;
    const given = [member(item, 'parameters'), member(operation, 'parameters')].flat();
    const inQuery = given.map(resolved).filter((one) => member(one, 'in') === 'query');
    const query = inQuery.map((one) => [String(member(one, 'name')), of(member(one, 'schema'))]);
    const left = recording.note(encodeURI(path.includes('/wp-json/') ? path : `/wp-json${path}`), {
      method,
      caller: hasSecurity(operation, document) ? 'user' : 'anonymous',
      sent: { ...Object.fromEntries(query), ...asObject(ofBody(member(operation, 'requestBody'))) },
      answer: ofBody(successOf(operation)),
    });
    recording.leave(left);
  }
}

function hasSecurity(operation: unknown, document: JsonObject): boolean {
  const security = member(operation, 'security') ?? document.security;
  return Array.isArray(security) && security.length > 0;
}

function successOf(operation: unknown): unknown {
  const answers = Object.entries(asObject(member(operation, 'responses')) ?? {});
  return answers.find(([status]) => status.startsWith('2'))?.[1];
}

/** Values of types. Not a real number, because a description does not say which numbers are sent. */
const PLAIN: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['integer', Number.POSITIVE_INFINITY],
  ['number', Number.NaN],
  ['boolean', true],
  ['object', {}],
]);

/** Makes sample values for schemas, without values of the document itself. */
function samplesOf(document: JsonObject) {
  let left = MOST_SAMPLES;
  const resolved = (value: unknown): unknown => {
    const reference = member(value, '$ref');
    if (typeof reference !== 'string') return value;
    const names = reference.slice(0, LONGEST_REFERENCE).split('/').slice(1);
    return names.reduce(
      (at: unknown, name) => member(at, name.replaceAll('~1', '/').replaceAll('~0', '~')),
      document,
    );
  };
  const of = (given: unknown, depth = 0): unknown => {
    left -= 1;
    if (depth > DEEPEST_SAMPLE || left < 0) return null;
    const schema = resolved(given);
    const type = [member(schema, 'type')].flat()[0];
    const parts = ['allOf', 'oneOf', 'anyOf'].map((name) => member(schema, name)).find(Array.isArray);
    if (type === undefined && parts !== undefined) return of(parts[0], depth + 1);
    if (type === 'array') return [of(member(schema, 'items'), depth + 1)];
    const properties = asObject(member(schema, 'properties'));
    if (properties !== undefined) {
      const named = Object.entries(properties);
      return Object.fromEntries(named.map(([name, one]) => [name, of(one, depth + 1)]));
    }
    return PLAIN.get(type) ?? 'text';
  };
  const ofBody = (body: unknown): unknown => {
    const content = asObject(member(resolved(body), 'content')) ?? {};
    const schema = Object.entries(content).find(([type]) => type.includes('json'))?.[1];
    return schema === undefined ? undefined : of(member(schema, 'schema'));
  };
  return { resolved, of, ofBody };
}
