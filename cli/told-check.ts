import type { Check } from '../engine/check.ts';
import { dependenciesOf, dependentsOf } from '../engine/dependencies.ts';
import { selectorOf } from '../engine/glob.ts';
import { kindOf } from '../engine/kind-of.ts';
import { listMutants } from '../sites/alterations/catalogue.ts';
import type { Contract } from '../specs/model.ts';
import { loadClauses, loadReadings, type Reading, type Section } from '../specs/texts.ts';
import { type Coverage, coverageOf, mutantsByCheck } from '../suites/coverage/coverage.ts';
import type { SentRequest } from '../suites/sent-requests.ts';

/** Everything that is known of a check without a site. */
export interface ToldCheck {
  readonly id: string;
  readonly deployment: string;
  readonly asks: string;
  /** The kind of check: what such checks ask, how they decide, and what to do when one fails. */
  readonly kind?: { readonly title: string; readonly asks: string; readonly decides: string };
  readonly mend?: string;
  readonly section: Section | { readonly section: string };
  readonly basis: Check['basis'];
  readonly readings: readonly Pick<Reading, 'id' | 'says'>[];
  readonly requirements: readonly { readonly id: string; readonly statement: string }[];
  /** Where the operation is, in the words of the site. */
  readonly operation?: { readonly id: string; readonly methods: readonly string[]; readonly route: string };
  readonly parameter?: string;
  /** What the index holds where it conforms to a check of a declaration, as JSON from its top level on. */
  readonly declare?: string;
  readonly needs: { readonly mode: string; readonly user: boolean };
  /** Ids of checks that must pass, or must not fail, before it is asked. */
  readonly hangsOn: readonly string[];
  /** Ids of checks that are not asked where it fails. */
  readonly blocks: readonly string[];
  /** Ids of mutants of the reference deployment that it must notice. */
  readonly mutants: readonly string[];
  /** What it sends to the reference deployment. */
  readonly sends?: readonly SentRequest[];
}

/** Tells of checks of one contract. @param deployment the name or path by which the reference deployment knows it */
export function teller(
  contract: Contract,
  checks: readonly Check[],
  deployment: string,
): (check: Check) => ToldCheck {
  const clauses = loadClauses();
  const readings = loadReadings();
  const requirements = requirementsOf(coverageOf(contract, checks));
  const blocks = dependentsOf(checks);
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const mutants = mutantsByCheck(
    checks.map(({ id }) => id),
    listMutants(deployment),
  );
  return (check) => {
    const { id, title, section, basis, parameter } = check;
    const kind = kindOf(check);
    const operation = operations.get(check.operation ?? '');
    return {
      id,
      deployment: contract.deployment,
      asks: title,
      ...(kind !== undefined && {
        kind: { title: kind.title, asks: kind.asks, decides: kind.decides },
        mend: kind.mend,
      }),
      section: clauses.get(section) ?? { section },
      basis,
      readings: readings
        .filter((reading) => reading.checks.some((glob) => selectorOf(glob)(id)))
        .map(({ id: number, says }) => ({ id: number, says })),
      requirements: requirements.get(id) ?? [],
      ...(operation !== undefined && {
        operation: { id: operation.id, methods: operation.methods, route: operation.route.wire },
      }),
      ...(parameter !== undefined && { parameter }),
      ...(check.fragment !== undefined && { declare: check.fragment() }),
      needs: { mode: check.mode ?? 'read', user: check.needsUser === true },
      hangsOn: dependenciesOf(check),
      blocks: blocks.get(id) ?? [],
      mutants: mutants.get(id) ?? [],
    };
  };
}

/** The requirements of each check, by the id of the check. */
function requirementsOf({ requirements }: Coverage): Map<string, ToldCheck['requirements'][number][]> {
  const found = new Map<string, ToldCheck['requirements'][number][]>();
  for (const { id, statement, checks } of requirements) {
    for (const check of checks) found.set(check, [...(found.get(check) ?? []), { id, statement }]);
  }
  return found;
}
