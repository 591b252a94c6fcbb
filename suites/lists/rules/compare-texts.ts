const PLAIN = /^[a-z0-9]$/;

/**
 * Compares two texts as far as every collation agrees: by the first place where they differ, when both have a letter or
 * digit of ASCII there, whatever its case. Undefined where the collation decides.
 */
export function compareTexts(one: string, other: string): number | undefined {
  const [a, b] = [[...one.toLowerCase()], [...other.toLowerCase()]];
  const at = a.findIndex((letter, place) => letter !== b[place]);
  if (at < 0) return a.length === b.length ? 0 : startsBefore(b[a.length]);
  const [first, second] = [a[at] ?? '', b[at]];
  if (second === undefined) {
    const before = startsBefore(first);
    return before === undefined ? undefined : -before;
  }
  if (!PLAIN.test(first) || !PLAIN.test(second)) return undefined;
  return first < second ? -1 : 1;
}

/** A text comes before one that only adds to it; what other signs weigh is not known. */
function startsBefore(next: string | undefined): number | undefined {
  return next !== undefined && PLAIN.test(next) ? -1 : undefined;
}
