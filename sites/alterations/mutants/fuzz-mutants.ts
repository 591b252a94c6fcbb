import { readArguments } from '../../reference/arguments.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import type { Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Behaviour } from '../../reference/site.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { handling, healthy } from '../handling.ts';

/** Parameters whose valid values hang on what the site holds, and the one that the site fetches. */
const SITE_BOUND = ['page', 'offset', 'password', 'url'];
const FEWEST = 3;
/** Parameters of lists with which every record is still on some page. */
const ARRANGING = ['context', 'order', 'orderby', 'page', 'per_page'];

/** Mutants that a set of arguments shows, and none of them alone: one for each property of each operation. */
export function fuzzMutants(operation: Operation): Mutant[] {
  const { id, effect, namespace, pathParameters, parameters, resource, role } = operation;
  const open = Object.keys(parameters.properties).filter((name) => !(name in pathParameters));
  const free = open.filter((name) => !SITE_BOUND.includes(name));
  const isCore = namespace === 'cms/v2';
  const many = free.length >= FEWEST && isCore;
  const mutants: Mutant[] = [];
  const hasStrange = effect === 'reads' && open.some((name) => name !== 'url');
  if (hasStrange || writesFields(operation)) {
    mutants.push(
      mutant(
        `${id}/fuzz/robust`,
        'fails-of-strange',
        `${id} fails of a NUL, a number of 16 digits, or the year 9999`,
        reading(id, (given, read) => {
          if (Object.values(given).some(isStrange)) throw new Error('a value that nobody thought of');
          return read(given);
        }),
      ),
    );
  }
  if ((effect === 'reads' && many) || writesFields(operation)) {
    mutants.push(
      mutant(
        `${id}/fuzz/refused`,
        'beside-others',
        `${id} leaves out an invalid argument that stands beside three others`,
        reading(id, (given, read) => lenient(given, read, () => Object.keys(given).length > FEWEST)),
      ),
    );
  }
  if (resource !== undefined && role === 'list' && resource.kind !== 'autosaves') {
    mutants.push(
      mutant(
        `${id}/fuzz/subset`,
        'falls-beside-a-filter',
        `${id} does not heed a rising order where records are left out, at the beginning or by what they are`,
        reading(id, (given, read) => {
          const { order, ...others } = given;
          const filters = Object.keys(others).filter(
            (name) => !ARRANGING.includes(name) && !(name in pathParameters),
          );
          return read(order === 'asc' && filters.length > 0 ? others : given);
        }),
      ),
    );
  }
  if (effect === 'reads' && isCore && resource !== undefined && open.length > 0) {
    mutants.push(
      mutant(
        `${id}/fuzz/malformed`,
        'fails-of-bytes',
        `${id} fails of bytes that are no UTF-8`,
        reading(id, (given, read) => {
          if (open.some((name) => isNoText(given[name]))) throw new Error('bytes that nobody thought of');
          return read(given);
        }),
      ),
    );
  }
  if (role === 'update' && resource?.parent === undefined) {
    mutants.push(
      mutant(
        `${id}/fuzz/encodings`,
        'cuts-forms',
        `${id} cuts the texts that a form carries at an ampersand`,
        {
          readArguments: (parameters, given, { operation: { id: asked }, request }) =>
            readArguments(parameters, asked === id ? cutForms(given, request.form) : given),
        },
      ),
    );
  }
  if (effect === 'reads' && many) {
    const isUnknown = (name: string): boolean => name.startsWith('x_');
    mutants.push(
      mutant(
        `${id}/fuzz/stable`,
        'heeds-unknown',
        `${id} answers one item more where it is sent a parameter that it does not have`,
        lengthening(id, (names) => names.some(isUnknown)),
      ),
      mutant(
        `${id}/fuzz/encodings`,
        'heeds-order',
        `${id} answers one item more where three arguments or more stand in the opposite order`,
        lengthening(id, (names) => {
          const places = names.map((name) => open.indexOf(name)).filter((place) => place >= 0);
          return (
            places.length >= FEWEST && places.every((place, at) => at === 0 || place < (places[at - 1] ?? 0))
          );
        }),
      ),
    );
  }
  return mutants;
}

/** Whether an operation writes the fields of records: of their own, or of their autosaves. */
function writesFields({ resource, role }: Operation): boolean {
  const changes = role === 'create' || (role === 'update' && resource?.parent === undefined);
  return changes && resource !== undefined && resource.kind !== 'revisions';
}

/** The arguments of a request, of which a form has lost what follows an ampersand within a text, at any depth. */
function cutForms(given: JsonObject, form: JsonObject): JsonObject {
  const cut = (value: Json): Json => {
    if (typeof value === 'string') return value.split('&', 1)[0] ?? '';
    if (Array.isArray(value)) return value.map(cut);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one)]));
  };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, name in form ? cut(value) : value]),
  );
}

/** Whether a value came from bytes that are no text, at any depth. */
function isNoText(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes('\ufffd');
  return typeof value === 'object' && value !== null && Object.values(value).some(isNoText);
}

/** Whether a value has something that people seldom send, at any depth. */
function isStrange(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || /\d{16}|^9999/.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isStrange);
}

/** Reads arguments, and leaves out those that are invalid where each of their names is one that does not count. */
export function lenient(
  given: JsonObject,
  read: (given: JsonObject) => JsonObject,
  isLeftOut: (name: string) => boolean,
): JsonObject {
  try {
    return read(given);
  } catch (error) {
    const wrong = error instanceof Refusal ? error.details.params : undefined;
    if (typeof wrong !== 'object' || wrong === null || Array.isArray(wrong)) throw error;
    if (!Object.keys(wrong).every(isLeftOut)) throw error;
    return read(Object.fromEntries(Object.entries(given).filter(([name]) => !(name in wrong))));
  }
}

/** A site that reads the arguments of one operation in a way of its own. */
export function reading(
  id: string,
  turn: (given: JsonObject, read: (given: JsonObject) => JsonObject) => JsonObject,
): Partial<Behaviour> {
  return {
    readArguments: (parameters, given, { operation }) => {
      const read = (left: JsonObject): JsonObject => readArguments(parameters, left);
      return operation.id === id ? turn(given, read) : read(given);
    },
  };
}

function lengthening(id: string, applies: (names: readonly string[]) => boolean): Partial<Behaviour> {
  return handling(id, async (call) => {
    const answer = await healthy(call);
    const names = [...new Set(Object.keys(call.request.query).map((name) => name.replace(/\[.*/, '')))];
    return Array.isArray(answer.body) && applies(names) ? { ...answer, body: [...answer.body, {}] } : answer;
  });
}
