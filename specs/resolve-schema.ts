import { basename, dirname, join } from 'node:path';
import { readJson } from './read-json.ts';
import type { Schema } from './schema.ts';
import { SpecError } from './spec-error.ts';

const DEPTH = 32;

/** Where a reference is looked up: the file it stands in and that file's parsed text. */
export interface Scope {
  readonly file: string;
  readonly document: unknown;
}

/**
 * Replaces every `$ref` of a schema by what it names (`#/pointer`, or `file.json#/pointer` relative to the file it
 * stands in); members beside a `$ref` win over the referenced ones. Members of features that are off are left out.
 * @throws SpecError when a reference leads nowhere or in circles.
 */
export function resolveSchema(
  schema: Schema,
  scope: Scope,
  features: ReadonlySet<string>,
  depth = 0,
): Schema {
  if (depth > DEPTH) throw new SpecError(`${scope.file}: schemas refer to each other in circles`);
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

/** {@link resolveSchema} for each member, without those whose feature is off. */
export function resolveProperties(
  properties: Readonly<Record<string, Schema>>,
  scope: Scope,
  features: ReadonlySet<string>,
  depth = 0,
): Record<string, Schema> {
  const kept: Record<string, Schema> = {};
  for (const [name, member] of Object.entries(properties)) {
    const resolved = resolveSchema(member, scope, features, depth);
    const feature = resolved['x-feature'];
    if (feature === undefined || features.has(feature)) kept[name] = resolved;
  }
  return kept;
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
    throw new SpecError(`${scope.file}: the reference ${ref} leads nowhere in ${basename(file)}`);
  }
  return [at, { file, document }];
}
