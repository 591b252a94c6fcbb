import { dirname, resolve } from 'node:path';
import type { Contract } from './contract.ts';
import { isObject, isStrings } from './json.ts';
import { loadOperations } from './load-operations.ts';
import { SchemaFiles } from './schema-files.ts';

const SPECS = resolve(import.meta.dirname, '../specs');

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
  const captures = readCaptureKinds(files);
  const loaded = names.map((name) =>
    loadOperations({ files, path: operationFile(name, path), features, captures }),
  );
  return {
    name: String(file.name ?? deployment),
    title: String(file.title ?? deployment),
    features,
    namespaces: loaded.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''),
    operations: loaded.flatMap(({ operations }) => operations),
  };
}

function operationFile(name: string, deploymentPath: string): string {
  return name.startsWith('.')
    ? resolve(dirname(deploymentPath), name)
    : resolve(SPECS, 'operations', `${name}.json`);
}

function readCaptureKinds(files: SchemaFiles): Record<string, string> {
  const kinds: Record<string, string> = {};
  for (const [kind, entry] of Object.entries(files.read(resolve(SPECS, 'captures.json')))) {
    if (isObject(entry) && typeof entry.pattern === 'string') kinds[kind] = entry.pattern;
  }
  return kinds;
}
