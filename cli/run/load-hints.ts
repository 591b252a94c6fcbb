import { matchesGlob } from 'node:path/posix';
import type { Contract, Operation } from '../../specs/model.ts';
import { readValidated, suggestion, UsageError } from '../../specs/validators.ts';
import type { RunConfig } from '../../suites/run-config.ts';

/** The hints of a run, and their texts that are masked in all output. */
type Hints = Required<Pick<RunConfig, 'hinted' | 'secrets'>>;

/** The hints for the operations of each contract. @throws UsageError for an unknown name or an unset variable */
export function loadHints(
  path: string | undefined,
  contracts: readonly Contract[],
  env: NodeJS.ProcessEnv,
): Hints[] {
  if (path === undefined) return contracts.map(() => ({ hinted: {}, secrets: [] }));
  const entries = readHintFile(path);
  const operations = contracts.flatMap((contract) => contract.operations);
  for (const [glob, hints] of Object.entries(entries)) {
    const meant = operations.filter(({ id }) => matchesGlob(id, glob));
    const ids = operations.map(({ id }) => id);
    if (meant.length === 0) throw unknown(path, `the contract has no operation "${glob}"`, glob, ids);
    const names = [...new Set(meant.flatMap(namesOf))];
    for (const name of Object.keys(hints)) {
      if (!names.includes(name)) throw unknown(path, `"${glob}" has no parameter "${name}"`, name, names);
    }
    for (const value of Object.values(hints).flat()) {
      if (!('env' in value) || (env[value.env] ?? '') !== '') continue;
      throw new UsageError(`${path}: the environment variable ${value.env} is not set`);
    }
  }
  return contracts.map((contract) => resolved(hintsFor(contract, entries), env));
}

/** The names that hints may use: all parameters, including those of the path. */
function namesOf({ parameters, route }: Operation): string[] {
  return [...parameters, ...route.pathParameters].map(({ name }) => name);
}

function unknown(path: string, what: string, word: string, known: readonly string[]): UsageError {
  return new UsageError(`${path}: ${what}${suggestion(word, known)}`);
}

type NamedHints = Readonly<Record<string, readonly HintValue[]>>;

function mapped<T, U>(members: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
}

function resolved(given: Readonly<Record<string, NamedHints>>, env: NodeJS.ProcessEnv): Hints {
  const read = (one: HintValue): unknown => ('env' in one ? env[one.env] : one.value);
  const all = Object.values(given).flatMap((hints) => Object.values(hints).flat());
  return {
    hinted: mapped(given, (hints) => mapped(hints, (values) => values.map(read))),
    secrets: all.flatMap((one) => ('env' in one ? (env[one.env] ?? []) : [])),
  };
}

/** All values for a parameter, in the order of the file, if several entries have some. */
function hintsFor(
  { operations }: Contract,
  entries: ReturnType<typeof readHintFile>,
): Record<string, NamedHints> {
  const found = new Map<string, Record<string, readonly HintValue[]>>();
  for (const operation of operations) {
    for (const [glob, hints] of Object.entries(entries)) {
      if (!matchesGlob(operation.id, glob)) continue;
      const own = found.get(operation.id) ?? {};
      const names = namesOf(operation).filter((name) => Object.hasOwn(hints, name));
      for (const name of new Set(names)) own[name] = [...(own[name] ?? []), ...(hints[name] ?? [])];
      if (names.length > 0) found.set(operation.id, own);
    }
  }
  return Object.fromEntries(found);
}

/** A value given by the owner of a site, or the environment variable that holds it. */
type HintValue = { readonly value: unknown } | { readonly env: string };

/** Values by operation id (or a glob of ids) and by neutral name of a parameter or path parameter. */
type HintEntries = Readonly<Record<string, Readonly<Record<string, readonly HintValue[]>>>>;

type Hint = string | number | boolean | { value: unknown } | { values: readonly unknown[] } | { env: string };

/** Reads a hints file (`hints.schema.json`). @throws UsageError with the place that breaks its schema */
function readHintFile(path: string): HintEntries {
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
