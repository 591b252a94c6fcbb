import { encodeQuery, type Pair } from '../../../generators/wire-forms.ts';

/** Fields as the names and values of a form. */
export function formOf(fields: Readonly<Record<string, unknown>>): Pair[] {
  return Object.entries(fields).flatMap(([name, value]) => encodeQuery(name, value));
}
