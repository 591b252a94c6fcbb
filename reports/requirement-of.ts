import { selectorOf } from '../engine/glob.ts';
import { loadRequirements, type Requirement } from '../specs/texts.ts';

interface Row {
  readonly requirement: Requirement;
  readonly selects: (id: string) => boolean;
}

let rows: readonly Row[] | undefined;
const found = new Map<string, Requirement | undefined>();

/** The requirement that a check belongs to, by its id; undefined where an operation file alone states it. */
export function requirementOf(id: string): Requirement | undefined {
  if (found.has(id)) return found.get(id);
  rows ??= loadRequirements().map((requirement) => ({
    requirement,
    selects: selectorOfAll(requirement.checks ?? []),
  }));
  const requirement = rows.find(({ selects }) => selects(id))?.requirement;
  found.set(id, requirement);
  return requirement;
}

/** A glob selects what lies below it as well. */
function selectorOfAll(globs: readonly string[]): (id: string) => boolean {
  const selectors = globs.flatMap((glob) => [selectorOf(glob), selectorOf(`${glob}/**`)]);
  return (id) => selectors.some((selects) => selects(id));
}
