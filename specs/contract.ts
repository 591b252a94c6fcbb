import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Deployment, DeploymentFile } from './deployment.ts';
import { findDataFile, isBuiltIn, knownNamespaces, loadDeployment, resolveDeployment } from './deployment.ts';
import { isDescribed } from './find-resource.ts';
import type { LoadedFile, LoadedOperation } from './load-operations.ts';
import { loadFiles, resourceRows, resourcesOf } from './load-operations.ts';
import { once } from './memoized.ts';
import type { Contract, Namespace, Operation, Parameter, PathParameterKind, Route } from './model.ts';
import type { Basis, ResourceRow } from './operation-file.ts';
import type { Schema } from './schema.ts';
import { readValidated, UsageError } from './validators.ts';

/** The choice of a contract: names of built-in files, or paths of the user's own. */
export interface ContractOptions {
  readonly deployment: string;
  readonly vocabulary: string;
  /** The deployment itself, if it was composed and is not a file; its name is then only a label. */
  readonly composed?: DeploymentFile | undefined;
}

type PathParameterKinds = Readonly<Record<string, PathParameterKind>>;

/** Contracts that consist of built-in files, which do not change during a run. */
const builtIn = new Map<string, Contract>();

/** Loads a contract: validated, resolved, frozen, cached if built-in. @throws UsageError with file and place */
export function loadContract(options: ContractOptions): Contract {
  const { deployment, vocabulary, composed } = options;
  if (composed !== undefined) return readContract(options);
  const known = `${deployment} ${vocabulary}`;
  const contract = builtIn.get(known) ?? readContract(options);
  if (isBuiltIn(deployment) && isBuiltIn(vocabulary)) builtIn.set(known, contract);
  return contract;
}

function readContract({ deployment, vocabulary, composed }: ContractOptions): Contract {
  const resolved =
    composed === undefined ? loadDeployment(deployment) : resolveDeployment(composed, resolve(deployment));
  return composeContract(resolved, loadVocabulary(vocabulary));
}

/** What path parameters accept, by the name of their kind. */
export const pathParameterKinds: () => PathParameterKinds = once(() =>
  readValidated(join(import.meta.dirname, 'path-parameter-kinds.json'), 'path-parameter-kinds.schema.json'),
);

/** Composes a contract from operation files and a vocabulary. @throws UsageError with file and place */
function composeContract(deployment: Deployment, vocabulary: Vocabulary): Contract {
  const kinds = pathParameterKinds();
  const files = loadFiles(deployment);
  const rows = resourceRows(files);
  const strict = new Set(files.filter((file) => file.strict).map(({ namespace }) => namespace));

  const namespaces = new Map<string, Namespace>();
  const routes = new Map<string, Route>();
  const operations: Operation[] = [];
  const ids = new Set<string>();
  for (const file of files) {
    // Files with the same namespace, such as a built-in file and a plugin's, share its root route.
    const shared = namespaces.has(file.namespace);
    if (file.namespace !== '' && !shared) namespaces.set(file.namespace, namespaceOf(file, vocabulary));
    for (const loaded of file.operations) {
      if (shared && loaded.row.id === `${file.id}.root`) continue;
      if (ids.has(loaded.row.id)) throw new UsageError(`the operation id "${loaded.row.id}" is used twice`);
      ids.add(loaded.row.id);
      const route = routes.get(loaded.row.route) ?? routeOf(loaded, file, kinds, vocabulary);
      routes.set(route.path, route);
      const isStrict = strict.has(file.namespace);
      operations.push({ ...operationOf(loaded, file, route, rows, vocabulary), strict: isStrict });
    }
  }
  const contract = {
    namespaces: [...namespaces.values()],
    routes: [...routes.values()],
    operations,
    resources: resourcesOf(rows, operations),
  };
  const named = {
    deployment: deployment.name,
    ...(deployment.binding && { binding: true as const }),
    vocabulary: vocabulary.name,
    digest: digestOf(contract),
    ...contract,
    elsewhere: knownNamespaces()
      .filter(({ name }) => !namespaces.has(name))
      .map(({ name, file }) => ({ name, wire: vocabulary.namespace(name), file })),
  };
  refuseSharedWords(named);
  return deepFreeze(named);
}

/**
 * The digest of a contract as JSON, computed part by part, because the text of a large contract would take more
 * memory than the contract. Operations count once, and members that require nothing of a site are left out, so
 * that digests of releases stay the same.
 */
