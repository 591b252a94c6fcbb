import type { Check } from '../engine/check.ts';
import type { Contract } from '../specs/model.ts';

const WRITTEN =
  /^(posts|pages|media)\.(?:create|update)\/(\w+)\/(?:.*\/)?(?:stored|unset|form|agrees)(?:\/|$)/;
const OF_RECORDS = /^(?:(?:states|lifecycle|slugs)\/(posts|pages|media)|(media))(?:\/|$)/;

const GUARDED = /^protected\/(posts|pages)\//;

/** Parameters of lists by which checks find records of the run's own. */
const FINDING = ['include/filters', 'search/filters', 'status/filters/beside'];

/**
 * Gives checks what they build on: where the plain call of their operation is broken, a field is shown as something else
 * than it is, or a list does not show what it is asked for, they would say the same once more.
 */
export function withRoots({ operations }: Contract): (check: Check) => Check {
  const called = new Set(operations.filter(({ effect }) => effect !== 'writes').map(({ id }) => id));
  const finding = new Map(
    ['posts', 'pages', 'media'].map((records) => [records, findingOf(operations, records)]),
  );
  return (check) => {
    const { id, operation } = check;
    const [, collection, field] = WRITTEN.exec(id) ?? [];
    const [, guarded] = GUARDED.exec(id) ?? [];
    const [, ofState, ofMedia] = OF_RECORDS.exec(id) ?? [];
    const records = ofState ?? ofMedia ?? (id.startsWith('batch/') ? 'posts' : undefined);
    const buildsOn = [
      ...(operation !== undefined && called.has(operation) ? [`${operation}/answers/{caller}`] : []),
      ...(collection === undefined
        ? []
        : [`records/${collection}/types/${field}`, `${collection}.read/contexts/${field}.raw`]),
      // What a password protects is read without credentials.
      ...(guarded === undefined ? [] : [`${guarded}.read/answers/anonymous`]),
      ...(records === undefined ? [] : (finding.get(records) ?? [])),
    ];
    return buildsOn.length === 0 ? check : { ...check, buildsOn };
  };
}

/** What must hold for records to be found by their list. */
function findingOf(operations: Contract['operations'], records: string): string[] {
  const list = operations.find(({ id }) => id === `${records}.list`);
  const defaults = (list?.parameters ?? []).filter(({ schema }) => schema.default !== undefined);
  return [
    `records/${records}/id`,
    ...FINDING.map((part) => `${records}.list/${part}`),
    ...defaults.map(({ name }) => `${records}.list/${name}/default/applied`),
  ];
}
