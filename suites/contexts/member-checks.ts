import type { Check } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { operationFor, takes } from '../../specs/find-resource.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { brokenIn, judgeContentInEmbed, judgeMember, relayed } from './judge-member.ts';
import { CONTEXTS, readContext, type Way } from './read-context.ts';
import { type FieldMember, memberName, membersOf, rootCheckOf } from './record-fields.ts';

/** What the checks of one operation share. */
interface About {
  readonly operation: Operation;
  readonly collection: string;
  readonly way: Way;
  /** The check that reports a server error, which all of them see. */
  readonly root: string;
}

/** Checks that each member of a field appears in the contexts that are named for it and in no other (§2). */
export function memberChecks(contract: Contract, collection: string): Check[] {
  const members = membersOf(contract, collection);
  return (['list', 'read'] as const).flatMap((way) => {
    const operation = operationFor(contract, collection, way);
    if (operation === undefined || !takes(operation, 'context')) return [];
    const about = { operation, collection, way, root: rootCheckOf(contract, collection, way) };
    // Which members a site publishes for a context, it says of each.
    const hasContent = operation.basis !== 'published' && members.some(({ field }) => field === 'content');
    return [
      ...members.map((member) => memberCheck(about, member)),
      ...(hasContent ? [contentCheck(about)] : []),
    ];
  });
}

function memberCheck(about: About, member: FieldMember): Check {
  const { operation, collection, way, root } = about;
  const id = checkId(operation.id, 'contexts', memberName(member));
  const only = member.contexts.length < CONTEXTS.length ? ' only' : '';
  return {
    ...commonOf(operation),
    id,
    field: { resource: collection, field: member.field, member: member.member },
    title: `${operation.id} shows ${memberName(member)} in ${member.contexts.join(', ')}${only}`,
    async run(session) {
      const sight = CONTEXTS.map(async (context) => {
        return [context, await readContext(session, collection, way, context)] as const;
      });
      const seen = new Map(await Promise.all(sight));
      const broken = brokenIn(seen);
      return broken === undefined ? judgeMember(member, seen) : [relayed(broken, root, id)];
    },
  };
}

function contentCheck({ operation, collection, way, root }: About): Check {
  const id = checkId(operation.id, 'contexts', 'content');
  return {
    ...commonOf(operation),
    id,
    field: { resource: collection, field: 'content' },
    title: `${operation.id} shows nothing of content in embed but whether it is protected`,
    async run(session) {
      const shown = await readContext(session, collection, way, 'embed');
      return 'finding' in shown ? [relayed(shown.finding, root, id)] : judgeContentInEmbed(shown);
    },
  };
}

function commonOf({
  id,
}: Operation): Pick<Check, 'section' | 'basis' | 'effect' | 'operation' | 'dependsOn'> {
  return {
    section: '2',
    basis: 'stated',
    effect: 'reads',
    operation: id,
    dependsOn: [checkId(id, 'method', 'GET'), checkId(id, 'context', 'declared')],
  };
}
