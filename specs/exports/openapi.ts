import { CONTEXTS, type Contract, type Operation, type Parameter } from '../model.ts';
import { type Schema, typesOf } from '../schema.ts';
import { publishedSchema } from '../shapes.ts';
import { fieldsSchema, type ShownRecords, shownRecords } from './json-schema.ts';
import { argumentSchema, objectSchema, type Part, pathPattern, plainSchema } from './plain-schema.ts';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const SCHEME = 'applicationPassword';
/** The tag of routes without a namespace. */
const NO_NAMESPACE = 'index';

interface OpenApi extends Part {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
}

/** A contract as OpenAPI 3.1: the stated operations, with their sources in members that begin with `x-`. */
export function toOpenApi(contract: Contract, addressing: Addressing): OpenApi {
  const records = shownRecords(contract);
  const tags = new Map(contract.namespaces.map(({ name, wire }) => [name, wire]));
  const paths: Record<string, Record<string, Part>> = {};
  const templates = new Map<string, string>();
  for (const operation of contract.operations) {
    const { path: plain, parameters } = addressOf(operation, addressing);
    const path = pathOf(plain, operation, templates);
    for (const method of operation.methods) {
      const described = describe(operation, method, {
        tag: tags.get(operation.route.namespace) ?? NO_NAMESPACE,
        parameters,
        responses: answersOf(operation, records),
      });
      paths[path] = { ...paths[path], [method.toLowerCase()]: described };
    }
  }
  const fields = contract.resources.flatMap((resource): [string, Part][] => {
    const schema = fieldsSchema(resource);
    return schema === undefined ? [] : [[`${resource.id}.fields`, schema]];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `The contract of ${contract.deployment}`,
      version: contract.digest.replace(/^sha256:/, '').slice(0, 12),
      description: aboutOf(contract, addressing),
    },
    servers: serversOf(addressing),
    security: [{}, { [SCHEME]: [] }],
    tags: [NO_NAMESPACE, ...tags.values()].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        [SCHEME]: {
          type: 'http',
          scheme: 'basic',
          description:
            'The name of a user and an application password (§5). Who may call what is not stated.',
        },
      },
      schemas: { ...answerSchemas(records), ...Object.fromEntries(fields) },
    },
    'x-contract': contract.digest,
    'x-vocabulary': contract.vocabulary,
  };
}

/** In OpenAPI, paths that differ only in names of parameters are the same, so a fragment distinguishes them. */
function pathOf(plain: string, { route }: Operation, templates: Map<string, string>): string {
  const template = plain.replaceAll(/\{\w+\}/g, '{}');
  const first = templates.get(template) ?? plain;
  templates.set(template, first);
  return first === plain ? plain : `${plain}#${route.pathParameters.map(({ name }) => name).join(',')}`;
}

interface Around {
  readonly tag: string;
  readonly parameters: readonly Part[];
  readonly responses: Part;
}

function describe(operation: Operation, method: string, { tag, parameters, responses }: Around): Part {
  const { id, methods, route, section, basis, effect, batchable, resource, role } = operation;
  const query = WITH_BODY.has(method) ? [] : openParameters(operation).map(queryParameter);
  const requestBody = WITH_BODY.has(method) ? bodyOf(operation) : undefined;
  return {
    // An operation may have several methods, but an id must be unique.
    operationId: method === methods[0] ? id : `${id}.${method.toLowerCase()}`,
    summary: `${method} ${route.wire}`,
    tags: [tag],
    ...(effect !== 'reads' && { security: [{ [SCHEME]: [] }] }),
    parameters: [...parameters, ...query],
    ...(requestBody !== undefined && { requestBody }),
    responses,
    'x-operation': id,
    'x-route': route.wire,
    'x-section': section,
    'x-basis': basis,
    'x-effect': effect,
    'x-batchable': batchable,
    ...(resource !== undefined && { 'x-resource': resource.id, 'x-role': role }),
  };
}

function aboutOf({ vocabulary }: Contract, { pretty }: Addressing): string {
  const how =
    pretty === undefined
      ? 'A route is the query parameter rest_route of index.php (§1); what follows # in a path only tells routes apart.'
      : `Routes are paths under /${pretty}, where the site has such addresses; everywhere they are reached as {base}/index.php?rest_route=ROUTE (§1).`;
  return `${how} Everything is stated in the sections that x-section names; what is left out is not stated. Vocabulary: ${vocabulary}.`;
}

interface Addressing {
  /** The base address of the site; undefined makes it a variable. */
  readonly base: string | undefined;
  /** The path below which the site serves routes; undefined for the addressing of §1. */
  readonly pretty: string | undefined;
}

const BASE_VARIABLE = {
  base: { default: 'https://site.example', description: 'The base address of the site.' },
};

function serversOf({ base, pretty }: Addressing): Part[] {
  const prefix = pretty === undefined ? '' : `/${pretty}`;
  return [{ url: `${base ?? '{base}'}${prefix}`, ...(base === undefined && { variables: BASE_VARIABLE }) }];
}

