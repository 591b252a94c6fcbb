import { isObject, type JsonObject } from '../client/json.ts';
import type { Redactor } from '../client/redact.ts';
import type { FieldNames, ShownFields } from './result.ts';

/** More fields than records of real software have. */
const MOST_NAMES = 400;
const LONGEST_NAME = 120;

/** What the fields of records are noted for. */
type FieldsOf = Pick<ShownFields, 'resource' | 'operation' | 'context'>;

/** Notes which fields records showed: the first look at each resource and context, so that every run notes the same. */
export class FieldNotes {
  readonly #seen = new Set<string>();
  #fresh: ShownFields[] = [];
  readonly #redact: Redactor;

  constructor(redact: Redactor) {
    this.#redact = redact;
  }

  /** Notes what records of one context show. */
  note(about: FieldsOf, records: readonly JsonObject[]): void {
    const key = JSON.stringify([about.resource, about.context]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#fresh.push(shownFields(about, records, this.#redact));
  }

  /** What was noted since this was last asked. */
  take(): ShownFields[] {
    const taken = this.#fresh;
    this.#fresh = [];
    return taken;
  }
}

/**
 * The names of the fields that records show, and of the members inside those that are objects. What is no name but a
 * number, a link, or longer than names are is left out.
 */
export function shownFields(
  about: FieldsOf,
  records: readonly JsonObject[],
  redact: Redactor = (text) => text,
): ShownFields {
  const outer = namesOf(records, redact);
  const inside = [...outer.always, ...outer.sometimes].flatMap((field): [string, FieldNames][] => {
    // What begins so is about the record, such as its links, and as many as there are others.
    if (field.startsWith('_')) return [];
    const objects = records.flatMap((record) => {
      const value = Object.hasOwn(record, field) ? record[field] : undefined;
      return isObject(value) ? [value] : [];
    });
    const { cut: _cut, ...names } = namesOf(objects, redact, records.length);
    return names.always.length + names.sometimes.length === 0 ? [] : [[field, names]];
  });
  const { cut, ...names } = outer;
  return {
    ...about,
    records: records.length,
    ...names,
    ...(inside.length > 0 && { inside: Object.fromEntries(inside) }),
    ...(cut && { cut: true }),
  };
}

/** @param whole how many objects there would be if every record had one */
function namesOf(
  objects: readonly JsonObject[],
  redact: Redactor,
  whole: number = objects.length,
): FieldNames & { readonly cut: boolean } {
  const counts = new Map<string, number>();
  for (const object of objects) {
    for (const name of Object.keys(object)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts].filter(([name]) => name.length <= LONGEST_NAME && !/^\d+$/.test(name)).sort();
  const kept = named.slice(0, MOST_NAMES);
  const those = (isAlways: boolean): string[] =>
    kept.filter(([, count]) => (count === whole) === isAlways).map(([name]) => redact(name));
  return { always: those(true), sometimes: those(false), cut: kept.length < named.length };
}
