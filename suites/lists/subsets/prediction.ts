import type { Observation } from '../../../client/observation.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Difference } from '../../../engine/equal.ts';
import { failure } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import {
  describeArgs,
  listRequest,
  pageSizeOf,
  readList,
  type Subject,
} from '../../../probing/records/reading/list-request.ts';
import { freshly, type Send, type Snapshot } from '../../../probing/records/reading/open-list.ts';
import { betweenReadings, snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import {
  allKeep,
  countOf,
  extraIn,
  idsOf,
  type Keeps,
  type Records,
  repeats,
  without,
} from '../../../probing/records/reading/trials.ts';
import type { Evaluation } from '../../../probing/search/fuzz-sets.ts';
import { defaultOf, takes, wireOf } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { PREDICTORS } from '../filter-table.ts';
import { type Compare, type Direction, inDirection, SORT_KEYS } from '../rules/compare-values.ts';
import { misplaced } from '../rules/order-rules.ts';
import { keepsStatuses, shownStatuses } from '../rules/status-rules.ts';

/** What a list must answer to some arguments. */
export interface Prediction {
  readonly args: Args;
  /** Whether it is predicted from the records of every status, instead of the default list. */
  readonly isOfEvery: boolean;
  /** Arguments that select these records. */
  readonly population: Args;
  readonly keeps: Keeps;
  readonly compare: Compare;
  readonly direction: Direction;
  /** How many records are skipped, and the most that follow. */
  readonly offset: number;
  readonly size: number;
}

export interface Oracle {
  /** @returns undefined for arguments with an unknown effect */
  predict(args: Args): Prediction | undefined;
  /** Arguments that show records of every status to those who may see them; undefined if the list has no status. */
  readonly everyStatus: Args | undefined;
}

/** The oracle of a list. Arguments have the names of the target. */
export async function oracleOf(session: Session, subject: Subject): Promise<Oracle> {
  const everyStatus = await everyStatusOf(session, subject);
  return { everyStatus, predict: (args) => predict(subject, everyStatus, args) };
}

async function everyStatusOf(session: Session, subject: Subject): Promise<Args | undefined> {
  const every = takes(subject.operation, 'status') ? await shownStatuses(session, subject) : {};
  if (Object.keys(every).length === 0) return undefined;
  // Who may not edit the records may not ask for other statuses either, and is shown those of the default.
  const shown = subject.context === 'view' ? await snapshotOf(session, subject, every) : undefined;
  return shown !== undefined && isFinding(shown) && shown.kind === 'inconclusive' ? undefined : every;
}

function predict(subject: Subject, everyStatus: Args | undefined, args: Args): Prediction | undefined {
  const { operation } = subject;
  const names = new Map(operation.parameters.map(({ wire, name }) => [wire, name]));
  const given = new Map(
    Object.entries(args).map(([wire, value]) => {
      const name = names.get(wire) ?? wire;
      return [name, value === null ? defaultOf(operation, name) : value];
    }),
  );
  const cut = cutOf(subject, given);
  const sorted = orderOf(subject, given);
  if (cut === undefined || sorted === undefined) return undefined;
  const byStatus = { about: 'status', keeps: (value: unknown) => keepsAmong(subject, everyStatus, value) };
  const all: Keeps[] = [];
  const abouts: string[] = [];
  for (const [name, value] of given) {
    const isIdle = MODIFIERS.includes(name) && !given.has('search');
    if (ARRANGING.has(name) || name === CONTEXT || isIdle) continue;
    const predictor = name === 'status' ? byStatus : PREDICTORS.find(({ parameter }) => parameter === name);
    const keeps = predictor?.keeps(value);
    if (predictor === undefined || keeps === undefined || abouts.includes(predictor.about)) return undefined;
    abouts.push(predictor.about);
    all.push(keeps);
  }
  const isOfEvery = everyStatus !== undefined && given.has('status');
  const population = isOfEvery ? everyStatus : {};
  return { args, isOfEvery, population, keeps: allKeep(all), ...sorted, ...cut };
}

/** The rule for records with one of the asked statuses; undefined if it is not known who has one. */
function keepsAmong(
  { operation }: Subject,
  everyStatus: Args | undefined,
  value: unknown,
): Keeps | undefined {
  if (everyStatus === undefined || !Array.isArray(value)) return undefined;
  // `any` leaves out the trash and its like.
  const isAny = Object.values(everyStatus).flat().includes('any');
  const kept = isAny ? operation.resource?.statuses?.kept : undefined;
  const areKnown = kept === undefined || value.every((status) => kept.includes(String(status)));
  return areKnown ? keepsStatuses(value) : undefined;
}

/** Parameters that cut the filtered list, and all that sort or cut it. */
export const ARRANGING: ReadonlySet<string> = new Set(['order', 'orderby', 'per_page', 'page', 'offset']);

/** Of these, parameters that say where an answer starts. */
export const STARTS: readonly string[] = ['page', 'offset'];

/** Parameters that change the meaning of others: sticky records come first, or terms are combined differently. */
export const MODIFIERS: readonly string[] = [
  'ignore_sticky',
  'tax_relation',
  'search_semantics',
  'search_columns',
];

/** Adds arguments without an effect in a list that is neither searched nor limited to terms. */
export function withIdle(operation: Operation, args: Args = {}): Args {
  if (wireOf(operation, 'search') in args) return args;
  const idle = operation.parameters.filter(({ name }) => MODIFIERS.includes(name));
  const values = idle.map(({ wire, schema }) => [
    wire,
    schema.items?.enum ?? schema.default ?? schema.enum?.[0],
  ]);
  return { ...Object.fromEntries(values), ...args };
}

/** Determines how much of each record is shown, not which records. */
export const CONTEXT = 'context';

type Given = ReadonlyMap<string, unknown>;

function orderOf({ usual }: Subject, given: Given): Pick<Prediction, 'compare' | 'direction'> | undefined {
  const orderby = given.get('orderby') ?? (usual === undefined ? 'id' : usual.orderby);
  const direction = given.get('order') ?? (usual === undefined ? 'desc' : usual.order) ?? 'desc';
  if (direction !== 'asc' && direction !== 'desc') return undefined;
  if (orderby === undefined) return { compare: () => undefined, direction };
  const compare = typeof orderby === 'string' ? SORT_KEYS[orderby] : undefined;
  return compare === undefined ? undefined : { compare, direction };
}

function cutOf(subject: Subject, given: Given): Pick<Prediction, 'offset' | 'size'> | undefined {
  const size = given.get('per_page') ?? pageSizeOf(subject);
  const [page, offset] = [given.get('page'), given.get('offset')];
  // Which of the two wins is silent, and so is the size after an offset if a list has no pages.
  if (page !== undefined && offset !== undefined) return undefined;
  if (typeof size !== 'number' || !(size >= 1)) return undefined;
  const isMoved = page !== undefined || offset !== undefined;
  if (isMoved && !Number.isFinite(size)) return undefined;
  const start = typeof page === 'number' ? (page - 1) * size : (offset ?? 0);
  return typeof start === 'number' && start >= 0 ? { offset: start, size } : undefined;
}

/** Evaluates an answer by the predicted records, their order and cuts. Ties allow several right answers. */
export function evaluateAnswer(
  answer: Records,
  snapshot: Snapshot,
  prediction: Prediction,
): Difference | undefined {
  const { records } = snapshot;
  const { args, keeps, compare, direction, size } = prediction;
  const left = Object.keys(args).filter((name) => args[name] === null);
  const named = describeArgs(args) || 'the list without arguments';
  const asked = left.length === 0 ? named : `${named}, without ${left.join(' and ')},`;
  const known = new Map(records.map((record) => [record.id, record]));
  const predicted = records.filter((record) => keeps(record) === true);
  const about = { expected: expectedOf(predicted, prediction), observed: countOf(answer) };
  if (repeats(answer)) return { message: `${asked} repeats records`, ...about };
  if (answer.length > size) return { message: `${asked} returns more records`, ...about };
  const extra = extraIn(asked, answer, snapshot, keeps);
  if (extra !== undefined) return { ...about, ...extra };
  const shown = answer.map((record) => known.get(record.id) ?? record);
  const wrong = misplaced(shown, compare, direction);
  if (wrong !== undefined) {
    const [first, second] = wrong;
    const observed = `${first.id} before ${second.id}, in ${idsOf(answer)}`;
    // Lists are sorted by id unless a set says otherwise.
    const isPlain = Object.keys(args).length === 0 && compare === SORT_KEYS.id;
    const message = isPlain ? 'orderby=id does not sort the list' : `${asked} is not sorted so`;
    return { message, expected: `${second.id} before ${first.id}`, observed };
  }
  const message = evaluatePlaces(asked, shown, predicted, snapshot, prediction);
  return message === undefined ? undefined : { message, ...about };
}

/** The ids of an answer in order, as text; undefined if the records leave one of them or their order open. */
export function idsBy(
  { keeps, compare, direction, offset, size }: Prediction,
  records: Records,
): string | undefined {
  const kept = records.filter((record) => keeps(record) !== false);
  const sorted = kept.toSorted(inDirection(compare, direction));
  const isOpen = sorted.some((record, at) => {
    const next = sorted[at + 1];
    return keeps(record) === undefined || (next !== undefined && !compare(record, next));
  });
  const shown = sorted.slice(offset, offset + size);
  return isOpen ? undefined : shown.map(({ id }) => id).join();
}

function evaluatePlaces(
  asked: string,
  answer: Records,
  predicted: Records,
  { records, complete, hides, total }: Snapshot,
  { keeps, compare, direction, offset, size }: Prediction,
): string | undefined {
  // Hidden records take positions that nobody sees.
  if (hides) {
    const isWhole = offset === 0 && total <= size;
    return isWhole && without(predicted, answer).length > 0
      ? `${asked} leaves out records that match`
      : undefined;
  }
  const open = complete ? records.filter((record) => keeps(record) === undefined).length : Infinity;
  const due = Math.min(size, Math.max(0, predicted.length - offset));
  if (answer.length < due) return `${asked} leaves out records that match`;
  if (answer.length > Math.max(0, predicted.length + open - offset)) {
    return `${asked} holds more records than are left`;
  }
  const order = inDirection(compare, direction);
  const astray = answer.find((record, at) => {
    const earlier = predicted.filter((other) => order(other, record) < 0).length;
    const later = predicted.filter((other) => order(other, record) > 0).length;
    const place = offset + at;
    return place < earlier || place > predicted.length + open - 1 - later;
  });
  return astray === undefined ? undefined : `${asked} begins at another place of the list`;
}

function expectedOf(predicted: Records, { offset, size }: Prediction): string {
  const cut = Number.isFinite(size) && (offset > 0 || size < predicted.length);
  return `${countOf(predicted)}${cut ? `, of these ${size} after the first ${offset}` : ''}, sorted as asked`;
}

interface Comparison {
  readonly end: Evaluation['end'];
  readonly observation: Observation;
  readonly difference?: Difference | undefined;
}

/** Sends a request, and compares the answer with what the records predict. */
export async function compare(
  subject: Subject,
  prediction: Prediction,
  snapshot: Snapshot,
  send: Send,
): Promise<Comparison> {
  const observation = await send(listRequest(subject, prediction.args));
  const answer = readList(observation, subject);
  if (answer.kind === 'refused') {
    const difference = await refusedStart(subject, prediction, snapshot, send);
    return { end: 'refused', observation, difference };
  }
  if (answer.kind !== 'list') return { end: 'other', observation };
  const difference = evaluateAnswer(answer.records, snapshot, prediction);
  return { end: 'accepted', observation, difference };
}

/** A start that is refused though records are left, and accepted without it; one beyond the end may be refused (R47). */
async function refusedStart(
  subject: Subject,
  { args, offset, keeps }: Prediction,
  { records }: Snapshot,
  send: Send,
): Promise<Difference | undefined> {
  const left = records.filter((record) => keeps(record) === true).length - offset;
  if (offset === 0 || left <= 0) return undefined;
  const starts = STARTS.map((name) => wireOf(subject.operation, name));
  const control = Object.fromEntries(Object.entries(args).filter(([name]) => !starts.includes(name)));
  const whole = readList(await send(listRequest(subject, control)), subject);
  if (whole.kind !== 'list') return undefined;
  const message = `${describeArgs(args)} is refused, though ${describeArgs(control)} is not`;
  return { message, expected: `the list after the first ${offset}`, observed: 'a refusal' };
}

/** Compares between two equal readings of the list. @param learn receives the current records if nothing differs */
export async function confirm(
  session: Session,
  subject: Subject,
  prediction: Prediction,
  learn?: (snapshot: Snapshot) => void,
): Promise<Evaluation> {
  const compared = await betweenReadings(session, subject, prediction.population, (before) =>
    compare(subject, prediction, before, freshly(session)),
  );
  if (isFinding(compared)) return { end: 'other', finding: compared };
  const { end, observation, difference } = compared.found;
  if (difference === undefined) {
    learn?.(compared.after);
    return { end };
  }
  const { message, expected, observed } = difference;
  const reproduce = [observation.curl, ...compared.after.curls.slice(0, 1)];
  return { end, finding: failure(message, { expected, observed, reproduce }), kind: 'subset' };
}
