import type { Observation } from '../../client/observation.ts';
import { isFinding, orFinding } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { failure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { type Args, encodeArgs, type Pair } from '../../generators/wire-forms.ts';
import { isDeclaredAsStated } from '../../probing/declarations/compare-constraint.ts';
import { openSubject } from '../../probing/records/reading/find-parent.ts';
import { idsIn } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import {
  askAgain,
  firstWrong,
  lookAtAnswers,
  type ShownAnswer,
  shownBy,
  withRequests,
} from '../../probing/records/reading/shown-answers.ts';
import { idsOf, repeats } from '../../probing/records/reading/trials.ts';
import { defaultOf, parameterNamed, wireOf } from '../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { FILTER_TABLE, PREDICTORS } from './filter-table.ts';
import { SORT_KEYS } from './rules/compare-values.ts';
import { misplaced } from './rules/order-rules.ts';
import { keepsStatuses, NOT_TRIED } from './rules/status-rules.ts';
import {
  ARRANGING,
  confirm,
  evaluateAnswer,
  MODIFIERS,
  oracleOf,
  STARTS,
  withIdle,
} from './subsets/prediction.ts';

/** The check that every answer of a list in this run holds what its query describes, in order (§4.6 to §4.8). */
export function everyListCheck(operation: Operation): Check[] {
  const { id, resource } = operation;
  if (resource === undefined || resource.kind === 'autosaves') return [];
  return [
    check({
      id: checkId(id, 'every-answer'),
      kind: 'shown',
      title: `whatever is asked for, ${id} holds what its filters describe, sorted and cut as asked`,
      on: operation,
      needs: [
        serves(operation, 'GET'),
        checkId('records', resource.id, resource.parent === undefined ? 'id' : 'ids'),
      ],
      ...(resource.parent !== undefined && { needsUser: true }),
      // Deviations of one filter, of a list without arguments, or of the member that a filter reads, are reported by these.
      after: [
        PREDICTORS.map(({ parameter }) =>
          checkId('records', resource.id, 'types', parameter.replace(/_exclude$/, '')),
        ),
        FILTER_TABLE.flatMap(({ parameter, part }) =>
          [part, 'beside'].map((how) => checkId(id, parameter, 'filters', how)),
        ),
        checkId(id, 'status', 'filters', 'anonymous'),
        checkId('records', resource.id, 'every-answer', 'same'),
        checkId(id, 'fuzz', 'subset'),
        checkId(id, 'fuzz', 'encodings'),
        // The requests of all defaults are evaluated too.
        operation.parameters.flatMap(({ name }) => [
          checkId(id, name, 'default'),
          checkId(id, name, 'default', 'applied'),
        ]),
      ],
      run: (session) =>
        lookAtAnswers(session, checkId(id, 'every-answer'), [operation], async () => {
          await askAsNobody(session, operation);
          const plain = plainParameters(session, operation);
          const asked = shownBy(session, operation).flatMap(
            (shown) => plainAnswer(operation, plain, shown) ?? [],
          );
          if (asked.length === 0) return inconclusive('no list of this run was asked for plainly');
          const alone = await firstWrong(
            session,
            operation,
            asked.map(({ shown }) => shown),
            (shown) => evaluateAlone(operation, plain, shown),
          );
          return (
            alone ??
            (await evaluateUsualSize(session, operation)) ??
            (await evaluateEmbed(session, operation)) ??
            (await evaluateByRecords(session, operation, asked))
          );
        }),
    }),
  ];
}

/** Asks without credentials for a status that few may see, which no other check does: no record has another one. */
async function askAsNobody(session: Session, operation: Operation): Promise<void> {
  const status = parameterNamed(operation, 'status');
  const word = status?.schema.items?.enum?.find((one) => !NOT_TRIED.has(String(one)));
  if (session.caller === 'anonymous' || status === undefined || word === undefined) return;
  const query = encodeArgs({ [status.wire]: [word] });
  await session.ask({ method: 'GET', route: operation.route.wire, query, as: 'anonymous' });
}

type Named = ReadonlyMap<string, Parameter>;

/** The parameters that are declared as stated. Other declarations of the target are already reported. */
function plainParameters({ index }: Session, operation: Operation): Named {
  const plain = operation.parameters.filter((one) => isDeclaredAsStated(index, operation, one));
  return new Map(plain.map((one) => [one.wire, one]));
}

interface Plain {
  readonly shown: ShownAnswer;
  readonly args: Args;
}

/** An answer with its arguments, if all of them are unambiguous; undefined otherwise. */
function plainAnswer(operation: Operation, plain: Named, shown: ShownAnswer): Plain | undefined {
  const args: Record<string, unknown> = {};
  for (const { name, wire, schema } of operation.parameters) {
    // A first page beside an offset would leave open which of the two a list applies.
    if (ARRANGING.has(name) && !STARTS.includes(name) && schema.default !== undefined)
      args[wire] = schema.default;
  }
  const groups = Map.groupBy(shown.query, ([name]) => name.replace(/\[\d*\]$/, ''));
  const idle = groups.has(wireOf(operation, 'search')) ? {} : withIdle(operation);
  for (const [wire, pairs] of groups) {
    const parameter = plain.get(wire);
    const value = parameter && plainValueOf(parameter, pairs);
    // The statuses themselves are evaluated instead of "any".
    if (value === undefined || (Array.isArray(value) && value.includes('any'))) return undefined;
    // What changes the meaning of others has no effect in some values, apart from a search.
    if (MODIFIERS.includes(parameter?.name ?? '') && !sameMeaning(value, idle[wire])) return undefined;
    args[wire] = value;
  }
  return { shown, args };
}

/** The unambiguous value of the pairs of a query; undefined if the site may read them in more than one way. */
function plainValueOf({ schema }: Parameter, pairs: readonly Pair[]): unknown {
  const types = typesOf(schema);
  const [[name, text = ''] = ['', '']] = pairs;
  if (types.includes('array')) return plainListOf(schema, pairs);
  if (pairs.length > 1 || name.endsWith(']') || types.length !== 1) return undefined;
  return itemOf(schema, text);
}

function plainListOf({ items = {}, uniqueItems }: Schema, pairs: readonly Pair[]): unknown[] | undefined {
  const isListed = pairs.every(([one]) => one.endsWith(']'));
  if (!isListed && pairs.length > 1) return undefined;
  const values = pairs.map(([, one]) => itemOf(items, one));
  const isRepeated = uniqueItems === true && new Set(values).size < values.length;
  return values.includes(undefined) || isRepeated ? undefined : values;
}

/** The value of a text; undefined for one that must be refused, which says nothing about the answer. */
function itemOf(schema: Schema, text: string): unknown {
  const [type = 'string'] = typesOf(schema);
  if (schema.enum !== undefined) return schema.enum.includes(text) ? text : undefined;
  if (type === 'boolean') return ['true', 'false'].includes(text) ? text === 'true' : undefined;
  if (type === 'integer') {
    const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema;
    const value = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  }
  const isDay = schema.format === 'date-time' && !text.includes('T');
  return type === 'string' && text !== '' && !isDay ? text : undefined;
}

/** Evaluates an answer by its own records: each must match every filter that is the only one of its subject. */
function evaluateAlone(operation: Operation, plain: Named, shown: ShownAnswer): Finding | undefined {
  const args = plainAnswer(operation, plain, shown)?.args;
  if (args === undefined) return undefined;
  const { records, curl } = shown;
  const valueIn = (name: string): unknown => args[wireOf(operation, name)];
  const given = PREDICTORS.filter(({ parameter }) => valueIn(parameter) !== undefined);
  const alone = given.filter(({ parameter, about }) => {
    const isBeside = given.some((other) => other.parameter !== parameter && other.about === about);
    return parameter !== 'search' && !isBeside;
  });
  const statuses = valueIn('status') ?? [defaultOf(operation, 'status') ?? []].flat();
  const rules = [
    ...alone.map(
      ({ parameter, keeps }) => [parameter, valueIn(parameter), keeps(valueIn(parameter))] as const,
    ),
    ...(Array.isArray(statuses) && statuses.length > 0
      ? [['status', statuses, keepsStatuses(statuses)] as const]
      : []),
  ];
  for (const [name, value, keeps] of rules) {
    const wrong = records.filter((record) => keeps?.(record) === false);
    if (wrong.length === 0) continue;
    return failure(`${name}=${show(value)} returns records that do not match`, {
      expected: 'records that it describes alone',
      observed: idsOf(wrong),
      reproduce: [curl],
    });
  }
  return misordered(shown, valueIn);
}

function misordered({ records, curl }: ShownAnswer, valueIn: (name: string) => unknown): Finding | undefined {
  const [orderby, order, size] = ['orderby', 'order', 'per_page'].map(valueIn);
  if (repeats(records) || records.length > Number(size)) {
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

/** Callers without credentials get the stated default of `per_page` too. Only if their pages differ is more requested. */
async function evaluateUsualSize(session: Session, operation: Operation): Promise<Finding | undefined> {
  const size = defaultOf(operation, 'per_page');
  if (session.caller === 'anonymous' || typeof size !== 'number') return undefined;
  const shown = shownBy(session, operation);
  const usual = shown.find(({ as, query }) => as === 'anonymous' && query.length === 0);
  const most = Math.max(...shown.map(({ records }) => records.length));
  if (usual === undefined || usual.records.length >= Math.min(size, most)) return undefined;
  // A cache may have kept the answer from before a creation: both sizes are requested at addresses that are new to it.
  const anew = (...query: Pair[]): Promise<Observation> =>
    askAgain(session, { ...usual, query: [...query, ['_', String(Date.now())]] });
  const sized = await anew([wireOf(operation, 'per_page'), String(size)]);
  const unsized = await anew();
  if (!Array.isArray(sized.json) || !Array.isArray(unsized.json)) return undefined;
  if (unsized.json.length >= sized.json.length) return undefined;
  const finding = failure(`callers without credentials get another default of per_page than ${size}`, {
    expected: `${sized.json.length} records, as with per_page=${size}`,
    observed: `${unsized.json.length}`,
    reproduce: [sized.curl, unsized.curl],
  });
  return withRequests(session, finding, [usual]);
}

/** Callers without credentials get the same records in embed as in view: a context only decides on their fields (§2). */
async function evaluateEmbed(session: Session, operation: Operation): Promise<Finding | undefined> {
  const name = wireOf(operation, 'context');
  const anonymous = shownBy(session, operation).filter(({ as }) => as === 'anonymous');
  const restOf = ({ query }: ShownAnswer): string => JSON.stringify(query.filter(([one]) => one !== name));
  for (const embed of anonymous.filter(({ context }) => context === 'embed')) {
    const view = anonymous.find((one) => one.context === 'view' && restOf(one) === restOf(embed));
    if (view === undefined || view.records.length <= embed.records.length) continue;
    const looks = [
      await askAgain(session, view),
      await askAgain(session, embed),
      await askAgain(session, view),
    ];
    const [before = 0, other = 0, after = 0] = looks.map((look) => idsIn(look).length);
    const isListed = looks.every(({ answer }) => answer === 'accepted');
    if (!isListed || before !== after || other >= before) continue;
    const finding = failure('callers without credentials get fewer records in embed than in view', {
      expected: `${before} records, as in view`,
      observed: `${other}`,
      reproduce: looks.slice(0, 2).map(({ curl }) => curl),
    });
    return withRequests(session, finding, [view, embed]);
  }
  return undefined;
}

/** After this many differences that fresh requests do not confirm, the check stops. */
const MOST_CONFIRMED = 5;

/** Evaluates the answers by all records of the list, which shows missing records and wrong starts. */
async function evaluateByRecords(
  session: Session,
  operation: Operation,
  asked: readonly Plain[],
): Promise<Finding | undefined> {
  const subject = await orFinding(openSubject(session, operation));
  if (isFinding(subject)) return undefined;
  const oracle = await oracleOf(session, subject);
  const contextOf = wireOf(operation, 'context');
  const [size, ...starts] = ['per_page', ...STARTS].map((name) => wireOf(operation, name));
  const isMeant = ({ shown: { as, route }, args }: Plain): boolean => {
    // Without a size, whether a list has pages and offsets is silent (R49).
    const isOpen = starts.some((name) => name in args) && !(size !== undefined && size in args);
    return as === subject.as && route === subject.route && !isOpen;
  };
  let confirmed = 0;
  for (const { shown, args } of asked.filter(isMeant)) {
    const { [contextOf]: context, ...filters } = args;
    const prediction = oracle.predict(filters);
    if (prediction === undefined) continue;
    const known = await snapshotOf(session, subject, prediction.population);
    if (isFinding(known) || evaluateAnswer(shown.records, known, prediction) === undefined) continue;
    // The edit context may list more or fewer records than the others.
    const same = { ...subject, context: context === 'edit' ? 'edit' : 'view' } as const;
    const called = context === 'embed' ? { ...prediction, args: { ...filters, context } } : prediction;
    const fresh = await confirm(session, same, called);
    if (fresh.finding?.kind === 'failure') return withRequests(session, fresh.finding, [shown]);
    confirmed += 1;
    if (confirmed === MOST_CONFIRMED) break;
  }
  return undefined;
}
