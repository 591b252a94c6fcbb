import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ContractFile, OperationRow, ResourceKind, ResourceRow } from './schema.ts';
import { type Parameters, type Schema, SchemaFiles } from './schema.ts';

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
 * @throws Error for a missing file
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
  const file: { name: string; features?: string[]; operations: string[] } = readJson(path);
  const { name, features = [] } = file;
  const kinds: Source['kinds'] = readJson(resolve(SPECS, 'path-parameter-kinds.json'));
  const paths = file.operations.map((one) => operationFile(one, path));
  const resources = readResources(paths.map((one) => files.read(one)));
  const loaded = paths.map((one) => loadOperations({ files, path: one, features, kinds, resources }));
  const operations = withoutRepeatedRoots(loaded.flatMap((one) => one.operations));
  joinOperations(operations);
  return {
    name,
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

function readJson<Content extends object>(path: string): Content {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The pattern of a path parameter without a stated one, in a spelling that no stated pattern has. */
export const UNSTATED_PATH_PARAMETER = '[\\w\\-]+';

/** Where operations are read from, and what their resolution depends on. */
interface Source {
  files: SchemaFiles;
  /** Absolute path of the operation file. */
  path: string;
  features: readonly string[];
  /** The kinds of path parameters (specs/path-parameter-kinds.json). */
  kinds: Record<string, { pattern: string }>;
  /** The resources for operations, by id. */
  resources: ReadonlyMap<string, Resource>;
}

/**
 * Reads one operation file: its namespace (empty for core) and its operations, with the derived
 * namespace root first (§4.1).
 */
function loadOperations(source: Source): { namespace: string; operations: Operation[] } {
  const file = source.files.read(source.path);
  const { id, namespace = '', operations: rows = [] } = file;
  const properties = { namespace: { default: namespace }, context: { default: 'view' } };
  const root = { id: `${id}.root`, methods: ['GET'], route: `/${namespace}`, parameters: { properties } };
  const all = namespace === '' ? rows : [root, ...rows];
  return { namespace, operations: all.map((row) => readOperation(row, file, namespace, source)) };
}

function readOperation(row: OperationRow, file: ContractFile, namespace: string, source: Source): Operation {
  const { id, methods, route, batchable = false, effect = 'reads', role, captures = {} } = row;
  return {
    id,
    methods,
    route,
    namespace,
    batchable,
    effect,
    pathParameters: readPathParameters(route, captures, source),
    parameters: readParameters(row, file, source),
    resource: source.resources.get(row.resource ?? ''),
    role,
  };
}

function readPathParameters(
  route: string,
  captures: NonNullable<OperationRow['captures']>,
  { kinds }: Source,
): Record<string, string> {
  const pathParameters: Record<string, string> = {};
  for (const [, name = ''] of route.matchAll(/\{(\w+)\}/g)) {
    const kind = captures[name];
    const known = typeof kind === 'string' ? kinds[kind] : kind;
    pathParameters[name] = known?.pattern ?? UNSTATED_PATH_PARAMETER;
  }
  return pathParameters;
}

function readParameters(row: OperationRow, { parameterSets = {} }: ContractFile, source: Source): Parameters {
  const merged: Required<Parameters> = { properties: {}, required: [], absent: [] };
  for (const name of row.include ?? []) {
    const own = parameterSets[name];
    const path = own ? source.path : resolve(dirname(source.path), name);
    take(merged, own ?? source.files.read(path), path, source);
  }
  take(merged, row.parameters ?? {}, source.path, source);
  return { ...merged, absent: merged.absent.filter(({ name }) => !(name in merged.properties)) };
}

function take(into: Required<Parameters>, addition: Schema, path: string, source: Source): void {
  const members = source.files.resolveMembers(addition.properties ?? {}, path, source.features);
  Object.assign(into.properties, members);
  into.absent = [...into.absent, ...(addition['x-absent-members'] ?? [])];
  into.required = [...new Set([...into.required, ...(addition.required ?? [])])];
}

/** Default statuses of a resource. */
const KEPT = ['publish', 'future', 'draft', 'pending', 'private'];
const USUAL = { open: 'publish', kept: KEPT, listed: [...KEPT, 'trash'] };

/** The resources in operation files, by id. */
function readResources(files: readonly ContractFile[]): Map<string, Resource> {
  const rows = files.flatMap(({ resources = [] }) => resources);
  const resources = new Map(rows.map((row) => [row.id, readResource(row)]));
  for (const { id, parent = '' } of rows) {
    const child = resources.get(id);
    if (child) child.parent = resources.get(parent);
    if (child) child.parent?.children.push(child);
  }
  return resources;
}

function readResource({ id, kind, statuses, ...marks }: ResourceRow): Resource {
  const { trash = false, uniqueSlugs = false, protects = false } = marks;
  return {
    id,
    kind,
    parent: undefined,
    statuses: { ...USUAL, ...statuses },
    trash,
    uniqueSlugs,
    protects,
    route: '',
    fields: {},
    operations: {},
    children: [],
  };
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
