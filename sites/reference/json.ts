/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object, keys in the order of insertion. */
export type JsonObject = { [key: string]: Json };

/** A JSON object with unknown members. */
export type UnknownObject = Readonly<Record<string, unknown>>;

/** Whether `value` is an object that is neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of an object, never an inherited one such as `constructor`. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An object with each member changed. @param turn gets its value and its name; without a result, the member is left out */
export function mapped<V, W>(
  object: Readonly<Record<string, V>>,
  turn: (value: V, name: string) => W | undefined,
): Record<string, W> {
  const members = Object.entries(object).map(([name, value]) => [name, turn(value, name)] as const);
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Whether a value is JSON at every depth. */
export function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isObject(value) && Object.values(value).every(isJson);
}

/** A copy with every empty object as an empty array: the imitated software cannot distinguish them in print (R30). */
export function emptyObjectsAsArrays(value: Json): Json {
  if (Array.isArray(value)) return value.map(emptyObjectsAsArrays);
  if (!isObject(value)) return value;
  if (Object.keys(value).length === 0) return [];
  return mapped(value, emptyObjectsAsArrays);
}

/** The ids in a list, with signs ignored as in real software; empty for anything else. */
export function ids(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === 'number').map(Math.abs) : [];
}

/** The strings in a list; empty for anything else. */
export function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}

/** `value` as a whole number, `otherwise` when it is none. */
export function integer(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** `value` as text, `otherwise` when it is none. */
export function text(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** The member `raw` of a writable text; undefined if nothing is written. */
export function raw(value: Json | undefined): string | undefined {
  const written = isObject(value) ? value.raw : undefined;
  return typeof written === 'string' ? written : undefined;
}
