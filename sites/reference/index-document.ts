import { emptyObjectsAsArrays, isJson, isObject, type Json, type JsonObject } from './json.ts';
import { type Contract, type Operation, routePattern } from './load-contract.ts';
import { Refusal } from './request.ts';
import { isSchema, type Parameters, type Schema } from './schema.ts';
import { answer, type Handler } from './site.ts';

/** Title, tagline and settings of the site as the index shows them (§1). */
interface SiteTexts {
  name: string;
  description: string;
  /** Address without a trailing slash. */
  url: string;
}

/** Address of a route in the form that §1 states. */
export function routeAddress(url: string, route: string): string {
  return `${url}/index.php?rest_route=${route}`;
}

/** The index of the site (§1), before empty objects are printed as arrays. */
export function indexDocument(contract: Contract, texts: SiteTexts): JsonObject {
  return {
    name: texts.name,
    description: texts.description,
    url: texts.url,
    home: texts.url,
    gmt_offset: '0',
    timezone_string: '',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces: [...contract.namespaces],
    authentication: {
      'application-passwords': {
        endpoints: { authorization: `${texts.url}/admin/authorize-application.php` },
      },
    },
    routes: routeEntries(contract.operations, texts.url),
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
    _links: { help: [{ href: `${texts.url}/help/rest-interface` }] },
  };
}

/** What the root route of a namespace answers: its name and its own routes. */
function namespaceDocument(contract: Contract, namespace: string, url: string): JsonObject {
  const operations = contract.operations.filter((operation) => operation.namespace === namespace);
  return {
    namespace,
    routes: routeEntries(operations, url),
    _links: { up: [{ href: routeAddress(url, '/') }] },
  };
}

function routeEntries(operations: readonly Operation[], url: string): JsonObject {
  const byRoute = Map.groupBy(operations, routePattern);
  return Object.fromEntries(
    [...byRoute].map(([pattern, sharing]) => [pattern, routeEntry(pattern, sharing, url)]),
  );
}

/** One entry of `routes`: operations that share a route, one endpoint each. */
export function routeEntry(pattern: string, operations: readonly Operation[], url: string): JsonObject {
  const entry: JsonObject = {
    namespace: operations[0]?.namespace ?? '',
    methods: [...new Set(operations.flatMap(({ methods }) => methods))],
    endpoints: operations.map(endpoint),
  };
  // A route with path parameters has no one address (R19).
  if (!pattern.includes('(?P<')) entry._links = { self: [{ href: routeAddress(url, pattern) }] };
  return entry;
}

function endpoint(operation: Operation): Json {
  return {
    methods: [...operation.methods],
    ...(operation.batchable ? { allow_batch: { v1: true } } : {}),
    args: describeParameters(operation.parameters),
  };
}

/**
 * The `args` of an endpoint as the index shows them: a description for every parameter, its own
 * annotations (`x-…`) left out, nested `required` as a boolean on each member (R28).
 */
function describeParameters(parameters: Parameters): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters.properties).map(([name, schema]) => [
      name,
      { ...describeSchema(schema), required: parameters.required.includes(name) },
    ]),
  );
}

function describeSchema(schema: Schema): JsonObject {
  const shown: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'required' || keyword.startsWith('$')) continue;
    if (keyword === 'properties') shown[keyword] = describeMembers(schema);
    else if (keyword === 'readOnly') shown.readonly = schema.readOnly ?? false;
    else if (keyword === 'x-contexts') shown.context = schema['x-contexts'] ?? [];
    else if (keyword === 'x-variants') shown.oneOf = (schema['x-variants'] ?? []).map(describeSchema);
    else if (keyword === 'x-published') Object.assign(shown, isJson(value) && isObject(value) ? value : {});
    else if (!keyword.startsWith('x-')) shown[keyword] = describeValue(keyword, value);
  }
  return shown;
}

function describeMembers(schema: Schema): JsonObject {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => {
      const described = describeSchema(member);
      if (schema.required?.includes(name)) described.required = true;
      return [name, described];
    }),
  );
}

function describeValue(keyword: string, value: unknown): Json {
  if (keyword === 'oneOf' || keyword === 'anyOf') {
    return Array.isArray(value) ? value.filter(isSchema).map(describeSchema) : [];
  }
  const nested = keyword === 'items' || keyword === 'additionalProperties';
  if (nested && isObject(value) && isSchema(value)) return describeSchema(value);
  return isJson(value) ? value : null;
}

/** Answers the index (§1). */
export const readIndex: Handler = ({ site, args }) => {
  const texts = { name: site.title, description: site.tagline, url: site.url };
  const document = indexDocument(site.contract, texts);
  site.behaviour.declare(document);
  return answer(inContext(args, emptyObjectsAsArrays(document)));
};

/** Answers the root of a namespace (§4.1), or of the one that the argument `namespace` names instead. */
export const readNamespace: Handler = ({ site, args }) => {
  const namespace = String(args.namespace);
  if (!site.contract.namespaces.includes(namespace)) {
    throw new Refusal('rest_invalid_namespace', 'The specified namespace could not be found.', 404);
  }
  return answer(inContext(args, emptyObjectsAsArrays(namespaceDocument(site.contract, namespace, site.url))));
};

/** Real software says more in the context `help`. */
function inContext(args: JsonObject, document: Json): Json {
  return args.context === 'help' && isObject(document) ? { ...document, help: true } : document;
}
