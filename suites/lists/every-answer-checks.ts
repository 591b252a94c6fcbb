import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { failure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Args, Pair } from '../../generators/wire-forms.ts';
import { isDeclaredAsStated } from '../../probing/declarations/compare-constraint.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { idsOf, snapshotOf } from '../../probing/records/reading/run-rule.ts';
import {
  firstWrong,
  lookAtAnswers,
  type ShownAnswer,
  shownBy,
  withRequests,
} from '../../probing/records/reading/shown-answers.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import { FILTER_TABLE } from './filter-table.ts';
import { keepsMembers, shows } from './rules/member-rules.ts';
import { misplaced, SORT_KEYS } from './rules/order-rules.ts';
import { ARRANGING, evaluateAnswer, oracleOf, PREDICTORS } from './subsets/prediction.ts';
import { confirm } from './subsets/subset-checks.ts';

/**
 * The check that every answer of a list which the run was given holds what its query describes, sorted as asked, whatever other
 * checks asked for it (§4.6 to §4.8). It comes last, and asks only where something is wrong.
 */
export function everyListCheck(operation: Operation): Check[] {
  const { id, resource } = operation;
  if (resource === undefined || resource.parent !== undefined) return [];
  return [
    check({
      id: checkId(id, 'every-answer'),
      kind: 'shown',
      title: `whatever is asked for, ${id} holds what its filters describe, sorted and cut as asked`,
      on: operation,
      needs: [serves(operation, 'GET'), checkId('records', resource.id, 'id')],
      // What a filter alone shows, or a request without one, is reported there.
      after: [
        ...FILTER_TABLE.map(({ parameter, part }) => checkId(id, parameter, 'filters', part)),
        checkId(id, 'fuzz', 'subset'),
        ...[...ARRANGING].map((name) => checkId(id, name, 'default', 'applied')),
      ],
      run: (session) =>
        lookAtAnswers(session, checkId(id, 'every-answer'), [operation], async () => {
          const plain = plainParameters(session, operation);
          const asked = shownBy(session, operation).flatMap(
            (shown) => plainly(operation, plain, shown) ?? [],
          );
          if (asked.length === 0) return inconclusive('no list of this run was asked for plainly');
          const alone = await firstWrong(
            session,
            operation,
            asked.map(({ shown }) => shown),
            (shown) => judgeAlone(operation, plain, shown),
          );
          return alone ?? (await judgeByRecords(session, operation, asked));
        }),
    }),
  ];
}

/** What makes the sense of others another one: sticky records in front, and terms that are joined otherwise. */
const TURNING: readonly string[] = ['ignore_sticky', 'tax_relation', 'search_semantics', 'search_columns'];

/** Parameters by their names on the target. */
type Named = ReadonlyMap<string, Parameter>;

/** The parameters whose sense is plain. What the target declares otherwise, or not at all, is reported already. */
function plainParameters({ index }: Session, operation: Operation): Named {
  const plain = operation.parameters.filter(
    (one) => !TURNING.includes(one.name) && isDeclaredAsStated(index, operation, one),
  );
  return new Map(plain.map((one) => [one.wire, one]));
}

interface Plain {
  readonly shown: ShownAnswer;
  /** By the names of the target; with the defaults that arrange a list. */
  readonly args: Args;
}

/** An answer with the arguments that it was asked for, where every one of them is plain; undefined for any other. */
function plainly(operation: Operation, plain: Named, shown: ShownAnswer): Plain | undefined {
  const args: Record<string, unknown> = {};
  for (const { name, wire, schema } of operation.parameters) {
    if (ARRANGING.has(name) && schema.default !== undefined) args[wire] = schema.default;
  }
  const groups = Map.groupBy(shown.query, ([name]) => name.replace(/\[\d*\]$/, ''));
  for (const [wire, pairs] of groups) {
    const parameter = plain.get(wire);
    if (parameter === undefined) return undefined;
    const value = plainValueOf(parameter, pairs);
    // What "any" shows, the statuses themselves say.
    if (value === undefined || (Array.isArray(value) && value.includes('any'))) return undefined;
    args[wire] = value;
  }
  return { shown, args };
}

/** The value that pairs of a query say plainly; undefined where the site may read them in more than one way. */
function plainValueOf({ schema }: Parameter, pairs: readonly Pair[]): unknown {
  const types = typesOf(schema);
  const [[name, text = ''] = ['', '']] = pairs;
  if (types.includes('array')) {
    const [type = 'string'] = typesOf(schema.items ?? {});
    const isListed = pairs.every(([one]) => one.endsWith(']'));
    if (!isListed && pairs.length > 1) return undefined;
    const texts = isListed ? pairs.map(([, one]) => one) : text.split(',');
    const values = texts.map((one) => itemOf(type, one, schema.items?.enum));
    return values.includes(undefined) ? undefined : values;
  }
  if (pairs.length > 1 || name.endsWith(']') || types.length !== 1) return undefined;
  return itemOf(types[0] ?? '', text, schema.enum);
}

