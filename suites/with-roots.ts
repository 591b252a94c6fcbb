import type { Check } from '../engine/check.ts';
import { operationFor } from '../specs/find-resource.ts';
import type { Contract } from '../specs/model.ts';
import { answersChecks } from './arguments/plain-call-checks.ts';

/**
 * Lets checks build on the plain call of their operation as well, and on those of the lists which show its records:
 * where one is broken, they would say the same once more.
 */
export function withRoots(contract: Contract): (check: Check) => Check {
  const { operations } = contract;
  const called = new Set(
    operations
      .filter(
        (one) => one.effect !== 'writes' && answersChecks(one).some(({ needsUser }) => needsUser === true),
      )
      .map(({ id }) => id),
  );
  const listsOf = new Map(
    operations
      .filter(({ effect, route }) => effect === 'reads' && route.pathParameters.length > 0)
      .map(({ id, resource }) => [
        id,
        [resource?.parent, resource?.id].map((one) => operationFor(contract, one ?? '', 'list')?.id),
      ]),
  );
  // Every check of an operation builds on the same ones.
  const rootsOf = new Map<string, readonly string[]>();
  const known = (operation: string): readonly string[] => {
    const roots =
      rootsOf.get(operation) ??
      [...new Set([...(listsOf.get(operation) ?? []), operation])]
        .filter((one) => one !== undefined && called.has(one))
        .map((one) => `${one}/answers/{caller}`);
    rootsOf.set(operation, roots);
    return roots;
  };
  return (check) => {
    const { operation, buildsOn = [] } = check;
    if (operation === undefined) return check;
    const roots = known(operation);
    const named = roots.some((root) => isItself(root, check))
      ? roots.filter((root) => !isItself(root, check))
      : roots;
    if (named.length === 0) return check;
    return { ...check, buildsOn: buildsOn.length === 0 ? named : [...named, ...buildsOn] };
  };
}

function isItself(root: string, { id }: Check): boolean {
  return ['user', 'anonymous'].some((caller) => root.replace('{caller}', caller) === id);
}
