import type { Method } from '../../../client/observation.ts';
import { checkId } from '../../../engine/check-id.ts';
import type { Resource } from '../../../specs/model.ts';

/** Parameters of lists by which checks find records of the run's own. */
const FINDING = [
  ['include', 'filters'],
  ['search', 'filters'],
  ['status', 'filters', 'beside'],
];

/** The check that every other one of created records hangs on. */
export function creationRoot(collection: string): string {
  return checkId(`${collection}.create`, 'record');
}

/** The check that those of the fields which a method changes hang on. */
export function updateRoot(operation: string, method: Method): string {
  return checkId(operation, 'changes', method);
}

/** The checks that hold where the list of a resource finds records of the run's own: it shows what it is asked for. */
export function findingRoots({ id: collection, operations: { list } }: Resource): string[] {
  const ofList = `${collection}.list`;
  const defaults = (list?.parameters ?? []).filter(({ schema }) => schema.default !== undefined);
  return [
    checkId('records', collection, 'id'),
    ...FINDING.map((parts) => checkId(ofList, ...parts)),
    ...defaults.map(({ name }) => checkId(ofList, name, 'default', 'applied')),
  ];
}

/** The checks that hold where records show a field as what it is, so that it can be read back. */
export function readBackRoots(collection: string, parameter: string): string[] {
  return [
    checkId('records', collection, 'types', parameter),
    checkId(`${collection}.read`, 'contexts', `${parameter}.raw`),
  ];
}
