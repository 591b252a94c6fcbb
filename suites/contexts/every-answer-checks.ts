import { member } from '../../client/json.ts';
import type { RequestSpec } from '../../client/observation.ts';
import { type Check, type CheckSpec, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { firstDifference } from '../../engine/equal.ts';
import { failure, hasFailure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { present } from '../../engine/text.ts';
import { isProtected, type SiteRecord, toRecords } from '../../probing/records/reading/record.ts';
import {
  askAgain,
  firstWrong,
  lookAtAnswers,
  type ShownAnswer,
  shownBy,
  withRequests,
} from '../../probing/records/reading/shown-answers.ts';
import { collectionsOf, isDescribed, takes } from '../../specs/find-resource.ts';
import { CONTEXTS, type Contract, type Operation, type Resource } from '../../specs/model.ts';
import { evaluateContentInEmbed, misplacedIn } from './context-checks.ts';
import { leaks, noticesIn } from './protected-checks.ts';
import { fieldOf, fieldsOf, memberName, membersOf } from './read-context.ts';
import { comparisonsOf, type Differing, memberAt, otherIds } from './record-comparisons.ts';
import { evaluateChildren, evaluateIds, evaluateType, fieldsOfRightType } from './type-checks.ts';

/** Checks of all answers with records in this run (§2, R11 to R13). They send requests only to confirm a deviation. */
export function everyAnswerChecks(contract: Contract): Check[] {
  return collectionsOf(contract)
    .filter(isDescribed)
    .flatMap((resource) =>
      present([
        shownContextsCheck(contract, resource),
        shownTypesCheck(contract, resource),
        sameRecordCheck(contract, resource),
        shownProtectionCheck(contract, resource),
        contract.resources.filter(({ parent }) => parent === resource.id).map(shownIdsCheck),
      ]),
    );
}

function withContexts({ operations: { list, read } }: Resource): Operation[] {
  return present([list, read]).filter((one) => takes(one, 'context'));
}

type EveryAnswerSpec = Pick<CheckSpec, 'id' | 'title' | 'after' | 'basis' | 'needsUser'> & {
  readonly operations: readonly Operation[];
  /** A request that no other check sends. */
  readonly further?: RequestSpec;
  evaluate(
    session: Session,
    operation: Operation,
    answers: readonly ShownAnswer[],
  ): Promise<Finding | undefined>;
};

function everyAnswerCheck({
  operations,
  further,
  evaluate,
  after = [],
  ...spec
}: EveryAnswerSpec): Check | undefined {
  const [first] = operations;
  if (first === undefined) return undefined;
  return check({
    ...spec,
    kind: 'shown',
    section: '2',
    on: first,
    needs: [serves(first, 'GET')],
    after: [after, operations.map(({ id }) => checkId(id, 'fuzz', 'encodings'))],
    run: (session) =>
      lookAtAnswers(session, spec.id, operations, async () => {
        let count = 0;
        if (further !== undefined && session.caller === 'user') await session.ask(further);
        for (const operation of operations) {
          const answers = shownBy(session, operation);
          count += answers.filter(({ items }) => items.length > 0).length;
          const finding = await evaluate(session, operation, answers);
          if (finding !== undefined) return finding;
        }
        return count === 0 ? inconclusive('no answer of this run shows a record') : undefined;
      }),
  });
}

const IN_EDIT = [['context', 'edit']] as const;

function shownContextsCheck(contract: Contract, resource: Resource): Check | undefined {
  const members = membersOf(contract, resource.id);
  const byField = Map.groupBy(members, ({ field }) => field);
  const operations = withContexts(resource).filter(() => members.length > 0);
  const list =
    resource === collectionsOf(contract)[0] ? operations.find(({ role }) => role === 'list') : undefined;
  return everyAnswerCheck({
    // Who is not denied edit must get it, and all collections share the code that decides.
    ...(list && { further: { method: 'GET', route: list.route.wire, query: IN_EDIT, as: 'anonymous' } }),
    id: checkId('records', resource.id, 'every-answer', 'contexts'),
    title: `whatever is asked for, ${resource.id} show the members that are named for the context`,
    basis: 'stated',
    operations,
    after: [checkId('records', resource.id, 'other-ids'), afterContexts(contract, resource)],
    evaluate(session, operation, answers) {
      const all = operations.flatMap((one) => shownBy(session, one));
      // A type may not support a field.
      const supported = [...byField.keys()].filter((field) => all.some((one) => shows(one, field)));
      return firstWrong(session, operation, answers, (shown) => {
        const context = CONTEXTS.find((one) => one === shown.context);
        if (context === undefined) return undefined;
        const misplaced = [...byField].flatMap(([field, own]) => {
          if (!supported.includes(field) && !shows(shown, field)) return [];
          const records = shown.records.filter((record) => isObjectOrAbsent(record, field));
          return own.flatMap((one) => misplacedIn(one, context, { ...shown, records }) ?? []);
        });
        const inEmbed = byField.has('content') && context === 'embed' ? evaluateContentInEmbed(shown) : [];
        return [...misplaced, ...inEmbed].find(hasFailure);
      });
    },
  });
}

function shows({ records }: ShownAnswer, field: string): boolean {
  return records.some((record) => fieldOf(record, field) !== undefined);
}

/** The check of types reports a field that is something else. */
function isObjectOrAbsent(record: SiteRecord, field: string): boolean {
  return !Object.hasOwn(record.json, field) || fieldOf(record, field) !== undefined;
}

/** The checks of contexts alone, whose failures would show here again. */
function afterContexts(contract: Contract, resource: Resource): string[] {
  const members = membersOf(contract, resource.id);
  return withContexts(resource).flatMap((operation) => [
    checkId(operation.id, 'context', 'default', 'applied'),
    ...members.map((one) => checkId(operation.id, 'contexts', memberName(one))),
  ]);
}

function shownTypesCheck(contract: Contract, resource: Resource): Check | undefined {
  const fields = fieldsOf(contract, resource.id).filter(({ schema }) => schema.type !== undefined);
  const isRead = resource.operations.create !== undefined;
  return everyAnswerCheck({
    id: checkId('records', resource.id, 'every-answer', 'types'),
    title: `whatever is asked for, the id and the fields of ${resource.id} are of the stated types`,
    basis: 'stated',
    operations: isRead ? withContexts(resource) : [],
    after: [checkId('records', resource.id, 'id')],
    async evaluate(session, operation, answers) {
      const wrongOf = (some: typeof fields): Promise<Finding | undefined> =>
        firstWrong(session, operation, answers, (shown) => {
          const ids = evaluateIds(shown.items, ['id'], shown.curl);
          return [...ids, ...some.flatMap((field) => evaluateType(field, [shown]))].find(hasFailure);
        });
      const isWrong = (await wrongOf(fields)) !== undefined;
      return isWrong ? wrongOf(await fieldsOfRightType(session, resource.id, fields)) : undefined;
    },
  });
}

function shownIdsCheck({ id, kind, operations: { list, read } }: Resource): Check | undefined {
  return everyAnswerCheck({
    id: checkId('records', id, 'every-answer', 'ids'),
    title: `whatever is asked for, the id and the parent of ${id} are integers, and the parent is the one asked for`,
    basis: 'stated',
    needsUser: true,
    operations: present([list, read]),
    after: [
      checkId('records', id, 'ids'),
      checkId('records', id, 'other-ids'),
      // A list may find the children of others by their ids.
      list !== undefined && takes(list, 'include') && checkId(list.id, 'include', 'filters'),
    ],
    async evaluate(session, operation, answers) {
      // Software may read the latest autosave of a record whatever the id.
      const isRevision = operation.role === 'read' && kind === 'revisions';
      const wrong = await firstWrong(session, operation, answers, (shown) => {
        const parent = Number(/\/(\d+)\//.exec(shown.route)?.[1]);
        const found = evaluateChildren(shown.items, parent, shown.curl).find(hasFailure);
        return found ?? (isRevision ? anotherRecord(shown) : undefined);
      });
      return wrong ?? (kind === 'autosaves' ? otherIds(session, answers) : undefined);
    },
  });
}

/** The check that no two answers contradict each other about a record, with any page, filter, order or context (R11). */
function sameRecordCheck(contract: Contract, resource: Resource): Check | undefined {
  const { id: collection, operations } = resource;
  const { list, read } = operations;
  if (list === undefined) return undefined;
  return everyAnswerCheck({
    id: checkId('records', collection, 'every-answer', 'same'),
    title: `whatever is asked for, a record of ${collection} is the same one`,
    operations: [list],
    after: [
      checkId('records', collection, 'id'),
      checkId('records', collection, 'alone'),
      checkId('records', collection, 'every-answer', 'contexts'),
      checkId('records', collection, 'every-answer', 'types'),
      ['content', 'excerpt', 'every-answer'].map((word) => checkId('protected', collection, word)),
      fieldsOf(contract, collection).map(({ name }) => checkId('records', collection, 'types', name)),
      afterContexts(contract, resource),
    ],
    async evaluate(session, _, listed) {
      const alone = read === undefined ? [] : shownBy(session, read);
      const other = read && (await firstWrong(session, read, alone, anotherRecord));
      if (other !== undefined) return other;
      // Callers may be shown different values.
      for (const some of Map.groupBy([...listed, ...alone], ({ as }) => as).values()) {
        for (const difference of differencesAmong(contract, collection, some)) {
          const finding = await confirmedDifference(session, difference);
          if (finding !== undefined) return finding;
        }
      }
      return undefined;
    },
  });
}

interface DifferingAnswers {
  readonly id: number;
  readonly differing: Differing;
  readonly answers: readonly [ShownAnswer, ShownAnswer];
}

/** The answers that differ from the first one about the same record. */
function* differencesAmong(
  contract: Contract,
  collection: string,
  answers: readonly ShownAnswer[],
): Generator<DifferingAnswers> {
  const comparisonsIn = comparisonsOf(contract, collection);
  const first = new Map<string, readonly [SiteRecord, ShownAnswer]>();
  for (const shown of answers.toSorted((one, other) => rank(one) - rank(other))) {
    const comparisons = comparisonsIn(shown);
    const pairs = shown.records.flatMap((record) => comparisons.map((by) => [record, ...by] as const));
    for (const [record, within, differing] of pairs) {
      const { id } = record;
      const key = `${id} ${within}`;
      const [known, from] = first.get(key) ?? [];
      if (known === undefined || from === undefined) first.set(key, [record, shown]);
      else if (differing(known, record, [from.records, shown.records]).length > 0)
        yield { id, differing, answers: [from, shown] };
    }
  }
}

/** A read shows the record whose id it names, if it shows any. */
function anotherRecord({ route, records: [record], curl }: ShownAnswer): Finding | undefined {
  const asked = /\/(\d+)$/.exec(route)?.[1];
  if (asked === undefined || record === undefined || record.id === Number(asked)) return undefined;
  return failure('another record is read than the one that is asked for', {
    expected: `the record ${asked}, or a refusal`,
    observed: `the record ${record.id}`,
    reproduce: [curl],
  });
}

function rank({ context }: ShownAnswer): number {
  return ['edit', 'view', 'embed'].indexOf(context ?? '') >>> 0;
}

/** Confirms a difference with fresh requests, each twice, to notice a change of the record and texts made at random. */
async function confirmedDifference(
  session: Session,
  { id, differing, answers: [from, shown] }: DifferingAnswers,
): Promise<Finding | undefined> {
  const lookAgain = async (answer: ShownAnswer) => {
    // A cache may keep what it showed others before a record was changed: it does not know these addresses.
    const query =
      answer.as === 'anonymous' ? [...answer.query, ['_', String(Date.now())] as const] : answer.query;
    const { json } = await askAgain(session, { ...answer, query });
    const records = toRecords([json].flat());
    const record = records.find((item) => item.id === id);
    return record && { record, records };
  };
  const before = await lookAgain(from);
  const now = before && (await lookAgain(shown));
  const after = now && (await lookAgain(from));
  const again = after && (await lookAgain(shown));
  if (again === undefined || after === undefined || now === undefined || before === undefined)
    return undefined;
  const [name] = differing(before.record, now.record, [before.records, now.records]);
  const isMoving =
    differing(before.record, after.record).length > 0 || differing(now.record, again.record).length > 0;
  if (name === undefined || isMoving) return undefined;
  const [first, other] = [before, now].map(({ record }) => memberAt(record.json, name));
  const isShownOnce = first === undefined || other === undefined;
  const message = isShownOnce
    ? `one answer in the context ${shown.context} shows the ${name} of a record, and another one does not`
    : `two answers say something else of the ${name} of one record`;
  const { path, ...at } = firstDifference(first, other, name) ?? { path: name, one: first, other };
  const finding = failure(message, {
    expected: `${path} ${show(at.one)} of the record ${id}`,
    observed: `${path} ${show(at.other)}`,
    reproduce: [from.curl, shown.curl],
  });
  return withRequests(session, finding, [from, shown]);
}

function shownProtectionCheck(contract: Contract, resource: Resource): Check | undefined {
  const names = fieldsOf(contract, resource.id).map(({ name }) => name);
  const fields = ['content', 'excerpt'].filter((field) => names.includes(field));
  const isProtecting = resource.protects === true && names.includes('password');
  const operations = isProtecting ? withContexts(resource) : [];
  return everyAnswerCheck({
    id: checkId('protected', resource.id, 'every-answer'),
    title: `whatever is asked for, ${fields.join(' and ')} of ${resource.id} with a password are empty without it`,
    basis: 'stated',
    operations,
    after: fields.map((field) => checkId('protected', resource.id, field)),
    async evaluate(session, operation, answers) {
      const every = operations.flatMap((one) => shownBy(session, one));
      const locks = locksIn(every, fields);
      const closed = answers.filter(isClosed);
      const leakOf = leakFinder(fields, every);
      const all = new Set(locks.keys());
      const isLeaking = closed.some((shown) => leakOf(shown, all) !== undefined);
      for (const [id, lock] of isLeaking ? locks : []) {
        const one = new Set([id]);
        const leak = await firstWrong(session, operation, closed, (shown) => leakOf(shown, one), [lock]);
        if (leak === undefined) continue;
        // The owner may have removed the password meanwhile.
        const { json } = await askAgain(session, lock);
        const isLockedNow = (record: SiteRecord): boolean => record.id === id && isLocked(record, fields);
        if (toRecords([json].flat()).some(isLockedNow)) return leak;
      }
      return firstWrong(session, operation, answers, (shown) => misstated(shown, fields));
    },
  });
}

/** The records that answers show to be locked by a password, by id, each with its last answer. */
function locksIn(answers: readonly ShownAnswer[], fields: readonly string[]): Map<number, ShownAnswer> {
  const locks = answers.flatMap((shown) =>
    shown.records.filter((record) => isLocked(record, fields)).map(({ id }) => [id, shown] as const),
  );
  return new Map(locks);
}

function isLocked(record: SiteRecord, fields: readonly string[]): boolean {
  return (
    isProtected(record) || fields.some((field) => member(member(record.json, field), 'protected') === true)
  );
}

/** Which users need no password is not stated, nor who may edit, and editors see the text. */
function isClosed({ as, context, query }: ShownAnswer): boolean {
  return as === 'anonymous' && context !== 'edit' && !query.some(([name]) => name.startsWith('password'));
}

/** Returns a function that finds in an answer the text of a record whose id is given, or a wrong `protected`. */
function leakFinder(
  fields: readonly string[],
  answers: readonly ShownAnswer[],
): (shown: ShownAnswer, locked: ReadonlySet<number>) => Finding | undefined {
  const seen = answers.filter(isClosed).flatMap(({ records }) => records);
  const edited = answers.flatMap(({ context, records }) => (context === 'edit' ? records : []));
  const notices = new Map(fields.flatMap((field) => [...noticesIn(seen, field, edited)]));
  return (shown, locked) =>
    fields.flatMap((field) => leaks(shown, locked, field, notices)).find(hasFailure) ??
    misstated(shown, fields, locked);
}

/**
 * A record shows in `protected` whether it has a password (§2).
 * @param locked those that have one, as other answers show
 */
function misstated(
  { records, curl }: ShownAnswer,
  fields: readonly string[],
  locked: ReadonlySet<number> = new Set(),
): Finding | undefined {
  for (const { id, json } of records) {
    const password = member(json, 'password');
    const said = fields.map((field) => member(member(json, field), 'protected'));
    const wrong =
      typeof password === 'string' ? said.includes(password === '') : locked.has(id) && said.includes(false);
    if (!wrong) continue;
    return failure('protected does not say whether a record has a password', {
      expected: `protected is ${password !== ''}`,
      observed: `${show(said)} in ${id}`,
      reproduce: [curl],
    });
  }
  return undefined;
}
