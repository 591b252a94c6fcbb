import type { CheckResult, RunResult } from '../engine/result.ts';
import { visibleLine } from './text.ts';

/**
 * What a check is about in the words of the target: `GET /wp/v2/posts per_page`, as --only takes it. Undefined where it is
 * about no operation, or the results do not say where that is.
 */
export function placeOf(
  { operation, parameter }: Pick<CheckResult, 'operation' | 'parameter'>,
  operations: RunResult['target']['operations'] = {},
): string | undefined {
  if (operation === undefined || !Object.hasOwn(operations, operation)) return undefined;
  const place = operations[operation];
  if (place === undefined) return undefined;
  const { methods, route, words = {} } = place;
  const name = parameter !== undefined && Object.hasOwn(words, parameter) ? words[parameter] : parameter;
  return visibleLine(`${methods.join(', ')} ${route}${name === undefined ? '' : ` ${name}`}`);
}

/** What a check is called where people read: what the target has, then our id of it. */
export function nameOf(
  check: Pick<CheckResult, 'id' | 'operation' | 'parameter'>,
  operations: RunResult['target']['operations'],
): string {
  const place = placeOf(check, operations);
  const id = visibleLine(check.id);
  return place === undefined ? id : `${place} (${id})`;
}
