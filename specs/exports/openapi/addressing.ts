import type { Operation } from '../../model.ts';
import { argumentSchema, pathPattern } from '../arguments.ts';
import type { Part } from '../part.ts';

/** How the document addresses routes. */
export interface Addressing {
  /** The base address of the site; undefined leaves it to the reader as a variable. */
  readonly base: string | undefined;
  /** The path under which the site serves routes as they are; undefined for the addressing of §1. */
  readonly pretty: string | undefined;
}

const BASE_VARIABLE = {
  base: { default: 'https://site.example', description: 'The base address of the site.' },
};

/** The servers of a document. */
export function serversOf({ base, pretty }: Addressing): Part[] {
  const prefix = pretty === undefined ? '' : `/${pretty}`;
  return [{ url: `${base ?? '{base}'}${prefix}`, ...(base === undefined && { variables: BASE_VARIABLE }) }];
}

/**
 * The path of an operation, and the parameters that say its route. By §1 a route is a query parameter of one path, and a
 * document has each path once: what follows `#` tells them apart, and no client sends it.
 */
export function addressOf(
  operation: Operation,
  { pretty }: Addressing,
): { path: string; parameters: Part[] } {
  const { wire, pathParameters } = operation.route;
  const names = pathParameters.map(({ name }) => name);
  if (pretty !== undefined) {
    const parameters = names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: argumentSchema(operation, name),
    }));
    return { path: wire, parameters };
  }
  const schema =
    names.length === 0
      ? { type: 'string', enum: [wire] }
      : { type: 'string', pattern: routePattern(operation) };
  const route = {
    name: 'rest_route',
    in: 'query',
    required: true,
    description: `The route ${wire}.`,
    schema,
  };
  const rest = wire === '/' ? '' : `#${wire.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return { path: `/index.php${rest}`, parameters: [route] };
}

/** The text of a route with path parameters, as a pattern. */
function routePattern(operation: Operation): string {
  const parts = operation.route.wire.split(/\{(\w+)\}/);
  const text = parts.map((part, at) => (at % 2 === 0 ? escaped(part) : pathPattern(operation, part)));
  return `^${text.join('')}$`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
