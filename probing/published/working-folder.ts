import type { Difference } from './amendments.ts';
import type { Composition } from './compose.ts';
import type { Generated } from './generate.ts';
import { textOf } from './plan-files.ts';
import { wordOf } from './words.ts';

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
