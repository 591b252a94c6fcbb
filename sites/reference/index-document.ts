import type { Contract, Operation } from './contract.ts';
import { describeParameters } from './describe-parameter.ts';
import type { Json, JsonObject } from './json.ts';
import { routePattern } from './route-pattern.ts';

/** Title, tagline and settings of the site as the index shows them (§1). */
export interface SiteTexts {
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
export function namespaceDocument(contract: Contract, namespace: string, url: string): JsonObject {
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
