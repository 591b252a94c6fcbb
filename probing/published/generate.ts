import { asObject, byName, byText, member } from '../../client/json.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { type SiteIndex, strings } from '../../client/site-index.ts';
import type { Contract } from '../../specs/model.ts';
import type { OperationFile, OperationRow, ResourceRow } from '../../specs/operation-file.ts';
import type { Schema } from '../../specs/schema.ts';
import type { LintFinding, Report } from './parameter-schema.ts';
import { readParameterSchema, readParameters, usableEntries } from './parameter-schema.ts';
import { type PublishedCall, type PublishedRoute, surfaceBeyond } from './site-surface.ts';

interface GeneratedFile {
  readonly name: string;
  /** The namespace in the words of the site. */
  readonly wire: string;
  readonly file: OperationFile;
}

/** What a site publishes beyond a contract, as operation files, and the contradictions in it. */
export interface PublishedFiles {
  readonly files: readonly GeneratedFile[];
  readonly findings: readonly LintFinding[];
  /** The keys of the routes that are in the files. */
  readonly keys: ReadonlySet<string>;
}

const SECTION = 'published';

/**
 * Generates operation files for what an index publishes beyond a contract, one for each namespace, always the same.
 * @param known in the words of the site; @param records the schemas that OPTIONS answers, by the key of the route
 */
export function generateFiles(
  index: SiteIndex,
  known: Contract,
  records: ReadonlyMap<string, unknown> = new Map(),
): PublishedFiles {
  const findings: LintFinding[] = [];
  const report: Report = (rule, place, message) => findings.push({ rule, place, message });
  const surface = surfaceBeyond(index, known, report);
  const names = new Set<string>();
  const ids = new Set<string>([
    ...known.namespaces.map(({ id }) => id),
    ...known.resources.map(({ id }) => id),
  ]);
  const files = [...surface]
    .filter(([wire, routes]) => routes.length > 0 || !known.namespaces.some((one) => one.wire === wire))
    .sort(byName)
    .map(([wire, routes]): GeneratedFile => {
      const name = takeWord(wordOf(wire), names);
      const neutral = known.namespaces.find((one) => one.wire === wire)?.name ?? wire;
      const id = takeWord(wordOf(neutral), ids);
      return { name, wire, file: fileOf({ wire, neutral, id }, routes, records, ids, report) };
    });
  const keys = new Set([...surface.values()].flat().map(({ key }) => key));
  return { files, findings, keys };
}

function fileOf(
  { wire, neutral, id }: Record<'wire' | 'neutral' | 'id', string>,
  routes: readonly PublishedRoute[],
  records: ReadonlyMap<string, unknown>,
  ids: Set<string>,
  report: Report,
): OperationFile {
  const below = (path: string): string => path.slice(wire.length + 1);
  const { rows, roles } = findResources(routes, id, below, ids);
  // Deleting a whole list and deleting one of its records need different ids.
  for (const { resource, role } of roles.values()) ids.add(`${resource}.${role}`);
  const book = new Map<string, readonly [name: string, schema: Schema]>();
  const operations = routes.flatMap((route) =>
    route.calls.map((call): OperationRow => {
      const path = `/${neutral}${below(route.template.path)}`;
      const role = roles.get(call);
      const answer = call.methods.includes('GET')
        ? recordOf(records.get(route.key), route.key, book, report)
        : undefined;
      return {
        id: operationId(id, below(route.template.path), call, role, ids),
        ...(role !== undefined && role),
        methods: call.methods,
        route: path,
        section: SECTION,
        basis: 'published',
        effect: call.methods.includes('GET') ? 'reads' : 'alters-site',
        ...(call.endpoint.batch && { batchable: true }),
        ...(route.template.names.length > 0 && { captures: route.template.captures }),
        ...(answer !== undefined && { answer }),
        ...parametersOf(route, call, report),
      };
    }),
  );
  return {
    namespace: neutral,
    id,
    section: SECTION,
    root: 'published',
    ...(book.size > 0 && { records: Object.fromEntries([...book.values()].sort(byName)) }),
    ...(rows.length > 0 && { resources: rows.toSorted((one, other) => byText(one.id, other.id)) }),
    operations,
  };
}

