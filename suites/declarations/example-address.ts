import type { RoutePart } from '../../client/route-pattern.ts';
import { fitsWhole } from './fits-pattern.ts';

/** Texts that path parameters take. */
const EXAMPLES = ['1', 'sample', 'a/b', 'a--b', 'a.b', 'abc', 'ABC', 'A'];

/**
 * An address that a route pattern takes, whether or not anything is there: OPTIONS answers for it all the same.
 * @returns undefined where none of a few texts fits a path parameter
 */
export function exampleAddress(parts: readonly RoutePart[]): string | undefined {
  let path = '';
  for (const part of parts) {
    const text = 'text' in part ? part.text : EXAMPLES.find((example) => fitsWhole(part.pattern, example));
    if (text === undefined) return undefined;
    path += text;
  }
  return path;
}
