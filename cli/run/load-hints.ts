import { selectorOf } from '../../engine/glob.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { readValidated, suggestion, UsageError } from '../../specs/validators.ts';
import type { RunConfig } from '../../suites/run-config.ts';

type Hints = Required<Pick<RunConfig, 'hinted' | 'secrets'>>;

type Hint = string | number | boolean | { value: unknown } | { values: readonly unknown[] } | { env: string };

/** By operation id (or a glob of ids) and by neutral name of a parameter or path parameter. */
type HintEntries = Readonly<Record<string, Readonly<Record<string, Hint>>>>;

/** The hints for the operations of each contract. @throws UsageError for an unknown name or an unset variable */
export function loadHints(
  path: string | undefined,
  contracts: readonly Contract[],
  env: NodeJS.ProcessEnv,
): Hints[] {
  if (path === undefined) return contracts.map(() => ({ hinted: {}, secrets: [] }));
  const { operations: entries } = readValidated<{ operations: HintEntries }>(path, 'hints.schema.json');
  const operations = contracts.flatMap((contract) => contract.operations);
  const secrets: string[] = [];
  for (const [glob, hints] of Object.entries(entries)) {
    const meant = operations.filter(({ id }) => selectorOf(glob)(id));
    const ids = operations.map(({ id }) => id);
    if (meant.length === 0) throw unknown(path, `the contract has no operation "${glob}"`, glob, ids);
    const names = [...new Set(meant.flatMap(namesOf))];
    for (const [name, hint] of Object.entries(hints)) {
      if (!names.includes(name)) throw unknown(path, `"${glob}" has no parameter "${name}"`, name, names);
      if (typeof hint === 'object' && 'env' in hint) secrets.push(secretIn(path, hint.env, env));
    }
  }
  return contracts.map((contract) => ({ hinted: hintsFor(contract, entries, env), secrets }));
}

function secretIn(path: string, variable: string, env: NodeJS.ProcessEnv): string {
  const secret = env[variable] ?? '';
  if (secret === '') throw new UsageError(`${path}: the environment variable ${variable} is not set`);
  return secret;
}

function namesOf({ parameters, route }: Operation): string[] {
  return [...parameters, ...route.pathParameters].map(({ name }) => name);
}

function unknown(path: string, what: string, word: string, known: readonly string[]): UsageError {
  return new UsageError(`${path}: ${what}${suggestion(word, known)}`);
}

function hintsFor(
  { operations }: Contract,
  entries: HintEntries,
  env: NodeJS.ProcessEnv,
): Record<string, Record<string, unknown[]>> {
  const found: Record<string, Record<string, unknown[]>> = {};
  for (const operation of operations) {
    const names = new Set(namesOf(operation));
    const meant = Object.entries(entries).filter(([glob]) => selectorOf(glob)(operation.id));
    for (const [name, hint] of meant.flatMap(([, hints]) => Object.entries(hints))) {
      if (!names.has(name)) continue;
      const own = found[operation.id] ?? {};
      found[operation.id] = { ...own, [name]: [...(own[name] ?? []), ...valuesOf(hint, env)] };
    }
  }
  return found;
}

function valuesOf(hint: Hint, env: NodeJS.ProcessEnv): readonly unknown[] {
  if (typeof hint !== 'object') return [hint];
  if ('values' in hint) return hint.values;
  return ['env' in hint ? env[hint.env] : hint.value];
}
