import { asObject, type JsonObject, member } from '../../client/json.ts';
import { isMethod, type Recording } from './recording.ts';

/** A limit, because schemas may be recursive and shared. */
const MOST_SAMPLES = 1_000_000;
const DEEPEST_SAMPLE = 8;
const LONGEST_REFERENCE = 1000;

/** Notes an OpenAPI document. A client may use everything in it, and reads the members of its schemas. */
export function noteDocument(document: JsonObject, recording: Recording): void {
  if (typeof document.openapi !== 'string' && typeof document.swagger !== 'string') return;
  recording.isKnown = true;
  const { resolved, of, ofBody } = samplesOf(document);
  for (const [path, item] of Object.entries(asObject(document.paths) ?? {})) {
    for (const [verb, operation] of Object.entries(asObject(item) ?? {})) {
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
