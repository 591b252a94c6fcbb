import type { Difference } from '../../../engine/difference.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { show } from '../../../engine/show.ts';
import type { Descriptor } from '../descriptor.ts';
import { findingSamples } from '../pattern-samples.ts';
import { comparePattern } from '../patterns.ts';

/**
 * Compares keywords that a contract keeps as a site published them with what it declares now: patterns by what they accept,
 * everything else by its meaning. @returns the first that differs
 */
export function comparePublished(
  published: Readonly<Record<string, unknown>>,
  here: Descriptor,
): Difference | undefined {
  for (const [keyword, value] of Object.entries(published)) {
    const observed = here.keyword(keyword);
    if (sameMeaning(value, observed)) continue;
    if (keyword === 'pattern' && typeof value === 'string') {
      const difference = comparePattern(value, observed, findingSamples(value), false);
      if (difference !== undefined) return difference;
      continue;
    }
    return {
      message: observed === undefined ? `declares no ${keyword} any more` : `declares another ${keyword}`,
      expected: show(value),
      observed: show(observed),
    };
  }
  return undefined;
}
