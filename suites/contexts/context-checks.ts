import { isFinding } from '../../engine/aborted.ts';
import { reportOnce } from '../../engine/alike.ts';
import { type Check, checkId, declares, type Finding, type Found, serves } from '../../engine/check.ts';
import { blocked, failure, inconclusive, reportedBy } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { groupsBy } from '../../engine/text.ts';
import { isProtected, type SiteRecord } from '../../probing/records/reading/record.ts';
import { countOf } from '../../probing/records/reading/trials.ts';
import { collectionsOf, isDescribed, operationFor, takes } from '../../specs/find-resource.ts';
import { CONTEXTS, type Context, type Contract, type Operation } from '../../specs/model.ts';
import { listedRecordChecks } from './listed-record-checks.ts';
import { protectedChecks } from './protected-checks.ts';
import type { FieldMember, Seen, Shown } from './read-context.ts';
import {
  fieldOf,
  memberName,
  membersOf,
  readContext,
  rootCheckOf,
  seenOrAbort,
  shownCheck,
} from './read-context.ts';
import { fieldTypeChecks, idChecks } from './type-checks.ts';

/** Checks what the records of every collection show in each context (§2, R11 to R13). */
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

interface MemberSubject {
  readonly operation: Operation;
  readonly collection: string;
  readonly role: 'list' | 'read';
  /** The check that reports server errors, which all of them see. */
  readonly root: string;
  readonly members: readonly FieldMember[];
}

/** Checks that each member of a field appears in its stated contexts and in no other (§2). */
function memberChecks(contract: Contract, collection: string): Check[] {
  const members = membersOf(contract, collection);
  return (['list', 'read'] as const).flatMap((role) => {
    const operation = operationFor(contract, collection, role);
    if (operation === undefined || !takes(operation, 'context')) return [];
    const about = { operation, collection, role, root: rootCheckOf(contract, collection, role), members };
    // A published contract states the contexts of each member instead.
    const hasContent = operation.basis !== 'published' && members.some(({ field }) => field === 'content');
    return [
      // A site without any stored text shows none of its members.
      ...groupsBy(members, ({ member }) => member).flatMap((same) =>
        reportOnce(same.map((member) => memberCheck(about, member))),
      ),
      ...(hasContent ? [contentCheck(about)] : []),
    ];
  });
}

function memberCheck(about: MemberSubject, member: FieldMember): Check {
  const { operation, collection, role, root } = about;
  const id = checkId(operation.id, 'contexts', memberName(member));
  const only = member.contexts.length < CONTEXTS.length ? ' only' : '';
  return shownCheck({
    on: operation,
    needs: [serves(operation, 'GET'), declares(operation, 'context')],
    id,
    kind: 'contexts',
    field: { resource: collection, field: member.field, member: member.member },
    title: `${operation.id} shows ${memberName(member)} in ${member.contexts.join(', ')}${only}`,
    async run(session) {
      const reads = CONTEXTS.map(async (context) => {
        return [context, await readContext(session, collection, role, context)] as const;
      });
      const shown = new Map(await Promise.all(reads));
      const broken = shown.values().find((one) => isFinding(one) && one.kind === 'failure');
      seenOrAbort(broken, root, id);
      return withoutEdit(session, about, member, shown.get('edit')) ?? evaluateMember(member, shown);
    },
  });
}

/** The finding of members of edit alone if edit shows none of them at all: the check of the first one reports that. */
function withoutEdit(
  { runs }: Session,
  { operation, members }: MemberSubject,
  member: FieldMember,
  edit: Shown | undefined,
): Finding | undefined {
  const own = members.filter(({ contexts }) => contexts.join() === 'edit');
  if (edit === undefined || isFinding(edit) || own.length < 2 || !own.includes(member)) return undefined;
  const fields = edit.records.flatMap((record) =>
    own.flatMap(({ field, member: name }) => {
      const object = fieldOf(record, field);
      return object === undefined ? [] : [object[name]];
    }),
  );
  if (fields.length === 0 || fields.some((value) => value !== undefined)) return undefined;
  const idOf = (one: FieldMember): string => checkId(operation.id, 'contexts', memberName(one));
  const first = own.find((one) => runs(idOf(one)));
  if (first !== undefined && first !== member) return reportedBy(idOf(first));
  return failure('the context edit shows nothing that it alone has, as if another context were asked for', {
    expected: own.map(memberName).join(', '),
    observed: `none of them in ${countOf(edit.records)}`,
    reproduce: [edit.curl],
  });
}

function contentCheck({ operation, collection, role, root, members }: MemberSubject): Check {
  const id = checkId(operation.id, 'contexts', 'content');
  return shownCheck({
    on: operation,
    needs: [serves(operation, 'GET'), declares(operation, 'context')],
    id,
    kind: 'contexts',
    field: { resource: collection, field: 'content' },
    title: `${operation.id} shows nothing of content in embed but whether it is protected`,
    async run(session) {
      const shown = seenOrAbort(await readContext(session, collection, role, 'embed'), root, id);
      const named = members.find((one) => isTheOnlyOne(one, shown.records));
      const reporting = named && checkId(operation.id, 'contexts', memberName(named));
      if (reporting !== undefined && session.runs(reporting)) return [blocked(reporting)];
      return evaluateContentInEmbed(shown);
    },
  });
}

