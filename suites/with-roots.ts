import type { Contract } from '../specs/model.ts';
import type { Check } from './check.ts';

const WRITTEN = /^(posts|pages|media)\.(?:create|update)\/(\w+)\/(?:.*\/)?(?:stored|form|agrees)(?:\/|$)/;
const OF_RECORDS = /^(?:(?:states|lifecycle|slugs)\/(posts|pages|media)|(media))(?:\/|$)/;

/**
 * Gives checks what they build on: where the plain call of their operation is broken, or a field is shown as something else
 * than it is, they would say the same once more.
 */
export function withRoots({ operations }: Contract): (check: Check) => Check {
  const called = new Set(operations.filter(({ effect }) => effect !== 'writes').map(({ id }) => id));
  return (check) => {
    const { id, operation } = check;
    const [, collection, field] = WRITTEN.exec(id) ?? [];
    const [, ofState, ofMedia] = OF_RECORDS.exec(id) ?? [];
    const records = ofState ?? ofMedia;
    const buildsOn = [
      ...(operation !== undefined && called.has(operation) ? [`${operation}/answers/{caller}`] : []),
      ...(collection === undefined
        ? []
        : [`records/${collection}/types/${field}`, `${collection}.read/contexts/${field}.raw`]),
      ...(records === undefined ? [] : [`records/${records}/id`]),
    ];
    return buildsOn.length === 0 ? check : { ...check, buildsOn };
  };
}
