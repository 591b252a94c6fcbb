import { encodePart, siteBase } from '../../client/address.ts';
import { isObject, member } from '../../client/json.ts';
import type { RequestSpec } from '../../client/observation.ts';
import { fixture } from '../../engine/fixture.ts';
import type { Session } from '../../engine/session.ts';
import { fitsWhole } from '../../probing/declarations/patterns.ts';
import { askFitted, MOST_PER_PAGE, valueIn } from '../../probing/records/reading/fitted-list.ts';
import { idsIn } from '../../probing/records/reading/record.ts';
import { operationFor, routeFor, sampleResource } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import type { Args } from './call.ts';
import { distinct, goodFor, likelyValues, ownerValues } from './likely-values.ts';

/** The path of a call, or why there is none. */
type FilledRoute = { readonly route: string } | { readonly reason: string };

const PATH_PARAMETER = /\{(\w+)\}/g;
const MOST_PARENTS = 10;
const SAMPLE_BY_KIND: readonly string[] = ['sample', '7'];

/**
 * Fills the path parameters of a route with what the site has: ids of its own records, or sample words where one names no
 * record of the contract.
 */
export async function fillRoute(session: Session, operation: Operation): Promise<FilledRoute> {
  const { route } = operation;
  if (route.pathParameters.length === 0) return { route: route.wire };
  const found = await pathValues(session, operation);
  if ('reason' in found) return found;
  return { route: filledWith(route.wire, found.values) };
}

function filledWith(path: string, values: ReadonlyMap<string, string>): string {
  return path.replaceAll(PATH_PARAMETER, (_, name: string) => encodePart(values.get(name) ?? 'sample'));
}

const MOST_ROUTES = 3;

/**
 * Other paths of an operation on no records of the contract, the likeliest first: what the owner names, other members, ids
 * that exist, and what the list shows that the path begins with.
 */
export async function otherRoutes(session: Session, operation: Operation): Promise<string[]> {
  const { route } = operation;
  if (route.pathParameters.length === 0 || operation.resource !== undefined) return [];
  const plain = samples(session, operation);
  const routes: string[] = [];
  for (const { name, kind } of route.pathParameters) {
    const parameter = operation.parameters.find((one) => one.name === name);
    const schema = parameter?.schema ?? {};
    const known = parameter ?? {
      name,
      wire: name,
      schema,
      required: true,
      in: 'path',
      section: '',
      basis: 'stated',
    };
    const { named, plain: others } = await likelyValues(session, operation, known);
    const shown = await shownByParent(session, operation, name);
    const fitting = [...named, ...shown, ...others]
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map(String)
      .filter((text) => kind === undefined || fitsWhole(kind.pattern, text));
    for (const text of fitting) routes.push(filledWith(route.wire, new Map([...plain, [name, text]])));
  }
  return distinct(routes).slice(0, MOST_ROUTES);
}

/** What names the entries of the list that a path begins with: ids, slugs, or the names of members. */
async function shownByParent(session: Session, { route }: Operation, name: string): Promise<string[]> {
  const path = route.path.slice(0, route.path.indexOf(`/{${name}}`));
  const list = session.contract.operations.find(
    (one) => one.route.path === path && one.methods.includes('GET'),
  );
  if (list === undefined || list.route.pathParameters.length > 0) return [];
  const { json } = await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
  if (!Array.isArray(json)) return isObject(json) ? Object.keys(json) : [];
  return json.flatMap((one: unknown) => {
    const id = member(one, 'id') ?? member(one, 'slug') ?? one;
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : [];
  });
}

/** Path parameter values by name, or why there are none. */
type PathValues = { readonly values: ReadonlyMap<string, string> } | { readonly reason: string };

async function pathValues(session: Session, operation: Operation): Promise<PathValues> {
  const { resource } = operation;
  if (resource === undefined) return { values: samples(session, operation) };
  const { pathParameters } = operation.route;
  // A child is named after its parent.
  const filled = (...ids: readonly number[]): PathValues => ({
    values: new Map(pathParameters.map(({ name }, at) => [name, String(ids[at] ?? ids[0])])),
  });
  const isOfChild = pathParameters.length > 1;
  if (resource.parent !== undefined && (isOfChild || operation.effect === 'reads')) {
    const family = await familyOf(session, resource);
    if (!('reason' in family)) return isOfChild ? filled(family.parent, family.child) : filled(family.parent);
    if (isOfChild) return family;
  }
  const collection = resource.parent ?? resource.id;
  const id = await firstId(session, collection);
  if (id === undefined) return { reason: `the site shows no ${collection} to this caller` };
  return filled(id);
}

