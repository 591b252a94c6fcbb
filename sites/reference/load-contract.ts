import { dirname, resolve } from 'node:path';
import { isObject, isStrings, mapped, member } from './json.ts';
import { isSchema, type Parameters, type Schema, SchemaFiles } from './schema.ts';

/** How the records of a resource are created (`operation-file.schema.json`). */
export type ResourceKind = 'records' | 'uploads' | 'revisions' | 'autosaves';

/** A kind of records with its collection. */
export interface Resource {
  id: string;
  kind: ResourceKind;
  /** The resource of their parents; for revisions and autosaves. */
  parent: Resource | undefined;
  /** Values of `status`: of public records, of those that are kept when written, and of all. */
  statuses: { open: string; kept: readonly string[]; listed: readonly string[] };
  trash: boolean;
  /** Whether slugs are unique among its own records, otherwise among all records. */
  uniqueSlugs: boolean;
  /** Whether the password of a record hides its texts. */
  protects: boolean;
  /** Neutral route of the collection. */
  route: string;
  /** The fields that a creation writes. */
  fields: Record<string, Schema>;
  /** Its operations by role. */
  operations: Record<string, Operation>;
  /** The resources of children, such as revisions. */
  children: Resource[];
}

/** One operation of the deployment: the methods of a route and their parameters. */
export interface Operation {
  /** Such as `posts.list` or `cms.root`. */
  id: string;
  methods: string[];
  /** Neutral route with path parameters as `{name}`. */
  route: string;
  /** Empty for the index and for batch (R1). */
  namespace: string;
  batchable: boolean;
  /** `reads`, `writes` or `alters-site`. */
  effect: string;
  /** Name of a path parameter to the text of its regular expression. */
  pathParameters: Record<string, string>;
  parameters: Parameters;
  /** The resource that it works on, with its role there; undefined if it has none. */
  resource: Resource | undefined;
  role: string | undefined;
}

/** The contract of one deployment, in the order of its file. */
export interface Contract {
  name: string;
  namespaces: string[];
  operations: Operation[];
  resources: Resource[];
}

/** The key of an operation's route in the index: path parameters as `(?P<name>pattern)` (§1). */
export function routePattern(operation: Operation): string {
  return operation.route.replace(
    /\{(\w+)\}/g,
    (_, name: string) => `(?P<${name}>${operation.pathParameters[name] ?? ''})`,
  );
}

const SPECS = resolve(import.meta.dirname, '../../specs');

/** Contracts that consist of built-in files, which do not change during a run. */
const builtIn = new Map<string, Contract>();

/**
 * Loads the contract of a deployment from the raw files; a built-in one once, because many sites start in one process.
 * @param deployment name of a file in specs/deployments (`a`, `b`, `core`), or the path of a
 * deployment file (ends in `.json`)
 * @throws Error for a missing or malformed file
 */
export function loadContract(deployment: string): Contract {
  const contract = builtIn.get(deployment) ?? readContract(deployment);
  if (!deployment.endsWith('.json')) builtIn.set(deployment, contract);
  return contract;
}

function readContract(deployment: string): Contract {
  const files = new SchemaFiles();
  const path = deployment.endsWith('.json')
    ? resolve(deployment)
    : resolve(SPECS, 'deployments', `${deployment}.json`);
  const file = files.read(path);
  const features = isStrings(file.features) ? file.features : [];
  const names = isStrings(file.operations) ? file.operations : [];
  const pathParameters = readPathParameterKinds(files);
  const paths = names.map((name) => operationFile(name, path));
  const resources = readResources(paths.map((one) => files.read(one)));
  const loaded = paths.map((one) =>
    loadOperations({ files, path: one, features, pathParameters, resources }),
  );
  const operations = withoutRepeatedRoots(loaded.flatMap((one) => one.operations));
  joinOperations(operations);
  return {
    name: String(file.name ?? deployment),
    namespaces: [...new Set(loaded.map(({ namespace }) => namespace))].filter((name) => name !== ''),
    operations,
    resources: [...resources.values()],
  };
}

