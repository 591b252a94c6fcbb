import type { Check } from '../engine/check.ts';
import type { Contract } from '../specs/model.ts';
import { answersChecks } from './arguments/answers-checks.ts';

/**
 * Lets checks build on the plain call of their operation as well: where that is broken, they would say the same once more.
 */
export function withRoots({ operations }: Contract): (check: Check) => Check {
  const called = new Set(
    operations
      .filter(
        (one) => one.effect !== 'writes' && answersChecks(one).some(({ needsUser }) => needsUser === true),
      )
      .map(({ id }) => id),
  );
  return (check) => {
    const { operation, buildsOn = [] } = check;
    if (operation === undefined || !called.has(operation)) return check;
    return { ...check, buildsOn: [`${operation}/answers/{caller}`, ...buildsOn] };
  };
}
