import { routeOf } from '../../client/address.ts';
import { parseJson } from '../../client/answer.ts';
import { asObject, isObject, type JsonObject, member } from '../../client/json.ts';
import { ANYWHERE, BROKEN, isMethod, NOT_OF_INTERFACE, type Recording } from './recording.ts';
import type { Use } from './uses.ts';

/** Longer texts are not read as bodies. */
export const LONGEST_TEXT = 8_000_000;
/** JSON values of an entry, or of a body. */
export const MOST_VALUES = 50_000;

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

/** Notes an entry of a HAR. @returns why it is left out, if it is */
export function noteEntry(entry: unknown, recording: Recording): string | undefined {
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

/** Notes an interaction of a Pact. @returns why it is left out, if it is */
export function noteInteraction(one: unknown, recording: Recording): string | undefined {
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
export function noteDocument(document: JsonObject, recording: Recording): void {
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
