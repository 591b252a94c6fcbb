import type { Finding } from '../../../engine/check.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { draw } from '../../../generators/explore.ts';
import { type ArgumentSet, type SetParameter, setsOfAny, validSets } from '../../../generators/sets.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { isDeclaredAsStated } from '../../../probing/declarations/compare-constraint.ts';
import { listRequest, readList, type Subject } from '../../../probing/records/reading/list-request.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { type SiteRecord, valuesOf } from '../../../probing/records/reading/record.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import type { FuzzSet } from '../../../probing/search/note-tried.ts';
import { setOf, turned } from '../../../probing/search/note-tried.ts';
import { takes } from '../../../specs/find-resource.ts';
import type { Context, Parameter } from '../../../specs/model.ts';
import type { Schema } from '../../../specs/schema.ts';
import { unreadableBy } from '../filter-checks.ts';
import { SORT_KEYS } from '../rules/order-rules.ts';
import { type PackedSet, packedSets } from './packed-sets.ts';
import {
  ARRANGING,
  CONTEXT,
  CUTTING,
  type Oracle,
  oracleOf,
  PREDICTORS,
  type Prediction,
} from './prediction.ts';

/** Records around which sets are drawn: if all filters keep one record, the answer is not empty. */
const MOST_KEPT = 5;
/** This many packed sets of a list are always sent; they combine most arguments with most others. */
const ALWAYS_PACKED = 16;
/** The average numbers of arguments in random sets; with all of them hardly a record is left. */
const MEAN_SIZES = [3, 6];
/** The most values of a filter, those that keep most records first, so that several filters leave some. */
const MOST_VALUES = 8;
/** Sets drawn for each set that is sent. */
const DRAWN = 20;
/** The most sets drawn; evaluating more takes too long. */
const MOST_DRAWN = 2000;
const SIZES = [1, 2, 3, 5];
const PAGES = [2, 3];
const OFFSETS = [1, 2];
/** Statuses that stand for others, or that lists seldom show. */
const NO_STATUSES: ReadonlySet<unknown> = new Set(['any', 'trash', 'auto-draft']);

/** A list with its packed sets of arguments, and the records from which their answers are predicted. */
interface PackedList {
  readonly oracle: Oracle;
  /** The default list, and the records of every status. */
  readonly list: Snapshot;
  readonly every: Snapshot;
  /** The parameters of sets. */
  readonly parameters: readonly Parameter[];
  readonly packed: readonly PackedSet[];
  /** The contexts of sets: several only if the list holds the same records in all, so that effects show in each. */
  readonly contexts: readonly Context[];
}

/** What is known of a list, shared by all checks that send sets of arguments; a finding if it cannot be read. */
export const packedListOf: Fixture<PackedList | { readonly finding: Finding }, [subject: Subject]> = fixture(
  'packed sets',
  async (session, subject) => {
    const { operation } = subject;
    const oracle = await oracleOf(session, subject);
    const list = await snapshotOf(session, subject);
    if ('finding' in list) return { finding: unreadableBy(operation, list.finding) };
    const every = await snapshotOf(session, subject, oracle.everyStatus);
    if ('finding' in every) return every;
    const parameters = operation.parameters
      .filter((one) => isPredictable(one, oracle))
      // Other declarations of the target are already reported.
      .filter((one) => isDeclaredAsStated(session.index, operation, one));
    const around = parametersAround(parameters, { list, every }, session.seed);
    const apart = apartIn(parameters);
    const most = Math.max(ALWAYS_PACKED, session.fuzz.examples);
    const arranging = new Set(
      parameters.flatMap(({ name, wire }) => (name === 'status' || ARRANGING.has(name) ? [wire] : [])),
    );
    const arranges = (wire: string): boolean => arranging.has(wire);
    const packed = await packedSets({ oracle, around, list, every, apart, arranges }, most);
    const contexts = await contextsOf(session, subject, list);
    return { oracle, list, every, parameters, packed: inContexts(packed, contexts), contexts };
  },
  ({ route }) => [route],
);

/** The contexts in which a list holds the same records, its own first. */
async function contextsOf(session: Session, subject: Subject, { records }: Snapshot): Promise<Context[]> {
  if (subject.usual !== undefined || !takes(subject.operation, CONTEXT)) return [];
  const same: Context[] = [subject.context];
  // What children show in embed is silent (§2). For other records the checks of contexts send the same request.
  const others: readonly Context[] =
    subject.operation.resource?.parent === undefined ? ['embed', 'view'] : ['view'];
  for (const context of others.filter((one) => one !== subject.context)) {
    const answer = readList(await session.ask(listRequest(subject, { context })));
    const ids = new Set(answer.kind === 'list' ? answer.records.map(({ id }) => id) : []);
    if (ids.size === records.length && records.every(({ id }) => ids.has(id))) same.push(context);
  }
  return same;
}

