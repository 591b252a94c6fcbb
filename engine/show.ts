const LONGEST = 300;
/** More words than any set of the contract has. */
const MOST_LISTED = 200;

/** A JSON value as reports show it: one line, bounded, `nothing` for undefined. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** Words as a list for a reader: `"a", "b"`. Of very many, the first ones and how many there are. */
export function list(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_LISTED).map(show).join(', ');
  return values.length > MOST_LISTED ? `${shown}… (${values.length} in all)` : shown;
}
