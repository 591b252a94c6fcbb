import { asObject, member } from '../../client/json.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import type { SurfaceCall, SurfaceRoute } from './site-surface.ts';
import { freeWord, wordOf } from './words.ts';

/** What an operation does with a resource that was recognised. */
export interface FoundRole {
  readonly resource: string;
  readonly role: 'list' | 'create' | 'read' | 'update' | 'delete';
}

/** The resources of a namespace, and the roles of its calls. */
interface FoundResources {
  readonly rows: readonly ResourceRow[];
  readonly roles: ReadonlyMap<SurfaceCall, FoundRole>;
}

const ITEM = /^(.+)\/\{\w+\}$/;
const PARENT = /^(.+)\/\{\w+\}\/[^/{}]+$/;

/**
 * Recognises resources by the shape of their routes, never by a name: a list that pages with items below it; and below its
 * items, lists of children with items, which nobody creates (revisions) or nobody deletes (autosaves).
 * @param word what the ids of resources begin with; @param below the part of a route that follows its namespace
 */
export function findResources(
  routes: readonly SurfaceRoute[],
  word: string,
  below: (path: string) => string,
  taken: Set<string>,
): FoundResources {
  const items = Map.groupBy(routes, ({ template }) => ITEM.exec(template.path)?.[1]);
  const byPath = new Map(routes.map((route) => [route.template.path, route]));
  const byPlain = new Map(routes.map((route) => [shapeOf(route.template.path), route]));
  const rows: ResourceRow[] = [];
  const roles = new Map<SurfaceCall, FoundRole>();
  const owners = new Map<string, string>();
  const name = (path: string): string => {
    const id = freeWord(wordOf(word, below(path).replaceAll(/\{\w+\}/g, '')), taken);
    taken.add(id);
    return id;
  };
  const take = (resource: string, collection: SurfaceRoute, item: SurfaceRoute): void => {
    const give = (route: SurfaceRoute, method: string, role: FoundRole['role']): void => {
      const call = callOf(route, method);
      if (call !== undefined && !roles.has(call)) roles.set(call, { resource, role });
    };
    give(collection, 'GET', 'list');
    give(collection, 'POST', 'create');
    give(item, 'GET', 'read');
    give(item, 'POST', 'update');
    give(item, 'DELETE', 'delete');
  };
  for (const item of routes) {
    const collection = byPath.get(ITEM.exec(item.template.path)?.[1] ?? '');
    if (collection === undefined || item.template.names.length !== 1) continue;
    // Where two kinds of items stand below a list, none of them is known to be what it holds.
    if (items.get(collection.template.path)?.length !== 1) continue;
    if (callOf(item, 'GET') === undefined || !isPaged(callOf(collection, 'GET'))) continue;
    const id = name(collection.template.path);
    owners.set(collection.template.path, id);
    rows.push({ id, kind: 'records', section: 'published', basis: 'published', ...statusesOf(collection) });
    take(id, collection, item);
  }
  for (const item of routes) {
    if (item.template.names.length !== 2) continue;
    const collection = byPlain.get(shapeOf(ITEM.exec(item.template.path)?.[1] ?? ''));
    const parent = owners.get(PARENT.exec(collection?.template.path ?? '')?.[1] ?? '');
    if (collection === undefined || parent === undefined) continue;
    if (callOf(item, 'GET') === undefined || callOf(collection, 'GET') === undefined) continue;
    const kind = childKind(collection, item);
    if (kind === undefined) continue;
    const id = name(collection.template.path);
    rows.push({ id, kind, section: 'published', basis: 'published', parent });
    take(id, collection, item);
  }
  return { rows, roles };
}

/** Children that are made by saving their record are never created, and those that are saved beside it never deleted. */
function childKind(collection: SurfaceRoute, item: SurfaceRoute): 'revisions' | 'autosaves' | undefined {
  if (callOf(item, 'POST') !== undefined) return undefined;
  const creates = callOf(collection, 'POST') !== undefined;
  if (!creates) return 'revisions';
  return callOf(item, 'DELETE') === undefined ? 'autosaves' : undefined;
}

function callOf(route: SurfaceRoute, method: string): SurfaceCall | undefined {
  return route.calls.find(({ methods }) => methods.includes(method));
}

/** Paging is stated of lists (§4.6): a page, and how many records it holds. */
function isPaged(call: SurfaceCall | undefined): boolean {
  const args = call?.endpoint.args;
  return member(args, 'page') !== undefined && member(args, 'per_page') !== undefined;
}

/** The words of a field that a creation and a filter of the list share. */
function statusesOf(collection: SurfaceRoute): Pick<ResourceRow, 'statuses'> {
  const created = wordsOf(member(callOf(collection, 'POST')?.endpoint.args, 'status'));
  const filter = member(callOf(collection, 'GET')?.endpoint.args, 'status');
  const filtered = wordsOf(asObject(member(filter, 'items')) ?? filter);
  const listed = filtered.filter((word) => created.includes(word) || word === 'trash');
  const open = [member(filter, 'default')].flat().find((word) => typeof word === 'string');
  if (open === undefined || !created.includes(open) || listed.length === 0) return {};
  return { statuses: { open, kept: created, listed } };
}

function wordsOf(descriptor: unknown): string[] {
  const members = member(descriptor, 'enum');
  const words = Array.isArray(members) ? members.filter((word: unknown) => typeof word === 'string') : [];
  return [...new Set(words)].filter((word) => word !== '');
}