const VERB: Readonly<Record<string, string>> = { GET: 'get', DELETE: 'delete' };

/** The id of an operation: resource and role if they are known, otherwise the route and its first method. */
function operationId(
  word: string,
  below: string,
  { methods }: PublishedCall,
  role: FoundRole | undefined,
  ids: Set<string>,
): string {
  if (role !== undefined) return `${role.resource}.${role.role}`;
  const [first = ''] = methods;
  const verb = VERB[first] ?? first.toLowerCase();
  return takeWord(wordOf(word, below.replaceAll(/[{}]/g, '')), ids, `.${verb}`);
}

function parametersOf(route: PublishedRoute, { methods, endpoint }: PublishedCall, report: Report) {
  if (endpoint.args === undefined) report('keyword-shape', route.key, 'args is no object');
  const declared = usableEntries(endpoint.args ?? {}, (name) =>
    report('name-unusable', route.key, `a parameter is called ${name}`),
  );
  const parameters = readParameters(declared, (name) => `${methods[0]} ${route.key}: ${name}`, report);
  return declared.length === 0 ? {} : { parameters };
}

/** The name of a record schema in the file; undefined where the site publishes none. @param book each schema once */
function recordOf(
  raw: unknown,
  key: string,
  book: Map<string, readonly [name: string, schema: Schema]>,
  report: Report,
): string | undefined {
  const properties = asObject(member(raw, 'properties'));
  if (properties === undefined || Object.keys(properties).length === 0) return undefined;
  const title = member(raw, 'title');
  const found: Parameters<Report>[] = [];
  // Only the fields are kept: everything else is the same for each record schema.
  const given = { title, type: 'object', properties };
  const { schema } = readParameterSchema(given, `OPTIONS ${key}`, (...one) => found.push(one));
  const text = JSON.stringify(schema);
  const known = book.get(text);
  if (known !== undefined) return known[0];
  // Routes with the same records have the same findings, so they are reported once.
  for (const one of found) report(...one);
  const word = wordOf(typeof title === 'string' && title !== '' ? title : key);
  const name = takeWord(word, new Set([...book.values()].map(([taken]) => taken)));
  book.set(text, [name, schema]);
  return name;
}

interface FoundRole {
  readonly resource: string;
  readonly role: 'list' | 'create' | 'read' | 'update' | 'delete';
}

const ITEM = /^(.+)\/\{\w+\}$/;
const PARENT = /^(.+)\/\{\w+\}\/[^/{}]+$/;

/** The path of the list that a route is an item of; empty if it is none. */
function listAbove({ template }: PublishedRoute): string {
  return ITEM.exec(template.path)?.[1] ?? '';
}

/**
 * Recognises resources by the shape of their routes, never by name: a paged list with items below it, and lists below
 * these that cannot be created (revisions) or deleted (autosaves). @param word the prefix of ids
 */
