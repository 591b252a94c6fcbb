import { encodePart, routeOf } from '../../../client/address.ts';
import { isObject, member } from '../../../client/json.ts';
import { includesMode } from '../../../client/mode.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { describe, explain, inconclusive } from '../../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { fitsWhole, wordsOfPattern } from '../../../probing/declarations/patterns.ts';
import { denialsByAuthor, likelyParents } from '../../../probing/records/reading/find-parent.ts';
import { askFitted } from '../../../probing/records/reading/list-request.ts';
import { openList } from '../../../probing/records/reading/open-list.ts';
import { idsIn, itemsOf } from '../../../probing/records/reading/record.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import { operationFor, parameterNamed, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import type { ResourceRow } from '../../../specs/operation-file.ts';
import { isRemoving } from '../../../specs/value-hints.ts';
import {
  askList,
  distinct,
  firstId,
  likelyValues,
  MOST_MEMBERS,
  ownerValues,
  recordsIn,
} from './argument-values.ts';

const PATH_PARAMETER = /\{(\w+)\}/g;
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
    const { parent, child, none } = await familyOf(session, resource);
    if (isOfChild && none !== undefined) return none;
    if (parent !== undefined) return filled(parent, child ?? parent);
  }
  const collection = resource.parent ?? resource.id;
  const id = await idIn(session, collection, operation);
  if (id !== undefined) return filled(id);
  return inconclusive(whyNoId(collection, await askList(session, collection)));
}

/** The id of a record; an operation that alters the site may have created the first one only now. */
async function idIn(
  session: Session,
  collection: string,
  { effect }: Operation,
): Promise<number | undefined> {
  const now = effect === 'alters-site' ? session.client : undefined;
  return (
    (await firstId(session, collection)) ??
    (now && (await firstId({ ...session, ask: (spec) => now.request(spec) }, collection))) ??
    hiddenId(session, collection)
  );
}

const MOST_PARENTS = 10;

/** A parent with its first child, or one without any that the user may have, and why that is so. */
interface Family {
  readonly parent?: number | undefined;
  readonly child?: number;
  readonly none?: Finding;
}

/** A parent with revisions or autosaves, preferably several, and the id of its first child. */
const familyOf: Fixture<Family, [children: ResourceRow]> = fixture(
  'child',
  async (session, { id: children, kind, parent: collection = '' }: ResourceRow): Promise<Family> => {
    const own = operationFor(session.contract, children, 'list');
    if (own === undefined) return { none: inconclusive(`the deployment has no list of ${children}`) };
    // Its arguments must show an effect; one child is always in the same order.
    const enough = ['per_page', 'order'].some((name) => takes(own, name)) ? 2 : 1;
    let found: Family | undefined;
    let childless: number | undefined;
    let reason = `the ${collection} changed last have no ${kind}`;
    const likely = await likelyParents(session, collection);
    const denials = denialsByAuthor(session);
    const tried = isFinding(likely) ? [] : likely;
    for (const record of tried.values().filter(denials.isOpen).take(MOST_PARENTS)) {
      const { id: parent } = record;
      const answer = await childrenOf(session, own, parent, enough);
      if (answer.answer === 'denied') denials.add(record);
      if (answer.answer === 'accepted' && session.caller === 'user') childless ??= parent;
      reason = whyNone(answer, kind, collection) ?? reason;
      const families = idsIn(answer).map((child) => ({ parent, child }));
      const [family] = families;
      if (family !== undefined && families.length >= enough) return family;
      found ??= family;
    }
    return found ?? { parent: childless, none: inconclusive(reason) };
  },
  ({ id }) => [id],
);

/** What an answer says of why no children are found; undefined for those that it shows, and for none. */
function whyNone(answer: Observation, kind: string, collection: string): string | undefined {
  if (answer.answer === 'denied') return `${kind} are denied to this caller`;
  if (answer.answer === 'broken') return `the ${kind} of some ${collection} are ${describe(answer)}`;
  const isUnnamed = idsIn(answer).length === 0 && itemsOf(answer).length > 0;
  return isUnnamed ? `the ${collection} changed last have no ${kind} with an integer id` : undefined;
}

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

