import { member } from '../../client/json.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import {
  type DeploymentFile,
  knownFeatures,
  knownNamespaces,
  loadDeployment,
  namesIn,
} from '../../specs/deployment.ts';
import type { Contract } from '../../specs/model.ts';
import { loadVocabulary } from '../../specs/vocabulary.ts';
import { readDescriptor } from './descriptor.ts';
import { endpointsFor, findRoute } from './find-route.ts';

/** The name of a deployment that is composed from what a site serves, and of a vocabulary that is found so. */
export const AUTO = 'auto';

/** The built-in files that describe what a site serves. */
export interface Composition {
  readonly vocabulary: string;
  readonly file: DeploymentFile;
  /** Operation files of what every site is thought to serve, for which this one lists no namespace. */
  readonly missing: readonly string[];
  /** Namespaces of the site that no built-in file describes. */
  readonly unknown: readonly string[];
}

/** The operation file of the routes that belong to no namespace: every site has them. */
const ROOTS = 'core';
/** The deployment of what no plugin and no theme brings. */
const CORE = 'core';

/**
 * Composes a deployment of the built-in operation files whose namespaces a site lists, in the words of the vocabulary under
 * which it lists most of them, with the features of which it declares a member.
 * @param vocabulary the one to look under; any built-in one unless given
 * @returns undefined where the site lists none of them
 */
export function composeDeployment(index: SiteIndex, vocabulary?: string): Composition | undefined {
  const served = new Set(index.namespaces);
  const tried = (vocabulary === undefined ? namesIn('vocabularies') : [vocabulary]).map((name) => {
    const words = loadVocabulary(name);
    const known = knownNamespaces().map(({ name: neutral, file }) => ({
      file,
      wire: words.namespace(neutral),
    }));
    return { name, known, files: known.filter(({ wire }) => served.has(wire)).map(({ file }) => file) };
  });
  // Where two vocabularies know as many, the words are the same: the sort is stable.
  const [best] = tried.toSorted((one, other) => other.files.length - one.files.length);
  if (best === undefined || best.files.length === 0) return undefined;
  const operations = [ROOTS, ...best.files];
  const due = knownNamespaces().filter(({ file }) => coreFiles().has(file));
  const described = new Set(best.known.map(({ wire }) => wire));
  return {
    vocabulary: best.name,
    file: { ...composedOf(operations), features: featuresOf(index, operations, best.name) },
    missing: due.map(({ file }) => file).filter((file) => !operations.includes(file)),
    unknown: [...served].filter((name) => !described.has(name)),
  };
}

function composedOf(operations: readonly string[]): DeploymentFile {
  return { name: AUTO, title: 'What the site serves of what the contract knows', operations };
}

function coreFiles(): ReadonlySet<string> {
  return new Set(loadDeployment(CORE).names);
}

/** The features that the site has: it declares a member that belongs to them. */
function featuresOf(index: SiteIndex, operations: readonly string[], vocabulary: string): string[] {
  return knownFeatures().filter((feature) => {
    const composed = { ...composedOf(operations), features: [feature] };
    return declaresFeature(index, loadContract({ deployment: AUTO, vocabulary, composed }), feature);
  });
}

function declaresFeature(index: SiteIndex, { operations }: Contract, feature: string): boolean {
  return operations.some(({ route, methods, parameters }) => {
    const marked = parameters.flatMap(({ wire, schema }) =>
      Object.entries(schema.properties ?? {})
        .filter(([, inner]) => inner['x-feature'] === feature)
        .map(([name]) => ({ wire, name })),
    );
    const match = marked.length === 0 ? undefined : findRoute(index, route);
    if (match === undefined) return false;
    const args = methods.flatMap((method) =>
      endpointsFor(match.route, method).map((endpoint) => endpoint.args),
    );
    return marked.some(({ wire, name }) =>
      args.some((one) => readDescriptor(member(one, wire))?.members().includes(name)),
    );
  });
}
