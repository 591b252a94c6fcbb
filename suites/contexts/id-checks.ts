import { member } from '../../client/json.ts';
import type { Check, Finding } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { failure, inconclusive } from '../../engine/findings.ts';
import { show } from '../../engine/show.ts';
import type { Contract, Operation, Resource } from '../../specs/model.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import { misfitOf, publishedSchema } from '../../specs/shapes.ts';
import { findParent } from '../records/reading/find-parent.ts';
import { openList } from '../records/reading/open-list.ts';
import { snapshotOf } from '../records/reading/run-rule.ts';

type IdName = 'id' | 'parent';

/** Records with an id, and children with the id of their parent, by the published schema of records. */
const IDS: Readonly<Record<IdName, object>> = { id: recordWith('id'), parent: recordWith('parent') };

function recordWith(name: IdName): object {
  const properties = { [name]: publishedSchema(`record.schema.json#/$defs/${name}`) };
  return { type: 'object', properties, required: [name] };
}

/** Checks that the id of every record is an integer, and of revisions and autosaves the parent too (§2, R11). */
export function idChecks(contract: Contract, { id, operations }: Resource): Check[] {
  const { list } = operations;
  return [
    ...(list === undefined ? [] : [recordIdCheck(list, id)]),
    ...contract.resources
      .filter(({ parent }) => parent === id)
      .flatMap(({ operations: { list: children } }) =>
        children?.resource === undefined ? [] : [childIdCheck(children, id, children.resource)],
      ),
  ];
}

function recordIdCheck(list: Operation, collection: string): Check {
  return {
    id: checkId('records', collection, 'id'),
    title: `the id of each of the ${collection} is an integer`,
    section: '2',
    basis: 'stated',
    effect: 'reads',
    operation: list.id,
    dependsOn: [checkId(list.id, 'method', 'GET')],
    async run(session) {
      const snapshot = await snapshotOf(session, await openList(session, list, list.route.wire));
      if ('finding' in snapshot) return [snapshot.finding];
      return judgeIntegers(snapshot.items, ['id'], snapshot.curls[0] ?? '');
    },
  };
}

function childIdCheck(list: Operation, collection: string, { id, kind: child }: ResourceRow): Check {
  return {
    id: checkId('records', id, 'ids'),
    title: `the id and the parent of ${child} of ${collection} are integers`,
    section: '2',
    basis: 'stated',
    effect: 'reads',
    operation: list.id,
    needsUser: true,
    dependsOn: [checkId(list.id, 'method', 'GET')],
    async run(session) {
      const family = await findParent(session, list, 1);
      if ('reason' in family) return [inconclusive(family.reason)];
      const findings = judgeIntegers(family.items, ['id', 'parent'], family.curl);
      if (findings.length > 0) return findings;
      const strangers = family.items.filter((item) => member(item, 'parent') !== family.parent);
      if (strangers.length === 0) return [];
      return [
        failure(`the parent of some ${child} is not the record that they were asked for`, {
          expected: `parent ${family.parent}`,
          observed: `parent ${show(member(strangers[0], 'parent'))}`,
          reproduce: [family.curl],
        }),
      ];
    },
  };
}

function judgeIntegers(items: readonly unknown[], names: readonly IdName[], curl: string): Finding[] {
  if (items.length === 0) return [inconclusive('no record is visible')];
  for (const name of names) {
    const wrong = items.filter((item) => misfitOf(IDS[name], item) !== undefined);
    if (wrong.length === 0) continue;
    return [
      failure(`${name} is not an integer`, {
        expected: `an integer ${name} on each of ${items.length} records`,
        observed: `${show(member(wrong[0], name))}, on ${wrong.length} of them`,
        reproduce: [curl],
      }),
    ];
  }
  return [];
}