/** A path with its parameters. Where routes are parameters (§1), a fragment tells paths apart; no client sends it. */
function addressOf(operation: Operation, { pretty }: Addressing): { path: string; parameters: Part[] } {
  const { wire, pathParameters } = operation.route;
  const names = pathParameters.map(({ name }) => name);
  if (pretty !== undefined) {
    const inPath = { in: 'path', required: true };
    const parameters = names.map((name) => ({ name, ...inPath, schema: argumentSchema(operation, name) }));
    return { path: wire, parameters };
  }
  const values = names.length === 0 ? { enum: [wire] } : { pattern: routePattern(operation) };
  const about = { name: 'rest_route', in: 'query', required: true, description: `The route ${wire}.` };
  const route = { ...about, schema: { type: 'string', ...values } };
  const rest = wire === '/' ? '' : `#${wire.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return { path: `/index.php${rest}`, parameters: [route] };
}

function routePattern(operation: Operation): string {
  const parts = operation.route.wire.split(/\{(\w+)\}/);
  const text = parts.map((part, at) => (at % 2 === 0 ? escaped(part) : pathPattern(operation, part)));
  return `^${text.join('')}$`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function openParameters({ parameters, route }: Operation): readonly Parameter[] {
  const inRoute = new Set(route.pathParameters.map(({ name }) => name));
  return parameters.filter((one) => one.in !== 'path' && !inRoute.has(one.wire));
}

/** A parameter in a query: `name[]` for an array, nested brackets for an object, an extension beside an array. */
function queryParameter({ name, wire, schema, required, section, basis }: Parameter): Part {
  const about = { in: 'query', required: required === true };
  const source = { 'x-name': name, 'x-section': section, 'x-basis': basis };
  const types = typesOf(schema);
  if (types.includes('array')) {
    const other = types.includes('object') ? { 'x-object-form': plainSchema(only(schema, 'object')) } : {};
    const array = plainSchema(only(schema, 'array'));
    return { name: `${wire}[]`, ...about, style: 'form', explode: true, schema: array, ...other, ...source };
  }
  const nested = types.includes('object') ? { style: 'deepObject', explode: true } : {};
  return { name: wire, ...about, ...nested, schema: plainSchema(schema), ...source };
}

function only(schema: Schema, type: 'array' | 'object'): Schema {
  if (type === 'array') {
    const { properties: _, required: __, additionalProperties: ___, ...array } = schema;
    return { ...array, type };
  }
  const { items: _, default: __, minItems: ___, maxItems: ____, uniqueItems: _____, ...object } = schema;
  return { ...object, type };
}

/** The body of a call: JSON or a form (§4). If records are made from files, the file is beside the fields. */
function bodyOf(operation: Operation): Part | undefined {
  const open = openParameters(operation);
  const created = operation.role === 'create' ? operation.resource : undefined;
  const uploads = created?.kind === 'uploads';
  if (open.length === 0 && !uploads) return undefined;
  const inForm = open.filter(fitsForm);
  const hasForm = open.every((one) => inForm.includes(one) || one.required !== true);
  const form = formOf(inForm);
  // The document describes the fields of a record once.
  const schema =
    created !== undefined && open.length > 0
      ? reference(`${created.id}.fields`)
      : objectSchema(open.map((one) => [one.wire, one]));
  return {
    required: open.some((one) => one.required === true),
    content: {
      'application/json': { schema },
      ...(hasForm && { 'application/x-www-form-urlencoded': form }),
      ...(uploads && { 'multipart/form-data': withFile(form.schema) }),
    },
  };
}

function fitsForm({ schema }: Parameter): boolean {
  const items = typesOf(schema.items ?? {});
  return !typesOf(schema).includes('array') || !items.some((type) => ['object', 'array'].includes(type));
}

/** In forms, arrays are repeated with brackets after their name, and objects are nested in brackets. */
function formOf(open: readonly Parameter[]): { readonly schema: Part; readonly encoding: Part } {
  const isArray = ({ schema }: Parameter): boolean => typesOf(schema).includes('array');
  const named = open.map((one): [string, Parameter] => [isArray(one) ? `${one.wire}[]` : one.wire, one]);
  const encoding = named.flatMap(([name, { schema }]): [string, Part][] => {
    const types = typesOf(schema);
    if (types.includes('array')) return [[name, { style: 'form', explode: true }]];
    return types.includes('object') ? [[name, { style: 'deepObject', explode: true }]] : [];
  });
  return { schema: objectSchema(named), encoding: Object.fromEntries(encoding) };
}

/** How a file is sent is not stated; this is what the software accepts. */
function withFile(form: Part): Part {
  const file = { file: { type: 'string', contentMediaType: 'application/octet-stream' } };
  const all = [form, { type: 'object', properties: file, required: ['file'] }];
  return { schema: { allOf: all }, 'x-basis': 'unstated' };
}

/** The schemas of answers by name: the index, the records of each resource by context, and an error. */
function answerSchemas(records: ShownRecords): Readonly<Record<string, Part>> {
  const shown = records.all.flatMap(({ name, source, schema }) =>
    CONTEXTS.map((context): [string, Part] => [
      `${name}.${context}`,
      { description: `A record in context ${context}: ${source}.`, ...schema(context, 'left out') },
    ]),
  );
  return {
    index: plainSchema(publishedSchema('index.schema.json')),
    error: {
      description:
        'What is answered to a request that is refused is not stated (§7); these members are usual.',
      type: 'object',
      properties: { code: {}, message: {}, data: {} },
    },
    ...Object.fromEntries(shown),
  };
}

/** The possible answers: classes of status codes only, and bodies only for the index and records, as stated. */
function answersOf(operation: Operation, records: ShownRecords): Part {
  const schema = bodySchema(operation, records);
  return {
    '2XX': {
      description: 'Accepted.',
      ...(schema !== undefined && { content: { 'application/json': { schema } } }),
    },
    default: {
      description: 'Refused, denied (401, 403) or failed.',
      content: { 'application/json': { schema: reference('error') } },
    },
  };
}

function bodySchema(operation: Operation, records: ShownRecords): Part | undefined {
  if (operation.id === 'index.read') return reference('index');
  const shown = records.of(operation);
  if (shown === undefined) return undefined;
  const record = { anyOf: CONTEXTS.map((context) => reference(`${shown.name}.${context}`)) };
  return operation.role === 'list' ? { type: 'array', items: record } : record;
}

function reference(name: string): Part {
  return { $ref: `#/components/schemas/${name}` };
}
