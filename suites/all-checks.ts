import type { Check } from '../engine/check.ts';
import { familyMaker } from '../engine/family.ts';
import type { About } from '../engine/result.ts';
import { aboveBrackets } from '../probing/records/reading/brackets.ts';
import { operationFor, takes } from '../specs/find-resource.ts';
import { memoized } from '../specs/memoized.ts';
import type { Contract, Operation } from '../specs/model.ts';
import { acceptanceChecks } from './arguments/acceptance-checks.ts';
import { addressChecks } from './arguments/address-checks.ts';
import { defaultChecks } from './arguments/default-checks.ts';
import { enforcementChecks, unenforcedRootChecks } from './arguments/enforcement-checks.ts';
import { formChecks } from './arguments/form-checks.ts';
import { fuzzChecks } from './arguments/fuzz/fuzz-checks.ts';
import { methodEnforcementChecks, pathEnforcementChecks } from './arguments/method-enforcement-checks.ts';
import { answersChecks, excludedParameterChecks } from './arguments/plain-call-checks.ts';
import { contextChecks } from './contexts/context-checks.ts';
import { everyAnswerChecks } from './contexts/every-answer-checks.ts';
import { excerptChecks } from './contexts/excerpt-checks.ts';
import { serverErrorChecks } from './contexts/server-error-checks.ts';
import { eachDeclared } from './index/declared-checks.ts';
import { collectionChecks, revisionListChecks } from './lists/list-checks.ts';
import { refusedSetsOf } from './lists/subsets/subset-sets.ts';
import {
  narrowedChecks,
  publishedFilterChecks,
  publishedRecordChecks,
} from './published/operation-checks.ts';
import { recordSchemaChecks, recordShapeChecks } from './published/record-checks.ts';
import { writingChecks } from './writes/writing-checks.ts';

/** How many operations share a family: more save memory, and take longer when they are made again. */
const IN_FAMILY = 16;

/** All checks of a contract, cheap and decisive ones first, made once. @throws Error if two share an id */
export const allChecks: (contract: Contract) => readonly Check[] = memoized(makeChecks);

function makeChecks(contract: Contract): Check[] {
  const { operations } = contract;
  const checks: Check[] = [];
  const finish = finisher(contract);
  const rooted = withRoots(contract);
  const familyOf = familyMaker();
  const asIs = (check: Check): Check => check;
  // Families are added one at a time: a large site has hundreds of thousands of checks, too many to hold twice.
  const addEach = <T>(
    subjects: readonly T[],
    make: (subject: T) => readonly Check[],
    what?: About,
    turn = asIs,
  ): void => {
    const finished = (some: readonly T[]): Check[] =>
      some.flatMap(make).map((check) => finish(turn(check), what));
    for (let at = 0; at < subjects.length; at += IN_FAMILY)
      for (const check of familyOf(subjects.slice(at, at + IN_FAMILY), finished)) checks.push(check);
  };
  const add = (make: (contract: Contract) => readonly Check[], ...how: [About?, typeof rooted?]): void =>
    addEach([contract], make, ...how);
  eachDeclared(contract, (subjects, make) => addEach(subjects, make, 'declaration'));
  addEach(operations, narrowedChecks, 'declaration');
  add(recordSchemaChecks, 'declaration');
  addEach(operations, answersChecks, 'answer', rooted);
  add(addressChecks, 'declaration');
  addEach(operations, (operation) => defaultChecks(operation, 'stated'), undefined, rooted);
  // These parameters may change the form of every answer, so that the plain call depends on their default.
  addEach(operations, (operation) => defaultChecks(operation, 'silent'));
  const { reads = [], others = [] } = Object.groupBy(operations, ({ effect }) =>
    effect === 'reads' ? 'reads' : 'others',
  );
  addEach(others, (operation) => acceptanceChecks(contract, operation), undefined, rooted);
  addEach(operations, formChecks, undefined, rooted);
  add(unenforcedRootChecks, undefined, rooted);
  addEach(operations, enforcementChecks, undefined, rooted);
  addEach(operations, pathEnforcementChecks, undefined, rooted);
  add(methodEnforcementChecks, undefined, rooted);
  add(contextChecks, undefined, rooted);
  add(everyAnswerChecks, undefined, rooted);
  add(collectionChecks, undefined, rooted);
  addEach(operations, excludedParameterChecks, undefined, rooted);
  // Calls that earlier checks had accepted need no request here, and searches draw from accepted values.
  addEach(reads, (operation) => acceptanceChecks(contract, operation), undefined, rooted);
  addEach(operations, (operation) => fuzzChecks(operation, refusedSetsOf), undefined, rooted);
  // What acceptance sends is read here.
  add(excerptChecks, undefined, rooted);
  add(writingChecks, undefined, rooted);
  add(revisionListChecks, undefined, rooted);
  add(publishedFilterChecks, undefined, rooted);
  add(recordShapeChecks, undefined, rooted);
  add(publishedRecordChecks, undefined, rooted);
  add(serverErrorChecks, undefined, rooted);
  guardIds(checks);
  return checks;
}

