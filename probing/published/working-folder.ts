import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { isObject, type JsonObject } from '../../client/json.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import type { ContractOptions } from '../../specs/contract.ts';
import type { DeploymentFile } from '../../specs/deployment.ts';
import { composeDeployment } from '../declarations/compose-deployment.ts';
import type { PublishedDifference } from './amendments.ts';
import { type PublishedFiles, wordOf } from './generate.ts';
import { shown } from './parameter-schema.ts';

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

/** The three versions of a file in a working folder, as text; undefined if it does not exist. */
interface FileVersions {
  readonly path: string;
  readonly base: string | undefined;
  /** As the owner edited it. */
  readonly own: string | undefined;
  /** As generated now; undefined if the site no longer publishes any of it. */
  readonly site: string | undefined;
}

export interface FilePlan {
  readonly path: string;
  readonly what: 'new' | 'changed' | 'removed' | 'kept' | 'same';
  /** The text to write; undefined if the file is removed or unchanged. */
  readonly text: string | undefined;
  /** A unified diff; empty if nothing changes. */
  readonly diff: string;
  /** Messages about places that both sides changed, where the owner's version is kept. */
  readonly conflicts: readonly string[];
}

const CONTEXT = 3;

/** The text of a file that holds a JSON document. */
export function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Plans the change of a file: changes of the owner are kept, changes of the site are applied. */
export function planFile(versions: FileVersions): FilePlan {
  const { path, base, own, site } = versions;
  const outcome = (
    what: FilePlan['what'],
    text: string | undefined,
    conflicts: readonly string[] = [],
  ): FilePlan => ({ path, what, text, conflicts, diff: diffOf(path, own, text, what) });
  if (site === undefined) {
    if (own === undefined) return outcome('same', undefined);
    if (own === base) return outcome('removed', undefined);
    return outcome('kept', undefined, ['the site publishes nothing of it any more, and you have changed it']);
  }
  if (own === undefined) {
    if (base === undefined) return outcome('new', site);
    const changed = base === site ? [] : ['you have removed it, and the site has changed it'];
    return outcome('kept', undefined, changed);
  }
  if (own === site || base === site) return outcome('same', undefined);
  if (own === base) return outcome('changed', site);
  const conflicts: string[] = [];
  const [known, mine, theirs] = [base ?? 'null', own, site].map((text): unknown => JSON.parse(text));
  const merged = merge(known, mine, theirs, [], conflicts);
  return JSON.stringify(mine) === JSON.stringify(merged)
    ? outcome('same', undefined, conflicts)
    : outcome('changed', textOf(merged), conflicts);
}

function diffOf(path: string, own: string | undefined, text: string | undefined, what: FilePlan['what']) {
  if (what !== 'changed' && what !== 'removed') return '';
  return createTwoFilesPatch(path, path, own ?? '', text ?? '', undefined, undefined, { context: CONTEXT });
}

/** Marks a missing value, which JSON cannot express. */
const NOTHING: unique symbol = Symbol('nothing');

/** Three-way merge of JSON, of lists of objects by id: of conflicts, which are reported, the owner's side wins. */
function merge(
  base: unknown,
  own: unknown,
  site: unknown,
  place: readonly string[],
  conflicts: string[],
): unknown {
  if (isDeepStrictEqual(own, site) || isDeepStrictEqual(base, site)) return own;
  if (isDeepStrictEqual(base, own)) return site;
  if (isObject(own) && isObject(site)) {
    return mergeMembers(isObject(base) ? base : {}, own, site, place, conflicts);
  }
  const [owns, sites] = [byId(own), byId(site)];
  if (owns !== undefined && sites !== undefined) {
    return Object.values(mergeMembers(byId(base) ?? {}, owns, sites, place, conflicts));
  }
  const [mine, theirs] = [own, site].map((value) => shown(value === NOTHING ? undefined : value));
  conflicts.push(`${place.join(' > ')}: yours is ${mine}, and stays; the site has ${theirs}`);
  return own;
}

function mergeMembers(
  base: JsonObject,
  own: JsonObject,
  site: JsonObject,
  place: readonly string[],
  conflicts: string[],
): JsonObject {
  const merged: Record<string, unknown> = {};
  // In the order of the new version, so that an unedited file keeps its bytes.
  for (const name of new Set([...Object.keys(site), ...Object.keys(own)])) {
    const at = (side: JsonObject): unknown => (Object.hasOwn(side, name) ? side[name] : NOTHING);
    const value = merge(at(base), at(own), at(site), [...place, name], conflicts);
    if (value !== NOTHING) merged[name] = value;
  }
  return merged;
}

/** A list of objects with unique ids as an object by id; undefined for any other value. */
function byId(list: unknown): JsonObject | undefined {
  if (!Array.isArray(list)) return undefined;
  const known = list.flatMap((one: unknown): [string, unknown][] =>
    isObject(one) && typeof one.id === 'string' ? [[one.id, one]] : [],
  );
  const ids = new Set(known.map(([id]) => id));
  return known.length === list.length && ids.size === list.length ? Object.fromEntries(known) : undefined;
}
