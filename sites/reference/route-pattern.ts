import type { Operation } from './contract.ts';

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
