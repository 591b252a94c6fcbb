import { dirname, resolve } from 'node:path';
import type { Contract, Operation } from './contract.ts';
import { isObject, isStrings } from './json.ts';
import { loadOperations } from './load-operations.ts';
import { joinOperations, readResources } from './load-resources.ts';
import { SchemaFiles } from './schema-files.ts';

const SPECS = resolve(import.meta.dirname, '../../specs');

/**
 * Loads what a deployment serves from the raw contract files.
 * @param deployment name of a file in specs/deployments (`a`, `b`, `core`), or the path of a deployment file
 * (anything that ends in `.json`).
 * @throws Error when a file is missing or has not the expected shape.
 */
export function loadContract(deployment: string): Contract {
  const files = new SchemaFiles();
  const path = deployment.endsWith('.json')
    ? resolve(deployment)
    : resolve(SPECS, 'deployments', `${deployment}.json`);
  const file = files.read(path);
  const features = isStrings(file.features) ? file.features : [];
  const names = isStrings(file.operations) ? file.operations : [];
  const pathParameters = readPathParameterKinds(files);
  const paths = names.map((name) => operationFile(name, path));
  const resources = readResources(paths.map((one) => files.read(one)));
  const loaded = paths.map((one) =>
    loadOperations({ files, path: one, features, pathParameters, resources }),
  );
  const operations = withoutRepeatedRoots(loaded.flatMap((one) => one.operations));
  joinOperations(operations);
  return {
    name: String(file.name ?? deployment),
    title: String(file.title ?? deployment),
    features,
    namespaces: [...new Set(loaded.map(({ namespace }) => namespace))].filter((name) => name !== ''),
    operations,
    resources: [...resources.values()],
  };
}

/** Files that share a namespace share its root: that of the first of them. */
function withoutRepeatedRoots(operations: readonly Operation[]): Operation[] {
  const roots = new Map<string, Operation>();
  for (const one of operations.filter(isRoot)) if (!roots.has(one.route)) roots.set(one.route, one);
  return operations.filter((one) => !isRoot(one) || roots.get(one.route) === one);
}

function isRoot({ namespace, route }: Operation): boolean {
  return namespace !== '' && route === `/${namespace}`;
}

function operationFile(name: string, deploymentPath: string): string {
  return name.startsWith('.')
    ? resolve(dirname(deploymentPath), name)
    : resolve(SPECS, 'operations', `${name}.json`);
}

function readPathParameterKinds(files: SchemaFiles): Record<string, string> {
  const kinds: Record<string, string> = {};
  for (const [kind, entry] of Object.entries(files.read(resolve(SPECS, 'path-parameter-kinds.json')))) {
    if (isObject(entry) && typeof entry.pattern === 'string') kinds[kind] = entry.pattern;
  }
  return kinds;
}
