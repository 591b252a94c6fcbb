import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isObject } from './json.ts';
import { isSchema, type Schema } from './schema.ts';

/** Reads contract files once each and follows the references between them. */
export class SchemaFiles {
  readonly #files = new Map<string, Record<string, unknown>>();

  /**
   * The object in the JSON file at `path`, an absolute path.
   * @throws Error when the file is missing, not JSON, or not an object.
   */
  read(path: string): Record<string, unknown> {
    const known = this.#files.get(path);
    if (known) return known;
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isObject(content)) throw new Error(`${path} does not hold a JSON object`);
    this.#files.set(path, content);
    return content;
  }

  /**
   * Copies `schema`, found in the file at `path`, with every `$ref` replaced by what it points to; what
   * stands beside a `$ref` overrides it. Members of a feature that is not among `features` are left out.
   * @throws Error when a reference leads nowhere.
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
    const resolved = Object.entries(members).map(
      ([name, schema]) => [name, this.resolve(schema, path, features)] as const,
    );
    return Object.fromEntries(
      resolved.filter(([, schema]) => !schema['x-feature'] || features.includes(schema['x-feature'])),
    );
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
