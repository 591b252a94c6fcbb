import type { Observation } from '../../../client/observation.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { isDeclaredAsStated } from '../../../probing/declarations/compare-constraint.ts';
import { openSubject } from '../../../probing/records/reading/find-parent.ts';
import {
  listArgs,
  listRequest,
  readList,
  type Subject,
} from '../../../probing/records/reading/list-request.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { type SiteRecord, valuesOf } from '../../../probing/records/reading/record.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import { type Records, without } from '../../../probing/records/reading/trials.ts';
import { turned } from '../../../probing/search/fuzz-sets.ts';
import { isWellKnown, takes } from '../../../specs/find-resource.ts';
import type { Context, Contract, Operation, Parameter } from '../../../specs/model.ts';
import type { Schema } from '../../../specs/schema.ts';
import { unreadableBy } from '../filter-checks.ts';
import { PREDICTORS } from '../filter-table.ts';
import { SORT_KEYS } from '../rules/compare-values.ts';
import { type Choice, type PackedSet, packedSets } from './packed-sets.ts';
import { ARRANGING, CONTEXT, idsBy, type Oracle, oracleOf, STARTS, withIdle } from './prediction.ts';

const FEWEST_PARAMETERS = 3;
/** Records around which sets are drawn: if all filters keep one record, the answer is not empty. */
const MOST_KEPT = 5;
/** This many packed sets of a list are always sent; they combine most arguments with most others. */
const ALWAYS_PACKED = 18;
/** The most values of a filter, those that keep most records first, so that several filters leave some. */
const MOST_VALUES_OF_EACH = 8;
const SIZES = [1, 2, 3, 5];
const PAGES = [2, 3];
const OFFSETS = [1, 2];
/** Software often takes another path for a later page or a search, and forgets other arguments there. */
const HANDLED_APART = ['page', 'search'];
const MOST_WEIGHT = 3;
const USUAL = ['per_page', 'orderby', 'order'];
const PLAIN: Args = { context: undefined, per_page: undefined, orderby: undefined, order: undefined };
/** Statuses that stand for others, or that lists seldom show. */
const NO_STATUSES: ReadonlySet<unknown> = new Set(['any', 'trash', 'auto-draft']);

/** What is known of a list before sets of its arguments are packed. */
interface KnownList {
  readonly oracle: Oracle;
  /** The default list, and the records of every status. */
  readonly list: Snapshot;
  readonly every: Snapshot;
  readonly parameters: readonly Parameter[];
  /** The contexts of sets: several only if the list holds the same records in all, so that effects show in each. */
  readonly contexts: readonly Context[];
}

/** A list with its packed sets of arguments, and the records from which their answers are predicted. */
export interface PackedList extends KnownList {
  readonly packed: readonly PackedSet[];
}

/** What is known of a list, shared by all checks that send sets of arguments; a finding if it cannot be read. */
export const packedListOf: Fixture<PackedList | Finding, [subject: Subject]> = fixture(
  'packed sets',
  async (session, subject) => {
    const { operation } = subject;
    const oracle = await oracleOf(session, subject);
    const list = await snapshotOf(session, subject);
    if (isFinding(list)) return unreadableBy(operation, list);
    const every = await snapshotOf(session, subject, oracle.everyStatus);
    if (isFinding(every)) return every;
    const parameters = operation.parameters
      .filter((one) => isPredictable(one, oracle))
      // Other declarations of the target are already reported.
      .filter((one) => isDeclaredAsStated(session.index, operation, one));
    const contexts = await contextsOf(session, subject, list);
    const known = { oracle, list, every, parameters, contexts };
    const packed = await packedBy(known, session.fuzz.examples, session.seed);
    // What has no effect beside the others must not be refused either.
    const withSome = packed.map((set, at) =>
      at % 2 === 0 ? set : { ...set, args: withIdle(subject.operation, set.args) },
    );
    return { ...known, packed: withSome };
  },
  ({ route, context }) => [route, context],
);

/** Whether sets of arguments are packed for a list: other checks test all combinations of fewer parameters. */
export function isPacked(contract: Contract, { resource, parameters }: Operation): boolean {
  const isKnown = resource === undefined || isWellKnown(contract, resource);
  return isKnown && parameters.filter((one) => isPredictable(one)).length >= FEWEST_PARAMETERS;
}

/**
 * The packed sets that a site refuses, or fails for. The check that compares their answers sends the same requests.
 * @returns the arguments of each as sent, but for those that say where an answer starts, which may be refused (R47)
 */
export async function refusedSetsOf(session: Session, operation: Operation): Promise<Args[]> {
  if (operation.role !== 'list' || !isPacked(session.contract, operation)) return [];
  const subject = await orFinding(openSubject(session, operation));
  const known = isFinding(subject) ? subject : await packedListOf(session, subject);
  if (isFinding(subject) || isFinding(known)) return [];
  const refused: Args[] = [];
  for (const { args } of known.packed) {
    const { answer } = await session.ask(listRequest(subject, args));
    if (answer !== 'refused' && answer !== 'broken') continue;
    const given = Object.entries(listArgs(subject, args)).filter(([name]) => !STARTS.includes(name));
    refused.push(Object.fromEntries(given.filter(([, value]) => value !== null)));
  }
  return refused;
}

