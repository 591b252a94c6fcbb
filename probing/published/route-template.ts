import { join } from 'node:path';
import type { RoutePart } from '../../client/route-pattern.ts';
import type { PathParameterKind } from '../../specs/model.ts';
import { readValidated } from '../../specs/validators.ts';

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

/** The names of the known kinds of path parameters, by the text of their patterns. */
export type PathParameterKinds = ReadonlyMap<string, string>;

/** Reads the kinds that come with the product. */
export function pathParameterKinds(): PathParameterKinds {
  const kinds = readValidated<Readonly<Record<string, PathParameterKind>>>(
    join(import.meta.dirname, '..', '..', 'specs', 'path-parameter-kinds.json'),
    'path-parameter-kinds.schema.json',
  );
  return new Map(
    Object.entries(kinds).flatMap(([name, kind]) =>
      typeof kind === 'object' ? [[kind.pattern, name] as const] : [],
    ),
  );
}
