import { invalidParameters } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject, mapped } from '../../reference/json.ts';
import { type Contract, type Operation, routePattern } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import { answer } from '../../reference/site.ts';
import { type Mutant, type Mutants, mutant } from '../alteration.ts';
import { mutantsIn, sending, withList, without } from '../handling.ts';
import { recordOf } from '../selecting.ts';

/** Parameters whose valid values depend on the content of the site, and the one that the site fetches. */
export const SITE_BOUND: readonly string[] = ['page', 'offset', 'password', 'url'];
const FEWEST = 3;
const ARRANGING = ['context', 'order', 'orderby', 'page', 'per_page'];

/** Names with a meaning in JavaScript. */
const SPECIAL_NAMES = ['constructor', 'length', '0'];

/** Parameters of some operations that others may apply too. */
const OF_OTHERS = ['tax_relation', 'excerpt_length', 'media_type'];

/** Mutants that only a combination of arguments shows: one for each property of each operation. */
export function fuzzMutants({ operations }: Contract): Mutants {
  return operations.map(combinedMutants);
}

function combinedMutants(operation: Operation): Mutants {
  const { effect, pathParameters, parameters } = operation;
  const open = Object.keys(parameters.properties).filter((name) => !(name in pathParameters));
  const reads = effect === 'reads';
  return [
    ((reads && open.some((name) => name !== 'url')) || writesFields(operation)) && anyMutants(operation),
    reads && readMutants(operation, open),
    writeMutants(operation),
  ];
}

function anyMutants({ id }: Operation): Mutants {
  const { choking } = mutantsIn(id, `${id}/fuzz/robust`);
  const name = SPECIAL_NAMES[id.length % SPECIAL_NAMES.length] ?? '';
  return [
    choking('~fails-of-strange', 'fails of a NUL, a number of 16 digits, or the year 9999', (given) =>
      someText(given, (text) => text.includes('\u0000') || /\d{16}|^9999/.test(text)),
    ),
    choking('~fails-of-a-special-name', `fails of an argument that is called ${name}`, (given) =>
      Object.hasOwn(given, name),
    ),
  ];
}

function readMutants(operation: Operation, open: readonly string[]): Mutants {
  const { id, namespace, pathParameters, parameters, resource, role } = operation;
  const { choking, failing, reading } = mutantsIn(id, `${id}/fuzz`);
  const free = open.filter((name) => !SITE_BOUND.includes(name));
  const isCore = namespace === 'cms/v2';
  const isOfRecords = isCore && resource !== undefined;
  const foreign = OF_OTHERS.find((one) => !(one in parameters.properties)) ?? '';
  const untyped = untypedOf(operation);
  return [
    lookUpMutants(operation, open),
    isOfRecords &&
      choking(
        'robust~fails-of-a-name-of-others',
        `fails of a list or a large number as ${foreign}, which it does not have`,
        ({ [foreign]: value }) => Array.isArray(value) || Number(value) > Number.MAX_SAFE_INTEGER,
      ),
    role === 'read' &&
      isCore &&
      Object.keys(pathParameters).length === 1 &&
      failing(
        'robust~fails-of-a-missing-record',
        'fails for an id that no record has',
        (call) => recordOf(call) === undefined,
      ),
    !isCore && emptyMutant(operation, free),
    untyped.length > 0 &&
      choking(
        'robust~fails-of-a-list',
        `fails of a list for ${untyped.join(' or ')}, of which no type is stated`,
        (given) => untyped.some((name) => Array.isArray(given[name])),
      ),
    role === 'list' && resource !== undefined && resource.kind !== 'autosaves' && orderMutant(operation),
    isOfRecords && malformedMutants(operation, open),
    open.includes('after') &&
      choking('robust~fails-of-wide-ids', 'fails of an id of more than 32 bits in a list', (given) =>
        Object.values(given).some(
          (value) =>
            Array.isArray(value) && value.some((one) => /^\d+$/.test(String(one)) && Number(one) >= 2 ** 31),
        ),
      ),
    open.includes('search_semantics') && [
      reading('accepted~semantics-alone', 'refuses search_semantics without a search', (given, read) => {
        if ('search_semantics' in given && !('search' in given))
          throw invalidParameters({ search_semantics: 'There is no search.' });
        return read(given);
      }),
      reading('subset~columns-of-later-pages', 'refuses search_columns on a later page', (given, read) => {
        if ('search_columns' in given && ('page' in given || 'offset' in given))
          throw invalidParameters({ search_columns: 'The list begins elsewhere.' });
        return read(given);
      }),
    ],
    // Whether enough of them may have any valid value.
    isCore && free.length >= FEWEST && [besideOthers(operation), wideMutants(operation, open)],
  ];
}

