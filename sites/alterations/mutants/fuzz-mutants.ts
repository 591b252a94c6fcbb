import { invalidParameters } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Operation } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { typesOf } from '../../reference/schema.ts';
import type { Asked } from '../../reference/site.ts';
import type { Mutant } from '../alteration.ts';
import {
  answerMutant,
  handlerMutant,
  healthy,
  readingMutant,
  recordMutant,
  recordOf,
  withList,
  without,
} from '../handling.ts';

/** Parameters whose valid values depend on the content of the site, and the one that the site fetches. */
export const SITE_BOUND: readonly string[] = ['page', 'offset', 'password', 'url'];
const FEWEST = 3;
/** Parameters of lists that do not filter records. */
const ARRANGING = ['context', 'order', 'orderby', 'page', 'per_page'];

/** The common data of all mutants of an operation. */
interface Subject {
  readonly operation: Operation;
  /** Parameters that are not part of the path. */
  readonly open: readonly string[];
}

/** Mutants that only a combination of arguments shows: one for each property of each operation. */
export function fuzzMutants(operation: Operation): Mutant[] {
  const { effect, namespace, pathParameters, parameters, resource, role } = operation;
  const open = Object.keys(parameters.properties).filter((name) => !(name in pathParameters));
  const free = open.filter((name) => !SITE_BOUND.includes(name));
  const isCore = namespace === 'cms/v2';
  // Whether enough of them may have any valid value.
  const isWide = free.length >= FEWEST && isCore;
  const reads = effect === 'reads';
  const subject: Subject = { operation, open };
  const rows: readonly (readonly [isMeant: boolean, make: (subject: Subject) => Mutant])[] = [
    [(reads && open.some((name) => name !== 'url')) || writesFields(operation), failingMutant],
    [(reads && open.some((name) => name !== 'url')) || writesFields(operation), specialNameMutant],
    [reads && isCore && resource !== undefined, foreignMutant],
    [role === 'read' && isCore && Object.keys(pathParameters).length === 1, missingMutant],
    [reads && untypedOf(operation).length > 0, untypedMutant],
    [writesFields(operation) && objectsOf(operation).length > 0, structureMutant],
    [(reads && isWide) || writesFields(operation), besideOthersMutant],
    [role === 'list' && resource !== undefined && resource.kind !== 'autosaves', orderMutant],
    [reads && isCore && resource !== undefined && open.length > 0, bytesMutant],
    [role === 'update' && resource?.parent === undefined, formsMutant],
    [role === 'update' && resource?.parent === undefined, scalarBodyMutant],
    [role === 'create' && resource?.kind === 'autosaves', scalarBodyMutant],
    [role === 'create' && resource?.kind === 'autosaves', emptyDraftMutant],
    [role === 'create' && resource?.kind === 'autosaves', lateDraftMutant],
    [role === 'create' && resource?.kind === 'uploads', textFileMutant],
    [role === 'create' && resource?.kind === 'uploads', listOfFilesMutant],
    [reads && isWide, unknownMutant],
    [reads && isWide && role === 'list', emptiedMutant],
    [open.includes('search_semantics'), searchlessMutant],
    [reads && isWide, unknownSpecialMutant],
    [reads && isWide, oppositeMutant],
  ];
  return rows.flatMap(([isMeant, make]) => (isMeant ? [make(subject)] : []));
}

function failingMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} fails of a NUL, a number of 16 digits, or the year 9999`;
  return failsOf(`${id}/fuzz/robust~fails-of-strange`, title, id, (given) =>
    someText(given, (text) => text.includes('\u0000') || /\d{16}|^9999/.test(text)),
  );
}

/** A site that fails of some arguments, which nobody thought of. */
function failsOf(
  about: string,
  title: string,
  id: string,
  isFatal: (given: JsonObject, asked: Asked) => boolean,
): Mutant {
  return readingMutant(about, title, id, (given, read, asked) => {
    if (isFatal(given, asked)) throw new Error('arguments that nobody thought of');
    return read(given);
  });
}

/** Names with a meaning in JavaScript. */
const SPECIAL_NAMES = ['constructor', 'length', '0'];

function specialNameMutant({ operation: { id } }: Subject): Mutant {
  const name = SPECIAL_NAMES[id.length % SPECIAL_NAMES.length] ?? '';
  const title = `${id} fails of an argument that is called ${name}`;
  const about = `${id}/fuzz/robust~fails-of-a-special-name`;
  return failsOf(about, title, id, (given) => Object.hasOwn(given, name));
}

/** Parameters of some operations that others may apply too. */
const OF_OTHERS = ['tax_relation', 'excerpt_length', 'media_type'];

function foreignMutant({ operation: { id, parameters } }: Subject): Mutant {
  const name = OF_OTHERS.find((one) => !(one in parameters.properties)) ?? '';
  const title = `${id} fails of a list or a large number as ${name}, which it does not have`;
  return failsOf(`${id}/fuzz/robust~fails-of-a-name-of-others`, title, id, ({ [name]: value }) => {
    return Array.isArray(value) || Number(value) > Number.MAX_SAFE_INTEGER;
  });
}

function missingMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} fails for an id that no record has`;
  return handlerMutant(`${id}/fuzz/robust~fails-of-a-missing-record`, title, id, (call, next) => {
    if (recordOf(call) === undefined) throw new Error('a record that is not there');
    return next(call);
  });
}

function scalarBodyMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} fails of a JSON body that is a text`;
  return failsOf(
    `${id}/fuzz/malformed~fails-of-a-text`,
    title,
    id,
    (_given, { request }) => request.bytes[0] === '"'.charCodeAt(0),
  );
}

function textFileMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} fails of a text that is called a picture`;
  const about = `${id}/fuzz/malformed~fails-of-a-text`;
  return failsOf(about, title, id, (_given, { request: { bytes, headers } }) => {
    return headers['content-type'] === 'image/png' && bytes[0] === 's'.charCodeAt(0);
  });
}

function listOfFilesMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} fails of a form whose file is a list`;
  const about = `${id}/fuzz/malformed~fails-of-a-list-of-files`;
  return failsOf(about, title, id, (_given, { request }) => Object.hasOwn(request.files, 'file[]'));
}

function emptyDraftMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} fails where an autosave leaves a draft without a title and content`;
  return draftMutant(`${id}/fuzz/robust-of-drafts~fails-of-nothing`, title, id, ({ title: name, content }) =>
    [name, content].every((text) => isObject(text) && text.raw === ''),
  );
}

function lateDraftMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} fails where an autosave moves a draft to the year 9999`;
  return draftMutant(`${id}/fuzz/robust-of-drafts~fails-of-a-year`, title, id, ({ date_gmt: date }) =>
    String(date).startsWith('9999'),
  );
}

function draftMutant(about: string, title: string, id: string, fails: (args: JsonObject) => boolean): Mutant {
  return handlerMutant(about, title, id, (call) => {
    if (recordOf(call)?.status === 'draft' && fails(call.args)) throw new Error('a draft nobody thought of');
    return healthy(call);
  });
}

/** The optional parameters without a stated type. */
function untypedOf({ parameters, pathParameters }: Operation): string[] {
  const { properties, required = [] } = parameters;
  return Object.entries(properties).flatMap(([name, schema]) =>
    typesOf(schema).length === 0 &&
    schema.enum === undefined &&
    !(name in pathParameters) &&
    !required.includes(name)
      ? [name]
      : [],
  );
}

function untypedMutant({ operation }: Subject): Mutant {
  const names = untypedOf(operation);
  const title = `${operation.id} fails of a list for ${names.join(' or ')}, of which no type is stated`;
  return failsOf(`${operation.id}/fuzz/robust~fails-of-a-list`, title, operation.id, (given) =>
    names.some((name) => Array.isArray(given[name])),
  );
}

function structureMutant({ operation }: Subject): Mutant {
  const names = objectsOf(operation);
  const title = `${operation.id} fails of a list in the place of a text inside an object`;
  return failsOf(`${operation.id}/fuzz/robust~fails-of-a-list-inside`, title, operation.id, (given) =>
    names.some((name) => isObject(given[name]) && Object.values(given[name]).some(Array.isArray)),
  );
}

/** The writable objects of an operation that hold texts. */
function objectsOf({ parameters }: Operation): string[] {
  return Object.entries(parameters.properties).flatMap(([name, schema]) =>
    schema.type === 'object' &&
    Object.values(schema.properties ?? {}).some(
      (inner) => isObject(inner) && inner.type === 'string' && inner.readOnly !== true,
    ) &&
    name !== 'title'
      ? [name]
      : [],
  );
}

function besideOthersMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} leaves out an invalid argument that stands beside three others`;
  return readingMutant(`${id}/fuzz/refused~beside-others`, title, id, (given, read) =>
    lenient(given, read, () => Object.keys(given).length > FEWEST),
  );
}

