/** A word for ids: lower-case letters, digits and single hyphens, beginning with a letter. */
export function wordOf(...texts: readonly string[]): string {
  const word = texts
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return /^[a-z]/.test(word) ? word : `n-${word}`.replace(/-$/, '');
}

/** A word that is not taken yet: with the first number that makes it one. */
export function freeWord(word: string, taken: ReadonlySet<string>): string {
  if (!taken.has(word)) return word;
  let at = 2;
  while (taken.has(`${word}-${at}`)) at += 1;
  return `${word}-${at}`;
}
