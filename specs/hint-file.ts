import { readValidated } from './validators.ts';

/** One value that the owner of a site names, or the environment variable that holds it. */
export type HintValue = { readonly value: unknown } | { readonly env: string };

/** Values by operation id, or glob of such ids, and by the neutral name of a parameter or a path parameter. */
export type HintEntries = Readonly<Record<string, Readonly<Record<string, readonly HintValue[]>>>>;

type Hint = string | number | boolean | { value: unknown } | { values: readonly unknown[] } | { env: string };

/**
 * Reads a hints file (`hints.schema.json`).
 * @throws SpecError with the file and the place where it breaks its schema.
 */
export function readHintFile(path: string): HintEntries {
  const { operations } = readValidated<{ operations: Record<string, Record<string, Hint>> }>(
    path,
    'hints.schema.json',
  );
  return mapValues(operations, (parameters) => mapValues(parameters, valuesOf));
}

function valuesOf(hint: Hint): HintValue[] {
  if (typeof hint !== 'object') return [{ value: hint }];
  if ('values' in hint) return hint.values.map((value) => ({ value }));
  return 'env' in hint ? [{ env: hint.env }] : [{ value: hint.value }];
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, turn: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, turn(value)]));
}
