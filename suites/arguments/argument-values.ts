import { encodePart, siteBase } from '../../client/address.ts';
import { isObject, member } from '../../client/json.ts';
import { includesMode } from '../../client/mode.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import type { Finding } from '../../engine/check.ts';
import { describe, explain, inconclusive } from '../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { fullObject, goodValue, plainTypes } from '../../generators/valid-values.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { declarationIn, servedMethods } from '../../probing/declarations/find-route.ts';
import { fitsWhole, wordsOfPattern } from '../../probing/declarations/patterns.ts';
import { likelyParents } from '../../probing/records/reading/find-parent.ts';
import { askFitted } from '../../probing/records/reading/list-request.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { idsIn, itemsOf, memberLike } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { operationFor, parameterNamed, routeFor, sampleResource, takes } from '../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { isRemoving, type ValueKind, valueKindOf, wordsOf } from '../../specs/value-hints.ts';
import { idsByName, shownByParent } from './ids-by-name.ts';

const PATH_PARAMETER = /\{(\w+)\}/g;
const MOST_PARENTS = 10;
const SAMPLE_BY_KIND: readonly string[] = ['sample', '7'];

/** Fills the path parameters of a route with ids of the site's own records, or otherwise with sample words. */
export async function fillRoute(session: Session, operation: Operation): Promise<string | Finding> {
  const { resource, route, effect } = operation;
  const { pathParameters } = route;
  if (pathParameters.length === 0) return route.wire;
  if (resource === undefined) return filledWith(route.wire, samples(session, operation));
  // The id of a child includes its parent's id.
  const filled = (...ids: readonly number[]): string =>
    filledWith(route.wire, new Map(pathParameters.map(({ name }, at) => [name, String(ids[at] ?? ids[0])])));
  const isOfChild = pathParameters.length > 1;
  if (resource.parent !== undefined && (isOfChild || effect === 'reads')) {
    const family = await familyOf(session, resource);
    if (!isFinding(family)) return filled(family.parent, family.child);
    if (isOfChild) return family;
  }
  const collection = resource.parent ?? resource.id;
  // An operation that alters the site may have created the first record only now.
  const now = effect === 'alters-site' ? session.client : undefined;
  const id =
    (await firstId(session, collection)) ??
    (now && (await firstId({ ...session, ask: (spec) => now.request(spec) }, collection))) ??
    (await hiddenId(session, collection));
  if (id !== undefined) return filled(id);
  return inconclusive(whyNoId(collection, await askList(session, collection)));
}

/** Why no record of a collection can be named. @param list the answer of its list, if it has one */
function whyNoId(collection: string, list?: Observation): string {
  if (list !== undefined && list.answer !== 'accepted' && list.answer !== 'denied')
    return `the list of ${collection} is ${explain(list)}`;
  return list !== undefined && itemsOf(list).length > 0
    ? `none of the ${collection} that the site shows has an integer id`
    : `the site shows no ${collection} to this caller`;
}

function filledWith(path: string, values: ReadonlyMap<string, string>): string {
  return path.replaceAll(PATH_PARAMETER, (_, name: string) => encodePart(values.get(name) ?? 'sample'));
}

const MOST_ROUTES = 3;

/** Other paths of an operation that is not about records of the contract, the likeliest first. */
export async function otherRoutes(session: Session, operation: Operation): Promise<string[]> {
  const { route } = operation;
  if (route.pathParameters.length === 0 || operation.resource !== undefined) return [];
  const plain = samples(session, operation);
  const routes: string[] = [];
  for (const { name, kind } of route.pathParameters) {
    const parameter = parameterNamed(operation, name);
    const known = parameter ?? { name, schema: {}, required: true };
    const { named, plain: others } = await likelyValues(session, operation, known);
    const shown = await shownByParent(session, operation, name);
    const words = wordsOfPattern(kind?.pattern).slice(0, 1 + MOST_MEMBERS);
    const members = parameter?.schema.enum?.map(String);
    const fitting = [...named, ...shown, ...words, ...others]
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map(String)
      .filter((text) => members?.includes(text) !== false)
      .filter((text) => kind === undefined || fitsWhole(kind.pattern, text));
    for (const text of fitting) routes.push(filledWith(route.wire, new Map([...plain, [name, text]])));
  }
  return distinct(routes).slice(0, MOST_ROUTES);
}

