import { dirname, join } from 'node:path';
import type { Basis, OperationFile, OperationRow, ParameterSet, ResourceRow } from './operation-file.ts';
import { readJson } from './read-json.ts';
import { resolveProperties, type Scope } from './resolve-schema.ts';
import type { AbsentMember, Schema } from './schema.ts';
import { SpecError } from './spec-error.ts';
import { readValidated } from './validators.ts';

/** A row with its includes merged and every reference resolved, still in neutral words. */
export interface LoadedOperation {
  readonly row: OperationRow;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  /** Parameters that are stated to be absent. */
  readonly absent: readonly AbsentMember[];
}

/** The namespace of an operation file and its rows; the root route of the namespace comes first. */
export interface LoadedFile {
  readonly namespace: string;
  readonly id: string;
  readonly basis: Basis;
  readonly section: string;
  readonly operations: readonly LoadedOperation[];
  readonly resources: readonly ResourceRow[];
  /** The schemas of records as a site publishes them, by name. */
  readonly records: Readonly<Record<string, Schema>>;
}

/**
 * Loads one operation file, validated by its schema.
 * @param path the file; @param features the features that the deployment has
 * @throws SpecError naming file and place for anything that cannot be used.
 */
export function loadOperations(path: string, features: ReadonlySet<string>): LoadedFile {
  const file = readValidated<OperationFile>(path, 'operation-file.schema.json');
  const scope: Scope = { file: path, document: file };
  const operations = file.operations.map((row) => merge(row, file, scope, features));
  for (const { id, answer } of file.operations) {
    if (answer !== undefined && !Object.hasOwn(file.records ?? {}, answer))
      throw new SpecError(`${path}: ${id} answers "${answer}", which records does not have`);
  }
  const basis = file.root ?? 'stated';
  return {
    namespace: file.namespace,
    id: file.id,
    basis,
    section: file.section,
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
    throw new SpecError(`${scope.file}: ${row.id} is on ${row.route}, which is not under ${root}`);
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
    for (const [name, schema] of Object.entries(resolveProperties(set.properties ?? {}, inner, features))) {
      parameters[name] =
        set.section === undefined || schema['x-section'] !== undefined
          ? schema
          : { ...schema, 'x-section': set.section };
    }
    take(set);
  }
  Object.assign(parameters, resolveProperties(row.parameters?.properties ?? {}, scope, features));
  take(row.parameters);
  for (const name of required) {
    if (!Object.hasOwn(parameters, name)) {
      throw new SpecError(`${scope.file}: ${row.id} requires "${name}", which is not among its parameters`);
    }
  }
  // A set that several operations share excludes what one of them has as a parameter of its own.
  const excluded = [...absent.values()].filter(({ name }) => !Object.hasOwn(parameters, name));
  return { row, parameters, required: [...required], absent: excluded };
}

function includedSet(name: string, file: OperationFile, scope: Scope): [ParameterSet, Scope] {
  if (name.endsWith('.json')) {
    const path = join(dirname(scope.file), name);
    const document = readJson(path);
    return [readFields(document, path), { file: path, document }];
  }
  const set = file.parameterSets?.[name];
  if (set === undefined)
    throw new SpecError(`${scope.file}: includes "${name}", which parameterSets does not have`);
  return [set, scope];
}

function readFields(document: unknown, path: string): ParameterSet {
  if (isParameterSet(document)) return document;
  throw new SpecError(`${path}: is included as a set of fields, but has no "properties"`);
}

function isParameterSet(document: unknown): document is ParameterSet {
  return typeof document === 'object' && document !== null && 'properties' in document;
}

/** The root route that §4.1 gives every namespace. */
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
