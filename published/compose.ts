import { join } from 'node:path';
import type { SiteIndex } from '../client/site-index.ts';
import { type Deployment, namesIn } from '../specs/deployment.ts';
import type { OperationFile } from '../specs/operation-file.ts';
import { readValidated } from '../specs/validators.ts';
import { loadVocabulary, type Vocabulary } from '../specs/vocabulary.ts';

/** The built-in files that fit a site, and the words in which they do. */
export interface Composition {
  readonly vocabulary: Vocabulary;
  /** Names of built-in operation files. */
  readonly files: readonly string[];
}

const OPERATIONS: string = join(import.meta.dirname, '..', 'specs', 'operations');

/**
 * Chooses the built-in operation files whose namespaces a site serves, in the words of the vocabulary that knows most of
 * them. The file without a namespace fits every site.
 */
export function composeFor(index: SiteIndex): Composition {
  const listed = new Set(index.namespaces);
  const namespaces = namesIn('operations').map((name): [string, string] => [
    name,
    readValidated<OperationFile>(join(OPERATIONS, `${name}.json`), 'operation-file.schema.json').namespace,
  ]);
  const found = namesIn('vocabularies').map((name): Composition => {
    const vocabulary = loadVocabulary(name);
    const files = namespaces.filter(([, one]) => one === '' || listed.has(vocabulary.namespace(one)));
    return { vocabulary, files: files.map(([file]) => file) };
  });
  const [best] = found.toSorted(
    (one, other) => other.files.length - one.files.length || rank(one) - rank(other),
  );
  if (best === undefined) throw new Error('no vocabulary comes with the product');
  return best;
}

/** Where no vocabulary knows more than another, words need no translation. */
function rank({ vocabulary }: Composition): number {
  return vocabulary.name === 'neutral' ? 0 : 1;
}

/** A composition as a deployment. */
export function deploymentOf({ files }: Composition, name: string): Deployment {
  return {
    name,
    title: name,
    binding: false,
    features: new Set(),
    names: files,
    files: files.map((file) => join(OPERATIONS, `${file}.json`)),
  };
}
