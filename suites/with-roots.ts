import type { Check } from '../engine/check.ts';
import { batchSample, collectionsOf } from '../specs/find-resource.ts';
import type { Contract, Resource } from '../specs/model.ts';
import { answersChecks } from './arguments/answers-checks.ts';

/** Last words of the ids of checks that judge a written field. */
const OF_FIELDS: ReadonlySet<string> = new Set(['stored', 'unset', 'form', 'agrees']);
/** First words of the ids of checks of the records of a collection, whose id comes second. */
const OF_RECORDS: ReadonlySet<string> = new Set(['states', 'lifecycle', 'slugs']);

/** Parameters of lists by which checks find records of the run's own. */
const FINDING = ['include/filters', 'search/filters', 'status/filters/beside'];

/**
 * Gives checks what they build on: where the plain call of their operation is broken, a field is shown as something else
 * than it is, or a list does not show what it is asked for, they would say the same once more.
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
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const collections = new Map(collectionsOf(contract).map((resource) => [resource.id, resource]));
  const inBatch = (family: string, [operation = '']: readonly string[]): Resource | undefined =>
    family === 'batch'
      ? (collections.get(byId.get(operation)?.resource?.id ?? '') ?? batchSample(contract))
      : undefined;
  return (check) => {
    const { id, operation } = check;
    const [family = '', second = '', ...others] = id.split('/');
    const { resource, role } = byId.get(family) ?? {};
    const writes = resource?.parent === undefined && (role === 'create' || role === 'update');
    const written = writes && others.some((word) => OF_FIELDS.has(word)) ? resource : undefined;
    const guarded = family === 'protected' ? collections.get(second) : undefined;
    const found = collections.get(OF_RECORDS.has(family) ? second : family) ?? inBatch(family, others);
    const buildsOn = [
      ...(operation !== undefined && called.has(operation) ? [`${operation}/answers/{caller}`] : []),
      ...(written === undefined
        ? []
        : [`records/${written.id}/types/${second}`, `${written.id}.read/contexts/${second}.raw`]),
      // What a password protects is read without credentials.
      ...(guarded === undefined ? [] : [`${guarded.id}.read/answers/anonymous`]),
      ...(found === undefined ? [] : findingOf(found)),
    ];
    return buildsOn.length === 0 ? check : { ...check, buildsOn };
  };
}

/** What must hold for records to be found by their list. */
function findingOf({ id: records, operations: { list } }: Resource): string[] {
  const defaults = (list?.parameters ?? []).filter(({ schema }) => schema.default !== undefined);
  return [
    `records/${records}/id`,
    ...FINDING.map((part) => `${records}.list/${part}`),
    ...defaults.map(({ name }) => `${records}.list/${name}/default/applied`),
  ];
}
