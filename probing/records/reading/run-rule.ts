import type { Observation } from '../../../client/observation.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import { blocked, failure, inconclusive } from '../../../engine/findings.ts';
import { type Caller, type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { listed } from '../../../engine/text.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { describeArgs, listRequest, MOST_PER_PAGE, readList, type Subject } from './list-request.ts';
import {
  recordsBeside,
  type Send,
  type Snapshot,
  sameSnapshot,
  takeSnapshot,
  type Unread,
} from './open-list.ts';
import type { SiteRecord } from './record.ts';

/** The records of one answer, in its order. */
export type Records = readonly SiteRecord[];

/** Whether a record belongs into an answer; undefined when its members do not show it. */
export type Keeps = (record: SiteRecord) => boolean | undefined;

/** Requests whose answers the records of a list predict. */
export interface Trial {
  /** Arguments of each request, beside those that every request has. */
  readonly requests: readonly Args[];
  /** Whether a request that is refused is left out: something else reports it. Otherwise it differs. */
  readonly skipsRefused?: boolean;
  /** Which records its one answer must hold, where it is a filter. */
  readonly keeps?: Keeps;
  /** What is wrong with the answers, one for each request; undefined when nothing is. */
  evaluate(answers: readonly Records[], snapshot: Snapshot): Difference | undefined;
  /** Why answers that are not wrong prove nothing; undefined when they do prove something. */
  silent?(answers: readonly Records[], snapshot: Snapshot): string | undefined;
}

/** What a rule may ask besides looking at the snapshot. */
interface Site {
  /** The list that is asked for. */
  readonly operation: Operation;
  /** Who asks. */
  readonly as: Caller;
  /** The name that the target uses for a parameter of the list. */
  wire(parameter: string): string;
  /** Reads a list beside the one that is checked, such as the terms; undefined where the index does not list it. */
  readBeside(collection: string): Promise<Records | undefined>;
}

/** Chooses from the records what to try, so that the answer shows something; a text says why they show nothing. */
export type Rule = (
  snapshot: Snapshot,
  site: Site,
) => readonly Trial[] | string | Promise<readonly Trial[] | string>;

/** A trial that shows something only together with others of its rule, and is not asked for more alone. */
export function jointly({ silent: _, ...trial }: Trial): Trial {
  return trial;
}

/** A request whose answer must hold the records that a predicate keeps, and no others. */
export function subsetTrial(args: Args, keeps: Keeps): Trial {
  return {
    requests: [args],
    keeps,
    evaluate: ([answer = []], snapshot) => compareSubset(nameOf(args), answer, snapshot, keeps),
    silent([answer = []], { records, page }) {
      const kept = records.filter((record) => keeps(record) === true).length;
      const excludes = page.some((record) => keeps(record) === false) || leavesOut(answer, page);
      if (kept > 0 && excludes) return undefined;
      return `${nameOf(args)} describes ${kept === 0 ? 'none' : 'all'} of the records that are visible`;
    },
  };
}

/**
 * Several values as one text with commas, which describes what the list of them describes, and shows something only together with
 * others; where a list takes no such text, the check of its type says so.
 */
export function withCommas(name: string, values: readonly unknown[], keeps: Keeps): Trial {
  const { silent: _, ...trial } = subsetTrial({ [name]: values.join(',') }, keeps);
  return {
    ...trial,
    skipsRefused: true,
    evaluate: (answers, snapshot) => (answers.length === 0 ? undefined : trial.evaluate(answers, snapshot)),
  };
}

function nameOf(args: Args): string {
  return describeArgs(args) || 'the list without arguments';
}

function leavesOut(answer: Records, records: Records): boolean {
  const found = new Set(answer.map(({ id }) => id));
  return records.some(({ id }) => !found.has(id));
}

/** Evaluates an answer by the records of the snapshot; one that it does not hold is evaluated by its own members. */
function compareSubset(
  asked: string,
  answer: Records,
  snapshot: Snapshot,
  keeps: Keeps,
): Difference | undefined {
  const known = new Map(snapshot.records.map((record) => [record.id, record]));
  const found = new Set(answer.map(({ id }) => id));
  const predicted = snapshot.records.filter((record) => keeps(record) === true);
  const about = { expected: countOf(predicted), observed: countOf(answer) };
  if (found.size < answer.length) return { message: `${asked} repeats records`, ...about };
  const extra = answer.filter((record) => {
    const before = known.get(record.id);
    return before === undefined && snapshot.complete ? true : keeps(before ?? record) === false;
  });
  if (extra.length > 0) {
    const observed = `${countOf(answer)}; not described: ${idsOf(extra)}`;
    return { message: `${asked} lets through records that it does not describe`, ...about, observed };
  }
  const missing = dueIn(answer, predicted, snapshot).filter(({ id }) => !found.has(id));
  if (missing.length > 0) {
    const observed = `${countOf(answer)}; missing: ${idsOf(missing)}`;
    return { message: `${asked} leaves out records that it describes`, ...about, observed };
  }
  return undefined;
}

/**
 * The records that an answer must hold, of those that belong into it. A page that may be cut says nothing about the records
 * after its last one; answers are sorted by id, highest first, or else the place of a record is not known.
 */
export function dueIn(answer: Records, predicted: Records, { hides, total, size, byId }: Snapshot): Records {
  const isCut = answer.length >= size || (hides && total > size);
  if (!isCut) return predicted;
  if (!byId) return [];
  const lowest = answer.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return predicted.filter(({ id }) => id > lowest);
}

const MOST_IDS = 8;

/** Ids for a reader, bounded: `3, 5, 8 and 12 more`. */
export function idsOf(records: Records): string {
  return listed(
    records.map(({ id }) => id),
    MOST_IDS,
  );
}

/** How many records, and which: `2 records (3, 5)`. */
export function countOf(records: Records): string {
  if (records.length === 0) return 'no records';
  return `${records.length} ${records.length === 1 ? 'record' : 'records'} (${idsOf(records)})`;
}

/** Whether two answers hold the same records in the same order. */
export function sameIds(one: Records, other: Records): boolean {
  return one.length === other.length && one.every(({ id }, at) => id === other[at]?.id);
}

const MOST_TURNS = 3;
/** Times in a row that a difference has to show: what is made and gone again between two readings looks like none of both. */
const CONFIRMATIONS = 2;

const fresh =
  (session: Session): Send =>
  (spec) =>
    session.client.request(spec);

/**
 * Tries what a rule chooses from the records of a list. A difference counts only when fresh requests show it again, each
 * between two equal readings of the list; where the site moves meanwhile it is tried again, then it is inconclusive.
 * @param variant selects the records that the rule chooses from, such as those of every status
 */
export async function runRule(
  session: Session,
  subject: Subject,
  rule: Rule,
  variant: Args = {},
): Promise<Finding[]> {
  const first = await snapshotOf(session, subject, variant);
  if ('finding' in first) return [await unreadOf(session, subject, variant, first)];
  const trials = await trialsOf(session, subject, rule, first);
  const tried = await tryAll(subject, trials, first, (spec) => session.ask(spec));
  if (Array.isArray(tried)) return tried;
  const send = fresh(session);
  let before = await takeSnapshot(subject, variant, send);
  for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
    if ('finding' in before) return [before.finding];
    const confirmed = await confirm(session, { subject, rule, variant }, before);
    if (!('moved' in confirmed)) {
      const contrary = confirmed.length === 0 && sameSnapshot(first, before);
      return contrary ? [inconclusive(TWO_WAYS)] : confirmed;
    }
    before = confirmed.moved;
  }
  return [inconclusive('the records changed while they were read, each time that it was tried')];
}