function digestOf(contract: Readonly<Record<string, readonly unknown[]>>): string {
  const hash = createHash('sha256');
  const text = (part: unknown): string =>
    JSON.stringify(part, (name, value: unknown) => {
      if (name === 'strict' || (name === 'role' && value === 'batch')) return undefined;
      return name === 'operations' && !Array.isArray(value) ? undefined : value;
    });
  for (const [at, [name, parts]] of Object.entries(contract).entries()) {
    hash.update(`${at === 0 ? '{' : ','}"${name}":[`);
    for (const [place, part] of parts.entries()) hash.update(`${place === 0 ? '' : ','}${text(part)}`);
    hash.update(']');
  }
  return `sha256:${hash.update('}').digest('hex')}`;
}

function namespaceOf(file: LoadedFile, vocabulary: Vocabulary): Namespace {
  return {
    name: file.namespace,
    wire: vocabulary.namespace(file.namespace),
    id: file.id,
    basis: vocabulary.basisOf(file.namespace, file.basis === 'published' ? 'published' : 'stated'),
  };
}

function routeOf(
  { row: { id, route: path, captures = {}, section, basis } }: LoadedOperation,
  { namespace }: LoadedFile,
  kinds: PathParameterKinds,
  vocabulary: Vocabulary,
): Route {
  for (const name of Object.keys(captures)) {
    if (!path.includes(`{${name}}`)) throw new UsageError(`${id}: the route has no path parameter "${name}"`);
  }
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const kind = captures[name];
    // Samples of such a pattern are made when it is compared.
    if (typeof kind === 'object') return { name, kind: { pattern: kind.pattern, accepts: [], refuses: [] } };
    if (kind !== undefined && kinds[kind] === undefined)
      throw new UsageError(
        `${id}: the path parameter kind "${kind}" is not in specs/path-parameter-kinds.json`,
      );
    return { name, kind: kind === undefined ? undefined : kinds[kind] };
  });
  const wire = vocabulary.route(path, namespace);
  return { path, wire, namespace, pathParameters, section, basis };
}

function operationOf(
  { row, parameters, required, absent }: LoadedOperation,
  { records }: LoadedFile,
  route: Route,
  rows: ReadonlyMap<string, ResourceRow>,
  vocabulary: Vocabulary,
): Omit<Operation, 'strict'> {
  const resource = rows.get(row.resource ?? '');
  if (row.resource !== undefined && resource === undefined)
    throw new UsageError(
      `${row.id} works on the resource "${row.resource}", which no file describes (${[...rows.keys()].join(', ')})`,
    );
  const schema = row.answer === undefined ? undefined : records[row.answer];
  return {
    id: row.id,
    resource,
    role: row.role,
    methods: row.methods,
    route,
    section: row.section,
    basis: row.basis,
    effect: effectOf(row, resource && rows.get(resource.parent ?? resource.id)),
    batchable: row.batchable ?? false,
    parameters: Object.entries(parameters).map(([name, schema]): Parameter => {
      const isInPath = route.pathParameters.some((pathParameter) => pathParameter.name === name);
      const isSilent = schema['x-silent']?.includes('required') === true;
      const translated = isOwnNamespace(row, name, schema)
        ? { ...schema, default: vocabulary.namespace(route.namespace) }
        : vocabulary.schema(schema, name);
      return {
        name,
        wire: vocabulary.parameter(name),
        schema: translated,
        // R8, R9: an unmarked parameter is optional. An unmarked path parameter, or one ruled silent, is undefined.
        required: required.includes(name) || (isInPath || isSilent ? undefined : false),
        in: isInPath ? 'path' : row.methods.some((method) => method.startsWith('P')) ? 'body' : 'query',
        section: schema['x-section'] ?? row.section,
        basis: schema['x-basis'] ?? row.basis,
      };
    }),
    absent: absent.map(({ name, section, basis, reason, probe, unlessBeside }) => {
      const wire = vocabulary.parameter(name);
      return { name, wire, section, basis, reason, probe, unlessBeside };
    }),
    ...(row.answer !== undefined && schema !== undefined && { answer: { name: row.answer, schema } }),
  };
}

/** An operation that alters the site writes records if the owner allows the run to have records there. */
function effectOf({ effect }: LoadedOperation['row'], owner: ResourceRow | undefined): Operation['effect'] {
  const isOpen = owner?.basis === 'published' && isDescribed(owner);
  return isOpen && effect === 'alters-site' ? 'writes' : effect;
}

