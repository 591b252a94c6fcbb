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
      const security = member(operation, 'security') ?? document.security;
      const answers = Object.entries(asObject(member(operation, 'responses')) ?? {});
      const success = answers.find(([status]) => status.startsWith('2'));
      const left = recording.note(encodeURI(path.includes('/wp-json/') ? path : `/wp-json${path}`), {
        method,
        caller: Array.isArray(security) && security.length > 0 ? 'user' : 'anonymous',
        sent: {
          ...Object.fromEntries(
            inQuery.map((one) => [String(member(one, 'name')), of(member(one, 'schema'))]),
          ),
          ...asObject(ofBody(member(operation, 'requestBody'))),
        },
        answer: ofBody(success?.[1]),
      });
      recording.leave(left);
    }
  }
}

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
    // Not a real number, because a description does not say which numbers are sent.
    if (type === 'integer') return Number.POSITIVE_INFINITY;
    if (type === 'boolean') return true;
    return type === 'object' ? {} : type === 'number' ? Number.NaN : 'text';
  };
  const ofBody = (body: unknown): unknown => {
    const content = asObject(member(resolved(body), 'content')) ?? {};
    const schema = Object.entries(content).find(([type]) => type.includes('json'))?.[1];
    return schema === undefined ? undefined : of(member(schema, 'schema'));
  };
  return { resolved, of, ofBody };
}
