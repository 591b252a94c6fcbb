import { isObject, member } from '../../client/json.ts';
import type { Check, Finding } from '../../engine/check.ts';
import { show } from '../../engine/show.ts';
import { jsonType } from '../../generators/good-value.ts';
import { operationFor, takes } from '../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import type { SiteRecord } from '../records/reading/record.ts';
import { idsOf } from '../records/reading/subset-trial.ts';
import { relayed } from './judge-member.ts';
import { readContext } from './read-context.ts';
import { fieldsOf, rootCheckOf } from './record-fields.ts';

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
  const id = `records/${collection}/types/${field.name}`;
  return {
    id,
    title: `${field.wire} of ${collection} is ${typesOf(field.schema).join(' or ')}`,
    section: '2',
    basis: 'stated',
    effect: 'reads',
    operation: list.id,
    needsUser: true,
    dependsOn: [`${list.id}/method/GET`, `${list.id}/context/declared`],
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
    return [{ kind: 'inconclusive', message: `no visible record shows ${wire}` }];
  }
  const wrong = records.filter((record) => misfit(schema, shownValue(record)) !== undefined);
  const [first] = wrong;
  if (first === undefined) return [];
  const { path, value, types } = misfit(schema, shownValue(first)) ?? {
    path: '',
    value: undefined,
    types: [],
  };
  return [
    {
      kind: 'failure',
      message: `${wire}${path} is not of the stated type`,
      expected: types.join(' or '),
      observed: `${jsonType(value)} ${show(value)} in ${idsOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    },
  ];
}

/** Where a value is of another type than its schema states; what is not shown, and empty objects as arrays, fit. */
function misfit(
  schema: Schema,
  value: unknown,
  path = '',
): { path: string; value: unknown; types: readonly string[] } | undefined {
  if (value === undefined) return undefined;
  const types = typesOf(schema);
  const isEmpty = Array.isArray(value) && value.length === 0 && types.includes('object');
  if (types.length > 0 && !isEmpty && !types.includes(jsonType(value))) return { path, value, types };
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const item of value) {
      const found = misfit(schema.items, item, `${path}[]`);
      if (found !== undefined) return found;
    }
  }
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const found = misfit(inner, member(value, name), `${path}.${name}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