/** The root route of a namespace has its own name, in the target's words, as the default of `namespace`. */
function isOwnNamespace(row: LoadedOperation['row'], name: string, schema: Schema): boolean {
  return name === 'namespace' && schema.default === row.route.slice(1);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

/** Refuses a vocabulary that maps two neutral words to one word in one place. @throws UsageError with both */
function refuseSharedWords({ namespaces, routes, operations, vocabulary }: Contract): void {
  const where = `the vocabulary ${vocabulary}`;
  refuse(where, 'namespace', namespaces);
  const paths = routes.map(({ path: name, wire }) => ({ name, wire }));
  refuse(where, 'route', paths);
  for (const { id, parameters, route } of operations) {
    // A path parameter may have the same name as another parameter (R14).
    const others = parameters.filter((one) => one.in !== 'path');
    refuse(`${where}, in ${id}`, 'parameter', others);
    for (const { name, schema } of parameters) {
      const members = (schema.enum ?? schema.items?.enum ?? []).map((member) => JSON.stringify(member));
      const twice = members.find((member, at) => members.indexOf(member) !== at);
      if (twice === undefined) continue;
      throw new UsageError(
        `${where}, in ${id} on ${route.path}: two values of ${name} become ${twice}; give each a word of its own`,
      );
    }
  }
}

function refuse(
  where: string,
  what: string,
  words: readonly { readonly name: string; readonly wire: string }[],
): void {
  for (const [wire, [one, other]] of Map.groupBy(words, (word) => word.wire)) {
    if (other === undefined) continue;
    throw new UsageError(
      `${where}: the ${what}s "${one?.name}" and "${other.name}" both become "${wire}"; give each a word of its own`,
    );
  }
}

type Words = Readonly<Record<string, string>>;

/** A vocabulary file (`vocabulary.schema.json`): a vendor's words for neutral ones, whole words in known places. */
interface VocabularyFile {
  readonly name: string;
  readonly title: string;
  readonly namespaces?: Words;
  readonly segments?: Readonly<Record<string, Words>>;
  readonly parameters?: Words;
  readonly enumValues?: Readonly<Record<string, Words>>;
  readonly metaKeys?: Words;
  readonly unverified?: readonly string[];
}

/** Translates the neutral words of the contract into those of a target (R32). */
interface Vocabulary {
  readonly name: string;
  namespace(neutral: string): string;
  route(neutral: string, namespace: string): string;
  parameter(neutral: string): string;
  /** A parameter's schema with enum members and meta keys in the target's words. */
  schema(schema: Schema, parameter: string): Schema;
  /** The basis of a requirement; doubtful if it uses a word that nobody has verified on a real site. */
  basisOf(word: string, basis: Basis): Basis;
}

/** Loads a built-in vocabulary by name, or a user's file by path. @throws UsageError as `loadDeployment` does */
export function loadVocabulary(nameOrPath: string): Vocabulary {
  const path = findDataFile('vocabularies', 'vocabulary', nameOrPath);
  const file = readValidated<VocabularyFile>(path, 'vocabulary.schema.json');
  const unverified = new Set(file.unverified ?? []);
  const word = (map: Words = {}, key: string): string => (Object.hasOwn(map, key) ? (map[key] ?? key) : key);
  const namespace = (neutral: string): string => word(file.namespaces, neutral);

  const values = (schema: Schema, map: Words): Schema => ({
    ...schema,
    ...(schema.enum && {
      enum: schema.enum.map((value) => (typeof value === 'string' ? word(map, value) : value)),
    }),
    ...(typeof schema.default === 'string' && { default: word(map, schema.default) }),
    ...(schema.items && { items: values(schema.items, map) }),
  });

  const meta = (schema: Schema): Schema => {
    const properties = Object.entries(schema.properties ?? {}).map(([key, member]): [string, Schema] => {
      const real = word(file.metaKeys, key);
      const renamed = real === key ? {} : { 'x-neutral': key };
      return [real, { ...member, ...renamed, ...(unverified.has(key) && { 'x-basis': 'doubtful' }) }];
    });
    const absent = schema['x-absent-members']?.map((one) => {
      const real = word(file.metaKeys, one.name);
      return real === one.name ? one : { ...one, name: real, 'x-neutral': one.name };
    });
    return {
      ...schema,
      properties: Object.fromEntries(properties),
      ...(absent && { 'x-absent-members': absent }),
    };
  };

  return {
    name: file.name,
    namespace,
    route(neutral, neutralNamespace) {
      const prefix = `/${neutralNamespace}`;
      if (neutralNamespace === '' || !neutral.startsWith(prefix)) return neutral;
      const map = file.segments?.[neutralNamespace];
      const rest = neutral.slice(prefix.length).split('/');
      return `/${namespace(neutralNamespace)}${rest.map((segment) => word(map, segment)).join('/')}`;
    },
    parameter: (neutral) => word(file.parameters, neutral),
    schema(schema, parameter) {
      let translated = schema;
      const map = file.enumValues?.[parameter];
      if (map !== undefined) translated = values(translated, map);
      if (parameter === 'meta') translated = meta(translated);
      if (unverified.has(`enum:${parameter}`) && schema.enum !== undefined) {
        translated = { ...translated, 'x-doubtful': [...(translated['x-doubtful'] ?? []), 'enum'] };
      }
      return translated;
    },
    basisOf: (neutral, basis) => (unverified.has(neutral) ? 'doubtful' : basis),
  };
}
