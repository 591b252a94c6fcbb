import type { SiteIndex } from '../../client/site-index.ts';
import type { ContractOptions } from '../../specs/contract.ts';
import type { DeploymentFile } from '../../specs/deployment.ts';
import { composeDeployment } from '../declarations/compose-deployment.ts';
import type { PublishedDifference } from './amendments.ts';
import { type PublishedFiles, wordOf } from './generate.ts';
import { textOf } from './plan-files.ts';

/** The deployment of a working folder. */
export const DEPLOYMENT = 'deployment.json';
/** The folder of the generated operation files. */
export const OPERATIONS = 'operations';
/** The name of the contract of built-in files. It is not stored in a file. */
const KNOWN = 'known';

/** The generated files of a working folder, by path. @param host the host of the site, used in names */
export function workingFiles(
  { composed: { operations: builtIn, features = [] } }: ComposedContract,
  { files }: PublishedFiles,
  { amendments, held }: Pick<PublishedDifference, 'amendments' | 'held'>,
  host: string,
): Map<string, string> {
  const deployment = {
    // A host that starts with a digit, such as an IP address, is not a valid name.
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

/** The contract of the built-in files that fit a site, as `loadContract` takes it. */
export interface ComposedContract extends ContractOptions {
  readonly composed: DeploymentFile;
}

/** The operation file without a namespace fits every site. Without any other, names need no translation. */
const NOTHING_KNOWN = { vocabulary: 'neutral', file: { operations: ['core'] } } as const;

/** Chooses the built-in operation files whose namespaces a site serves, and the vocabulary that knows most of them. */
export function composeFor(index: SiteIndex): ComposedContract {
  const { vocabulary, file } = composeDeployment(index) ?? NOTHING_KNOWN;
  return { deployment: KNOWN, vocabulary, composed: { ...file, name: KNOWN, title: KNOWN } };
}