/**
 * What a list that cannot be read means. A member that is refused alone, to who may edit, and taken beside the default, is no
 * member that the list does not know: the check of its enum finds nothing wrong.
 */
async function unreadOf(
  session: Session,
  subject: Subject,
  variant: Args,
  { finding, refusal }: Unread,
): Promise<Finding> {
  if (refusal === undefined || subject.context !== 'edit') return finding;
  const { parameters } = subject.operation;
  const withUsual = Object.entries(variant).map(([wire, value]) => {
    const usual = parameters.find((one) => one.wire === wire)?.schema.default ?? [];
    return [wire, [value, usual].flat()] as const;
  });
  const beside = await takeSnapshot(subject, Object.fromEntries(withUsual), fresh(session));
  const again = await takeSnapshot(subject, variant, fresh(session));
  if ('finding' in beside || !('refusal' in again)) return finding;
  return failure(`${describeArgs(variant)} is refused, though it is taken beside the default`, {
    expected: 'a list',
    observed: `refused with status ${refusal.status}`,
    reproduce: [refusal.curl, ...beside.curls.slice(0, 1)],
  });
}

const TWO_WAYS = 'the same request was answered in two ways, though the records stayed as they were';

interface Trying {
  readonly subject: Subject;
  readonly rule: Rule;
  readonly variant: Args;
}

/** Tries a rule by fresh requests, each between two readings. @returns what it finds, or the reading that differs */
async function confirm(
  session: Session,
  { subject, rule, variant }: Trying,
  before: Snapshot,
): Promise<Finding[] | { readonly moved: Awaited<ReturnType<typeof takeSnapshot>> }> {
  const send = fresh(session);
  const trials = await trialsOf(session, subject, rule, before);
  let findings: Finding[] = [];
  for (let time = 1; time <= CONFIRMATIONS; time += 1) {
    const tried = await tryAll(subject, trials, before, send);
    const after = await takeSnapshot(subject, variant, send);
    if ('finding' in after || !sameSnapshot(before, after)) return { moved: after };
    if (Array.isArray(tried)) return tried;
    findings = [stable(tried.outcome, after)];
  }
  return findings;
}

/** The records of a list as the run saw them first, read once for all checks. */
export const snapshotOf: Fixture<Snapshot | Unread, [subject: Subject, variant?: Args]> = fixture(
  'snapshot',
  (session, subject, variant = {}) => takeSnapshot(subject, variant, (spec) => session.ask(spec)),
  ({ route, context }, variant = {}) => [route, context, JSON.stringify(variant)],
);