/** @throws Error if two checks share an id */
function guardIds(checks: readonly Check[]): void {
  // One operation after the other, because all ids of a large site take much memory.
  const groups = Map.groupBy(checks, ({ id, operation = '' }) =>
    id.startsWith(`${operation}/`) ? operation : '',
  );
  for (const group of groups.values()) {
    const seen = new Set<string>();
    for (const { id } of group) {
      if (seen.has(id)) throw new Error(`two checks share the id ${id}`);
      seen.add(id);
    }
  }
}

/** Adds to a check what follows from its family and its operation. */
function finisher({ operations, binding }: Contract): (check: Check, what: About | undefined) => Check {
  // The answer of the index operation is the index itself.
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
    // Checks of published operations rest on what the site says of itself.
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

/** Adds soft dependencies on plain calls, whose failures would show in every other check again. */
function withRoots(contract: Contract): (check: Check) => Check {
  const { operations } = contract;
  const rootsOf = plainCallsBefore(contract);
  const lists = new Map(
    operations
      .filter((one) => takes(one, 'include') && one.basis !== 'published')
      .map((one) => [one.id, one]),
  );
  return (given) => {
    const { operation = '', buildsOn = [] } = given;
    const list = lists.get(operation);
    const check = list === undefined ? given : aboveBrackets(given, list);
    const all = rootsOf.get(operation) ?? [];
    // The list of an operation is shared by its checks, to save memory.
    const roots = all.some((root) => isItself(root, check))
      ? all.filter((root) => !isItself(root, check))
      : all;
    if (roots.length === 0) return check;
    return { ...check, buildsOn: buildsOn.length === 0 ? roots : [...roots, ...buildsOn] };
  };
}

/** For each operation: the checks of its own plain call, and of the lists in which its path parameters are found. */
function plainCallsBefore(contract: Contract): ReadonlyMap<string, readonly string[]> {
  const { operations } = contract;
  const isCalled = (one: Operation): boolean =>
    one.effect !== 'writes' && answersChecks(one).some(({ needsUser }) => needsUser === true);
  const called = new Set(operations.filter(isCalled).map(({ id }) => id));
  return new Map(
    operations.map(({ id, effect, resource, route }) => {
      const isBelow = effect === 'reads' && route.pathParameters.length > 0;
      const lists = (isBelow ? [resource?.parent, resource?.id] : []).map(
        (one) => operationFor(contract, one ?? '', 'list')?.id ?? '',
      );
      const before = [...new Set([...lists, id])].filter((one) => called.has(one));
      return [id, before.map((one) => `${one}/answers/{caller}`)];
    }),
  );
}

function isItself(root: string, { id }: Check): boolean {
  return ['user', 'anonymous'].some((caller) => root.replace('{caller}', caller) === id);
}
