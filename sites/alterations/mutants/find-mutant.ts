import type { Contract } from '../../reference/contract.ts';
import { mutantsOf } from './catalogue.ts';
import type { Mutant } from './mutant.ts';

const MOST_NEAR = 3;

/** Thrown for the id of a mutant that a deployment cannot have; the message names ids near it. */
export class UnknownMutant extends Error {}

/** The mutant with this id. @throws UnknownMutant when the deployment has none with it */
export function findMutant(contract: Contract, id: string): Mutant {
  const mutants = mutantsOf(contract);
  const found = mutants.find((one) => one.id === id);
  if (found) return found;
  const near = mutants
    .map((one) => ({ id: one.id, shared: likeness(one.id, id) }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, MOST_NEAR)
    .map((one) => one.id);
  throw new UnknownMutant(`unknown mutant "${id}": near it are ${near.join(', ')}`);
}

/** How much of two ids is the same: pairs of letters that both have, out of all of both, 0 to 1. */
function likeness(one: string, other: string): number {
  const [first, second] = [pairs(one), pairs(other)];
  const shared = [...first].filter((pair) => second.has(pair)).length;
  return (2 * shared) / Math.max(first.size + second.size, 1);
}

function pairs(text: string): Set<string> {
  return new Set(Array.from(text.slice(1), (letter, at) => `${text[at]}${letter}`));
}
