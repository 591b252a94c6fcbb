/** A count with its noun: `1 check`, `2 checks`. Only for nouns that take an `s`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