/** Whether a member of content is all that records show of it beside `protected`, so that its own check reports it. */
function isTheOnlyOne({ field, member, contexts }: FieldMember, records: readonly SiteRecord[]): boolean {
  if (field !== 'content' || contexts.includes('embed')) return false;
  const shown = records.flatMap((record) => Object.keys(fieldOf(record, field) ?? {}));
  return shown.includes(member) && shown.every((name) => name === member || name === 'protected');
}

/** Evaluates a member of a field: present in its stated contexts, absent in the others (§2, R12). */
function evaluateMember(about: FieldMember, shown: ReadonlyMap<Context, Shown>): Found {
  const seen: SeenIn[] = [...shown].flatMap(([context, one]) =>
    !isFinding(one) && one.records.length > 0 ? [{ context, ...one }] : [],
  );
  if (seen.length === 0) {
    const unseen = [...shown.values()].find(isFinding);
    return inconclusive(unseen?.message ?? 'no record is visible');
  }
  const { field } = about;
  if (!seen.some(({ records }) => records.some((record) => fieldOf(record, field) !== undefined))) {
    const isOther = seen.some(({ records }) => records.some(({ json }) => Object.hasOwn(json, field)));
    const why = isOther ? ' as an object' : ': its type may not support it';
    return inconclusive(`no visible record has ${field}${why}`);
  }
  const misplaced = seen.map(({ context, ...one }) => misplacedIn(about, context, one));
  return misplaced.find((one) => one !== undefined) ?? emptyIn(about, seen);
}

type SeenIn = Seen & { readonly context: Context };

/** So many records show that it is not their own matter if they show nothing of what they hold. */
const FEWEST_EMPTY = 3;

/** The finding if a rendered text is empty in all records of a context that hold some plain words, as editors read them. */
function emptyIn(about: FieldMember, seen: readonly SeenIn[]): Finding | undefined {
  const { field, member } = about;
  const edit = seen.find(({ context }) => context === 'edit');
  if (member !== 'rendered' || edit === undefined) return undefined;
  const open = edit.records.filter((record) => !isProtected(record) && hasWords(fieldOf(record, field)?.raw));
  const ids = new Set(open.map(({ id }) => id));
  for (const { context, records, curl } of seen) {
    const some = records.filter(({ id }) => ids.has(id));
    if (some.length < FEWEST_EMPTY || some.some((one) => hasText(fieldOf(one, field)?.rendered))) continue;
    return failure(`${memberName(about)} is empty in the context ${context}, though ${field}.raw is not`, {
      expected: `some of the text of ${field}.raw`,
      observed: `no text in ${countOf(some)}`,
      reproduce: [curl, edit.curl],
    });
  }
  return undefined;
}

/** Whether a stored text certainly shows something: it has a word apart from markup and what software replaces. */
function hasWords(raw: unknown): boolean {
  return typeof raw === 'string' && /\p{L}{3}/u.test(raw.replaceAll(/<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\}/g, ' '));
}

function hasText(rendered: unknown): boolean {
  return typeof rendered !== 'string' || rendered.trim() !== '';
}

/** The finding if records in a context lack a member that is stated for it, or show one that is not. */
export function misplacedIn(
  about: FieldMember,
  context: Context,
  { records, curl }: Seen,
): Finding | undefined {
  const isStated = about.contexts.includes(context);
  if (isStated && about.field === 'content' && context === 'embed') return undefined;
  const wrong = records.filter(
    (record) => Object.hasOwn(fieldOf(record, about.field) ?? {}, about.member) !== isStated,
  );
  if (wrong.length === 0) return undefined;
  const name = memberName(about);
  return failure(`${name} is ${isStated ? 'absent from' : 'shown in'} the context ${context}`, {
    expected: `${name} in ${about.contexts.join(', ')}${isStated ? '' : ' only'}`,
    observed: `${isStated ? 'without it' : 'with it'} in ${context}: ${countOf(wrong)} of ${records.length}`,
    reproduce: [curl],
  });
}

/** Evaluates R12: in embed, content is absent or has no member except `protected`. */
export function evaluateContentInEmbed({ records, curl }: Seen): Finding[] {
  if (records.length === 0) return [inconclusive('no record is visible in embed')];
  const more = (record: SiteRecord): string[] =>
    Object.keys(fieldOf(record, 'content') ?? {}).filter((name) => name !== 'protected');
  const wrong = records.filter((record) => more(record).length > 0);
  const [first] = wrong;
  if (first === undefined) return [];
  return [
    failure('content holds more than protected in the context embed', {
      expected: 'no content, or nothing in it but protected',
      observed: `${more(first).join(', ')} in ${countOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    }),
  ];
}
