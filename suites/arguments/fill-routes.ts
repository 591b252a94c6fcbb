import { encodePart } from '../../client/address.ts';
import { isFinding } from '../../engine/aborted.ts';
import type { Finding } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { fitsWhole, wordsOfPattern } from '../../probing/declarations/patterns.ts';
import { parameterNamed } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import { isRemoving } from '../../specs/value-hints.ts';
import { distinct, likelyValues, MOST_MEMBERS, ownerValues } from './argument-values.ts';
import { shownByParent } from './ids-by-name.ts';
import { askList, familyOf, firstId, hiddenId, whyNoId } from './named-records.ts';

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
