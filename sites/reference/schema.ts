import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isObject, type Json, mapped } from './json.ts';

/** The JSON Schema keywords of raw contract files. Annotations (`x-…`) are not typed. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: Json[];
  default?: Json;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  readOnly?: boolean;
  description?: string;
  'x-feature'?: string;
  'x-contexts'?: string[];
  /** Values that are named as valid. */
  'x-examples'?: Json[];
  /** The resource whose records its ids name. */
  'x-names'?: string;
  'x-absent-members'?: AbsentMember[];
  'x-variants'?: Schema[];
}

/** A file of operations, or of parameters alone, with its known members. The suite validates it before. */
export interface ContractFile extends Schema {
  id?: string;
  namespace?: string;
  parameterSets?: Record<string, Schema>;
  resources?: ResourceRow[];
  operations?: OperationRow[];
}

/** How the records of a resource are created (`operation-file.schema.json`). */
export type ResourceKind = 'records' | 'uploads' | 'revisions' | 'autosaves';

/** A resource as a file describes it. */
export interface ResourceRow {
  id: string;
  kind: ResourceKind;
  parent?: string;
  statuses?: { open?: string; kept?: string[]; listed?: string[] };
  trash?: boolean;
  uniqueSlugs?: boolean;
  protects?: boolean;
}

/** An operation as a file describes it. */
export interface OperationRow {
  id: string;
  methods: string[];
  route: string;
  batchable?: boolean;
  effect?: string;
  resource?: string;
  role?: string;
  /** The kinds of its path parameters, by name. */
  captures?: Record<string, string | { pattern: string }>;
  /** Names of parameter sets, and of files of parameters. */
  include?: string[];
  parameters?: Schema;
}

interface AbsentMember {
  name: string;
  /** A value that shows whether it is applied. */
  probe?: Json;
}

/** Parameters of an operation. Unknown names are ignored. */
export interface Parameters {
  properties: Record<string, Schema>;
  required: string[];
  /** Excluded names. */
  absent?: AbsentMember[];
}

/** Whether a value of a raw contract file is a schema. The validators of the suite have read its keywords before. */
export function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

/** The types of a schema as a list; empty if it has none. */
export function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** Reads contract files, each once, and resolves references between them. */
export class SchemaFiles {
  readonly #files = new Map<string, ContractFile>();

  /** The content of the file at an absolute path. @throws Error for a missing file, and for one that is not JSON */
  read(path: string): ContractFile {
    const content: ContractFile = this.#files.get(path) ?? JSON.parse(readFileSync(path, 'utf8'));
    this.#files.set(path, content);
    return content;
  }

  /**
   * Copies `schema` from the file at `path`, with every `$ref` replaced by its target. Members beside a `$ref` override
   * it. Members of features that are not in `features` are left out.
   * @throws Error for a reference that leads nowhere
   */
  resolve(schema: Schema, path: string, features: readonly string[]): Schema {
    const { $ref, ...own } = schema;
    if ($ref !== undefined) {
      const target = this.#follow($ref, path);
      return { ...this.resolve(target.schema, target.path, features), ...this.resolve(own, path, features) };
    }
    const inner = (child: Schema): Schema => this.resolve(child, path, features);
    const copy: Schema = { ...own };
    if (own.items) copy.items = inner(own.items);
    if (own.oneOf) copy.oneOf = own.oneOf.map(inner);
    if (own.anyOf) copy.anyOf = own.anyOf.map(inner);
    if (isObject(own.additionalProperties)) copy.additionalProperties = inner(own.additionalProperties);
    if (own.properties) copy.properties = this.resolveMembers(own.properties, path, features);
    return copy;
  }

  /** As `resolve`, for a map of names to schemas. */
  resolveMembers(
    members: Record<string, Schema>,
    path: string,
    features: readonly string[],
  ): Record<string, Schema> {
    return mapped(members, (schema) => {
      const resolved = this.resolve(schema, path, features);
      const { 'x-feature': feature } = resolved;
      return !feature || features.includes(feature) ? resolved : undefined;
    });
  }

  #follow(reference: string, from: string): { schema: Schema; path: string } {
    const [file = '', pointer = ''] = reference.split('#');
    const path = file === '' ? from : resolve(dirname(from), file);
    let found: unknown = this.read(path);
    for (const step of pointer.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = isObject(found) ? found[key] : undefined;
    }
    if (!isSchema(found)) throw new Error(`${from}: ${reference} leads to no schema`);
    return { schema: found, path };
  }
}
