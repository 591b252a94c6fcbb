import type { Parameters, Schema } from './schema.ts';

/** How the records of a resource come to be (`operation-file.schema.json`). */
export type ResourceKind = 'records' | 'uploads' | 'revisions' | 'autosaves';

/** A kind of records with its collection. */
export interface Resource {
  id: string;
  kind: ResourceKind;
  /** The resource whose records these are children of; of revisions and autosaves. */
  parent: Resource | undefined;
  /** Words of `status`: that of what everybody may see, those that are kept when they are written, all that a record can have. */
  statuses: { open: string; kept: readonly string[]; listed: readonly string[] };
  trash: boolean;
  /** Whether slugs are unique among its own records; else they are among all records. */
  uniqueSlugs: boolean;
  /** Whether the password of a record hides its texts. */
  protects: boolean;
  /** Neutral route of the collection. */
  route: string;
  /** The fields that a creation writes. */
  fields: Record<string, Schema>;
  /** What works on it, by role. */
  operations: Record<string, Operation>;
  /** The resources of the children of its records, such as their revisions. */
  children: Resource[];
}

/** One operation of the deployment: methods that share a route and their parameters. */
export interface Operation {
  /** Such as `posts.list` or `cms.root`. */
  id: string;
  methods: string[];
  /** Neutral route with path parameters as `{name}`. */
  route: string;
  /** Empty for the index and for batch (R1). */
  namespace: string;
  batchable: boolean;
  /** `reads`, `writes` or `alters-site`. */
  effect: string;
  /** Name of a path parameter to the regular expression text of what it accepts. */
  pathParameters: Record<string, string>;
  parameters: Parameters;
  /** The resource that it works on, and what it does with it; undefined where it works on none. */
  resource: Resource | undefined;
  role: string | undefined;
}

/** What one deployment serves, in the order of its file. */
export interface Contract {
  name: string;
  title: string;
  features: string[];
  namespaces: string[];
  operations: Operation[];
  resources: Resource[];
}

/** The key under which the index lists the route of `operation`: path parameters as `(?P<name>pattern)` (§1). */
export function routePattern(operation: Operation): string {
  return operation.route.replace(
    /\{(\w+)\}/g,
    (_, name: string) => `(?P<${name}>${operation.pathParameters[name] ?? ''})`,
  );
}

const EXPRESSIONS = new WeakMap<Operation, RegExp>();

/** Matches a whole route against `operation`, letter case aside, as real software does; gives the path parameters. */
export function matchRoute(operation: Operation, route: string): Record<string, string> | undefined {
  let expression = EXPRESSIONS.get(operation);
  if (!expression) {
    expression = new RegExp(`^${routePattern(operation).replaceAll('(?P<', '(?<')}$`, 'i');
    EXPRESSIONS.set(operation, expression);
  }
  const match = expression.exec(route);
  return match ? { ...match.groups } : undefined;
}