function orderMutant({ operation: { id, pathParameters } }: Subject): Mutant {
  const title = `${id} does not apply a rising order where records are left out, at the beginning or by what they are`;
  return readingMutant(`${id}/fuzz/subset~falls-beside-a-filter`, title, id, (given, read) => {
    const others = without(given, 'order');
    const isFilter = (name: string): boolean => !ARRANGING.includes(name) && !(name in pathParameters);
    return read(given.order === 'asc' && Object.keys(others).some(isFilter) ? others : given);
  });
}

function bytesMutant({ operation: { id }, open }: Subject): Mutant {
  const title = `${id} fails of bytes that are no UTF-8`;
  return failsOf(`${id}/fuzz/malformed~fails-of-bytes`, title, id, (given) =>
    open.some((name) => someText(given[name], (text) => text.includes('\ufffd'))),
  );
}

function formsMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} cuts the texts that a form carries at an ampersand`;
  return readingMutant(`${id}/fuzz/encodings~cuts-forms`, title, id, (given, read, { request }) =>
    read(cutForms(given, request.form)),
  );
}

function unknownMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} answers one item more where it is sent a parameter that it does not have`;
  return lengtheningMutant(`${id}/fuzz/stable~heeds-unknown`, title, id, (names) =>
    names.some((name) => name.startsWith('x_')),
  );
}

function emptiedMutant({ operation }: Subject): Mutant {
  const { id } = operation;
  const title = `${id} answers records without their title where it is sent a parameter that it does not have`;
  return recordMutant(`${id}/fuzz/stable~empties-titles`, title, [id], (record, { request: { query } }) =>
    Object.keys(query).some((name) => name.startsWith('x_')) && isObject(record.title)
      ? { ...record, title: { ...record.title, rendered: '' } }
      : record,
  );
}

function searchlessMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} refuses search_semantics without a search`;
  return readingMutant(`${id}/fuzz/accepted~semantics-alone`, title, id, (given, read) => {
    if ('search_semantics' in given && !('search' in given))
      throw invalidParameters({ search_semantics: 'There is no search.' });
    return read(given);
  });
}

function unknownSpecialMutant({ operation: { id } }: Subject): Mutant {
  const title = `${id} answers one item more where it is sent an argument that is called constructor`;
  return lengtheningMutant(`${id}/fuzz/stable~heeds-a-special-name`, title, id, (names) =>
    names.includes('constructor'),
  );
}

function oppositeMutant({ operation: { id }, open }: Subject): Mutant {
  const title = `${id} answers one item more where three arguments or more stand in the opposite order`;
  return lengtheningMutant(`${id}/fuzz/encodings~heeds-order`, title, id, (names) => {
    const places = names.map((name) => open.indexOf(name)).filter((place) => place >= 0);
    return places.length >= FEWEST && places.every((place, at) => at === 0 || place < (places[at - 1] ?? 0));
  });
}

/** Whether an operation writes the fields of records: of their own, or of their autosaves. */
function writesFields({ resource, role }: Operation): boolean {
  const changes = role === 'create' || (role === 'update' && resource?.parent === undefined);
  return changes && resource !== undefined && resource.kind !== 'revisions';
}

/** Cuts each text of a form at its first ampersand, at any depth; other arguments are unchanged. */
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

/** Whether a text inside a value, at any depth, is of some kind. */
function someText(value: Json | undefined, isKind: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isKind(value);
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((one) => someText(one, isKind))
  );
}

/** Parses arguments and drops invalid ones with certain names; other invalid ones are refused. */
export function lenient(
  given: JsonObject,
  read: (given: JsonObject) => JsonObject,
  isLeftOut: (name: string) => boolean,
): JsonObject {
  try {
    return read(given);
  } catch (error) {
    const wrong = error instanceof Refusal ? error.details.params : undefined;
    const leftOut = isObject(wrong) ? Object.keys(wrong).filter(isLeftOut) : [];
    if (leftOut.length === 0) throw error;
    return read(Object.fromEntries(Object.entries(given).filter(([name]) => !leftOut.includes(name))));
  }
}

function lengtheningMutant(
  about: string,
  title: string,
  id: string,
  applies: (names: readonly string[]) => boolean,
): Mutant {
  return answerMutant(about, title, id, (answer, { request }) => {
    const names = [...new Set(Object.keys(request.query).map((name) => name.replace(/\[.*/, '')))];
    return applies(names) ? withList(answer, (items) => [...items, {}]) : answer;
  });
}
