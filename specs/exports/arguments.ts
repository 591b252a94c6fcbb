import type { Operation } from '../model.ts';
import { typesOf } from '../schema.ts';
import type { Part } from './part.ts';
import { isPattern, plainSchema } from './plain-schema.ts';

/** What a path parameter takes: an integer where that is stated, else a text of its kind, else any text without a slash. */
export function argumentSchema({ parameters, route }: Operation, name: string): Part {
  const known = parameters.find(({ in: place, wire }) => place === 'path' && wire === name)?.schema ?? {};
  if (typesOf(known).includes('integer')) return plainSchema({ ...known, minimum: known.minimum ?? 0 });
  return { ...plainSchema({ ...known, type: 'string' }), pattern: `^(?:${pathPattern({ route }, name)})$` };
}

/** The text that a path parameter takes, as a pattern; any text without a slash where nothing states it. */
export function pathPattern({ route }: Pick<Operation, 'route'>, name: string): string {
  const pattern = route.pathParameters.find((one) => one.name === name)?.kind?.pattern;
  return pattern !== undefined && isPattern(pattern) ? pattern : '[^/]+';
}
