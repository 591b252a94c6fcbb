import { RARE_MUTANTS, RARE_SEQUENCES } from '../../sites/alterations/mutants/rare-mutants.ts';
import type { Contract } from '../../specs/model.ts';

/** A site to compare two tools on: what is asked of it, and by which checks. */
export interface Subject {
  readonly kind: string;
  readonly title: string;
  readonly mutant: string;
  /** Operations that Schemathesis asks. */
  readonly operations: readonly string[];
  /** Globs of the checks that do the same. */
  readonly only: readonly string[];
  readonly writes: boolean;
}

const KINDS = {
  accepted: 'a combination that is refused',
  refused: 'an invalid value that is taken in company',
  robust: 'a value that makes the server fail',
  subset: 'a list that its filters do not describe',
} as const;

const ROLES = ['list', 'create', 'read', 'update', 'delete'];

/** The deviations that hardly any request shows. */
export function subjectsOf({ operations }: Contract): Subject[] {
  const ofResource = (id: string | undefined): string[] =>
    operations
      .filter(({ resource, role }) => resource?.id === id && ROLES.includes(role ?? ''))
      .map((one) => one.id);
  const values = RARE_MUTANTS.map(({ operation, aspect, how, title }): Subject => {
    const about = operations.find(({ id }) => id === operation);
    const writes = about?.effect !== 'reads';
    return {
      kind: KINDS[aspect],
      title,
      mutant: `${operation}/fuzz/${aspect}~${how}`,
      // A change needs records, which other operations make and list.
      operations: writes ? ofResource(about?.resource?.id) : [operation],
      only: [`${operation}/fuzz/**`],
      writes,
    };
  });
  const sequences = RARE_SEQUENCES.map(
    ({ resource, how, title }): Subject => ({
      kind: 'a sequence that leaves something else',
      title,
      mutant: `lifecycle/${resource}~${how}`,
      operations: ofResource(resource),
      only: [`lifecycle/${resource}`],
      writes: true,
    }),
  );
  return [...values, ...sequences];
}