/** Files with the same namespace share the root of the first one. */
function withoutRepeatedRoots(operations: readonly Operation[]): Operation[] {
  const roots = new Map<string, Operation>();
  for (const one of operations.filter(isRoot)) if (!roots.has(one.route)) roots.set(one.route, one);
  return operations.filter((one) => !isRoot(one) || roots.get(one.route) === one);
}

function isRoot({ namespace, route }: Operation): boolean {
  return namespace !== '' && route === `/${namespace}`;
}

function operationFile(name: string, deploymentPath: string): string {
  return name.startsWith('.')
    ? resolve(dirname(deploymentPath), name)
    : resolve(SPECS, 'operations', `${name}.json`);
}

function readPathParameterKinds(files: SchemaFiles): Record<string, string> {
  return mapped(files.read(resolve(SPECS, 'path-parameter-kinds.json')), (entry) => {
    const pattern = member(entry, 'pattern');
    return typeof pattern === 'string' ? pattern : undefined;
  });
}

/** The pattern of a path parameter without a stated one, in a spelling that no stated pattern has. */
export const UNSTATED_PATH_PARAMETER = '[\\w\\-]+';

/** Where operations are read from, and what their resolution depends on. */
interface Source {
  files: SchemaFiles;
  /** Absolute path of the operation file. */
  path: string;
  features: readonly string[];
  /** Kind of path parameter to pattern text (specs/path-parameter-kinds.json). */
  pathParameters: Record<string, string>;
  /** The resources for operations, by id. */
  resources: ReadonlyMap<string, Resource>;
}

/**
 * Reads one operation file: its namespace (empty for core) and its operations, with the derived
 * namespace root first (§4.1).
 * @throws Error with file and operation for a malformed part
 */
function loadOperations(source: Source): { namespace: string; operations: Operation[] } {
  const file = source.files.read(source.path);
  const namespace = typeof file.namespace === 'string' ? file.namespace : '';
  const rows: unknown[] = Array.isArray(file.operations) ? [...file.operations] : [];
  if (namespace !== '') {
    const properties = { namespace: { default: namespace }, context: { default: 'view' } };
    const root = { id: `${String(file.id)}.root`, methods: ['GET'], route: `/${namespace}` };
    rows.unshift({ ...root, parameters: { properties } });
  }
  return { namespace, operations: rows.map((row) => readOperation(row, file, namespace, source)) };
}

function readOperation(
  row: unknown,
  file: Record<string, unknown>,
  namespace: string,
  source: Source,
): Operation {
  if (!isObject(row)) throw new Error(`${source.path}: an operation is not an object`);
  const { id, methods, route } = row;
  if (typeof id !== 'string' || !isStrings(methods) || typeof route !== 'string') {
    throw new Error(`${source.path}: ${String(id)} lacks an id, methods or a route`);
  }
  return {
    id,
    methods,
    route,
    namespace,
    batchable: row.batchable === true,
    effect: typeof row.effect === 'string' ? row.effect : 'reads',
    pathParameters: readPathParameters(route, row.captures, source),
    parameters: readParameters(row, file, source),
    resource: source.resources.get(String(row.resource)),
    role: typeof row.role === 'string' ? row.role : undefined,
  };
}

function readPathParameters(route: string, kinds: unknown, source: Source): Record<string, string> {
  const pathParameters: Record<string, string> = {};
  for (const [, name = ''] of route.matchAll(/\{(\w+)\}/g)) {
    const kind = isObject(kinds) ? kinds[name] : undefined;
    const own = isObject(kind) && typeof kind.pattern === 'string' ? kind.pattern : undefined;
    const known = typeof kind === 'string' ? source.pathParameters[kind] : own;
    pathParameters[name] = known ?? UNSTATED_PATH_PARAMETER;
  }
  return pathParameters;
}