function itemOf(type: string, text: string, members: readonly unknown[] | undefined): unknown {
  if (members !== undefined) return members.includes(text) ? text : undefined;
  if (type === 'integer') return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return ['true', 'false'].includes(text) ? text === 'true' : undefined;
  return type === 'string' && text !== '' ? text : undefined;
}

/** Judges an answer by what its own records show: each filter that stands alone on its subject keeps each of them. */
function judgeAlone(operation: Operation, plain: Named, shown: ShownAnswer): Finding | undefined {
  const args = plainly(operation, plain, shown)?.args;
  if (args === undefined) return undefined;
  const { records, curl } = shown;
  const valueIn = (name: string): unknown => args[wireOf(operation, name)];
  const given = PREDICTORS.filter(({ parameter }) => valueIn(parameter) !== undefined);
  for (const { parameter, about, keeps } of given) {
    if (given.some((other) => other.parameter !== parameter && other.about === about)) continue;
    const value = valueIn(parameter);
    const rule = parameter === 'search' ? undefined : keeps(value);
    const wrong = records.filter((record) => rule?.(record) === false);
    if (wrong.length > 0) return lets(`${parameter}=${show(value)}`, idsOf(wrong), curl);
  }
  const statuses = valueIn('status') ?? defaultStatuses(operation);
  if (Array.isArray(statuses) && statuses.length > 0) {
    const wrong = records.filter(
      (record) => keepsMembers(shows('status'), statuses, false)(record) === false,
    );
    if (wrong.length > 0) return lets(`status=${show(statuses)}`, idsOf(wrong), curl);
  }
  return misordered(shown, valueIn);
}

function misordered({ records, curl }: ShownAnswer, valueIn: (name: string) => unknown): Finding | undefined {
  const [orderby, order, size] = ['orderby', 'order', 'per_page'].map(valueIn);
  if (new Set(records.map(({ id }) => id)).size < records.length || records.length > Number(size)) {
    return failure('a list repeats records, or holds more than were asked for', {
      expected: `${size} records at most, each once`,
      observed: idsOf(records),
      reproduce: [curl],
    });
  }
  const compare = SORT_KEYS[String(orderby)];
  const wrong = compare && misplaced(records, compare, order === 'asc' ? 'asc' : 'desc');
  if (wrong === undefined) return undefined;
  const [first, second] = wrong;
  return failure(`the list is not sorted by ${orderby}, ${order}`, {
    expected: `${second.id} before ${first.id}`,
    observed: `${first.id} before ${second.id}`,
    reproduce: [curl],
  });
}

function lets(what: string, ids: string, curl: string): Finding {
  return failure(`${what} lets through records that it does not describe`, {
    expected: 'records that it describes alone',
    observed: ids,
    reproduce: [curl],
  });
}

function wireOf({ parameters }: Operation, name: string): string {
  return parameters.find((one) => one.name === name)?.wire ?? '';
}

function defaultStatuses({ parameters }: Operation): unknown[] | undefined {
  const stated = parameters.find(({ name }) => name === 'status')?.schema.default;
  return stated === undefined ? undefined : [stated].flat();
}

/** Differences that a fresh look does not show, after which no more are looked at. */
const MOST_CONFIRMED = 5;

/** Judges what the caller who sees the most was shown by the records of the list: which are missing, and where it begins. */
async function judgeByRecords(
  session: Session,
  operation: Operation,
  asked: readonly Plain[],
): Promise<Finding | undefined> {
  const subject = await openList(session, operation, operation.route.wire);
  const oracle = await oracleOf(session, subject);
  const contextOf = wireOf(operation, 'context');
  let confirmed = 0;
  for (const { shown, args } of asked) {
    const { [contextOf]: context, ...filters } = args;
    const prediction = oracle.predict(filters);
    if (prediction === undefined || shown.as !== subject.as) continue;
    const known = await snapshotOf(session, subject, prediction.population);
    if ('finding' in known) continue;
    if (evaluateAnswer(filters, shown.records, known, prediction) === undefined) continue;
    // What is shown in another context may be more, or less.
    const same = { ...subject, context: context === 'edit' ? 'edit' : 'view' } as const;
    const fresh = await confirm(
      same,
      filters,
      prediction,
      (spec) => session.client.request(spec),
      () => {},
    );
    if (fresh.finding?.kind === 'failure') return withRequests(session, fresh.finding, [shown]);
    confirmed += 1;
    if (confirmed === MOST_CONFIRMED) break;
  }
  return undefined;
}
