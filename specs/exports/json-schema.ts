import type { Contract, Operation } from '../model.ts';
import { publishedSchema } from '../shapes.ts';
import { argumentSchema, type Part, plainSchema } from './plain-schema.ts';
import { CONTEXTS, fieldsSchema, shownRecords } from './records.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The schemas of a contract by name, each complete in itself: `index`, `<operation>.arguments`, `<resource>.fields` that
 * may be written, and `<resource>.view`, `.embed` and `.edit` for its records as they are shown.
 */
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
      schemas[`${name}.${context}`] = {
        title: `${name}: a record in context ${context}`,
        $comment: source,
        ...schema(context, 'excluded'),
      };
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

/** The arguments of one call by the names of the target, wherever each of them goes. */
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