function malformedMutants(
  { id, role, parameters: { properties } }: Operation,
  open: readonly string[],
): Mutants {
  const { choking } = mutantsIn(id, `${id}/fuzz/malformed`);
  const hasText = (isMeant: (text: string) => boolean) => (given: JsonObject) =>
    open.some((name) => someText(given[name], isMeant));
  const numbers = open.filter((name) => typesOf(properties[name] ?? {}).includes('integer'));
  return [
    open.length > 0 &&
      choking(
        '~fails-of-bytes',
        'fails of bytes that are no UTF-8',
        hasText((text) => text.includes('\ufffd')),
      ),
    role === 'list' &&
      open.includes('search') && [
        choking(
          '~fails-of-null',
          'fails of the word null',
          hasText((text) => text.split(',').includes('null')),
        ),
        choking(
          '~fails-of-another-spelling',
          'fails of numbers with an exponent or a leading zero',
          (given) => numbers.some((name) => someText(given[name], (text) => /^0\d|^\de\d/.test(text))),
        ),
      ],
  ];
}

function lookUpMutants({ id, parameters }: Operation, open: readonly string[]): Mutants {
  const { choking } = mutantsIn(id, `${id}/fuzz/robust`);
  const sizes = open.filter((name) => {
    const { default: usual, minimum } = parameters.properties[name] ?? {};
    return typeof usual === 'number' && minimum === undefined;
  });
  return [
    sizes.map((name) =>
      choking(
        `~divides-by-${name.replaceAll('_', '-')}`,
        `fails of a ${name} below one`,
        // An empty text is refused before.
        ({ [name]: value }) => value !== '' && Number(value ?? 1) < 1,
      ),
    ),
    open.includes('url') &&
      open.length > 1 &&
      choking(
        '~fails-of-a-foreign-address',
        'fails of an address with other characters than ASCII',
        ({ url }) => someText(url ?? '', (text) => [...text].some((one) => one > '\u007f')),
      ),
  ];
}

function emptyMutant({ id, parameters: { properties } }: Operation, free: readonly string[]): Mutants {
  const texts = free.filter((name) => {
    const { type, enum: members, format, default: usual } = properties[name] ?? {};
    return [type].flat().includes('string') && !members && format === undefined && usual !== '';
  });
  if (texts.length === 0) return [];
  return mutantsIn(id).choking(
    'fuzz/robust~fails-of-an-empty-text',
    `fails where ${texts.join(' or ')} is empty`,
    (given) => texts.some((name) => given[name] === ''),
  );
}

function besideOthers({ id }: Operation): Mutant {
  const { reading } = mutantsIn(id, `${id}/fuzz/refused`);
  return reading('~beside-others', 'leaves out an invalid argument beside three others', (given, read) =>
    lenient(given, read, () => Object.keys(given).length > FEWEST),
  );
}

function orderMutant({ id, pathParameters }: Operation): Mutant {
  const title =
    'does not apply a rising order where records are left out, at the beginning or by what they are';
  return mutantsIn(id, `${id}/fuzz/subset`).reading('~falls-beside-a-filter', title, (given, read) => {
    const others = without(given, 'order');
    const isFilter = (name: string): boolean => !ARRANGING.includes(name) && !(name in pathParameters);
    return read(given.order === 'asc' && Object.keys(others).some(isFilter) ? others : given);
  });
}

