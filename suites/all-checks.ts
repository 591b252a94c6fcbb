import type { Check } from '../engine/check.ts';
import type { About } from '../engine/result.ts';
import type { Contract } from '../specs/model.ts';
import { acceptanceChecks } from './arguments/acceptance-checks.ts';
import { answersChecks } from './arguments/answers-checks.ts';
import { defaultChecks } from './arguments/default-checks.ts';
import { enforcementChecks } from './arguments/enforcement-checks.ts';
import { formChecks } from './arguments/form-checks.ts';
import { fuzzChecks } from './arguments/fuzz/fuzz-checks.ts';
import { unheededChecks } from './arguments/unheeded-checks.ts';
import { contextChecks } from './contexts/context-checks.ts';
import { declaredChecks } from './index/declared-checks.ts';
import { collectionChecks } from './lists/collection-checks.ts';
import { revisionListChecks } from './lists/revision-list-checks.ts';
import { withRoots } from './with-roots.ts';
import { writingChecks } from './writes/writing-checks.ts';

const known = new WeakMap<Contract, readonly Check[]>();

/**
 * Every check that a contract gives rise to, cheap and decisive ones first; made once for each.
 * @throws Error when two checks share an id, which would hide one of them from every report.
 */
export function allChecks(contract: Contract): readonly Check[] {
  const checks = known.get(contract) ?? makeChecks(contract);
  known.set(contract, checks);
  return checks;
}

function makeChecks(contract: Contract): Check[] {
  // What a request of the index is answered shows no more than the index.
  const ofIndex = new Set<string | undefined>(
    contract.operations.filter(({ route }) => route.wire === '/').map(({ id }) => id),
  );
  const checks = [
    ...declaredChecks(contract).map(about('declaration')),
    ...contract.operations.flatMap(answersChecks).map(about('answer')),
    ...contract.operations.flatMap(defaultChecks),
    ...[
      ...contract.operations.flatMap((operation) => acceptanceChecks(contract, operation)),
      ...contract.operations.flatMap(formChecks),
      ...contract.operations.flatMap(enforcementChecks),
      ...contextChecks(contract),
      ...collectionChecks(contract),
      ...contract.operations.flatMap(unheededChecks),
      ...contract.operations.flatMap(fuzzChecks),
      ...writingChecks(contract),
      ...revisionListChecks(contract),
    ].map(withRoots(contract)),
  ].map((check) => (ofIndex.has(check.operation) ? about('declaration')(check) : check));
  const seen = new Set<string>();
  for (const { id } of checks) {
    if (seen.has(id)) throw new Error(`two checks share the id ${id}`);
    seen.add(id);
  }
  return checks;
}

function about(what: About): (check: Check) => Check {
  return (check) => ({ ...check, about: what });
}
