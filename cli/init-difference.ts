import type { SiteIndex } from '../client/site-index.ts';
import type { Check } from '../engine/check.ts';
import {
  amendmentsOf,
  type Contradiction,
  type Difference,
  operationsOf,
} from '../probing/published/amendments.ts';
import { type Composition, deploymentOf } from '../probing/published/compose.ts';
import { composeContract } from '../specs/contract.ts';
import { knownNamespaces } from '../specs/deployment.ts';
import type { Contract } from '../specs/model.ts';
import { closest } from '../specs/validators.ts';
import { decidedByIndex } from '../suites/index/declared-checks.ts';
import { judgeDeclarations } from './judge-declarations.ts';
import { UsageError } from './usage-error.ts';

/** What is amended may uncover what it blocked: a method, then its parameters. */
const MOST_ROUNDS = 3;
/** The operation file of what belongs to no namespace. */
const ROOTS = 'core';
/** The word for all built-in files. */
const ALL = 'all';

/** Built-in operation files that stay the measure, or `all`. */
export interface HeldFiles {
  readonly held: readonly string[];
  /** Whether the caller names them now; otherwise they are as the working folder remembers. */
  readonly isGiven: boolean;
}

/**
 * What the built-in files that fit a site contradict in its index, and the amendments that make its own words the measure.
 * @param known the contract of these files
 * @throws UsageError for the name of another file
 */
export async function differenceOf(
  index: SiteIndex,
  composition: Composition,
  known: Contract,
  { url, held, isGiven }: { readonly url: string } & HeldFiles,
): Promise<Difference> {
  // What the folder remembers may be of a plugin that is gone.
  if (isGiven) requireKnown(composition, held);
  const isHeld = (one: Contradiction): boolean =>
    held.includes(ALL) ||
    operationsOf(known, one).every(({ route }) => held.includes(fileOf(route.namespace)));
  const amended: Contradiction[] = [];
  for (let round = 0; ; round += 1) {
    const amendments = amendmentsOf(index, known, amended);
    const contract = composeContract(deploymentOf(composition, 'known', amendments), composition.vocabulary);
    const found = await contradictions(contract, index, url);
    const fresh = found.filter((one) => !isHeld(one));
    const isDone = fresh.length === 0 || round === MOST_ROUNDS;
    if (isDone || !changes(index, known, [...amended, ...fresh], amendments))
      return { amendments, amended: without(amended, found), kept: found, held };
    amended.push(...fresh);
  }
}

/** What stays contradicted was not amended. */
function without(amended: readonly Contradiction[], left: readonly Contradiction[]): Contradiction[] {
  const messages = new Set(left.map(({ message }) => message));
  return amended.filter(({ message }) => !messages.has(message));
}

function changes(
  index: SiteIndex,
  known: Contract,
  found: readonly Contradiction[],
  amendments: Difference['amendments'],
): boolean {
  return JSON.stringify(amendmentsOf(index, known, found)) !== JSON.stringify(amendments);
}

async function contradictions(contract: Contract, index: SiteIndex, url: string): Promise<Contradiction[]> {
  const checks = decidedByIndex(contract);
  const results = await judgeDeclarations(contract, checks, index, { url, seed: 1 });
  return checks.flatMap((check) => {
    const result = results?.get(check.id);
    if (result?.verdict !== 'fail') return [];
    const { operation, parameter, place } = check;
    return [
      { message: result.message ?? result.title, at: whereOf(contract, check), operation, parameter, place },
    ];
  });
}

function whereOf({ operations, routes }: Contract, { operation, place }: Check): string {
  const about = operations.find(({ id }) => id === operation);
  if (about !== undefined) return `${about.methods.join(', ')} ${about.route.wire}`;
  return routes.find(({ path }) => path === place)?.wire ?? 'the index';
}

/** @throws UsageError for a name that is not that of a file which fits the site */
function requireKnown({ files }: Composition, names: readonly string[]): void {
  for (const name of names) {
    if (name === ALL || files.includes(name)) continue;
    const near = closest(name, files);
    throw new UsageError(
      `--contract ${name}: no built-in file of this name fits the site; expected ${ALL} or one of ${files.join(', ')}${near === undefined ? '' : `; did you mean "${near}"?`}`,
    );
  }
}

function fileOf(namespace: string): string {
  return knownNamespaces().find(({ name }) => name === namespace)?.file ?? ROOTS;
}