function samples(session: Session, operation: Operation): Map<string, string> {
  return new Map(
    operation.route.pathParameters.map(({ name, kind }): [string, string] => {
      const [hinted] = ownerValues(session, operation, name);
      if (hinted !== undefined) return [name, String(hinted)];
      const stated = operation.parameters.find((parameter) => parameter.name === name)?.schema.enum?.[0];
      const fitting = SAMPLE_BY_KIND.find((text) => kind === undefined || fitsWhole(kind.pattern, text));
      return [name, stated === undefined ? (fitting ?? 'sample') : String(stated)];
    }),
  );
}

/** The id of the first record that a list shows; undefined when it shows none. */
export async function firstId(session: Session, collection: string): Promise<number | undefined> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined) return undefined;
  const answer = await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
  return idsIn(answer)[0];
}

/** The records changed last: those are the ones that have revisions and autosaves. */
async function lastChanged(session: Session, collection: string): Promise<number[]> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined) return [];
  const query = [
    ['orderby', 'modified'],
    ['per_page', String(MOST_PARENTS)],
  ] as const;
  const spec = { method: 'GET', route: list.route.wire, query, as: session.caller } as const;
  const options = { send: (one: RequestSpec) => session.ask(one) };
  const asked = await askFitted(session.client, spec, options);
  if (valueIn(asked.query, 'orderby') !== undefined) return idsIn(asked.observation);
  // A list that does not sort by it shows when each was changed.
  const most = [['per_page', String(MOST_PER_PAGE)]] as const;
  const { observation } = await askFitted(session.client, { ...spec, query: most }, options);
  const records: readonly unknown[] = Array.isArray(observation.json) ? observation.json : [];
  const changed = (record: unknown): string => String(member(record, 'modified') ?? '');
  const sorted = records.toSorted((one, other) => (changed(one) < changed(other) ? 1 : -1));
  return idsIn({ json: sorted }).slice(0, MOST_PARENTS);
}

/** Children that a list of them must hold, so that what its arguments do can show: one is never in another order or on another page. */
function tellingChildren({ parameters }: Operation): number {
  return parameters.some(({ name }) => name === 'per_page' || name === 'order') ? 2 : 1;
}

/** The ids of a parent and of the first of its children. */
interface Family {
  readonly parent: number;
  readonly child: number;
}

/** A parent with revisions or autosaves, preferably with several, and the id of the first of those. */
const familyOf = fixture(
  'child',
  async (
    session,
    { id: children, kind, parent: collection = '' }: ResourceRow,
  ): Promise<Family | { readonly reason: string }> => {
    const own = operationFor(session.contract, children, 'list');
    if (own === undefined) return { reason: `the deployment has no list of ${children}` };
    // What a site does without these is checked elsewhere, and must not hide the children here.
    const query = [['page', '1'] as const, ['per_page', '10'] as const].filter(([name]) =>
      own.parameters.some((one) => one.name === name),
    );
    let found: Family | undefined;
    for (const parent of await lastChanged(session, collection)) {
      const route = routeFor(own, parent);
      const { observation: answer } = await askFitted(
        session.client,
        { method: 'GET', route, query, as: session.caller },
        { dispensable: ['page', 'per_page'], send: (one) => session.ask(one) },
      );
      if (answer.answer === 'denied') return { reason: `${kind} are denied to this caller` };
      const [id, ...others] = idsIn(answer);
      if (id === undefined) continue;
      const family = { parent, child: id };
      found ??= family;
      if (others.length + 1 >= tellingChildren(own)) return family;
    }
    return found ?? { reason: `the ${collection} changed last have no ${kind}` };
  },
  ({ id }) => [id],
);

/**
 * The required arguments of an operation, each with a good value of its own: what every request of a probe shares.
 */
export async function baseArgs(session: Session, operation: Operation): Promise<Args> {
  const args: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (parameter.required !== true || parameter.in === 'path') continue;
    // What a site reads at an address is best read at one of its own.
    const isAddress = operation.effect === 'reads' && parameter.schema.format === 'uri';
    args[parameter.wire] = isAddress ? await linkOfSample(session) : goodFor(session, operation, parameter);
  }
  return args;
}

/** The address of a record that the site can embed; its home page when it shows none. */
async function linkOfSample(session: Session): Promise<string> {
  const list = sampleResource(session.contract)?.operations.list;
  const answer = list && (await session.ask({ method: 'GET', route: list.route.wire, as: session.caller }));
  const link = Array.isArray(answer?.json) ? member(answer.json[0], 'link') : undefined;
  const home = member(session.index.document, 'home');
  return typeof link === 'string'
    ? link
    : typeof home === 'string'
      ? home
      : siteBase(session.client.base).href;
}
