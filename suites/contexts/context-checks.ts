import { member } from '../../client/json.ts';
import {
  type Check,
  type CheckSpec,
  check,
  checkId,
  declares,
  type Finding,
  type Found,
  serves,
} from '../../engine/check.ts';
import { failure, inconclusive, orAbort, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { isProtected, type SiteRecord } from '../../probing/records/reading/record.ts';
import { idsOf } from '../../probing/records/reading/run-rule.ts';
import { collectionsOf, isDescribed, operationFor, takes } from '../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../specs/model.ts';
import { firstViolation } from '../../specs/shapes.ts';
import { listedRecordChecks } from './listed-record-checks.ts';
import {
  CONTEXTS,
  type Context,
  type FieldMember,
  fieldOf,
  fieldsOf,
  memberName,
  membersOf,
  readAlone,
  readContext,
  readInList,
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
      ...listedRecordChecks(resource),
    ]);
}

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
      return broken === undefined ? evaluateMember(member, seen) : [relayed(broken, root, id)];
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
      return 'finding' in shown ? [relayed(shown.finding, root, id)] : evaluateContentInEmbed(shown);
    },
  });
}

function commonOf(operation: Operation): Pick<CheckSpec, 'section' | 'basis' | 'on' | 'needs'> {
  const { id } = operation;
  return {
    section: '2',
    basis: 'stated',
    on: operation,
    needs: [checkId(id, 'method', 'GET'), checkId(id, 'context', 'declared')],
  };
}

type Sight = ReadonlyMap<Context, Shown>;

function brokenIn(sight: Sight): Finding | undefined {
  return [...sight.values()]
    .flatMap((shown) => ('finding' in shown ? [shown.finding] : []))
    .find(({ kind }) => kind === 'failure');
}

/**
 * Evaluates a member of a field: present in each context that is named for it, absent in the others (§2). A context that
 * cannot be seen is left out; in embed, content may be wholly absent (R12).
 */
function evaluateMember(about: FieldMember, sight: Sight): Found {
  const seen = [...sight].flatMap(([context, shown]) =>
    'records' in shown && shown.records.length > 0 ? [{ context, ...shown }] : [],
  );
  if (seen.length === 0) return inconclusive(whyUnseen(sight));
  if (!seen.some(({ records }) => records.some((record) => fieldOf(record, about.field) !== undefined))) {
    return inconclusive(`no visible record has ${about.field}: its type may not support it`);
  }
  for (const { context, records, curl } of seen) {
    const wanted = about.contexts.includes(context);
    if (wanted && mayBeAbsent(about, context)) continue;
    const shape = memberShape(about, context);
    const wrong = records.filter(({ json }) => firstViolation(shape, json) !== undefined);
    if (wrong.length === 0) continue;
    const name = memberName(about);
    return failure(`${name} is ${wanted ? 'absent from' : 'shown in'} the context ${context}`, {
      expected: `${name} in ${about.contexts.join(', ')}${wanted ? '' : ' only'}`,
      observed: `${wanted ? 'without it' : 'with it'} in ${context}: ${idsOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    });
  }
  return [];
}

/** R12: in embed, content is absent or holds `protected` alone; `evaluateContentInEmbed` looks at that. */
function mayBeAbsent({ field }: FieldMember, context: Context): boolean {
  return field === 'content' && context === 'embed';
}

/** Evaluates R12: in embed, content is absent or holds no member but `protected`. */
function evaluateContentInEmbed({ records, curl }: Extract<Shown, { records: unknown }>): Finding[] {
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

/** Checks that a password protects content and excerpt (§2): without it their rendered text is empty. */
function protectedChecks(contract: Contract, { id: collection, operations, protects }: Resource): Check[] {
  const { list } = operations;
  const fields = fieldsOf(contract, collection).map(({ name }) => name);
  if (list === undefined || !takes(list, 'context') || protects !== true || !fields.includes('password'))
    return [];
  return ['content', 'excerpt']
    .filter((field) => fields.includes(field))
    .map((field) => protectedCheck(list, collection, field, rootCheckOf(contract, collection, 'list')));
}

function protectedCheck(list: Operation, collection: string, field: string, root: string): Check {
  const id = checkId('protected', collection, field);
  return check({
    area: 'protected',
    id,
    kind: 'contexts',
    title: `${field} of ${collection} with a password is empty without it`,
    section: '2',
    basis: 'stated',
    on: list,
    needs: [serves(list, 'GET'), declares(list, 'context')],
    // What a password protects is read without credentials.
    after: [checkId(`${collection}.read`, 'answers', 'anonymous')],
    async run(session) {
      const lists = await Promise.all(
        (['view', 'edit'] as const).map((context) => readContext(session, collection, 'list', context)),
      );
      const [view] = lists;
      if (view !== undefined && 'finding' in view) return relayed(view.finding, root, id);
      const locked = lockedIds(lists, field);
      const [first] = locked;
      if (first !== undefined) return evaluate(session, collection, field, locked);
      const message = `none of the visible ${collection} is protected by a password`;
      return inconclusive(message);
    },
  });
}

/** The records with a password: those that say so, and those whose password the edit context shows. */
function lockedIds(lists: readonly Shown[], field: string): ReadonlySet<number> {
  const records = lists.flatMap((shown) => ('records' in shown ? shown.records : []));
  const says = (record: SiteRecord): boolean =>
    isProtected(record) || member(fieldOf(record, field), 'protected') === true;
  return new Set(records.filter(says).map(({ id }) => id));
}

/** Looks without credentials: whether some users need no password is not stated. */
async function evaluate(
  session: Session,
  collection: string,
  field: string,
  locked: ReadonlySet<number>,
): Promise<Found> {
  const as = 'anonymous';
  const list = orAbort(await readInList(session, collection, 'view', as));
  const visible = list.records.find(({ id }) => locked.has(id));
  if (visible === undefined) {
    const message = `the ${collection} with a password are visible to users only`;
    return inconclusive(message);
  }
  const alone = await readAlone(session, collection, 'view', { id: visible.id, as });
  if ('finding' in alone && alone.finding.kind === 'failure') return alone.finding;
  // What content does in embed is evaluated for all records alike (R12).
  const embed = field === 'excerpt' ? [await readInList(session, collection, 'embed', as)] : [];
  return [list, alone, ...embed].flatMap((shown) => leaks(shown, locked, field));
}

function leaks(shown: Shown, locked: ReadonlySet<number>, field: string): Finding[] {
  if ('finding' in shown) return [];
  const wrong = shown.records.filter((record) => {
    const rendered = member(fieldOf(record, field), 'rendered');
    return locked.has(record.id) && rendered !== undefined && rendered !== '';
  });
  const [first] = wrong;
  if (first === undefined) return [];
  return [
    failure(`${field}.rendered of a record with a password is shown without it`, {
      expected: 'an empty text',
      observed: `${show(member(fieldOf(first, field), 'rendered'))} in ${idsOf(wrong)}`,
      reproduce: [shown.curl],
    }),
  ];
}