function wideMutants({ id, role, route }: Operation, open: readonly string[]): Mutants {
  const { answer, record } = mutantsIn(id, `${id}/fuzz`);
  const isUnknown = (name: string): boolean => name.startsWith('x_');
  const longer = (how: string, when: string, applies: (names: readonly string[]) => boolean): Mutant =>
    answer(how, `answers one item more where ${when}`, (shown, { request }) => {
      const names = [...new Set(Object.keys(request.query).map((name) => name.replace(/\[.*/, '')))];
      return applies(names) ? withList(shown, (items) => [...items, {}]) : shown;
    });
  return [
    longer('stable~heeds-unknown', 'it is sent a parameter that it does not have', (names) =>
      names.some(isUnknown),
    ),
    longer('stable~heeds-a-special-name', 'it is sent an argument that is called constructor', (names) =>
      names.includes('constructor'),
    ),
    longer('encodings~heeds-order', 'three arguments or more stand in the opposite order', (names) => {
      const places = names.map((name) => open.indexOf(name)).filter((place) => place >= 0);
      return (
        places.length >= FEWEST && places.every((place, at) => at === 0 || place < (places[at - 1] ?? 0))
      );
    }),
    role === 'list' && !route.includes('{') && plainSlashes(id, route),
    role === 'list' &&
      record(
        'stable~empties-titles',
        'shows no titles beside a parameter that it does not have',
        (one, call) =>
          Object.keys(call.request.query).some(isUnknown) && isObject(one.title)
            ? { ...one, title: { ...one.title, rendered: '' } }
            : one,
      ),
  ];
}

function plainSlashes(id: string, route: string): Mutant {
  const title = `${id} is not found where the slashes of the route are encoded`;
  const encoded = `rest_route=${encodeURIComponent(route)}&`;
  return mutant(`${id}/fuzz/encodings~plain-slashes`, title, ({ send }) => ({
    send: (message, response, shown) =>
      send(message, response, message.url?.includes(encoded) ? answer({ code: 'no_route' }, 404) : shown),
  }));
}

function writeMutants(operation: Operation): Mutants {
  const { id, resource, role } = operation;
  const { choking, reading } = mutantsIn(id, `${id}/fuzz`);
  const objects = objectsOf(operation);
  const scalar = choking(
    'malformed~fails-of-a-text',
    'fails of a JSON body that is a text',
    (_, { request }) => request.bytes[0] === '"'.charCodeAt(0),
  );
  return [
    writesFields(operation) && besideOthers(operation),
    writesFields(operation) &&
      objects.length > 0 &&
      choking(
        'robust~fails-of-a-list-inside',
        'fails of a list in the place of a text inside an object',
        (given) =>
          objects.some((name) => isObject(given[name]) && Object.values(given[name]).some(Array.isArray)),
      ),
    role === 'update' &&
      resource?.parent === undefined && [
        reading(
          'encodings~cuts-forms',
          'cuts the texts of a form at an ampersand',
          (given, read, { request }) => read(cutForms(given, request.form)),
        ),
        (['json', 'form'] as const).map((kind) =>
          reading(
            `encodings~no-${kind}-with-a-charset`,
            `does not read a ${kind} that names its charset`,
            (given, read, { request }) => {
              const isNamed = request.headers['content-type']?.includes('charset') === true;
              return read(isNamed ? Object.keys(request[kind] ?? {}).reduce(without, given) : given);
            },
          ),
        ),
        scalar,
        choking(
          'malformed~fails-of-plain-text',
          'fails of a body of plain text',
          (_, { request }) => request.headers['content-type'] === 'text/plain',
        ),
        cutMutant(operation),
      ],
    role === 'create' &&
      resource?.kind === 'autosaves' && [scalar, cutMutant(operation), draftMutants(operation)],
    role === 'create' &&
      resource?.kind === 'uploads' && [
        choking(
          'malformed~fails-of-a-text',
          'fails of a text that is called a picture',
          (_, { request: { bytes, headers } }) =>
            headers['content-type'] === 'image/png' && bytes[0] === 's'.charCodeAt(0),
        ),
        choking(
          'malformed~fails-of-a-list-of-files',
          'fails of a form whose file is a list',
          (_, { request }) => Object.hasOwn(request.files, 'file[]'),
        ),
      ],
  ];
}

function cutMutant(operation: Operation): Mutant {
  const { id } = operation;
  const path = new RegExp(`^${routePattern(operation).replaceAll('(?P<', '(?<')}$`);
  return mutant(
    `${id}/fuzz/malformed~fails-of-cut-json`,
    `${id} fails of JSON that ends too early`,
    sending((shown, { route }) => {
      const isCut = isObject(shown.body) && shown.body.code === 'rest_invalid_json' && path.test(route);
      return isCut ? { ...shown, status: 500 } : shown;
    }),
  );
}

function draftMutants({ id }: Operation): Mutants {
  const { failing } = mutantsIn(id, `${id}/fuzz/robust-of-drafts`).where(
    (call) => recordOf(call)?.status === 'draft',
  );
  return [
    failing(
      '~fails-of-nothing',
      'fails where an autosave leaves a draft without a title and content',
      ({ args: { title, content } }) => [title, content].every((text) => isObject(text) && text.raw === ''),
    ),
    failing('~fails-of-a-year', 'fails where an autosave moves a draft to the year 9999', ({ args }) =>
      String(args.date_gmt).startsWith('9999'),
    ),
  ];
}

function untypedOf({ parameters, pathParameters }: Operation): string[] {
  const { properties, required } = parameters;
  return Object.keys(properties).filter((name) => {
    const isFree = !(name in pathParameters) && !required.includes(name);
    return isFree && typesOf(properties[name] ?? {}).length === 0 && properties[name]?.enum === undefined;
  });
}

function objectsOf({ parameters: { properties } }: Operation): string[] {
  const isText = ({ type, readOnly }: Schema): boolean => type === 'string' && readOnly !== true;
  return Object.keys(properties).filter((name) => {
    const { type, properties: members = {} } = properties[name] ?? {};
    return type === 'object' && name !== 'title' && Object.values(members).some(isText);
  });
}

/** Whether an operation writes the fields of records: of their own, or of their autosaves. */
function writesFields({ resource, role }: Operation): boolean {
  const changes = role === 'create' || (role === 'update' && resource?.parent === undefined);
  return changes && resource !== undefined && resource.kind !== 'revisions';
}

function cutForms(given: JsonObject, form: JsonObject): JsonObject {
  const cut = (value: Json): Json => {
    if (typeof value === 'string') return value.split('&', 1)[0] ?? '';
    if (Array.isArray(value)) return value.map(cut);
    if (typeof value !== 'object' || value === null) return value;
    return mapped(value, cut);
  };
  return mapped(given, (value, name) => (name in form ? cut(value) : value));
}

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
