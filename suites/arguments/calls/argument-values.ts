import { siteBase } from '../../../client/address.ts';
import { isObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { fullObject, goodValue, plainTypes } from '../../../generators/valid-values.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { declarationIn, servedMethods } from '../../../probing/declarations/find-route.ts';
import { idsIn, memberLike } from '../../../probing/records/reading/record.ts';
import { collectionOf, operationFor, parameterNamed, sampleResource } from '../../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { type ValueKind, valueKindOf, wordsOf } from '../../../specs/value-hints.ts';

/** The required arguments of an operation, each with a good value. All requests of a probe share them. */
export function baseArgs(session: Session, operation: Operation): Promise<Args> {
  return argsBy(operation, (parameter) => {
    if (parameter.required !== true) return undefined;
    // A site should only fetch its own addresses.
    const isAddress = operation.effect === 'reads' && parameter.schema.format === 'uri';
    return isAddress ? linkOfSample(session) : goodFor(session, operation, parameter);
  });
}

/** The arguments of an operation outside of its path for which there is a value. */
export function argsFrom({ parameters }: Operation, valueFor: (parameter: Parameter) => unknown): Args {
  const given = parameters
    .filter((one) => one.in !== 'path')
    .map((one) => [one.wire, valueFor(one)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Like `argsFrom`, for values that are found one after the other. */
export async function argsBy(
  { parameters }: Operation,
  valueFor: (parameter: Parameter) => unknown,
): Promise<Args> {
  const args: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = parameter.in === 'path' ? undefined : await valueFor(parameter);
    if (value !== undefined) args[parameter.wire] = value;
  }
  return args;
}

async function linkOfSample(session: Session): Promise<string> {
  const answer = await askList(session, sampleResource(session.contract)?.id);
  const link = Array.isArray(answer?.json) ? memberLike(answer.json[0], 'link') : undefined;
  const known = [link, member(session.index.document, 'home')].find((one) => typeof one === 'string');
  return known ?? siteBase(session.client.base).href;
}

const MOST_NAMED = 4;
/** How many members of an enum are tried besides the first one. */
export const MOST_MEMBERS = 3;

/** Good values that do not follow from the schema. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  // Only the empty template exists in every theme.
  template: '',
  // A batch of one unknown route changes nothing.
  requests: [{ path: '/no-such-route' }],
  // Without it a deletion may move to the trash, or be unsupported.
  force: true,
  // The only variant in §4.8.
  modifiers: [{ type: 'flip', args: { flip: { horizontal: true, vertical: false } } }],
};

/** Left out, because no password is known and a wrong one is denied. */
const LEFT_OUT_OF_READS: ReadonlySet<string> = new Set(['password']);

/** The roles, rights and credentials of users, and the address of the site. */
const RIGHTS: ReadonlySet<string> = new Set([
  ...['capabilities', 'password', 'passwords', 'role', 'roles'],
  ...['home', 'https', 'maintenance', 'permalinks', 'siteurl', 'ssl'],
]);

/** Whether a parameter could take the site, or rights on it, from the user of the run, who must clean up. */
export function isRight(
  { effect, route }: Operation,
  { name, required }: Pick<Parameter, 'name' | 'required'>,
): boolean {
  if (effect !== 'alters-site' || required === true) return false;
  const isAddress = /\/(?:options|settings)$/.test(route.path) && ['site_url', 'url'].includes(name);
  return isAddress || wordsOf(name).some((word) => RIGHTS.has(word));
}

/** A value that every site accepts; undefined if the parameter should be left out. */
export function goodArgument(operation: Operation, parameter: Parameter): unknown {
  if (operation.effect === 'reads' && LEFT_OUT_OF_READS.has(parameter.name)) return undefined;
  if (isRight(operation, parameter)) return undefined;
  return Object.hasOwn(BY_NAME, parameter.name) ? BY_NAME[parameter.name] : goodValue(parameter.schema);
}

/** The good value of a parameter, from the owner if given; undefined if the parameter should be left out. */
export function goodFor(session: Session, operation: Operation, parameter: Parameter): unknown {
  const [hinted] = ownerValues(session, operation, parameter.name);
  return hinted === undefined ? goodArgument(operation, parameter) : hinted;
}

/** Good values for all parameters: the control of all probes of an operation. */
export function allGood(session: Session, operation: Operation): Args {
  return argsFrom(operation, (parameter) => goodFor(session, operation, parameter));
}

/** Good values of a parameter that only the owner of the site knows. */
export function ownerValues(session: Session, operation: Operation, name: string): readonly unknown[] {
  return session.hints[operation.id]?.[name] ?? [];
}

/** The likely values of a parameter, found once. Only requests lists that are cached anyway. */
export const likelyValues: Fixture<
  /** The likeliest first: values from the owner or derived from the name, and others that the schema allows. */
  Readonly<Record<'named' | 'plain', readonly unknown[]>>,
  [operation: Operation, parameter: Pick<Parameter, 'name' | 'schema' | 'required'>]
> = fixture(
  'likely',
  async (session, operation, parameter) => {
    const { name, schema } = parameter;
    const owned = ownerValues(session, operation, name);
    if (isRight(operation, parameter)) return { named: owned, plain: [] };
    const named = await namedValues(session, operation, name, schema);
    return {
      named: distinct([...owned, ...declaredMembers(session, operation, name), ...named]).slice(
        0,
        MOST_NAMED,
      ),
      plain: await plainValues(session, schema),
    };
  },
  (operation, { name }) => [operation, name],
);

/** The members of an enum that the site declares where the contract states none. */
function declaredMembers({ index }: Session, operation: Operation, name: string): unknown[] {
  const parameter = parameterNamed(operation, name);
  if (parameter === undefined || parameter.schema.enum !== undefined) return [];
  const [served] = servedMethods(index, operation);
  const members = member(declarationIn(served?.endpoints ?? [], parameter.wire), 'enum');
  return Array.isArray(members) ? members : [];
}

/** Values that the name of a parameter suggests, in the type of its schema. */
async function namedValues(
  session: Session,
  operation: Operation,
  name: string,
  schema: Schema,
): Promise<unknown[]> {
  if (schema.enum !== undefined || schema.items?.enum !== undefined) return [];
  const about = schema['x-names'];
  if (about !== undefined) {
    const isListed = operationFor(session.contract, about, 'list') !== undefined;
    const { id, parent = id } = operation.resource ?? {};
    const shown = await (isListed ? shownValues(session, about, 'id') : shownValues(session, parent, name));
    const [first] = shown.flat().filter((value) => value !== '' && value !== 0);
    return first === undefined ? [] : shaped(first, schema);
  }
  const kind = valueKindOf(name, schema);
  const values = await idsByName(session, operation, name, schema);
  if (kind !== undefined) values.push(...(await valuesOfKind(session, kind)));
  if (kind !== undefined || values.length > 0) return values.flatMap((value) => shaped(value, schema));
  return typesOf(schema).includes('object') ? filledObject(session, operation, schema) : [];
}

/** An object with what the names of its required members suggest, if it has any. */
async function filledObject(session: Session, operation: Operation, schema: Schema): Promise<unknown[]> {
  const filled: Record<string, unknown> = {};
  for (const [inner, own] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(inner) !== true) continue;
    const [value = goodValue(own)] = await namedValues(session, operation, inner, own);
    filled[inner] = value;
  }
  return Object.keys(filled).length === 0 ? [] : [filled];
}

async function valuesOfKind(session: Session, { from = [], values = [] }: ValueKind): Promise<unknown[]> {
  const shown: unknown[] = [];
  for (const source of from) {
    const [place = '', field = ''] = source.split('.');
    const [first] =
      place === 'index' ? [addressIn(session, field)] : await shownValues(session, place, field);
    if (first !== undefined && first !== '') shown.push(first);
  }
  return distinct([...shown, ...values]);
}

/** An address from the index with a slash at its end, as in links. */
function addressIn(session: Session, field: string): unknown {
  const address = member(session.index.document, field);
  return typeof address === 'string' ? address.replace(/\/?$/, '/') : undefined;
}

async function shownValues(
  session: Session,
  collection: string | undefined,
  field: string,
): Promise<unknown[]> {
  const answer = await askList(session, collection);
  const records: unknown[] = Array.isArray(answer?.json) ? answer.json : [];
  return records.flatMap((record) => memberLike(record, field) ?? []);
}

function shaped(value: unknown, schema: Schema): unknown[] {
  const types = plainTypes(schema);
  if (types.length === 0) return [value];
  if (types.includes('string')) return [typeof value === 'number' ? String(value) : value];
  if (types.includes('integer')) return typeof value === 'number' ? [value] : [];
  return types.includes('array') ? [[value]] : [];
}

/** Other values that a schema allows: members of an enum, an empty value, an existing id. */
async function plainValues(session: Session, schema: Schema): Promise<unknown[]> {
  const { enum: members, items } = schema;
  if (members !== undefined) return members.slice(1, 1 + MOST_MEMBERS);
  const [type] = plainTypes(schema);
  if (type === 'boolean') return [schema.default !== true];
  if (type === 'string') return [];
  const [id = 1] = await shownValues(session, sampleResource(session.contract)?.id, 'id');
  if (type === 'integer') {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    return distinct([id, 1, 0]).filter((one) => typeof one === 'number' && one >= minimum && one <= maximum);
  }
  if (type === 'array' && items === undefined) return [['sample'], [{ id }], [id]];
  if (type === 'array') return (schema.minItems ?? 0) === 0 ? [[]] : [];
  if (type === 'object')
    return [schema.properties === undefined ? { sample: { sample: 'sample' } } : fullObject(schema)];
  return [id, ['sample']];
}

/** Values without duplicates; structures are compared as JSON. */
export function distinct<T>(values: readonly T[]): T[] {
  const known = new Map(
    values.map((value) => [isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value, value]),
  );
  return [...known.values()];
}

const MOST_LISTS = 3;
const MOST_IDS = 2;

/** The id of the first record of a list, or of the list in an object; undefined if it is empty. */
export async function firstId(session: Session, collection: string): Promise<number | undefined> {
  const answer = await askList(session, collection);
  return answer && idsIn({ json: recordsIn(answer.json) })[0];
}

/** The answer of a list without arguments; undefined if the contract has no such list. */
export async function askList(
  { contract, ask, caller }: Session,
  collection: string | undefined,
): Promise<Observation | undefined> {
  const list = collection === undefined ? undefined : operationFor(contract, collection, 'list');
  return list && ask({ method: 'GET', route: list.route.wire, as: caller });
}

/** Ids of records that the name or description suggests: `course_ids` gets ids from the list at `courses`. */
async function idsByName(
  session: Session,
  operation: Operation,
  name: string,
  schema: Schema,
): Promise<unknown[]> {
  const ids: unknown[][] = [];
  for (const list of listsOf(session.contract.operations, operation, nounsOf(name, schema))) {
    const { json } = await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
    const shown = (recordsIn(json) ?? []).map((record) => member(record, 'id'));
    ids.push(shown.filter((id) => typeof id === 'number' || typeof id === 'string').slice(0, MOST_IDS));
  }
  // Takes the first id of each list before any second.
  return Array.from({ length: MOST_IDS }, (_, at) => ids.flatMap((some) => some.slice(at, at + 1))).flat();
}

/** Nouns that the name of an id parameter suggests, with hyphens, the likeliest first. */
export function nounsOf(name: string, { description = '' }: Schema): string[] {
  const words = wordsOf(name);
  if (!['id', 'ids'].includes(words.at(-1) ?? '')) return [];
  const own = words.slice(0, -1);
  return [...new Set([own.join('-'), ...wordsOf(description), ...own.slice(-1)])].filter(
    (noun) => noun !== '',
  );
}

/** The lists whose path ends with a noun, singular or plural; those near the operation first. */
function listsOf(all: readonly Operation[], { route }: Operation, nouns: readonly string[]): Operation[] {
  const lists = all.filter(
    ({ methods, route: { pathParameters } }) => methods.includes('GET') && pathParameters.length === 0,
  );
  const beside = lists.filter((one) => one.route.namespace === route.namespace);
  const found = [beside, lists].flatMap((some) =>
    nouns.flatMap((noun) => some.find((one) => isListOf(one, noun)) ?? []),
  );
  return [...new Set(found)].slice(0, MOST_LISTS);
}

function isListOf({ route: { path } }: Operation, noun: string): boolean {
  const [last = ''] = path.split('/').slice(-1);
  return [`${noun}s`, `${noun}es`, noun.replace(/y$/, 'ies'), noun].includes(wordsOf(last).join('-'));
}

/** The records in an answer: the list itself, or the only list of objects in an object. */
export function recordsIn(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  const lists = Object.values(isObject(json) ? json : {}).filter(
    (value): value is unknown[] => Array.isArray(value) && value.length > 0 && value.every(isObject),
  );
  return lists.length === 1 ? lists[0] : undefined;
}

/** What a value requires in order to be accepted. Declarations cannot express these facts of the interface. */
interface RequiredArgs {
  readonly parameter: string;
  readonly value: unknown;
  /** Further arguments; `{id}` stands for the id of an existing record. */
  readonly with?: Args;
  readonly needsUser?: boolean;
}

const PLACEHOLDER = '{id}';

const REQUIRED: readonly RequiredArgs[] = [
  { parameter: 'orderby', value: 'relevance', with: { search: 'a' } },
  { parameter: 'orderby', value: 'include', with: { include: [PLACEHOLDER] } },
  { parameter: 'orderby', value: 'include_slugs', with: { slug: ['sample'] } },
  { parameter: 'context', value: 'edit', needsUser: true },
];

/** What an argument requires; undefined if nothing. Statuses other than the defaults need credentials. */
export function requiredBeside({ name, schema }: Parameter, value: unknown): RequiredArgs | undefined {
  const items = [value].flat();
  const open = [schema.default].flat();
  if (name === 'status' && schema.default !== undefined && items.some((item) => !open.includes(item))) {
    return { parameter: name, value, needsUser: true };
  }
  return REQUIRED.find((required) => required.parameter === name && required.value === items[0]);
}

/** The arguments that a value requires, with an id of the site. */
export function argsBeside(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  value: unknown,
): Promise<Args> {
  return resolveArgs(session, requiredBeside(parameter, value)?.with ?? {}, operation);
}

/** The names of the arguments that values require. */
const REQUIRED_NAMES: ReadonlySet<string> = new Set(REQUIRED.flatMap((one) => Object.keys(one.with ?? {})));

/** Replaces `{id}` in required arguments by the id of an existing record of the collection, or by a sample. */
export async function resolveArgs(session: Session, args: Args, operation: Operation): Promise<Args> {
  // A site may refuse what its list does not take.
  const own = Object.entries(args).filter(
    ([name]) => !REQUIRED_NAMES.has(name) || operation.parameters.some(({ wire }) => wire === name),
  );
  if (!JSON.stringify(own).includes(PLACEHOLDER)) return Object.fromEntries(own);
  const collection = collectionOf(operation) ?? sampleResource(session.contract)?.id;
  const id = (collection === undefined ? undefined : await firstId(session, collection)) ?? 1;
  return Object.fromEntries(
    own.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => (item === PLACEHOLDER ? id : item)) : value,
    ]),
  );
}
