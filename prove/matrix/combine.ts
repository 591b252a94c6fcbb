import fc from 'fast-check';
import type { KnownMutant } from '../../suites/coverage/coverage.ts';

/** What tells which records belong together: those of a resource, and those of its children. */
interface Kinship {
  readonly id: string;
  readonly parent?: { readonly id: string } | undefined;
}

/**
 * Draws sets of mutants that do not hide one another: each of another operation or topic. The same seed draws the same.
 * @param resources whose records share a topic; @param count how many sets; @param size mutants in each
 */
export function combine<T extends KnownMutant>(
  mutants: readonly T[],
  resources: readonly Kinship[],
  count: number,
  size: number,
  seed: number,
): T[][] {
  const topics = new Map(resources.map(({ id, parent }) => [id, parent?.id ?? id]));
  const sets = fc.uniqueArray(fc.constantFrom(...mutants), {
    minLength: size,
    maxLength: size,
    selector: ({ breaks }) => topicOf(breaks, topics),
  });
  return fc.sample(sets, { seed, numRuns: count });
}

/** What a check is about, as far as its mutants can be hidden by others: the records of a resource, or a namespace. */
function topicOf(check: string, topics: ReadonlyMap<string, string>): string {
  const words = check.replace(/^(routes|namespaces)\//, '').split(/[./]/);
  const [records] = words.flatMap((word) => topics.get(word) ?? []);
  return records ?? words[0] ?? '';
}
