import type { Check } from '../engine/check.ts';
import type { About } from '../engine/result.ts';
import type { Contract, Operation } from '../specs/model.ts';
import { acceptanceChecks } from './arguments/acceptance-checks.ts';
import { defaultChecks } from './arguments/default-checks.ts';
import { enforcementChecks, unenforcedRootChecks } from './arguments/enforcement-checks.ts';
import { fuzzChecks } from './arguments/fuzz/fuzz-checks.ts';
import { answersChecks, excludedParameterChecks, formChecks } from './arguments/plain-call-checks.ts';
import { contextChecks } from './contexts/context-checks.ts';
import { declaredFamilies } from './index/declared-checks.ts';
import { collectionChecks, revisionListChecks } from './lists/list-checks.ts';
import {
  narrowedChecks,
  publishedFilterChecks,
  publishedRecordChecks,
} from './published/operation-checks.ts';
import { recordSchemaChecks, recordShapeChecks } from './published/record-checks.ts';
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
  const { operations } = contract;
  const checks: Check[] = [];
  const finish = finisher(contract);
  const rooted = withRoots(contract);
  const seen = new Set<string>();
  // One family after the other: a large site gives rise to hundreds of thousands, and few are held twice.
  const add = (family: readonly Check[], what?: About, turn = (check: Check): Check => check): void => {
    for (const check of family) {
      const done = finish(turn(check), what);
      if (seen.has(done.id)) throw new Error(`two checks share the id ${done.id}`);
      seen.add(done.id);
      checks.push(done);
    }
  };
  const addEach = (make: (operation: Operation) => Check[], ...how: [About?, typeof rooted?]): void => {
    for (const operation of operations) add(make(operation), ...how);
  };
  for (const family of declaredFamilies(contract)) add(family, 'declaration');
  addEach(narrowedChecks, 'declaration');
  add(recordSchemaChecks(contract), 'declaration');
  addEach(answersChecks, 'answer', rooted);
  addEach((operation) => defaultChecks(operation, 'stated'), undefined, rooted);
  // What they change may be the form of every answer: then the plain call depends on their default.
  addEach((operation) => defaultChecks(operation, 'silent'));
  addEach((operation) => acceptanceChecks(contract, operation), undefined, rooted);
  addEach(formChecks, undefined, rooted);
  add(unenforcedRootChecks(contract), undefined, rooted);
  addEach(enforcementChecks, undefined, rooted);
  add(contextChecks(contract), undefined, rooted);
  add(collectionChecks(contract), undefined, rooted);
  addEach(excludedParameterChecks, undefined, rooted);
  addEach(fuzzChecks, undefined, rooted);
  add(writingChecks(contract), undefined, rooted);
  add(revisionListChecks(contract), undefined, rooted);
  add(publishedFilterChecks(contract), undefined, rooted);
  add(recordShapeChecks(contract), undefined, rooted);
  add(publishedRecordChecks(contract), undefined, rooted);
  return checks;
}

/** Completes a check by what it is about, and by what is the same for every check of its operation. */
function finisher({ operations, binding }: Contract): (check: Check, what: About | undefined) => Check {
  // What a request of the index is answered shows no more than the index.
  const ofIndex = new Set(operations.filter(({ route }) => route.wire === '/').map(({ id }) => id));
  const published = new Set(
    operations.flatMap(({ id, basis, parameters }) =>
      basis === 'published'
        ? [id]
        : parameters.filter((one) => one.basis === 'published').map(({ name }) => `${id} ${name}`),
    ),
  );
  return (check, what) => {
    const { operation = '', parameter } = check;
    const isOfIndex = ofIndex.has(operation);
    const about = isOfIndex ? 'declaration' : what;
    // Whatever is asked of a published operation rests on what the site says of itself.
    const isPublished = published.has(operation) || published.has(`${operation} ${parameter}`);
    if (about === undefined && !isPublished) return check;
    return {
      ...check,
      ...(about !== undefined && { about }),
      ...(isOfIndex && what !== 'declaration' && { kind: 'declared' }),
      ...(isPublished && { basis: 'published' as const, ...(binding === true && { binding }) }),
    };
  };
}