/** Gives each set the context in which it proves most that is new. */
function inContexts(packed: readonly PackedSet[], contexts: readonly Context[]): PackedSet[] {
  const shown = new Map(contexts.map((context) => [context, new Set<string>()]));
  return packed.map(({ args, shows }) => {
    const freshIn = (context: Context): number => shows.filter((one) => !shown.get(context)?.has(one)).length;
    const [own, ...others] = contexts;
    const open = others.filter((context) => freshIn(context) > 0);
    const best = open.toSorted((one, other) => freshIn(other) - freshIn(one))[0] ?? own;
    if (best === undefined) return { args, shows };
    for (const one of shows) shown.get(best)?.add(one);
    return { args: { ...args, [CONTEXT]: best }, shows };
  });
}

/** Random sets with predictable answers, those of many that prove most. All filters of a set keep one record. */
export function subsetSets(
  { parameters, oracle, list, every, contexts }: Omit<PackedList, 'packed'>,
  count: number,
  seed: number,
): FuzzSet[] {
  const kinds = parametersAround(parameters, { list, every }, seed)
    .flatMap((some) => kindsOf(parameters, some))
    .flatMap((some) => MEAN_SIZES.map((many) => validSets(some, many)));
  if (kinds.length === 0) return [];
  const apart = apartIn(parameters);
  const drawn = draw(setsOfAny(kinds), Math.min(count * DRAWN, Math.max(count, MOST_DRAWN)), seed).map(
    (set, at) => withoutApart(set, apart, at),
  );
  const predict: Predict = (args) => {
    const prediction = oracle.predict(args);
    if (prediction === undefined) return undefined;
    return { prediction, snapshot: Object.keys(prediction.population).length === 0 ? list : every };
  };
  return distinguishingSets(drawn, predict, count).map((args, at) => {
    const context = contexts[at % contexts.length];
    return setOf('random', context === undefined ? args : { ...args, [CONTEXT]: context }, PREDICTED);
  });
}

/** The keyword of sets of predictable arguments. */
export const PREDICTED = 'records';

/** Filters alone, with an order, and with a cut as well, which hides some effects of filters. */
function kindsOf(
  parameters: readonly Parameter[],
  known: readonly SetParameter[],
): (readonly SetParameter[])[] {
  const without = (left: ReadonlySet<string>): SetParameter[] => {
    const names = new Set(parameters.filter(({ name }) => left.has(name)).map(({ wire }) => wire));
    return known.filter(({ name }) => !names.has(name));
  };
  return [without(ARRANGING), without(CUTTING), known].filter((some) => some.length > 1);
}

/** Whether the records predict the effect of a parameter of a list. @param oracle the oracle of this site, if known */
export function isPredictable({ name }: Parameter, oracle?: Oracle): boolean {
  if (name === 'status') return oracle === undefined || oracle.everyStatus !== undefined;
  return ARRANGING.has(name) || PREDICTORS.some(({ parameter }) => parameter === name);
}

/** For each of some records: the parameters of a list with values that keep it. */
function parametersAround(
  parameters: readonly Parameter[],
  { list, every }: Pick<PackedList, 'list' | 'every'>,
  seed: number,
): SetParameter[][] {
  const choices = parameters.map((parameter) => ({
    name: parameter.wire,
    schema: parameter.schema,
    required: false,
    knownAround: valuesIn(parameter, list, every),
  }));
  return turned(list.page, MOST_KEPT, seed).map((record) =>
    choices.flatMap(({ knownAround, ...about }) => {
      const known = knownAround(record);
      return known.length === 0 ? [] : [{ ...about, known }];
    }),
  );
}

function valuesIn(
  { name, schema }: Parameter,
  list: Snapshot,
  every: Snapshot,
): (record: SiteRecord) => readonly unknown[] {
  switch (name) {
    case 'order':
      return () => ['asc', 'desc'];
    case 'orderby':
      return () => (schema.enum ?? []).filter((value) => Object.hasOwn(SORT_KEYS, String(value)));
    case 'per_page':
      return () => SIZES;
    case 'page':
      return () => PAGES;
    case 'offset':
      return () => OFFSETS;
    case 'status':
      return (record) => statusesAround(record, every).filter((value) => isListed(schema, value));
  }
  const predictor = PREDICTORS.find(({ parameter }) => parameter === name);
  const known = (predictor?.values(list.page) ?? []).flatMap((value) => {
    if (!isListed(schema, value)) return [];
    const keeps = predictor?.keeps(value);
    const left = list.page.filter((one) => keeps?.(one) === false).length;
    return keeps === undefined || left === 0 ? [] : [{ value, keeps, left }];
  });
  const wide = known.sort((one, other) => one.left - other.left);
  return (record) =>
    wide
      .filter(({ keeps }) => keeps(record) === true)
      .slice(0, MOST_VALUES)
      .map(({ value }) => value);
}

