import { type Contract, loadContract } from '../reference/load-contract.ts';
import { type Served, type ServeOptions, serve } from '../reference/serve.ts';
import { type Alteration, type Mutant, type Mutants, together } from './alteration.ts';
import { answerMutants } from './mutants/answer-mutants.ts';
import { batchMutants } from './mutants/batch-mutants.ts';
import { callerMutants } from './mutants/caller-mutants.ts';
import { damageMutants } from './mutants/damage-mutants.ts';
import { enforcementMutants } from './mutants/enforcement-mutants.ts';
import { filterMutants } from './mutants/filter-mutants.ts';
import { fuzzMutants } from './mutants/fuzz-mutants.ts';
import { indexMutants } from './mutants/index-mutants.ts';
import { listAnswerMutants } from './mutants/list-answer-mutants.ts';
import { mediaMutants } from './mutants/media-mutants.ts';
import { occasionalMutants } from './mutants/occasional-mutants.ts';
import { parameterMutants } from './mutants/parameter-mutants.ts';
import { partialMutants } from './mutants/partial-mutants.ts';
import { placeholderMutants } from './mutants/placeholder-mutants.ts';
import { rareMutants } from './mutants/rare-mutants.ts';
import { recordMutants } from './mutants/record-mutants.ts';
import { stateMutants } from './mutants/state-mutants.ts';
import { storageMutants } from './mutants/storage-mutants.ts';
import { strictnessMutants } from './mutants/strictness-mutants.ts';
import { ANSWER_CHANGES } from './unspecified/answer-changes.ts';
import type { Change } from './unspecified/change.ts';
import { READING_CHANGES } from './unspecified/reading-changes.ts';
import { WRITING_CHANGES } from './unspecified/writing-changes.ts';
import { VARIANTS } from './variants/site-variants.ts';

/** What makes the mutants of a contract, in a stable order. */
const MAKERS: readonly ((contract: Contract) => Mutants)[] = [
  indexMutants,
  parameterMutants,
  answerMutants,
  enforcementMutants,
  strictnessMutants,
  fuzzMutants,
  rareMutants,
  filterMutants,
  listAnswerMutants,
  placeholderMutants,
  partialMutants,
  recordMutants,
  storageMutants,
  occasionalMutants,
  damageMutants,
  stateMutants,
  callerMutants,
  batchMutants,
  mediaMutants,
];

/** The mutants in lists of any depth, in their order. */
function listed(mutants: Mutants): Mutant[] {
  if (!mutants) return [];
  return 'id' in mutants ? [mutants] : mutants.flatMap(listed);
}

/** All mutants of a deployment, from its raw contract, in a stable order. @throws Error if two share an id */
export function mutantsOf(contract: Contract): Mutant[] {
  const mutants = listed(MAKERS.map((make) => make(contract)));
  const seen = new Set<string>();
  for (const { id } of mutants) {
    if (seen.has(id)) throw new Error(`two mutants share the id ${id}`);
    seen.add(id);
  }
  return mutants;
}

/** Thrown for the id of a mutant or a variant that a deployment does not have. */
export class UnknownAlteration extends Error {}

/** The mutant with this id. @throws UnknownAlteration if the deployment has none */
export function findMutant(contract: Contract, id: string): Mutant {
  const found = mutantsOf(contract).find((one) => one.id === id);
  if (found === undefined) throw new UnknownAlteration(`unknown mutant "${id}"`);
  return found;
}

/** The changes of unspecified behaviour that one site has together, by the id of the unspecified point. */
export const SILENT_TOGETHER: Readonly<Record<string, Change>> = {
  ...ANSWER_CHANGES,
  ...READING_CHANGES,
  ...WRITING_CHANGES,
};

/** Conforming sites that differ: a client that only works with the healthy one depends on unspecified behaviour. */
export function variantsOf(deployment: string): Alteration[] {
  const changes = Object.values(SILENT_TOGETHER).filter(
    (one) => one.deployment === undefined || one.deployment === deployment,
  );
  const allAtOnce: Alteration = {
    id: 'all-at-once',
    title: `the site does otherwise in ${changes.length} places where the specification is silent`,
    behaviour: together(...changes.map(({ behaviour }) => behaviour)),
  };
  return [...VARIANTS, allAtOnce];
}

/** The mutants of a deployment with their descriptions. @throws Error if it cannot be loaded */
export function listMutants(deployment: string): Pick<Mutant, 'id' | 'breaks' | 'title'>[] {
  return mutantsOf(loadContract(deployment));
}

/** Starts a reference deployment, with one mutant or variant if given. @throws UnknownAlteration */
export async function serveMutant(
  options: Omit<ServeOptions, 'behaviour'> & { mutant?: string; variant?: string },
): Promise<Served> {
  const { mutant, variant, ...rest } = options;
  if (variant !== undefined) {
    const variants = variantsOf(rest.deployment);
    const found = variants.find(({ id }) => id === variant);
    if (found !== undefined) return serve({ ...rest, behaviour: found.behaviour });
    throw new UnknownAlteration(
      `unknown variant "${variant}": there are ${variants.map(({ id }) => id).join(', ')}`,
    );
  }
  if (mutant === undefined) return serve(rest);
  const { behaviour } = findMutant(loadContract(rest.deployment), mutant);
  return serve({ ...rest, behaviour });
}
