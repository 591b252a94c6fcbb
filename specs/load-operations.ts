import { basename, dirname, join } from 'node:path';
import type { Deployment } from './deployment.ts';
import type { Operation, Resource } from './model.ts';
import type {
  Amendment,
  Basis,
  OperationFile,
  OperationRow,
  ParameterSet,
  ResourceRow,
} from './operation-file.ts';
import type { AbsentMember, Schema } from './schema.ts';
import { readJson, readValidated, suggestion, UsageError } from './validators.ts';

/** A row with its includes merged and every reference resolved, in neutral words. */
export interface LoadedOperation {
  readonly row: OperationRow;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly absent: readonly AbsentMember[];
}

/** The namespace of an operation file and its rows, with the root route of the namespace first. */
export interface LoadedFile
  extends Required<Pick<OperationFile, 'namespace' | 'id' | 'resources' | 'records'>> {
  readonly basis: Basis;
  readonly strict: boolean;
  readonly operations: readonly LoadedOperation[];
}

/** Loads the operation files of a deployment, amended. @throws UsageError with file and place */
export function loadFiles({
  name,
  files: paths,
  features,
  amendments,
}: Pick<Deployment, 'name' | 'files' | 'features' | 'amendments'>): LoadedFile[] {
  const files = paths.map((path) => loadOperations(path, features));
  const ids = files.flatMap(({ operations }) => operations.map(({ row }) => row.id));
  const unknown = Object.keys(amendments).find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new UsageError(
      `deployment ${name}: instead names "${unknown}", which no operation file has${suggestion(unknown, ids)}`,
    );
  return files.map((file) => ({
    ...file,
    operations: file.operations.flatMap((loaded) => {
      const amendment = Object.hasOwn(amendments, loaded.row.id) ? amendments[loaded.row.id] : undefined;
      return amendment === undefined ? [loaded] : amended(loaded, amendment);
    }),
  }));
}

function amended(loaded: LoadedOperation, amendment: Amendment): LoadedOperation[] {
  const { served, methods, batchable, captures, without = [], parameters: own = {} } = amendment;
  if (served === false) return [];
  const published = Object.entries(own.properties ?? {}).map(
    ([name, schema]) => [name, { ...schema, 'x-section': 'published', 'x-basis': 'published' }] as const,
  );
  const replaced = new Set([...without, ...published.map(([name]) => name)]);
  const kept = Object.entries(loaded.parameters).filter(([name]) => !replaced.has(name));
  return [
    {
      row: {
        ...loaded.row,
        ...(methods !== undefined && { methods }),
        ...(batchable !== undefined && { batchable }),
        ...(captures !== undefined && { captures: { ...loaded.row.captures, ...captures } }),
      },
      parameters: Object.fromEntries([...kept, ...published]),
      required: [...loaded.required.filter((name) => !replaced.has(name)), ...(own.required ?? [])],
      absent: loaded.absent.filter(({ name }) => !replaced.has(name)),
    },
  ];
}

/** Loads an operation file. */
function loadOperations(path: string, features: ReadonlySet<string>): LoadedFile {
  const file = readValidated<OperationFile>(path, 'operation-file.schema.json');
  const scope: Scope = { file: path, document: file };
  const operations = file.operations.map((row) => merge(row, file, scope, features));
  for (const { id, answer } of file.operations) {
    if (answer !== undefined && !Object.hasOwn(file.records ?? {}, answer))
      throw new UsageError(`${path}: ${id} answers "${answer}", which records does not have`);
  }
  const basis = file.root ?? 'stated';
  return {
    namespace: file.namespace,
    id: file.id,
    basis,
    strict: file.strict === true,
    operations: file.namespace === '' ? operations : [rootOf(file, basis), ...operations],
    resources: file.resources ?? [],
    records: resolveProperties(file.records ?? {}, scope, features),
  };
}

function merge(
  row: OperationRow,
  file: OperationFile,
  scope: Scope,
  features: ReadonlySet<string>,
): LoadedOperation {
  const root = `/${file.namespace}`;
  if (root !== '/' && row.route !== root && !row.route.startsWith(`${root}/`)) {
    throw new UsageError(`${scope.file}: ${row.id} is on ${row.route}, which is not under ${root}`);
  }
  const parameters: Record<string, Schema> = {};
  const required = new Set<string>();
  const absent = new Map<string, AbsentMember>();
  const take = (set: ParameterSet | undefined): void => {
    for (const name of set?.required ?? []) required.add(name);
    for (const one of set?.['x-absent-members'] ?? []) absent.set(one.name, one);
  };
  for (const include of row.include ?? []) {
    const [set, inner] = includedSet(include, file, scope);
    const section = set.section === undefined ? {} : { 'x-section': set.section };
    for (const [name, schema] of Object.entries(resolveProperties(set.properties ?? {}, inner, features)))
      parameters[name] = schema['x-section'] === undefined ? { ...schema, ...section } : schema;
    take(set);
  }
  Object.assign(parameters, resolveProperties(row.parameters?.properties ?? {}, scope, features));
  take(row.parameters);
  const unknown = [...required].find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined)
    throw new UsageError(`${scope.file}: ${row.id} requires "${unknown}", which is not among its parameters`);
  // A shared set may exclude a parameter that one operation has as its own.
  const excluded = [...absent.values()].filter(({ name }) => !Object.hasOwn(parameters, name));
  return { row, parameters, required: [...required], absent: excluded };
}

