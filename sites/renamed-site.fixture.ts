import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, mapped } from './reference/json.ts';
import { type Contract, loadContract, type Operation } from './reference/load-contract.ts';
import type { Schema } from './reference/schema.ts';
import { type Served, serve } from './reference/serve.ts';

type Words = Readonly<Record<string, string>>;

/** The words of a vendor, by the neutral ones. Words without an entry stay as they are. */
export interface Renaming {
  readonly namespaces: Words;
  /** By namespace. */
  readonly segments: Readonly<Record<string, Words>>;
  readonly parameters: Words;
  /** By parameter. */
  readonly enumValues: Readonly<Record<string, Words>>;
  readonly metaKeys: Words;
}

/** Reads a built-in vocabulary. */
export function readRenaming(vocabulary: string): Renaming {
  const path = join(import.meta.dirname, '..', 'specs', 'vocabularies', `${vocabulary}.json`);
  const none = { namespaces: {}, segments: {}, parameters: {}, enumValues: {}, metaKeys: {} };
  return { ...none, ...JSON.parse(readFileSync(path, 'utf8')) };
}

/** A reference deployment that uses only the words of a vendor. It translates the raw contract, so that it cannot share mistakes. */
export function renamedSite(deployment: string, words: Renaming): Promise<Served> {
  return serve({ deployment, contract: renamed(structuredClone(loadContract(deployment)), words) });
}

function renamed(contract: Contract, words: Renaming): Contract {
  const routeOf = ({ route, namespace }: Pick<Operation, 'route' | 'namespace'>): string => {
    if (namespace === '') return route;
    const rest = route.slice(namespace.length + 1).split('/');
    const own = rest.map((part) => words.segments[namespace]?.[part] ?? part).join('/');
    return `/${words.namespaces[namespace] ?? namespace}${own}`;
  };
  for (const resource of contract.resources) {
    const [{ namespace = '' } = {}] = Object.values(resource.operations);
    resource.route = routeOf({ route: resource.route, namespace });
    resource.fields = renamedSchemas(resource.fields, words);
  }
  for (const operation of contract.operations) {
    const { properties, required, ...others } = operation.parameters;
    operation.route = routeOf(operation);
    operation.namespace = words.namespaces[operation.namespace] ?? operation.namespace;
    operation.parameters = {
      ...others,
      properties: renamedSchemas(properties, words),
      required: required.map((name) => words.parameters[name] ?? name),
    };
  }
  return { ...contract, namespaces: contract.namespaces.map((name) => words.namespaces[name] ?? name) };
}

function renamedSchemas(schemas: Readonly<Record<string, Schema>>, words: Renaming): Record<string, Schema> {
  const all = mapped(schemas, (schema, name) => {
    const values = name === 'namespace' ? words.namespaces : words.enumValues[name];
    const own = values === undefined ? schema : renamedValues(schema, values);
    return name === 'meta' && own.properties
      ? { ...own, properties: renamedKeys(own.properties, words.metaKeys) }
      : own;
  });
  return renamedKeys(all, words.parameters);
}

function renamedValues(schema: Schema, values: Words): Schema {
  const word = (value: Json): Json => (typeof value === 'string' ? (values[value] ?? value) : value);
  return {
    ...schema,
    ...(schema.enum && { enum: schema.enum.map(word) }),
    ...(schema.default !== undefined && { default: word(schema.default) }),
    ...(schema.items && { items: renamedValues(schema.items, values) }),
  };
}

function renamedKeys<T>(object: Readonly<Record<string, T>>, words: Words): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [words[key] ?? key, value]));
}
