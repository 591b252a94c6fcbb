import { asObject, isObject, member } from '../../client/json.ts';
import type { Schema } from '../../specs/schema.ts';
import type { Report } from './lint-rules.ts';
import { readParameterSchema } from './parameter-schema.ts';
import { freeWord, wordOf } from './words.ts';

/** The schemas of records of one operation file, each once. */
interface RecordBook {
  /**
   * Takes the schema of a route's records.
   * @param raw what the site answers to OPTIONS as `schema`
   * @returns its name in the file; undefined where the site publishes none
   */
  take(raw: unknown, key: string): string | undefined;
  /** All that were taken, by their names in order. */
  schemas(): Readonly<Record<string, Schema>>;
}

/** Makes an empty book. */
export function recordBook(report: Report): RecordBook {
  const names = new Map<string, string>();
  const schemas = new Map<string, Schema>();
  return {
    take(raw, key) {
      const members = asObject(member(raw, 'properties'));
      if (!isObject(raw) || members === undefined || Object.keys(members).length === 0) return undefined;
      const title = member(raw, 'title');
      // What the schema says of a whole record are its fields: the rest is the same for each.
      const given = { title, type: 'object', properties: members };
      const found: Parameters<Report>[] = [];
      const { schema } = readParameterSchema(given, `OPTIONS ${key}`, (...one) => found.push(one));
      const text = JSON.stringify(schema);
      const known = names.get(text);
      if (known !== undefined) return known;
      // Routes that answer the same records say the same of them.
      for (const one of found) report(...one);
      const word = wordOf(typeof title === 'string' && title !== '' ? title : key);
      const name = freeWord(word, new Set(schemas.keys()));
      names.set(text, name);
      schemas.set(name, schema);
      return name;
    },
    schemas: () => Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