function includedSet(name: string, file: OperationFile, scope: Scope): [ParameterSet, Scope] {
  if (name.endsWith('.json')) {
    const [set, inner] = lookUp(name, scope);
    if (set.properties !== undefined) return [set, inner];
    throw new UsageError(`${inner.file}: is included as a set of fields, but has no "properties"`);
  }
  const set = file.parameterSets?.[name];
  if (set === undefined)
    throw new UsageError(`${scope.file}: includes "${name}", which parameterSets does not have`);
  return [set, scope];
}

/** The root route that §4.1 requires for every namespace. */
function rootOf(file: OperationFile, basis: Basis): LoadedOperation {
  return {
    row: {
      id: `${file.id}.root`,
      methods: ['GET'],
      route: `/${file.namespace}`,
      section: '4.1',
      basis,
      effect: 'reads',
    },
    parameters: {
      namespace: { default: file.namespace, 'x-silent': ['effect'] },
      context: { default: 'view', 'x-silent': ['effect'] },
    },
    required: [],
    absent: [],
  };
}

const DEPTH = 32;

/** Where references are looked up: a file and its parsed text. */
interface Scope {
  readonly file: string;
  readonly document: unknown;
}

/** Replaces each `$ref`; members beside it win, disabled features go. @throws UsageError for circles and dead ends */
export function resolveSchema(
  schema: Schema,
  scope: Scope,
  features: ReadonlySet<string>,
  depth = 0,
): Schema {
  if (depth > DEPTH) throw new UsageError(`${scope.file}: schemas refer to each other in circles`);
  if (schema.$ref !== undefined) {
    const { $ref, ...beside } = schema;
    const [target, inner] = lookUp($ref, scope);
    return {
      ...resolveSchema(target, inner, features, depth + 1),
      ...resolveSchema(beside, scope, features, depth + 1),
    };
  }
  const resolved: { -readonly [K in keyof Schema]: Schema[K] } = { ...schema };
  if (schema.items !== undefined) resolved.items = resolveSchema(schema.items, scope, features, depth + 1);
  if (schema.properties !== undefined) {
    resolved.properties = resolveProperties(schema.properties, scope, features, depth + 1);
  }
  if (typeof schema.additionalProperties === 'object') {
    resolved.additionalProperties = resolveSchema(schema.additionalProperties, scope, features, depth + 1);
  }
  return resolved;
}

/** Applies {@link resolveSchema} to each member, without members of disabled features. */
function resolveProperties(
  properties: Readonly<Record<string, Schema>>,
  scope: Scope,
  features: ReadonlySet<string>,
  depth = 0,
): Record<string, Schema> {
  const resolved = Object.entries(properties).map(
    ([name, member]) => [name, resolveSchema(member, scope, features, depth)] as const,
  );
  return Object.fromEntries(
    resolved.filter(([, { 'x-feature': feature }]) => feature === undefined || features.has(feature)),
  );
}

function lookUp(ref: string, scope: Scope): [Schema, Scope] {
  const [path = '', pointer = ''] = ref.split('#');
  const file = path === '' ? scope.file : join(dirname(scope.file), path);
  const document = path === '' ? scope.document : readJson(file);
  let at: unknown = document;
  for (const step of pointer.split('/').filter((part) => part !== '')) {
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  }
  if (typeof at !== 'object' || at === null) {
    throw new UsageError(`${scope.file}: the reference ${ref} leads nowhere in ${basename(file)}`);
  }
  return [at, { file, document }];
}

/** Collects the resources of the files by id. @throws UsageError for one described twice, or an unknown parent */
export function resourceRows(files: readonly Pick<LoadedFile, 'resources'>[]): Map<string, ResourceRow> {
  const rows = new Map<string, ResourceRow>();
  for (const row of files.flatMap(({ resources }) => resources)) {
    if (rows.has(row.id)) throw new UsageError(`the resource "${row.id}" is described twice`);
    rows.set(row.id, row);
  }
  for (const { id, parent = id } of rows.values()) {
    if (!rows.has(parent))
      throw new UsageError(
        `the resource "${id}" is a child of "${parent}", which no file describes (${[...rows.keys()].join(', ')})`,
      );
  }
  return rows;
}

/** Joins resources with operations. @throws UsageError for a role that is there twice, or an id of another form */
export function resourcesOf(
  rows: ReadonlyMap<string, ResourceRow>,
  operations: readonly Operation[],
): Resource[] {
  const all = [...rows.values()];
  const roles = new Map<string, Record<string, Operation>>();
  for (const operation of operations) {
    const { id, resource, role } = operation;
    if (resource === undefined || role === undefined) continue;
    const own = roles.get(resource.id) ?? {};
    if (Object.hasOwn(own, role))
      throw new UsageError(`${id} and ${own[role]?.id} are both "${role}" of the resource "${resource.id}"`);
    const due = `${resource.id}.${role}`;
    if (id !== due)
      throw new UsageError(`${id} is "${role}" of the resource "${resource.id}": its id must be ${due}`);
    own[role] = operation;
    roles.set(resource.id, own);
  }
  return all
    .filter(({ id }) => roles.has(id))
    .map((row) => ({
      ...row,
      operations: roles.get(row.id) ?? {},
      children: all.filter(({ parent }) => parent === row.id).map(({ id }) => id),
    }));
}
