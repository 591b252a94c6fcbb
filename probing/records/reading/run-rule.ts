import { checkId, type Finding } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import { blocked, failure, inconclusive } from '../../../engine/findings.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Session } from '../../../engine/session.ts';
import { type Args, describeArgs, listRequest, readList, refusedOf, type Subject } from './list-request.ts';
import { recordsBeside } from './open-list.ts';
import { type Send, type Snapshot, sameSnapshot, takeSnapshot } from './snapshot.ts';
import type { Records, Rule, Site, Trial } from './trial.ts';

const MOST_TURNS = 3;
/** Times in a row that a difference has to show: what is made and gone again between two readings looks like none of both. */
const CONFIRMATIONS = 2;

const fresh =
  (session: Session): Send =>
  (spec) =>
    session.client.request(spec);

/**
 * Tries what a rule chooses from the records of a list. A difference counts only when fresh requests show it again, each
 * between two equal readings of the list; where the site moves meanwhile it is tried again, then nothing can be told.
 * @param variant selects the records that the rule chooses from, such as those of every status
 */
export async function runRule(
  session: Session,
  subject: Subject,
  rule: Rule,
  variant: Args = {},
): Promise<Finding[]> {
  const first = await snapshotOf(session, subject, variant);
  if ('finding' in first) return [first.finding];
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
export const snapshotOf: Fixture<
  Snapshot | { readonly finding: Finding },
  [subject: Subject, variant?: Args]
> = fixture(
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
function untold(subject: Subject, reason: string): Finding {
  const lacks = refusedOf(subject);
  const context = lacks.find((id) => id === checkId(subject.operation.id, 'context', 'enum', 'accepted'));
  if (context !== undefined) return blocked(context);
  if (lacks.length === 0) return inconclusive(reason);
  return inconclusive(`${reason} (the list refuses what it is usually asked for: see ${lacks.join(', ')})`);
}

type Differing = Extract<AttemptOutcome, { readonly kind: 'differs' }>;

/** What the trials found, or the first that differs: what follows it would ask a site that is known to be wrong. */
async function tryAll(
  subject: Subject,
  trials: readonly Trial[] | string,
  snapshot: Snapshot,
  send: Send,
): Promise<Finding[] | { readonly outcome: Differing }> {
  if (typeof trials === 'string') return [untold(subject, trials)];
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
export type AttemptOutcome =
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
  const curls: string[] = [];
  for (const args of trial.requests) {
    const observation = await send(listRequest(subject, args));
    const answer = readList(observation);
    curls.push(observation.curl);
    if (answer.kind === 'stopped') return { kind: 'ended', finding: answer.finding };
    if (answer.kind === 'denied') {
      return { kind: 'ended', finding: inconclusive(`${describeArgs(args)} is denied to this caller`) };
    }
    if (answer.kind === 'refused' && trial.skipsRefused === true) continue;
    if (answer.kind === 'refused') {
      const message = `${describeArgs(args)} is refused, though the list itself is not`;
      return {
        kind: 'differs',
        difference: { message, expected: 'a list', observed: answer.message },
        curls,
      };
    }
    answers.push(answer.records);
  }
  const difference = trial.judge(answers, snapshot);
  return difference === undefined ? { kind: 'agrees', answers } : { kind: 'differs', difference, curls };
}