/** The packed sets of a list by a seed. If more are wanted than prove all pairs, the rest is built around other records. */
export async function packedBy(known: KnownList, examples: number, seed: number): Promise<PackedSet[]> {
  const { oracle, list, every, contexts } = known;
  const packed = new Map<string, PackedSet>();
  let most = Math.max(ALWAYS_PACKED, examples);
  for (let turn = seed, before = -1; most > 0 && packed.size > before; turn += 1) {
    before = packed.size;
    const around = choicesAround(known, turn);
    for (const set of await packedSets({ oracle, around, list, every }, most))
      packed.set(JSON.stringify(set.args), set);
    most = examples - packed.size;
  }
  const sets = [...packed.values()].map((set) => withDefaults(set, known));
  // Further sets show the same again, in all contexts in turn.
  const further = sets.slice(ALWAYS_PACKED).map((set, at) => inContext(set, contexts[at % contexts.length]));
  return [...inContexts(sets.slice(0, ALWAYS_PACKED), contexts), ...further];
}

/**
 * Leaves out of a set what has a stated default, so that it shows beside the others, if all that the set showed still
 * does.
 */
function withDefaults(set: PackedSet, { oracle, list, every, parameters }: KnownList): PackedSet {
  const answerTo = (args: Args): string | undefined => {
    const prediction = oracle.predict(args);
    return prediction && idsBy(prediction, (prediction.isOfEvery ? every : list).records);
  };
  const usual = parameters
    .filter(({ name, schema }) => USUAL.includes(name) && schema.default !== undefined)
    .map(({ wire }) => [wire, null]);
  const args: Args = { ...Object.fromEntries(usual), ...set.args };
  const whole = list.complete ? answerTo(args) : undefined;
  const isShown = (name: string): boolean => {
    const { [name]: _, ...others } = args;
    return answerTo(others) !== whole;
  };
  return whole !== undefined && set.shows.every(isShown) ? { ...set, args } : set;
}

/** The contexts in which the first page of a list holds the same records, its own first. */
async function contextsOf(session: Session, subject: Subject, { page }: Snapshot): Promise<Context[]> {
  if (subject.usual !== undefined || !takes(subject.operation, CONTEXT)) return [];
  const same: Context[] = [subject.context];
  const isOfChildren = subject.operation.resource?.parent !== undefined;
  for (const context of (['embed', 'view'] as const).filter((one) => one !== subject.context)) {
    // The checks of contexts send the same requests, and the search for a parent the plain one.
    const args = context === 'view' && isOfChildren ? PLAIN : { context };
    if (listsPage(page, await session.ask(listRequest(subject, args)))) same.push(context);
  }
  return same;
}

/** Whether an answer lists the records of a page, and no others. */
export function listsPage(page: Records, answer: Observation): boolean {
  const list = readList(answer);
  if (list.kind !== 'list') return false;
  return without(page, list.records).length + without(list.records, page).length === 0;
}

/** Gives each set the context in which it proves most that is new, above all what few further sets show. */
function inContexts(packed: readonly PackedSet[], contexts: readonly Context[]): PackedSet[] {
  const shown = new Map(contexts.map((context) => [context, new Set<string>()]));
  const [own, ...others] = contexts;
  return packed.map((set, at) => {
    const left = packed.slice(at);
    const freshIn = (context: Context): number =>
      set.shows
        .filter((one) => !shown.get(context)?.has(one))
        .reduce((sum, one) => sum + 1 / left.filter(({ shows }) => shows.includes(one)).length, 0);
    const open = others.filter((context) => freshIn(context) > 0);
    const best = open.toSorted((one, other) => freshIn(other) - freshIn(one))[0] ?? own;
    if (best === undefined) return set;
    for (const name of set.shows) shown.get(best)?.add(name);
    return inContext(set, best);
  });
}

function inContext({ args, shows }: PackedSet, context: Context | undefined): PackedSet {
  return { args: context === undefined ? args : { ...args, [CONTEXT]: context }, shows };
}

/** Whether the records predict the effect of a parameter of a list. @param oracle the oracle of this site, if known */
function isPredictable({ name }: Parameter, oracle?: Oracle): boolean {
  if (name === 'status') return oracle === undefined || oracle.everyStatus !== undefined;
  return ARRANGING.has(name) || predictorOf(name) !== undefined;
}

/** For each of some records: the parameters of a list with values that keep it. */
function choicesAround({ parameters, list, every }: KnownList, seed: number): Choice[][] {
  const size = parameters.find(({ name }) => name === 'per_page');
  const known = parameters.map((parameter) => {
    const { name, wire } = parameter;
    const choice = {
      name: wire,
      key: wire,
      about: STARTS.includes(name) ? 'beginning' : predictorOf(name)?.about,
      arranges: name === 'status' || ARRANGING.has(name),
      after: name === 'page' ? size?.wire : undefined,
      weight: HANDLED_APART.includes(name) ? MOST_WEIGHT : 1,
    };
    // Each order has a comparison of its own, which may be wrong beside a filter; few records hardly tell them apart.
    const isEach = name === 'orderby' && list.page.length > MOST_KEPT;
    return { choice, isEach, valuesAround: valuesIn(parameter, list, every) };
  });
  return turned(list.page, MOST_KEPT, seed).map((record) =>
    known.flatMap(({ choice, isEach, valuesAround }): Choice[] => {
      const values = valuesAround(record);
      if (isEach)
        return values.map((value) => ({ ...choice, key: `${choice.name} ${value}`, values: [value] }));
      return values.length > 0 ? [{ ...choice, values }] : [];
    }),
  );
}

function predictorOf(name: string): (typeof PREDICTORS)[number] | undefined {
  return PREDICTORS.find(({ parameter }) => parameter === name);
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
  const predictor = predictorOf(name);
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
      .slice(0, MOST_VALUES_OF_EACH)
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
