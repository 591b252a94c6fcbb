import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { requiredBeside } from '../../suites/arguments/control-candidates.ts';

/** A JSON object of an OpenAPI document. */
export type Part = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document. */
export interface OpenApi extends Part {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
}

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** Defaults need not satisfy their own schema, and names of other vocabularies mean nothing here. */
const LEFT_OUT: ReadonlySet<string> = new Set(['default', '$ref']);

/**
 * What a contract says of some operations, for tools that read OpenAPI 3.1. Answers are left open but for ids: they are hardly stated.
 * @param ids of the operations, in the order of the contract
 */
export function toOpenApi(contract: Contract, ids: ReadonlySet<string>): OpenApi {
  const paths: Record<string, Record<string, Part>> = {};
  for (const operation of contract.operations.filter(({ id }) => ids.has(id))) {
    const path = operation.route.wire;
    for (const method of operation.methods) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation, method) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: `The contract of ${contract.deployment}`, version: contract.digest },
    paths,
  };
}

function operationOf(operation: Operation, method: string): Part {
  const { id, route, methods, parameters } = operation;
  const inBody = WITH_BODY.has(method);
  const captured = new Set(route.pathParameters.map(({ name }) => name));
  const open = parameters.filter(({ in: place, wire }) => place !== 'path' && !captured.has(wire));
  const query = inBody ? [] : open.map(queryParameter);
  return {
    operationId: methods.length > 1 ? `${id}.${method.toLowerCase()}` : id,
    parameters: [...route.pathParameters.map(({ name }) => pathParameter(operation, name)), ...query],
    ...(inBody && { requestBody: bodyOf(open) }),
    responses: { ...recordAnswer(operation), default: { description: 'What is answered is not stated.' } },
  };
}

/** What is stated of answers that hold records: each has an id, by which tools find what may be asked of it next. */
function recordAnswer({ role, resource }: Operation): Part {
  if (resource === undefined || !['list', 'create', 'read', 'update'].includes(role ?? '')) return {};
  const record = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  const schema = role === 'list' ? { type: 'array', items: record } : record;
  const status = role === 'create' ? '201' : '200';
  return { [status]: { description: 'Accepted.', content: { 'application/json': { schema } } } };
}

function pathParameter({ parameters, route }: Operation, name: string): Part {
  const known = parameters.find(({ in: place, wire }) => place === 'path' && wire === name);
  const pattern = route.pathParameters.find((one) => one.name === name)?.kind?.pattern;
  const schema = known === undefined ? {} : plain(known.schema);
  const isNumber = typesOf(known?.schema ?? {}).includes('integer');
  const shape = isNumber || pattern === undefined ? {} : { pattern: `^(?:${pattern})$` };
  return { name, in: 'path', required: true, schema: { type: 'string', ...shape, ...schema } };
}

function queryParameter(parameter: Parameter): Part {
  const { wire, required } = parameter;
  // What a value needs beside it cannot be said, so that it would be a valid value that is refused.
  const members = parameter.schema.enum?.filter(
    (value) => requiredBeside(parameter, value)?.with === undefined,
  );
  const schema = { ...parameter.schema, ...(members !== undefined && { enum: members }) };
  const types = typesOf(schema);
  const about = { name: wire, in: 'query', required: required === true };
  // Lists are written with commas; an object beside a list has no spelling in OpenAPI, and an empty list is taken for one.
  if (types.includes('array')) {
    const { properties: _, additionalProperties: __, ...list } = schema;
    const least = types.includes('object') ? { minItems: 1 } : {};
    return { ...about, style: 'form', explode: false, schema: plain({ ...list, ...least, type: 'array' }) };
  }
  if (types.includes('object'))
    return { ...about, style: 'deepObject', explode: true, schema: plain(schema) };
  return { ...about, schema: plain(schema) };
}

function bodyOf(open: readonly Parameter[]): Part {
  const required = open.filter((one) => one.required === true).map(({ wire }) => wire);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(open.map(({ wire, schema: own }) => [wire, plain(own)])),
    ...(required.length > 0 && { required }),
  };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

/** A schema without our annotations. */
function plain(schema: Schema): Part {
  const { properties, items, additionalProperties, ...rest } = schema;
  const kept = Object.entries(rest).filter(([name]) => !name.startsWith('x-') && !LEFT_OUT.has(name));
  return {
    ...Object.fromEntries(kept),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, plain(own)])),
    }),
    ...(items !== undefined && { items: plain(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : plain(additionalProperties),
    }),
  };
}