function readParameters(
  row: Record<string, unknown>,
  file: Record<string, unknown>,
  source: Source,
): Parameters {
  const sets = isObject(file.parameterSets) ? file.parameterSets : {};
  const includes = isStrings(row.include) ? row.include : [];
  const merged: Required<Parameters> = { properties: {}, required: [], absent: [] };
  for (const name of includes) {
    if (name in sets) take(merged, sets[name], source.path, source);
    else {
      const path = resolve(dirname(source.path), name);
      take(merged, source.files.read(path), path, source);
    }
  }
  take(merged, row.parameters ?? {}, source.path, source);
  return { ...merged, absent: merged.absent.filter(({ name }) => !(name in merged.properties)) };
}

function take(into: Required<Parameters>, addition: unknown, path: string, source: Source): void {
  if (!isSchema(addition)) throw new Error(`${path}: parameters of a wrong shape`);
  const members = source.files.resolveMembers(addition.properties ?? {}, path, source.features);
  Object.assign(into.properties, members);
  into.absent = [...into.absent, ...(addition['x-absent-members'] ?? [])];
  into.required = [...new Set([...into.required, ...(addition.required ?? [])])];
}

const KINDS: readonly string[] = ['records', 'uploads', 'revisions', 'autosaves'] satisfies ResourceKind[];

/** Default statuses of a resource. */
const KEPT = ['publish', 'future', 'draft', 'pending', 'private'];
const USUAL = { open: 'publish', kept: KEPT, listed: [...KEPT, 'trash'] };

/** The resources in operation files, by id. @throws Error for a row without an id or of an unknown kind */
function readResources(files: readonly Record<string, unknown>[]): Map<string, Resource> {
  const rows = files.flatMap(({ resources }) => (Array.isArray(resources) ? resources : [])).filter(isObject);
  const resources = new Map(rows.map((row) => [String(row.id), readResource(row)]));
  for (const { id, parent } of rows) {
    const child = resources.get(String(id));
    if (child) child.parent = resources.get(String(parent));
    if (child) child.parent?.children.push(child);
  }
  return resources;
}

function readResource(row: Record<string, unknown>): Resource {
  const { id, kind, statuses } = row;
  if (typeof id !== 'string' || !isKind(kind))
    throw new Error(`${String(id)} is no resource of a known kind`);
  const stated = isObject(statuses) ? statuses : {};
  return {
    id,
    kind,
    parent: undefined,
    statuses: {
      open: typeof stated.open === 'string' ? stated.open : USUAL.open,
      kept: isStrings(stated.kept) ? stated.kept : USUAL.kept,
      listed: isStrings(stated.listed) ? stated.listed : USUAL.listed,
    },
    trash: row.trash === true,
    uniqueSlugs: row.uniqueSlugs === true,
    protects: row.protects === true,
    route: '',
    fields: {},
    operations: {},
    children: [],
  };
}

function isKind(kind: unknown): kind is ResourceKind {
  return typeof kind === 'string' && KINDS.includes(kind);
}

/** Gives each resource its operations, its route, and the fields of its creation or else of its update. */
function joinOperations(operations: readonly Operation[]): void {
  for (const operation of operations) {
    const { resource, role } = operation;
    if (resource && role !== undefined) resource.operations[role] = operation;
  }
  for (const resource of new Set(operations.flatMap((one) => one.resource ?? []))) {
    const { list, create, update } = resource.operations;
    const first = list ?? create ?? Object.values(resource.operations)[0];
    resource.route = first?.route.replace(/\/\{\w+\}$/, '') ?? '';
    const { parameters, pathParameters } = create ??
      update ?? { parameters: { properties: {} }, pathParameters: {} };
    const fields = Object.entries(parameters.properties).filter(([name]) => !(name in pathParameters));
    resource.fields = Object.fromEntries(fields);
  }
}