function samples(session: Session, operation: Operation): Map<string, string> {
  return new Map(
    operation.route.pathParameters.map(({ name, kind }): [string, string] => {
      const [hinted] = ownerValues(session, operation, name);
      if (hinted !== undefined) return [name, String(hinted)];
      const stated = parameterNamed(operation, name)?.schema.enum?.[0];
      const fitting = SAMPLE_BY_KIND.find((text) => kind === undefined || fitsWhole(kind.pattern, text));
      const words = wordsOfPattern(kind?.pattern);
      // An operation that removes something could remove what other checks need.
      const word = words.find((one) => !isRemoving(one)) ?? words[0] ?? 'sample';
      return [name, stated === undefined ? (fitting ?? word) : String(stated)];
    }),
  );
}

/** The id of the first record of a list; undefined if it is empty. */
export async function firstId(session: Session, collection: string): Promise<number | undefined> {
  const answer = await askList(session, collection);
  return answer && idsIn(answer)[0];
}

/** The id of a record that the list shows the user alone. A run that writes has public ones later. */
async function hiddenId(session: Session, collection: string): Promise<number | undefined> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined || includesMode(session.client.mode, 'write')) return undefined;
  const snapshot = await snapshotOf(session, await openList(session, list));
  return isFinding(snapshot) ? undefined : snapshot.records[0]?.id;
}

/** The answer of a list without arguments; undefined if the contract has no such list. */
async function askList(
  { contract, ask, caller }: Session,
  collection: string | undefined,
): Promise<Observation | undefined> {
  const list = collection === undefined ? undefined : operationFor(contract, collection, 'list');
  return list && ask({ method: 'GET', route: list.route.wire, as: caller });
}

type Family = Record<'parent' | 'child', number>;

/** A parent with revisions or autosaves, preferably several, and the id of its first child. */
const familyOf = fixture(
  'child',
  async (
    session,
    { id: children, kind, parent: collection = '' }: ResourceRow,
  ): Promise<Family | Finding> => {
    const own = operationFor(session.contract, children, 'list');
    if (own === undefined) return inconclusive(`the deployment has no list of ${children}`);
    // Its arguments must show an effect; one child is always in the same order.
    const enough = ['per_page', 'order'].some((name) => takes(own, name)) ? 2 : 1;
    let found: Family | undefined;
    let reason = `the ${collection} changed last have no ${kind}`;
    const likely = await likelyParents(session, collection);
    const tried = isFinding(likely) ? [] : likely.slice(0, MOST_PARENTS);
    for (const { id: parent } of tried) {
      const answer = await childrenOf(session, own, parent, enough);
      if (answer.answer === 'denied') return inconclusive(`${kind} are denied to this caller`);
      if (answer.answer === 'broken') reason = `the ${kind} of some ${collection} are ${describe(answer)}`;
      const families = idsIn(answer).map((child) => ({ parent, child }));
      const [family] = families;
      if (family !== undefined && families.length >= enough) return family;
      found ??= family;
      const isUnnamed = family === undefined && itemsOf(answer).length > 0;
      if (isUnnamed) reason = `the ${collection} changed last have no ${kind} with an integer id`;
    }
    return found ?? inconclusive(reason);
  },
  ({ id }) => [id],
);

/** The children of a record, asked for with a page if the plain list shows less than `enough`. */
async function childrenOf(
  session: Session,
  list: Operation,
  parent: number,
  enough: number,
): Promise<Observation> {
  const plain = { method: 'GET', route: routeFor(list, parent), as: session.caller } as const;
  const answer = await session.ask(plain);
  if (answer.answer === 'denied' || idsIn(answer).length >= enough) return answer;
  // Other checks test the behaviour without these arguments, which must not hide the children here.
  const query = [['page', '1'] as const, ['per_page', '10'] as const].filter(([name]) => takes(list, name));
  const how = { dispensable: ['page', 'per_page'], send: (one: RequestSpec) => session.ask(one) };
  return (await askFitted(session.client, { ...plain, query }, how)).observation;
}

/** The required arguments of an operation, each with a good value. All requests of a probe share them. */
export function baseArgs(session: Session, operation: Operation): Promise<Args> {
  return argsBy(operation, (parameter) => {
    if (parameter.required !== true) return undefined;
    // A site should only fetch its own addresses.
    const isAddress = operation.effect === 'reads' && parameter.schema.format === 'uri';
    return isAddress ? linkOfSample(session) : goodFor(session, operation, parameter);
  });
}

/** The arguments of an operation outside of its path for which there is a value, or the promise of one. */
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
const MOST_MEMBERS = 3;

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
  return Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in !== 'path')
      .map((parameter) => [parameter.wire, goodFor(session, operation, parameter)])
      .filter(([, value]) => value !== undefined),
  );
}

function ownerValues(session: Session, operation: Operation, name: string): readonly unknown[] {
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
