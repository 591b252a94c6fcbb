import type { SiteIndex } from '../../client/site-index.ts';
import { type Deployment, type DeploymentFile, resolveDeployment } from '../../specs/deployment.ts';
import type { Amendments } from '../../specs/load-operations.ts';
import { loadVocabulary, type Vocabulary } from '../../specs/vocabulary.ts';
import { composeDeployment } from '../declarations/compose-deployment.ts';
import type { Difference } from './amendments.ts';
import { type Generated, wordOf } from './generate.ts';
import { textOf } from './plan-files.ts';

/** The deployment of a working folder. */
export const DEPLOYMENT = 'deployment.json';
/** The folder of the operation files that are made of what the site publishes. */
export const OPERATIONS = 'operations';
/** Where the files are kept as they were made, so that the next time shows who has changed what. */
export const ORIGINALS = '.site-conformance/generated';

/**
 * The files of a working folder as they are made of what a site publishes, by their paths.
 * @param host the host of the site, for names
 */
export function workingFiles(
  { files: builtIn, features }: Composition,
  { files }: Generated,
  { amendments, held }: Pick<Difference, 'amendments' | 'held'>,
  host: string,
): Map<string, string> {
  const deployment = {
    // An address of numbers alone is no name.
    name: /^[a-z]/i.test(host) ? wordOf(host) : wordOf('site', host),
    title: `What ${host} publishes, beside what is known of its software`,
    ...(features.length > 0 && { features }),
    operations: [...builtIn, ...files.map(({ name }) => `./${OPERATIONS}/${name}.json`)],
    ...(held.length > 0 && { contract: held }),
    ...(Object.keys(amendments).length > 0 && { instead: amendments }),
  };
  return new Map([
    [DEPLOYMENT, textOf(deployment)],
    ...files.map(({ name, file }) => [`${OPERATIONS}/${name}.json`, textOf(file)] as const),
  ]);
}

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
