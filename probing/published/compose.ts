import type { SiteIndex } from '../../client/site-index.ts';
import type { Amendments } from '../../specs/amend.ts';
import { type Deployment, type DeploymentFile, resolveDeployment } from '../../specs/deployment.ts';
import { loadVocabulary, type Vocabulary } from '../../specs/vocabulary.ts';
import { composeDeployment } from '../declarations/compose-deployment.ts';

/** The built-in files that fit a site, and the words in which they do. */
export interface Composition {
  readonly vocabulary: Vocabulary;
  /** Names of built-in operation files. */
  readonly files: readonly string[];
  /** What the site has of what these files mark as a feature. */
  readonly features: readonly string[];
}

/** The file without a namespace fits every site; where nothing more is known, words need no translation. */
const NOTHING_KNOWN = { vocabulary: 'neutral', file: { operations: ['core'] } } as const;

/** Chooses the built-in operation files whose namespaces a site serves, in the words of the vocabulary that knows most of them. */
export function composeFor(index: SiteIndex): Composition {
  const { vocabulary, file }: { vocabulary: string; file: Pick<DeploymentFile, 'operations' | 'features'> } =
    composeDeployment(index) ?? NOTHING_KNOWN;
  return { vocabulary: loadVocabulary(vocabulary), files: file.operations, features: file.features ?? [] };
}

/** A composition as a deployment. @param instead what the site publishes otherwise */
export function deploymentOf(
  { files, features }: Composition,
  name: string,
  instead: Amendments = {},
): Deployment {
  return resolveDeployment({ name, title: name, operations: files, features, instead }, name);
}
