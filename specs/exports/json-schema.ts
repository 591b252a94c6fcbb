import { CONTEXTS, type Context, type Contract, type Operation, type Resource } from '../model.ts';
import { type Schema, typesOf } from '../schema.ts';
import { publishedSchema } from '../shapes.ts';
import { argumentSchema, objectSchema, type Part, plainSchema } from './plain-schema.ts';

/** Whether members of other contexts are excluded or left undescribed. */
type Hidden = 'excluded' | 'left out';

interface ShownRecord {
  readonly name: string;
  readonly source: string;
  schema(context: Context, hidden: Hidden): Part;
}

export interface ShownRecords {
  readonly all: readonly ShownRecord[];
  /** The record that an operation answers with, alone or in a list; undefined if nothing says so. */
  of(operation: Operation): ShownRecord | undefined;
}

/** The roles of operations that answer with records. */
const SHOWING: ReadonlySet<string> = new Set(['list', 'create', 'read', 'update']);

/** Collects the records that a contract states, or for which a site publishes a schema. */
export function shownRecords({ resources, operations }: Contract): ShownRecords {
  const records = new Map<string, ShownRecord>();
  for (const resource of resources) {
    const { list, read } = resource.operations;
    // For a published resource, only the schema of the site counts.
    if (resource.basis === 'published' || (list === undefined && read === undefined)) continue;
    const { id: name, section } = resource;
    const schema: ShownRecord['schema'] = (...how) => statedRecord(resource, ...how);
    records.set(name, { name, source: `§2, §${section}`, schema });
  }
  const published = new Map<string, ShownRecord>();
  for (const { answer } of operations) {
    if (answer === undefined) continue;
    const text = JSON.stringify(answer.schema);
    if (published.has(text)) continue;
    let name = answer.name;
    for (let further = 2; records.has(name); further += 1) name = `${answer.name}-${further}`;
    // All fields of a published record may be null or missing.
    const properties = answer.schema.properties ?? {};
    const schema: ShownRecord['schema'] = (...how) => ({
      type: 'object',
      properties: membersOf(properties, ...how, true),
    });
    const record = { name, source: 'published by the site', schema };
    records.set(name, record);
    published.set(text, record);
  }
  return {
    all: [...records.values()],
    of({ role, resource, answer }) {
      if (role === undefined || !SHOWING.has(role)) return undefined;
      if (answer !== undefined) return published.get(JSON.stringify(answer.schema));
      return resource === undefined || resource.basis === 'published' ? undefined : records.get(resource.id);
    },
  };
}

/** The stated part of a record (§2, R11): its id, and the types of its fields. Other fields may exist. */
function statedRecord(resource: Resource, context: Context, hidden: Hidden): Part {
  const fields = resource.operations.create?.parameters ?? [];
  const own = resource.kind === 'records' || resource.kind === 'uploads';
  const shown = own ? fields.filter((field) => field.in === 'body') : [];
  return {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      ...(own ? {} : { parent: { type: 'integer' } }),
      ...Object.fromEntries(shown.map(({ wire, schema }) => [wire, shownPart(schema, context, hidden)])),
    },
    required: own ? ['id'] : ['id', 'parent'],
  };
}

/** The fields that may be written when a record is created (§2); undefined if it cannot be created. */
export function fieldsSchema({ operations }: Resource): Part | undefined {
  const fields = operations.create?.parameters.filter((field) => field.in === 'body') ?? [];
  return fields.length === 0 ? undefined : objectSchema(fields.map((one) => [one.wire, one]));
}

function membersOf(
  properties: Readonly<Record<string, Schema>>,
  context: Context,
  hidden: Hidden,
  nullable: boolean,
): Part {
  const members = Object.entries(properties).flatMap(([name, member]): [string, unknown][] => {
    const isShown = member['x-contexts']?.includes(context) ?? true;
    if (isShown) return [[name, shownPart(member, context, hidden, nullable)]];
    return hidden === 'excluded' ? [[name, false]] : [];
  });
  return Object.fromEntries(members);
}

/** Types alone, because the rest is about writing. `[]` may be an empty object (R30), null a missing record. */
function shownPart(schema: Schema, context: Context, hidden: Hidden, nullable = false): Part {
  const types = typesOf(schema);
  const values = types.filter((type) => type !== 'null');
  if (values.length === 0) return types.length === 0 ? {} : { type: 'null' };
  const isName = schema['x-names'] !== undefined && values.join() === 'integer';
  const mayBeNull = nullable || isName || types.includes('null');
  const shapes = values.map((type): Part => {
    if (type === 'object')
      return { type, properties: membersOf(schema.properties ?? {}, context, hidden, nullable) };
    const { items } = schema;
    if (type !== 'array' || items === undefined) return { type };
    return { type, items: shownPart(items, context, hidden, nullable) };
  });
  const [only] = shapes;
  const isPlain = shapes.length === 1 && !['object', 'array'].includes(values.join());
  if (only !== undefined && isPlain) return mayBeNull ? { type: [only.type, 'null'] } : only;
  const empty =
    values.includes('object') && !values.includes('array') ? [{ type: 'array', maxItems: 0 }] : [];
  const all = [...shapes, ...empty, ...(mayBeNull ? [{ type: 'null' }] : [])];
  return all.length === 1 ? (only ?? {}) : { anyOf: all };
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schemas by name: `index`, `<operation>.arguments`, `<resource>.fields` to write, and by context. */
export function jsonSchemas(contract: Contract): Readonly<Record<string, Part>> {
  const schemas: Record<string, Part> = { index: plainSchema(publishedSchema('index.schema.json')) };
  for (const operation of contract.operations) {
    schemas[`${operation.id}.arguments`] = argumentsSchema(operation);
  }
  for (const resource of contract.resources) {
    const fields = fieldsSchema(resource);
    if (fields === undefined) continue;
    const title = `${resource.id}: what may be written`;
    schemas[`${resource.id}.fields`] = { title, $comment: `§${resource.section}`, ...fields };
  }
  for (const { name, source, schema } of shownRecords(contract).all) {
    for (const context of CONTEXTS) {
      const title = `${name}: a record in context ${context}`;
      schemas[`${name}.${context}`] = { title, $comment: source, ...schema(context, 'excluded') };
    }
  }
  return schemas;
}

/** All schemas of a contract in one document: each is a member of `$defs`. */
export function jsonSchemaDocument(contract: Contract): Part {
  return {
    $schema: DIALECT,
    title: `The contract of ${contract.deployment} in the words of ${contract.vocabulary}`,
    $comment: `contract ${contract.digest}`,
    $defs: jsonSchemas(contract),
  };
}

/** One of the schemas as a document of its own. */
export function jsonSchemaFile(schema: Part): Part {
  return { $schema: DIALECT, ...schema };
}

/** The arguments of one call by the names of the target, whether in query, path or body. */
function argumentsSchema(operation: Operation): Part {
  const { id, methods, route, section, parameters } = operation;
  const inPath = route.pathParameters.map(({ name }) => name);
  const declared = parameters.filter(({ wire }) => !inPath.includes(wire));
  const required = [...inPath, ...declared.filter((one) => one.required === true).map(({ wire }) => wire)];
  return {
    title: `${methods.join(', ')} ${route.wire}`,
    $comment: `${id}, §${section}`,
    type: 'object',
    properties: Object.fromEntries([
      ...inPath.map((name) => [name, argumentSchema(operation, name)]),
      ...declared.map((one) => [one.wire, plainSchema(one.schema)]),
    ]),
    ...(required.length > 0 && { required }),
  };
}
