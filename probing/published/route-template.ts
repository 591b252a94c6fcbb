import type { RoutePart } from '../../client/route-pattern.ts';
import type { PathParameterKinds } from './path-parameter-kinds.ts';

/** A route of an index as a contract writes it. */
export interface RouteTemplate {
  /** With path parameters in braces. */
  readonly path: string;
  /** The kind of each path parameter, or its pattern. */
  readonly captures: Readonly<Record<string, string | { readonly pattern: string }>>;
  /** Their names in the order of the path. */
  readonly names: readonly string[];
}

/** Text that an address can hold as it stands. */
const LITERAL = /^[A-Za-z0-9._~%@:+/-]*$/;
const NAME = /^\w+$/;

/**
 * Writes a route pattern as a template.
 * @returns undefined where it holds an expression outside a named path parameter, or a name that is none
 */
export function templateOf(
  parts: readonly RoutePart[],
  kinds: PathParameterKinds,
): RouteTemplate | undefined {
  let path = '';
  const captures: Record<string, string | { pattern: string }> = {};
  for (const part of parts) {
    if ('text' in part) {
      if (!LITERAL.test(part.text)) return undefined;
      path += part.text;
      continue;
    }
    const { pathParameter: name, pattern } = part;
    if (!NAME.test(name) || Object.hasOwn(captures, name) || pattern === '') return undefined;
    path += `{${name}}`;
    captures[name] = kinds.get(pattern) ?? { pattern };
  }
  if (!path.startsWith('/') || path.includes('//') || (path !== '/' && path.endsWith('/'))) return undefined;
  return { path, captures, names: Object.keys(captures) };
}
