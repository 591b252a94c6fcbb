import { type Check, type CheckSpec, check, checkId, type Finding } from '../../engine/check.ts';
import { failure, inconclusive } from '../../engine/findings.ts';
import type { SiteRecord } from '../../probing/records/reading/record.ts';
import { idsOf } from '../../probing/records/reading/trial.ts';
import { collectionsOf, isDescribed, operationFor, takes } from '../../specs/find-resource.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { firstViolation } from '../../specs/shapes.ts';
import { protectedChecks } from './protected-checks.ts';
import {
  CONTEXTS,
  type Context,
  type FieldMember,
  fieldOf,
  memberName,
  membersOf,
  readContext,
  relayed,
  rootCheckOf,
  type Shown,
  type Way,
} from './read-context.ts';
import { fieldTypeChecks, idChecks } from './type-checks.ts';

/** Checks of what the records of every collection show, and in which context (§2, R11 to R13). */
export function contextChecks(contract: Contract): Check[] {
  return collectionsOf(contract)
    .filter(isDescribed)
    .flatMap((resource) => [
      ...idChecks(contract, resource),
      ...memberChecks(contract, resource.id),
      ...fieldTypeChecks(contract, resource.id),
      ...protectedChecks(contract, resource),
    ]);
}

/** What the checks of one operation share. */
interface About {
  readonly operation: Operation;
  readonly collection: string;
  readonly way: Way;
  /** The check that reports a server error, which all of them see. */
  readonly root: string;
}

/** Checks that each member of a field appears in the contexts that are named for it and in no other (§2). */
function memberChecks(contract: Contract, collection: string): Check[] {
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
  return check({
    ...commonOf(operation),
    id,
    kind: 'contexts',
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
  });
}

function contentCheck({ operation, collection, way, root }: About): Check {
  const id = checkId(operation.id, 'contexts', 'content');
  return check({
    ...commonOf(operation),
    id,
    kind: 'contexts',
    field: { resource: collection, field: 'content' },
    title: `${operation.id} shows nothing of content in embed but whether it is protected`,
    async run(session) {
      const shown = await readContext(session, collection, way, 'embed');
      return 'finding' in shown ? [relayed(shown.finding, root, id)] : judgeContentInEmbed(shown);
    },
  });
}

function commonOf({ id }: Operation): Pick<CheckSpec, 'section' | 'basis' | 'operation' | 'needs'> {
  return {
    section: '2',
    basis: 'stated',
    operation: id,
    needs: [checkId(id, 'method', 'GET'), checkId(id, 'context', 'declared')],
  };
}

/** What was seen in each context that could be looked at. */
type Sight = ReadonlyMap<Context, Shown>;

/** The finding for a context that makes the server fail; undefined when none does. */
function brokenIn(sight: Sight): Finding | undefined {
  return [...sight.values()]
    .flatMap((shown) => ('finding' in shown ? [shown.finding] : []))
    .find(({ kind }) => kind === 'failure');
}

/**
 * Judges a member of a field: present in each context that is named for it, absent in the others (§2). A context that
 * cannot be seen is left out; in embed, content may be wholly absent (R12).
 */
function judgeMember(about: FieldMember, sight: Sight): Finding[] {
  const seen = [...sight].flatMap(([context, shown]) =>
    'records' in shown && shown.records.length > 0 ? [{ context, ...shown }] : [],
  );
  if (seen.length === 0) return [inconclusive(whyUnseen(sight))];
  if (!seen.some(({ records }) => records.some((record) => fieldOf(record, about.field) !== undefined))) {
    return [inconclusive(`no visible record has ${about.field}: its type may not support it`)];
  }
  for (const { context, records, curl } of seen) {
    const wanted = about.contexts.includes(context);
    if (wanted && mayBeAbsent(about, context)) continue;
    const shape = memberShape(about, context);
    const wrong = records.filter(({ json }) => firstViolation(shape, json) !== undefined);
    if (wrong.length === 0) continue;
    const name = memberName(about);
    return [
      failure(`${name} is ${wanted ? 'absent from' : 'shown in'} the context ${context}`, {
        expected: `${name} in ${about.contexts.join(', ')}${wanted ? '' : ' only'}`,
        observed: `${wanted ? 'without it' : 'with it'} in ${context}: ${idsOf(wrong)} of ${records.length}`,
        reproduce: [curl],
      }),
    ];
  }
  return [];
}

/** R12: in embed, content is absent or holds `protected` alone; `judgeContentInEmbed` looks at that. */
function mayBeAbsent({ field }: FieldMember, context: Context): boolean {
  return field === 'content' && context === 'embed';
}

/** Judges R12: in embed, content is absent or holds no member but `protected`. */
function judgeContentInEmbed({ records, curl }: Extract<Shown, { records: unknown }>): Finding[] {
  if (records.length === 0) return [inconclusive('no record is visible in embed')];
  const more = (record: SiteRecord): string[] =>
    Object.keys(fieldOf(record, 'content') ?? {}).filter((name) => name !== 'protected');
  const wrong = records.filter((record) => more(record).length > 0);
  const [first] = wrong;
  if (first === undefined) return [];
  return [
    failure('content holds more than protected in the context embed', {
      expected: 'no content, or nothing in it but protected',
      observed: `${more(first).join(', ')} in ${idsOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    }),
  ];
}

function whyUnseen(sight: Sight): string {
  const reasons = [...sight.values()].flatMap((shown) => ('finding' in shown ? [shown.finding.message] : []));
  return reasons[0] ?? 'no record is visible';
}

/** The shape of a record in one context as to one member of a field: `x-contexts` says whether it is shown there (§2). */
function memberShape({ field, member, contexts }: FieldMember, context: Context): object {
  return contexts.includes(context)
    ? { required: [field], properties: { [field]: { type: 'object', required: [member] } } }
    : { properties: { [field]: { properties: { [member]: false } } } };
}