/** The id of a record that the list shows the user alone. A run that writes has public ones later. */
async function hiddenId(session: Session, collection: string): Promise<number | undefined> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined || includesMode(session.client.mode, 'write')) return undefined;
  const snapshot = await snapshotOf(session, await openList(session, list));
  return isFinding(snapshot) ? undefined : snapshot.records[0]?.id;
}

/** Why no record of a collection can be named. @param list the answer of its list, if it has one */
function whyNoId(collection: string, list?: Observation): string {
  if (list !== undefined && list.answer !== 'accepted' && list.answer !== 'denied')
    return `the list of ${collection} is ${explain(list)}`;
  return list !== undefined && (recordsIn(list.json) ?? []).length > 0
    ? `none of the ${collection} that the site shows has an integer id`
    : `the site shows no ${collection} to this caller`;
}

function filledWith(path: string, values: ReadonlyMap<string, string>): string {
  const encoded = (name: string): string => encodePart(values.get(name) ?? 'sample').replaceAll('%2F', '/');
  return path.replaceAll(PATH_PARAMETER, (_, name: string) => encoded(name));
}

const MOST_ROUTES = 3;

/** Other paths of an operation that is not about records of the contract, the likeliest first. */
export async function otherRoutes(session: Session, operation: Operation): Promise<string[]> {
  const { route } = operation;
  if (route.pathParameters.length === 0 || operation.resource !== undefined) return [];
  const plain = samples(session, operation);
  const routes: string[] = await linkedByParent(session, operation);
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

const MOST_LINKED = 2;

/** Where entries of the list above say that they are, or what is below that: an id may hold slashes, or be two parts. */
async function linkedByParent(session: Session, operation: Operation): Promise<string[]> {
  const { wire, pathParameters } = operation.route;
  const records = recordsIn(await askParent(session, operation, pathParameters[0]?.name)) ?? [];
  const linked = records.flatMap((one) => {
    const [self] = [member(member(one, '_links'), 'self')].flat();
    const href = member(self, 'href');
    const url = typeof href === 'string' ? URL.parse(href, session.client.base) : null;
    return (url && routeOf(url)) ?? [];
  });
  const end = wire.lastIndexOf('}') + 1;
  const isOwn = (route: string): boolean => {
    const values = valuesIn(route, wire.slice(0, end));
    return pathParameters.every(({ kind }, at) => {
      const value = values[at] ?? '';
      return value !== '' && (kind === undefined || fitsWhole(kind.pattern, value));
    });
  };
  const own = linked.filter(isOwn).slice(0, MOST_LINKED);
  return own.map((route) => `${route}${wire.slice(end)}`);
}

/** The values of the path parameters in a route; empty if it is another one. */
function valuesIn(route: string, wire: string): string[] {
  const [start = '', ...others] = wire.split(/\{\w+\}/);
  if (!route.startsWith(start)) return [];
  let rest = route.slice(start.length);
  return others.map((literal) => {
    const at = literal === '' ? rest.length : rest.indexOf(literal);
    const value = rest.slice(0, Math.max(at, 0));
    rest = rest.slice(at + literal.length);
    return value;
  });
}

/** The answer of the list at the path before a path parameter, if the contract has one. */
async function askParent(session: Session, { route }: Operation, name = ''): Promise<unknown> {
  const path = route.path.slice(0, route.path.indexOf(`/{${name}}`));
  const list = session.contract.operations.find(
    (one) => one.route.path === path && one.methods.includes('GET'),
  );
  if (list === undefined || list.route.pathParameters.length > 0) return undefined;
  return (await session.ask({ method: 'GET', route: list.route.wire, as: session.caller })).json;
}

/** What identifies the entries of the list at the parent path: what is called alike, ids, slugs, or names of members. */
async function shownByParent(session: Session, operation: Operation, name: string): Promise<string[]> {
  const json = await askParent(session, operation, name);
  const records = recordsIn(json);
  if (records === undefined) return isObject(json) ? Object.keys(json) : [];
  return records.flatMap((one) => {
    const id = member(one, name) ?? member(one, 'id') ?? member(one, 'slug') ?? one;
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : [];
  });
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
