import { isObject, type Json } from './json.ts';

/** The ids in `value`, a sign ignored as real software does; nothing for anything that is no list. */
export function ids(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === 'number').map(Math.abs) : [];
}

/** The strings in `value`; nothing for anything that is no list. */
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

/** The member `raw` of a writable text; undefined when nothing is written. */
export function raw(value: Json | undefined): string | undefined {
  const written = isObject(value) ? value.raw : undefined;
  return typeof written === 'string' ? written : undefined;
}
