import type { QueryPair } from './address.ts';

/** The type of a form in the body of a request. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Writes the names and values of a form as the body of a request. */
export function encodeForm(pairs: readonly QueryPair[]): string {
  return String(new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])));
}