function findResources(
  routes: readonly PublishedRoute[],
  word: string,
  below: (path: string) => string,
  taken: Set<string>,
): { readonly rows: readonly ResourceRow[]; readonly roles: ReadonlyMap<PublishedCall, FoundRole> } {
  const items = Map.groupBy(routes, listAbove);
  const byPath = new Map(routes.map((route) => [route.template.path, route]));
  const byPlain = new Map(routes.map((route) => [shapeOf(route.template.path), route]));
  const rows: ResourceRow[] = [];
  const roles = new Map<PublishedCall, FoundRole>();
  const owners = new Map<string, string>();
  const name = (path: string): string =>
    takeWord(wordOf(word, below(path).replaceAll(/\{\w+\}/g, '')), taken);
  const take = (resource: string, collection: PublishedRoute, item: PublishedRoute): void => {
    const given = [
      ['list', callOf(collection, 'GET')],
      ['create', callOf(collection, 'POST')],
      ['read', callOf(item, 'GET')],
      ['update', callOf(item, 'POST')],
      ['delete', callOf(item, 'DELETE')],
    ] as const;
    for (const [role, call] of given) {
      if (call !== undefined && !roles.has(call)) roles.set(call, { resource, role });
    }
  };
  for (const item of routes.filter(({ template }) => template.names.length === 1)) {
    const collection = byPath.get(listAbove(item));
    if (collection === undefined) continue;
    // With two kinds of items below a list, it is unknown which of them it lists.
    const isOnly = items.get(collection.template.path)?.length === 1;
    if (!isOnly || !isPaged(collection) || callOf(item, 'GET') === undefined) continue;
    const id = name(collection.template.path);
    owners.set(collection.template.path, id);
    rows.push({ id, kind: 'records', section: 'published', basis: 'published', ...statusesOf(collection) });
    take(id, collection, item);
  }
  for (const item of routes.filter(({ template }) => template.names.length === 2)) {
    const collection = byPlain.get(shapeOf(listAbove(item)));
    const parent = owners.get(PARENT.exec(collection?.template.path ?? '')?.[1] ?? '');
    const kind = collection && childKind(collection, item);
    if (collection === undefined || parent === undefined || kind === undefined) continue;
    const id = name(collection.template.path);
    rows.push({ id, kind, section: 'published', basis: 'published', parent });
    take(id, collection, item);
  }
  return { rows, roles };
}

/** Revisions have no creation: saving their record creates them. Autosaves have a creation but no deletion. */
function childKind(collection: PublishedRoute, item: PublishedRoute): 'revisions' | 'autosaves' | undefined {
  if (callOf(item, 'POST') !== undefined) return undefined;
  if (callOf(item, 'GET') === undefined || callOf(collection, 'GET') === undefined) return undefined;
  const creates = callOf(collection, 'POST') !== undefined;
  if (!creates) return 'revisions';
  return callOf(item, 'DELETE') === undefined ? 'autosaves' : undefined;
}

/** Whether a list is paged (§4.6): it takes the number of a page and its size. */
function isPaged(collection: PublishedRoute): boolean {
  const taken = callOf(collection, 'GET')?.endpoint.args;
  return member(taken, 'page') !== undefined && member(taken, 'per_page') !== undefined;
}

function callOf(route: PublishedRoute, method: string): PublishedCall | undefined {
  return route.calls.find(({ methods }) => methods.includes(method));
}

/** The statuses: the words of a field that both the creation and a filter of the list have. */
function statusesOf(collection: PublishedRoute): Pick<ResourceRow, 'statuses'> {
  const created = enumWords(member(callOf(collection, 'POST')?.endpoint.args, 'status'));
  const filter = member(callOf(collection, 'GET')?.endpoint.args, 'status');
  const filtered = enumWords(asObject(member(filter, 'items')) ?? filter);
  const listed = filtered.filter((word) => created.includes(word) || word === 'trash');
  const open = [member(filter, 'default')].flat().find((word) => typeof word === 'string');
  if (open === undefined || !created.includes(open) || listed.length === 0) return {};
  return { statuses: { open, kept: created, listed } };
}

function enumWords(descriptor: unknown): string[] {
  return [...new Set(strings(member(descriptor, 'enum')))].filter((word) => word !== '');
}

/** A word for ids: lower-case letters, digits and single hyphens, beginning with a letter. */
export function wordOf(...texts: readonly string[]): string {
  const word = texts
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return /^[a-z]/.test(word) ? word : `n-${word}`.replace(/-$/, '');
}

/** Takes a word that is free: the word itself, or with the first free number. */
function takeWord(word: string, taken: Set<string>, end = ''): string {
  let free = `${word}${end}`;
  for (let at = 2; taken.has(free); at += 1) free = `${word}-${at}${end}`;
  taken.add(free);
  return free;
}