/** What a rule tries on the records of a list; a text says why they show nothing. */
export async function trialsOf(
  session: Session,
  subject: Subject,
  rule: Rule,
  snapshot: Snapshot,
): Promise<readonly Trial[] | string> {
  if (snapshot.records.length === 0) return 'no record is visible';
  if (snapshot.records.length === 1) return 'only one record is visible, and the check needs two';
  return rule(snapshot, siteOf(session, subject));
}

/** Why a rule is inconclusive. What only the edit context shows depends on the check of that context alone. */
function undecided(subject: Subject, reason: string): Finding {
  const lacks = refusedOf(subject);
  const context = lacks.find((id) => id === checkId(subject.operation.id, 'context', 'enum', 'accepted'));
  if (context !== undefined) return blocked(context);
  if (lacks.length === 0) return inconclusive(reason);
  return inconclusive(`${reason} (the list refuses what it is usually asked for: see ${lacks.join(', ')})`);
}

/** Parameters that the suite asks for, each with the keyword whose check reports a refusal. */
const REPORTED_BY: Readonly<Record<string, string>> = {
  context: 'enum',
  per_page: 'maximum',
  orderby: 'enum',
  order: 'enum',
};

/** The ids of the checks that report what a list refuses of the usual arguments. */
function refusedOf({ operation, usual }: Subject): string[] {
  if (usual === undefined) return [];
  const all: Args = { context: 'default', per_page: MOST_PER_PAGE, orderby: 'id', order: 'desc', ...usual };
  const kept: Args = { per_page: MOST_PER_PAGE, orderby: 'id', order: 'desc' };
  return Object.entries(REPORTED_BY)
    .filter(([name]) => all[name] === undefined || (name in kept && String(all[name]) !== String(kept[name])))
    .map(([name, aspect]) => checkId(operation.id, name, aspect, 'accepted'));
}

type Differing = Extract<AttemptOutcome, { readonly kind: 'differs' }>;

/** What the trials found, or the first that differs: what follows it would ask a site that is known to be wrong. */
async function tryAll(
  subject: Subject,
  trials: readonly Trial[] | string,
  snapshot: Snapshot,
  send: Send,
): Promise<Finding[] | { readonly outcome: Differing }> {
  if (typeof trials === 'string') return [undecided(subject, trials)];
  const findings: Finding[] = [];
  for (const trial of trials) {
    const outcome = await attempt(subject, trial, snapshot, send);
    if (outcome.kind === 'differs') return { outcome };
    if (outcome.kind === 'ended') return [...findings, outcome.finding];
    const reason = trial.silent?.(outcome.answers, snapshot);
    if (reason !== undefined) findings.push(inconclusive(reason));
  }
  return findings;
}

function stable({ difference, curls }: Differing, after: Snapshot): Finding {
  const { message, expected, observed } = difference;
  return failure(message, { expected, observed, reproduce: [...curls, ...after.curls.slice(0, 1)] });
}

function siteOf(session: Session, subject: Subject): Site {
  const { operation, as } = subject;
  return {
    operation,
    as,
    wire: (parameter) => operation.parameters.find(({ name }) => name === parameter)?.wire ?? parameter,
    readBeside: (collection) => recordsBeside(session, subject.route.replace(/[^/]+$/, collection), as),
  };
}

/** What came of a trial: answers that agree with the records, ones that differ, or something that ends the check. */
type AttemptOutcome =
  | { readonly kind: 'agrees'; readonly answers: readonly Records[] }
  | { readonly kind: 'differs'; readonly difference: Difference; readonly curls: readonly string[] }
  | { readonly kind: 'ended'; readonly finding: Finding };

/** Sends the requests of a trial and evaluates the answers by a snapshot. A refusal differs: the list itself is accepted. */
export async function attempt(
  subject: Subject,
  trial: Trial,
  snapshot: Snapshot,
  send: Send,
): Promise<AttemptOutcome> {
  const answers: Records[] = [];
  const asked: Observation[] = [];
  const differs = (difference: Difference): AttemptOutcome => ({
    kind: 'differs',
    difference,
    curls: asked.map(({ curl }) => curl),
  });
  for (const args of trial.requests) {
    const observation = await send(listRequest(subject, args));
    const answer = readList(observation, subject);
    asked.push(observation);
    if (answer.kind === 'stopped') return { kind: 'ended', finding: answer.finding };
    if (answer.kind === 'denied') {
      return { kind: 'ended', finding: inconclusive(`${describeArgs(args)} is denied to this caller`) };
    }
    if (answer.kind === 'refused' && trial.skipsRefused === true) continue;
    if (answer.kind === 'refused') {
      const message = `${describeArgs(args)} is refused, though the list itself is not`;
      return differs({ message, expected: 'a list', observed: answer.message });
    }
    answers.push(answer.records);
  }
  const difference = trial.evaluate(answers, snapshot);
  return difference === undefined ? { kind: 'agrees', answers } : differs(difference);
}
