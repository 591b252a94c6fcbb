import { asObject, isJson, isObject, member } from './json.ts';
import type { Answer, Observation } from './observation.ts';
import type { RawAnswer } from './send.ts';

/** Some editors begin a file with it, and PHP prints it. */
export const BYTE_ORDER_MARK = '\ufeff';

const DEEPEST_JSON = 200;
/** Ten times as much as a page of a hundred records with everything in it. */
const MOST_VALUES = 250_000;
/** Ids that may be greater than any number that JavaScript keeps: rounded ones would name other records. */
const LONG_IDS = /"id"\s*:\s*(-?\d{16,})\b/g;
/** Bytes kept of an answer that is not read. */
const BYTES_OF_UNREAD = 1000;

/** An observation without its request. */
type Answered = Omit<Observation, 'method' | 'url' | 'seconds' | 'curl'>;

/** Reads an answer: its class, and its JSON if there is some. @param values maximum number of JSON values */
export function readAnswer(raw: RawAnswer, values: number = MOST_VALUES): Answered {
  const { status, headers, body } = raw;
  const answer = {
    ...parseJson(body, values),
    status,
    answer: classify(status),
    headers,
    bytes: body.length,
  };
  if (status >= 200 && status < 600) return answer;
  return { ...answer, problem: `the status ${String(status).padStart(3, '0')}, which makes no sense` };
}

interface ParsedJson extends Pick<Observation, 'text' | 'json' | 'problem' | 'tooLarge'> {
  readonly values: number;
}

/** Parses a body as JSON within bounds; beyond them it is not even decoded. `problem` says why it could not. */
export function parseJson(body: Buffer, most: number = MOST_VALUES): ParsedJson {
  const { depth, values } = sizeOfJson(body, { depth: DEEPEST_JSON, values: most });
  const unread = depth > DEEPEST_JSON || values > most;
  const text = body.toString('utf8', 0, unread ? BYTES_OF_UNREAD : body.length);
  const none = (problem: string): ParsedJson => ({ text, json: undefined, values: 0, problem });
  if (text === '') return none('an empty body');
  if (text.startsWith(BYTE_ORDER_MARK)) return none('a byte-order mark before the JSON');
  if (depth > DEEPEST_JSON) return none(`JSON nested deeper than ${DEEPEST_JSON} levels`);
  if (values > most) {
    return { ...none(`JSON of more than ${most} values, which is more than is read`), tooLarge: true };
  }
  const ids = [...text.matchAll(LONG_IDS)].map(([, digits]) => digits);
  const id = ids.find((digits) => !Number.isSafeInteger(Number(digits)));
  if (id !== undefined) return { ...none(`the id ${id}, which is not read exactly`), tooLarge: true };
  try {
    return { text, json: JSON.parse(text), values };
  } catch {
    const isMarkup = /^\s*</.test(text);
    if (textBeforeJson(text) !== undefined) {
      const what = isMarkup ? 'markup' : 'text';
      return none(`${what} before the JSON, such as notices of PHP where display_errors is on`);
    }
    return none(isMarkup ? 'a page of HTML or XML instead of JSON' : 'a body that is not JSON');
  }
}

/** What is printed before the JSON that an answer ends in; undefined if it does not end in any. */
export function textBeforeJson(text: string): string | undefined {
  // An empty list has no name to look for.
  const empty = /\[\]\s*$/.exec(text.slice(-100))?.[0].length ?? text.length;
  const starts = [text.indexOf('{"'), text.indexOf('[{"'), text.length - empty].filter((at) => at > 0);
  if (starts.length === 0 || !/[}\]]\s*$/.test(text.slice(-100))) return undefined;
  const start = Math.min(...starts);
  return isJson(text.slice(start)) ? text.slice(0, start) : undefined;
}

const THROTTLED = new Set([408, 425, 429, 503]);

/** Where a redirect leads; undefined for another answer, and for one that does not say. */
export function redirectOf({ status, headers }: Pick<RawAnswer, 'status' | 'headers'>): string | undefined {
  return status >= 300 && status < 400 ? headers.location : undefined;
}

/** A count in a header that the contract does not state; undefined where there is none. */
export function countIn({ headers }: Pick<RawAnswer, 'headers'>, name: string): number | undefined {
  const text = headers[name];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The meaning of a status. A redirect is not followed, and counts as no answer of the route. */
export function classify(status: number): Answer {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 401 || status === 403) return 'denied';
  if (status === 405 || status === 501 || (status >= 300 && status < 400)) return 'absent';
  if (THROTTLED.has(status)) return 'throttled';
  if (status >= 400 && status < 500) return 'refused';
  return 'broken';
}

/** Whether the target failed to answer, apart from what throttling or a missing method may mean. */
export function isServerError({ answer, status }: Pick<Observation, 'answer' | 'status'>): boolean {
  return answer === 'broken' && status >= 500;
}

/** Whether an answer says that what the route names is not there, or no longer, instead of refusing an argument. */
export function saysGone({ status }: Pick<Observation, 'status'>): boolean {
  return status === 404 || status === 410;
}

/** Where refusals list the arguments that they refuse (RFC 9457 and common frameworks), and where an entry names its own. */
const LISTS = [
  ...['detail', 'details', 'errors', 'fields', 'invalid-params', 'invalid_params', 'issues', 'parameters'],
  ...['params', 'violations'],
];
const NAMES = ['name', 'parameter', 'param', 'field', 'pointer', 'property', 'propertyPath', 'path', 'loc'];
/** The parts of a request that frameworks begin such a path with. */
const PARTS: readonly unknown[] = ['body', 'query', 'json'];
/** The argument that a path into it begins with, such as `terms[0]` or `#/terms/0`. */
const ARGUMENT = /^[#/]*([^#/.[]+)/;

/** The parameters that an answer refuses by name, where software puts the names; none unless it is a refusal. */
export function namesRefused({ answer, json }: Pick<Observation, 'answer' | 'json'>): string[] {
  if (answer !== 'refused') return [];
  const params = member(member(json, 'data'), 'params');
  if (isObject(params)) return Object.keys(params);
  const named = LISTS.flatMap((list) => {
    const entries = member(json, list);
    return Array.isArray(entries) ? entries.flatMap(namesIn) : Object.keys(asObject(entries) ?? {});
  });
  return [...new Set(named.flatMap((name) => ARGUMENT.exec(name)?.[1] ?? []))];
}

function namesIn(entry: unknown): string[] {
  const names = [entry, ...NAMES.map((name) => member(entry, name))].map((name) =>
    Array.isArray(name) ? name.find((step) => !PARTS.includes(step)) : name,
  );
  return names.filter((name) => typeof name === 'string').slice(0, 1);
}

/** Whether a read is accepted without the JSON that is due. */
export function lacksJson({ method, answer, status, json, tooLarge }: Observation): boolean {
  return (
    method === 'GET' && answer === 'accepted' && status !== 204 && json === undefined && tooLarge !== true
  );
}

/** The size of a JSON text, measured without parsing it. */
interface JsonSize {
  readonly depth: number;
  /** Number of values, or slightly more. */
  readonly values: number;
}

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\,[]{}');

/** Counts the values that parsing would create, up to limits: a text of brackets becomes fifty times its size. */
export function sizeOfJson(text: Uint8Array, limits: JsonSize): JsonSize {
  let [depth, deepest, values] = [0, 0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text[at];
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      values += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    if (deepest > limits.depth || values > limits.values) break;
  }
  return { depth: deepest, values };
}

/** The position of the quote that ends a string. @param start that of the quote that begins it */
function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
