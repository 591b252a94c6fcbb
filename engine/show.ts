const LONGEST = 300;

/** A JSON value as reports show it: one line, bounded, `nothing` for undefined. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** Words as a list for a reader: `"a", "b"`. */
export function list(values: readonly unknown[]): string {
  return values.map(show).join(', ');
}
