import { member } from '../../client/json.ts';
import type { Check, Finding } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { failure, inconclusive } from '../../engine/findings.ts';
import { show } from '../../engine/show.ts';
import { jsonType } from '../../generators/valid-values.ts';
import { operationFor, takes } from '../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import { misfitOf, typeWords } from '../../specs/shapes.ts';
import type { SiteRecord } from '../records/reading/record.ts';
import { idsOf } from '../records/reading/subset-trial.ts';
import { relayed } from './judge-member.ts';
import { readContext } from './read-context.ts';
import { fieldsOf, rootCheckOf } from './record-fields.ts';
import { typesShape } from './shown-shape.ts';

/** Fields that name another record: null says that there is none, which is no value of another type. */
const MAY_BE_NONE = new Set(['post']);

/** Checks that each writable field has its stated type where the edit context shows it (R11). */
export function fieldTypeChecks(contract: Contract, collection: string): Check[] {
  const list = operationFor(contract, collection, 'list');
  if (list === undefined || !takes(list, 'context')) return [];
  return fieldsOf(contract, collection)
    .filter(({ schema }) => schema.type !== undefined)
    .map((field) => fieldTypeCheck(list, collection, field, rootCheckOf(contract, collection, 'list')));
}

function fieldTypeCheck(list: Operation, collection: string, field: Parameter, root: string): Check {
  const id = checkId('records', collection, 'types', field.name);
  return {
    id,
    field: { resource: collection, field: field.wire },
    title: `${field.wire} of ${collection} is ${typesOf(field.schema).join(' or ')}`,
    section: '2',
    basis: 'stated',
    effect: 'reads',
    operation: list.id,
    needsUser: true,
    dependsOn: [checkId(list.id, 'method', 'GET'), checkId(list.id, 'context', 'declared')],
    async run(session) {
      const listed = await readContext(session, collection, 'list', 'edit');
      const isBlocked = 'finding' in listed && listed.finding.kind === 'blocked';
      // What a list does not show in this context, a record alone may.
      const shown = isBlocked ? await readContext(session, collection, 'read', 'edit') : listed;
      return 'finding' in shown
        ? [relayed(shown.finding, root, id)]
        : judgeType(field, shown.records, shown.curl);
    },
  };
}

function judgeType(
  { name, wire, schema }: Parameter,
  records: readonly SiteRecord[],
  curl: string,
): Finding[] {
  const shownValue = ({ json }: SiteRecord): unknown => {
    const value = member(json, wire);
    return value === null && MAY_BE_NONE.has(name) ? undefined : value;
  };
  if (records.every((record) => shownValue(record) === undefined)) {
    return [inconclusive(`no visible record shows ${wire}`)];
  }
  const shape = typesShape(schema);
  const misfits = records.flatMap((record) => {
    const value = shownValue(record);
    const misfit = value === undefined ? undefined : misfitOf(shape, value);
    return misfit === undefined ? [] : [{ record, misfit }];
  });
  const [first] = misfits;
  if (first === undefined) return [];
  const { place, stated, observed } = first.misfit;
  const wrong = misfits.map(({ record }) => record);
  return [
    failure(`${wire}${place.replaceAll(/\/\d+/g, '[]').replaceAll('/', '.')} is not of the stated type`, {
      expected: typeWords(stated),
      observed: `${jsonType(observed)} ${show(observed)} in ${idsOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    }),
  ];
}
