import { dirname, resolve } from 'node:path';
import type { Operation, Resource } from './contract.ts';
import { isObject, isStrings } from './json.ts';
import { isSchema, type Parameters } from './schema.ts';
import type { SchemaFiles } from './schema-files.ts';

/** What a path parameter accepts that nothing states: word characters and hyphens, spelled as nothing stated is. */
export const UNSTATED_PATH_PARAMETER = '[\\w\\-]+';

/** Where operations are read from and what decides their resolution. */
export interface Source {
  files: SchemaFiles;
  /** Absolute path of the operation file. */
  path: string;
  features: readonly string[];
  /** Kind of path parameter to pattern text (specs/path-parameter-kinds.json). */
  pathParameters: Record<string, string>;
  /** What the operations may work on, by id. */
  resources: ReadonlyMap<string, Resource>;
}

/**
 * Reads one operation file: its namespace (empty for core) and its operations, the derived namespace root
 * first (§4.1).
 * @throws Error naming the file and the operation when something has not the expected shape.
 */
export function loadOperations(source: Source): { namespace: string; operations: Operation[] } {
  const file = source.files.read(source.path);
  const namespace = typeof file.namespace === 'string' ? file.namespace : '';
  const rows = Array.isArray(file.operations) ? file.operations : [];
  const operations = rows.map((row: unknown) => readOperation(row, file, namespace, source));
  if (namespace !== '') operations.unshift(namespaceRoot(namespace, `${String(file.id)}.root`));
  return { namespace, operations };
}

function namespaceRoot(namespace: string, id: string): Operation {
  const properties = { namespace: { default: namespace }, context: { default: 'view' } };
  return {
    id,
    methods: ['GET'],
    route: `/${namespace}`,
    namespace,
    batchable: false,
    effect: 'reads',
    pathParameters: {},
    parameters: { properties, required: [] },
    resource: undefined,
    role: undefined,
  };
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
