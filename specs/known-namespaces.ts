import { join } from 'node:path';
import { loadDeployment, namesIn } from './deployment.ts';
import type { OperationFile } from './operation-file.ts';
import { readJson } from './read-json.ts';

/** A namespace that an operation file of ours describes. */
export interface KnownNamespace {
  /** The neutral name. */
  readonly name: string;
  /** The name of the file, as a deployment file takes it. */
  readonly file: string;
}

/** Files of our own do not change while we run. */
let known: readonly KnownNamespace[] | undefined;

/** The namespaces of all built-in operation files, by the names of the files. */
export function knownNamespaces(): readonly KnownNamespace[] {
  known ??= namesIn('operations')
    .map((file) => ({ name: namespaceIn(file), file }))
    .filter(({ name }) => name !== '');
  return known;
}

/** The features that built-in deployments switch on. */
export function knownFeatures(): readonly string[] {
  return [...new Set(namesIn('deployments').flatMap((name) => [...loadDeployment(name).features]))].sort();
}

/** Tests validate the files: here only one word of each is wanted. */
function namespaceIn(file: string): string {
  const content = readJson(join(import.meta.dirname, 'operations', `${file}.json`));
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