/** Whether a list certainly accepts a value: records may have others, such as statuses of a removed plugin. */
function isListed({ items }: Schema, value: unknown): boolean {
  return items?.enum === undefined || [value].flat().every((one) => items.enum?.includes(one));
}

/** The status of a record alone, and with each other visible one. */
function statusesAround(record: SiteRecord, { records }: Snapshot): unknown[] {
  const [own] = valuesOf(record, 'status') ?? [];
  const others = new Set(records.flatMap((one) => valuesOf(one, 'status') ?? []));
  if (own === undefined || others.size < 2) return [];
  return [
    [own],
    ...[...others].filter((one) => one !== own && !NO_STATUSES.has(one)).map((one) => [own, one]),
  ];
}

/** Whether two parameters filter by the same thing, or both say where an answer starts. */
function apartIn(parameters: readonly Parameter[]): (one: string, other: string) => boolean {
  const about = new Map(
    parameters.map(({ name, wire }) => [
      wire,
      name === 'page' || name === 'offset'
        ? 'beginning'
        : PREDICTORS.find(({ parameter }) => parameter === name)?.about,
    ]),
  );
  return (one, other) => one !== other && about.get(one) !== undefined && about.get(one) === about.get(other);
}

/** Removes arguments that must not be combined; which of two stays varies from set to set. */
function withoutApart(
  { args }: ArgumentSet,
  apart: (one: string, other: string) => boolean,
  turn: number,
): Args {
  const names = Object.keys(args);
  const first = turn % Math.max(1, names.length);
  const inTurn = [...names.slice(first), ...names.slice(0, first)];
  const stays = inTurn.filter((name, at) => !inTurn.slice(0, at).some((earlier) => apart(earlier, name)));
  return Object.fromEntries(
    names.filter((name) => stays.includes(name)).map((name) => [name, args[name]?.value]),
  );
}

/** Predicts the answer of a list, with the records it is predicted from. */
type Predict = (args: Args) => { readonly prediction: Prediction; readonly snapshot: Snapshot } | undefined;

/** Selects at most `count` sets, each of which proves an argument together with two others for the first time. */
function distinguishingSets(candidates: readonly Args[], predict: Predict, count: number): Args[] {
  let open = candidates.map((args) => ({
    args,
    groups: groupsOf(Object.keys(args), distinguishingNames(args, predict)),
  }));
  const covered = new Set<string>();
  const chosen: Args[] = [];
  while (chosen.length < count) {
    let best: { readonly args: Args; readonly groups: readonly string[] } | undefined;
    let most = 0;
    open = open.flatMap((one) => {
      const fresh = one.groups.filter((group) => !covered.has(group));
      if (fresh.length > most) {
        best = one;
        most = fresh.length;
      }
      return fresh.length === 0 ? [] : [{ ...one, groups: fresh }];
    });
    if (best === undefined) break;
    chosen.push(best.args);
    for (const group of best.groups) covered.add(group);
  }
  return chosen;
}

/** The arguments without which the prediction differs. */
function distinguishingNames(args: Args, predict: Predict): string[] {
  const whole = answerOf(args, predict);
  // A start beyond the end may be refused (R47), which proves nothing.
  if (whole === undefined || whole === '') return [];
  return Object.keys(args).filter((name) => {
    const { [name]: _, ...others } = args;
    const without = answerOf(others, predict);
    return without !== undefined && without !== whole;
  });
}

/** The certain part of a prediction. */
function answerOf(args: Args, predict: Predict): string | undefined {
  const known = predict(args);
  if (known === undefined) return undefined;
  const { keeps, compare, direction, offset, size } = known.prediction;
  const sign = direction === 'asc' ? 1 : -1;
  return known.snapshot.records
    .filter((record) => keeps(record) === true)
    .sort((one, other) => (compare(one, other) ?? 0) * sign)
    .slice(offset, offset + size)
    .map(({ id }) => id)
    .join();
}

/** What a set proves: that an argument applies together with another one, and with two others. */
function groupsOf(names: readonly string[], conclusive: readonly string[]): string[] {
  return conclusive.flatMap((one) => {
    const others = names.filter((name) => name !== one).toSorted();
    return others.flatMap((other, at) => [
      `${one} ${other}`,
      ...others.slice(at + 1).map((third) => `${one} ${other} ${third}`),
    ]);
  });
}
