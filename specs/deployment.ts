import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Amendments } from './load-operations.ts';
import type { OperationFile } from './operation-file.ts';
import { readJson, readValidated, SpecError, suggestion } from './validators.ts';

/** A deployment file: which operation files make up the contract of a site (`deployment.schema.json`). */
export interface DeploymentFile {
  readonly name: string;
  readonly title: string;
  readonly published?: 'weak' | 'binding';
  readonly features?: readonly string[];
  readonly operations: readonly string[];
  /** What the site publishes otherwise than the built-in operation files say. */
  readonly instead?: Amendments;
  /** Built-in operation files that `init` amends nothing of. */
  readonly contract?: readonly string[];
}

/** A deployment with the paths of its operation files resolved. */
export interface Deployment {
  readonly name: string;
  readonly title: string;
  /** Whether the site is held to what it publishes. */
  readonly binding: boolean;
  readonly features: ReadonlySet<string>;
  /** The operation files as the deployment file names them, and their paths. */
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly amendments: Amendments;
}

/**
 * Loads a deployment by the name of a built-in one (`core`, `a`, `b`) or by the path of a user's own file.
 * @throws SpecError with the known names when there is no such deployment, or with the place that is wrong in the file.
 */
export function loadDeployment(nameOrPath: string): Deployment {
  const path = findDataFile('deployments', 'deployment', nameOrPath);
  return resolveDeployment(readValidated<DeploymentFile>(path, 'deployment.schema.json'), path);
}

/**
 * Finds the operation files of a deployment.
 * @param path where the deployment file is, or would be
 * @throws SpecError for an operation file that does not exist
 */
export function resolveDeployment(file: DeploymentFile, path: string): Deployment {
  const files = file.operations.map((entry) =>
    entry.startsWith('./') || entry.startsWith('../')
      ? resolve(dirname(path), entry)
      : join(import.meta.dirname, 'operations', `${entry}.json`),
  );
  for (const [index, operations] of files.entries()) {
    if (!existsSync(operations)) {
      const known = namesIn('operations').join(', ');
      throw new SpecError(
        `${path}: operations names "${file.operations[index]}", but ${operations} does not exist; built in are ${known}; ` +
          'a file of your own starts with ./',
      );
    }
  }
  const { name, title, features = [], operations, published, instead = {} } = file;
  const binding = published === 'binding';
  return { name, title, binding, features: new Set(features), names: operations, files, amendments: instead };
}

/** Data files that are taken for each other. */
const OTHER_DATA: readonly { readonly word: string; readonly folder: string }[] = [
  { word: 'deployment', folder: 'deployments' },
  { word: 'vocabulary', folder: 'vocabularies' },
];

/** What a run can leave to its site. */
const LEFT_TO_SITE: ReadonlySet<string> = new Set(['deployment', 'vocabulary']);

/**
 * The path of a built-in data file by name, or of the user's own file.
 * @throws SpecError with the names that exist.
 */
export function findDataFile(folder: string, word: string, nameOrPath: string): string {
  const builtIn = join(import.meta.dirname, folder, `${nameOrPath}.json`);
  if (isBuiltIn(nameOrPath) && existsSync(builtIn)) return builtIn;
  const own = resolve(nameOrPath);
  if (nameOrPath.endsWith('.json') && existsSync(own)) return own;
  const auto = LEFT_TO_SITE.has(word) && nameOrPath !== 'auto' ? ['auto'] : [];
  const names = [...namesIn(folder), ...auto];
  const other = OTHER_DATA.find((kind) => kind.word !== word && namesIn(kind.folder).includes(nameOrPath));
  const hint =
    other !== undefined
      ? `; "${nameOrPath}" is a ${other.word}: --${other.word} ${nameOrPath}`
      : suggestion(nameOrPath, names);
  throw new SpecError(
    `unknown ${word} "${nameOrPath}": expected one of ${names.join(', ')}, or the path of a JSON file that exists${hint}`,
  );
}

/** Whether a name can only be that of a built-in file: a file of the user's own is named by a path that ends with `.json`. */
export function isBuiltIn(nameOrPath: string): boolean {
  return /^[\w-]+$/.test(nameOrPath);
}

/** The names of the built-in data files of a folder of `specs`. */
export function namesIn(folder: string): string[] {
  return readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

/** A namespace that an operation file of ours describes. */
interface KnownNamespace {
  /** The neutral name. */
  readonly name: string;
  /** The name of the file, as a deployment file takes it. */
  readonly file: string;
}

/** Files of our own do not change while we run. */
let known: readonly KnownNamespace[] | undefined;
let core: ReadonlySet<string> | undefined;

/** The namespaces of all built-in operation files, by the names of the files. */
export function knownNamespaces(): readonly KnownNamespace[] {
  known ??= namesIn('operations')
    .map((file) => ({ name: namespaceOf(join(import.meta.dirname, 'operations', `${file}.json`)), file }))
    .filter(({ name }) => name !== '');
  return known;
}

/** The neutral namespaces of what no plugin and no theme brings (R39); the empty one is that of the index. */
export function coreNamespaces(): ReadonlySet<string> {
  core ??= new Set(loadDeployment('core').files.map((path) => namespaceOf(path)));
  return core;
}

/** The features that built-in deployments switch on. */
export function knownFeatures(): readonly string[] {
  return [...new Set(namesIn('deployments').flatMap((name) => [...loadDeployment(name).features]))].sort();
}

/** Tests validate the files: here only one word of each is wanted. */
function namespaceOf(path: string): string {
  const content = readJson(path);
  return hasNamespace(content) ? content.namespace : '';
}

function hasNamespace(content: unknown): content is Pick<OperationFile, 'namespace'> {
  return (
    typeof content === 'object' &&
    content !== null &&
    'namespace' in content &&
    typeof content.namespace === 'string'
  );
}
