import { findDataFile } from './deployment.ts';
import type { Basis } from './operation-file.ts';
import type { Schema } from './schema.ts';
import { readValidated } from './validators.ts';

/** A vocabulary file (`vocabulary.schema.json`): neutral words to the words of a vendor, whole words in known places only. */
export interface VocabularyFile {
  readonly name: string;
  readonly title: string;
  readonly namespaces?: Readonly<Record<string, string>>;
  readonly segments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly enumValues?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly metaKeys?: Readonly<Record<string, string>>;
  readonly unverified?: readonly string[];
}

/** Turns the neutral words of the contract into the words of a target (R32). */
export interface Vocabulary {
  readonly name: string;
  namespace(neutral: string): string;
  route(neutral: string, namespace: string): string;
  parameter(neutral: string): string;
  /** The schema of a parameter, with enum members and meta keys in the target's words. */
  schema(schema: Schema, parameter: string): Schema;
  /** A requirement on a word that nobody has verified on a real site counts as doubtful. */
  basisOf(word: string, basis: Basis): Basis;
}

/**
 * Loads a vocabulary by the name of a built-in one (`neutral`, `wordpress`) or by the path of a user's own file.
 * @throws SpecError as `loadDeployment`.
 */
export function loadVocabulary(nameOrPath: string): Vocabulary {
  const path = findDataFile('vocabularies', 'vocabulary', nameOrPath);
  return createVocabulary(readValidated<VocabularyFile>(path, 'vocabulary.schema.json'));
}

/** The vocabulary of a file that is already validated. */
export function createVocabulary(file: VocabularyFile): Vocabulary {
  const unverified = new Set(file.unverified ?? []);
  const word = (map: Readonly<Record<string, string>> | undefined, key: string): string =>
    map !== undefined && Object.hasOwn(map, key) ? (map[key] ?? key) : key;
  const namespace = (neutral: string): string => word(file.namespaces, neutral);

  const values = (schema: Schema, map: Readonly<Record<string, string>>): Schema => ({
    ...schema,
    ...(schema.enum && {
      enum: schema.enum.map((value) => (typeof value === 'string' ? word(map, value) : value)),
    }),
    ...(typeof schema.default === 'string' && { default: word(map, schema.default) }),
    ...(schema.items && { items: values(schema.items, map) }),
  });

  const meta = (schema: Schema): Schema => {
    const properties: Record<string, Schema> = {};
    for (const [key, member] of Object.entries(schema.properties ?? {})) {
      const real = word(file.metaKeys, key);
      properties[real] = {
        ...member,
        ...(real !== key && { 'x-neutral': key }),
        ...(unverified.has(key) && { 'x-basis': 'doubtful' as const }),
      };
    }
    const absent = schema['x-absent-members']?.map((one) => {
      const real = word(file.metaKeys, one.name);
      return real === one.name ? one : { ...one, name: real, 'x-neutral': one.name };
    });
    return { ...schema, properties, ...(absent && { 'x-absent-members': absent }) };
  };

  return {
    name: file.name,
    namespace,
    route(neutral, neutralNamespace) {
      const prefix = `/${neutralNamespace}`;
      if (neutralNamespace === '' || !neutral.startsWith(prefix)) return neutral;
      const map = file.segments?.[neutralNamespace];
      const rest = neutral.slice(prefix.length).split('/');
      return `/${namespace(neutralNamespace)}${rest.map((segment) => word(map, segment)).join('/')}`;
    },
    parameter: (neutral) => word(file.parameters, neutral),
    schema(schema, parameter) {
      let translated = schema;
      const map = file.enumValues?.[parameter];
      if (map !== undefined) translated = values(translated, map);
      if (parameter === 'meta') translated = meta(translated);
      if (unverified.has(`enum:${parameter}`) && schema.enum !== undefined) {
        translated = { ...translated, 'x-doubtful': [...(translated['x-doubtful'] ?? []), 'enum'] };
      }
      return translated;
    },
    basisOf: (neutral, basis) => (unverified.has(neutral) ? 'doubtful' : basis),
  };
}
