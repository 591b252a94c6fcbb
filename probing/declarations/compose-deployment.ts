import { member } from '../../client/json.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { loadContract, loadVocabulary } from '../../specs/contract.ts';
import type { DeploymentFile } from '../../specs/deployment.ts';
import { knownFeatures, knownNamespaces, loadDeployment, namesIn } from '../../specs/deployment.ts';
import type { Operation } from '../../specs/model.ts';
import { readDescriptor } from './descriptor.ts';
import { servedMethods } from './find-route.ts';

/** The name of a deployment that is composed from the index of a site, and of a vocabulary that is detected. */
export const AUTO = 'auto';

/** The built-in files that describe what a site serves. */
export interface Composition {
  readonly vocabulary: string;
  readonly file: DeploymentFile;
  /** Operation files that every site should serve, but whose namespace this one does not list. */
  readonly missing: readonly string[];
  /** Namespaces of the site that no built-in file describes. */
  readonly unknown: readonly string[];
}

/** The operation file of the routes without a namespace, and the deployment without plugins and themes. */
const CORE = 'core';

/** Composes a deployment of the built-in files whose namespaces a site lists; undefined if it lists none. */
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
  // A tie means that the words are the same; the sort is stable.
  const [best] = tried.toSorted((one, other) => other.files.length - one.files.length);
  if (best === undefined || best.files.length === 0) return undefined;
  const operations = [CORE, ...best.files];
  const core = loadDeployment(CORE).names;
  const described = new Set(best.known.map(({ wire }) => wire));
  return {
    vocabulary: best.name,
    file: { ...composedOf(operations), features: featuresOf(index, operations, best.name) },
    missing: best.known
      .map(({ file }) => file)
      .filter((file) => core.includes(file) && !operations.includes(file)),
    unknown: [...served].filter((name) => !described.has(name)),
  };
}

function composedOf(operations: readonly string[]): DeploymentFile {
  return { name: AUTO, title: 'What the site serves of what the contract knows', operations };
}

interface FeatureMember extends Pick<Operation, 'route' | 'methods'> {
  readonly feature: string;
  readonly wire: string;
  readonly name: string;
}

/** Cached by composition: the sites of a fleet share them. */
const featureMembers = new Map<string, readonly FeatureMember[]>();

function readFeatureMembers(files: readonly string[], vocabulary: string): FeatureMember[] {
  return knownFeatures().flatMap((feature) => {
    const composed = { ...composedOf(files), features: [feature] };
    const { operations } = loadContract({ deployment: AUTO, vocabulary, composed });
    return operations.flatMap(({ route, methods, parameters }) =>
      parameters.flatMap(({ wire, schema }) =>
        Object.entries(schema.properties ?? {})
          .filter(([, inner]) => inner['x-feature'] === feature)
          .map(([name]) => ({ feature, route, methods, wire, name })),
      ),
    );
  });
}

/** The features of the site: those with a member that it declares. */
function featuresOf(index: SiteIndex, operations: readonly string[], vocabulary: string): string[] {
  const key = JSON.stringify([operations, vocabulary]);
  const members = featureMembers.get(key) ?? readFeatureMembers(operations, vocabulary);
  featureMembers.set(key, members);
  return [...new Set(members.filter((one) => isDeclared(index, one)).map(({ feature }) => feature))];
}

function isDeclared(index: SiteIndex, feature: FeatureMember): boolean {
  return servedMethods(index, feature).some(({ endpoints }) =>
    endpoints.some(({ args }) =>
      readDescriptor(member(args, feature.wire))?.members().includes(feature.name),
    ),
  );
}
