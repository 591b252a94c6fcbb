import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { once } from './memoized.ts';
import type { Amendments } from './operation-file.ts';
import { readJson, readValidated, suggestion, UsageError } from './validators.ts';

/** A deployment file: which operation files make up the contract of a site (`deployment.schema.json`). */
export interface DeploymentFile {
  readonly name: string;
  readonly title: string;
  readonly published?: 'weak' | 'binding';
  readonly features?: readonly string[];
  readonly operations: readonly string[];
  /** Declarations of the site that replace those of built-in operation files. */
  readonly instead?: Amendments;
  /** Built-in operation files that `init` must not amend. */
  readonly contract?: readonly string[];
}

/** A deployment with the paths of its operation files resolved. */
export interface Deployment {
  readonly name: string;
  /** Whether contradictions of what the site publishes are failures. */
  readonly binding: boolean;
  readonly features: ReadonlySet<string>;
  /** The operation files as named in the deployment file, and their paths. */
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly amendments: Amendments;
}

/** Loads a built-in deployment by name, or a user's file by path. @throws UsageError with known names, or place */
export function loadDeployment(nameOrPath: string): Deployment {
  const path = findDataFile('deployments', 'deployment', nameOrPath);
  return resolveDeployment(readValidated<DeploymentFile>(path, 'deployment.schema.json'), path);
}

/** Finds the operation files of a deployment. @param path of its file, real or not @throws UsageError without one */
export function resolveDeployment(file: DeploymentFile, path: string): Deployment {
  const files = file.operations.map((entry) =>
    entry.startsWith('./') || entry.startsWith('../')
      ? resolve(dirname(path), entry)
      : join(import.meta.dirname, 'operations', `${entry}.json`),
  );
  const lost = files.findIndex((operations) => !existsSync(operations));
  if (lost !== -1) {
    const known = namesIn('operations').join(', ');
    throw new UsageError(
      `${path}: operations names "${file.operations[lost]}", but ${files[lost]} does not exist; built in are ${known}; a file of your own starts with ./`,
    );
  }
  const { name, features = [], operations, published, instead = {} } = file;
  const binding = published === 'binding';
  return { name, binding, features: new Set(features), names: operations, files, amendments: instead };
}

/** Data files that users confuse with each other, by folder. A run can derive them from its site (`auto`). */
const OF_SITES: Readonly<Record<string, string>> = { deployments: 'deployment', vocabularies: 'vocabulary' };

/** The path of a built-in data file by name, or of a user's file. @throws UsageError with the existing names */
export function findDataFile(folder: string, word: string, nameOrPath: string): string {
  const builtIn = join(import.meta.dirname, folder, `${nameOrPath}.json`);
  if (isBuiltIn(nameOrPath) && existsSync(builtIn)) return builtIn;
  const own = resolve(nameOrPath);
  if (nameOrPath.endsWith('.json') && existsSync(own)) return own;
  const auto = folder in OF_SITES && nameOrPath !== 'auto' ? ['auto'] : [];
  const names = [...namesIn(folder), ...auto];
  const [, other] =
    Object.entries(OF_SITES).find(([own]) => own !== folder && namesIn(own).includes(nameOrPath)) ?? [];
  const hint =
    other === undefined
      ? suggestion(nameOrPath, names)
      : `; "${nameOrPath}" is a ${other}: --${other} ${nameOrPath}`;
  throw new UsageError(
    `unknown ${word} "${nameOrPath}": expected one of ${names.join(', ')}, or the path of a JSON file that exists${hint}`,
  );
}

/** Whether a name is that of a built-in file. A user's file is a path that ends with `.json`. */
export function isBuiltIn(nameOrPath: string): boolean {
  return /^[\w-]+$/.test(nameOrPath);
}

/** The names of the built-in data files of a folder of `specs`. */
export function namesIn(folder: string): string[] {
  return readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

/** The neutral namespaces of all built-in operation files, and the names of the files in a deployment file. */
export const knownNamespaces: () => readonly { readonly name: string; readonly file: string }[] = once(() =>
  namesIn('operations')
    .map((file) => ({ name: namespaceOf(join(import.meta.dirname, 'operations', `${file}.json`)), file }))
    .filter(({ name }) => name !== ''),
);

/** The neutral namespaces of the core, not of a plugin or a theme (R39). The empty one belongs to the index. */
export const coreNamespaces: () => ReadonlySet<string> = once(
  () => new Set(loadDeployment('core').files.map((path) => namespaceOf(path))),
);

/** The features that built-in deployments switch on. */
export function knownFeatures(): readonly string[] {
  return [...new Set(namesIn('deployments').flatMap((name) => [...loadDeployment(name).features]))].sort();
}

/** Read without validation, which the tests do. */
function namespaceOf(path: string): string {
  const content = readJson(path);
  const isNamed = typeof content === 'object' && content !== null && 'namespace' in content;
  return isNamed && typeof content.namespace === 'string' ? content.namespace : '';
}
