import type { Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { attempt, type Outcome } from './attempt.ts';
import type { Args, Subject } from './list-request.ts';
import { inconclusive, readList } from './read-list.ts';
import { type Send, type Snapshot, sameSnapshot, takeSnapshot } from './snapshot.ts';
import type { Rule, Site, Trial } from './trial.ts';

const MOST_TURNS = 2;

/**
 * Tries what a rule chooses from the records of a list. A difference counts only when fresh requests show it again
 * between two equal readings of the list; where the site moves meanwhile all is tried once more, then nothing can be told.
 * @param variant selects the records that the rule chooses from, such as those of every status
 */
export async function runRule(
  session: Session,
  subject: Subject,
  rule: Rule,
  variant: Args = {},
): Promise<Finding[]> {
  const fresh: Send = (spec) => session.client.request(spec);
  let snapshot = await snapshotOf(session, subject, variant);
  for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
    if ('finding' in snapshot) return [snapshot.finding];
    const send: Send = turn === 1 ? (spec) => session.ask(spec) : fresh;
    const tried = await tryAll(subject, await choose(session, subject, rule, snapshot), snapshot, send);
    if (Array.isArray(tried)) return tried;
    const again = turn === 1 ? await attempt(subject, tried.trial, snapshot, fresh) : tried.outcome;
    const after = await takeSnapshot(subject, variant, fresh);
    if (!('finding' in after) && sameSnapshot(snapshot, after)) return [stable(again, after)];
    snapshot = after;
  }
  return [inconclusive('the records changed while they were read, each time that it was tried')];
}

/** The records of a list as the run saw them first, read once for all checks. */
export function snapshotOf(
  session: Session,
  subject: Subject,
  variant: Args = {},
): Promise<Snapshot | { readonly finding: Finding }> {
  const key = `snapshot ${subject.route} ${subject.context} ${JSON.stringify(variant)}`;
  return session.once(key, () => takeSnapshot(subject, variant, (spec) => session.ask(spec)));
}

async function choose(
  session: Session,
  subject: Subject,
  rule: Rule,
  snapshot: Snapshot,
): Promise<readonly Trial[] | string> {
  if (snapshot.records.length === 0) return 'no record is visible';
  if (snapshot.records.length === 1) return 'only one record is visible, and it takes two to tell';
  return rule(snapshot, siteOf(session, subject));
}

/** What the trials found, or the first that differs: what follows it would ask a site that is known to be wrong. */
async function tryAll(
  subject: Subject,
  trials: readonly Trial[] | string,
  snapshot: Snapshot,
  send: Send,
): Promise<Finding[] | { readonly trial: Trial; readonly outcome: Outcome }> {
  if (typeof trials === 'string') return [inconclusive(trials)];
  const findings: Finding[] = [];
  for (const trial of trials) {
    const outcome = await attempt(subject, trial, snapshot, send);
    if (outcome.kind === 'differs') return { trial, outcome };
    if (outcome.kind === 'ended') return [...findings, outcome.finding];
    const reason = trial.silent?.(outcome.answers, snapshot);
    if (reason !== undefined) findings.push(inconclusive(reason));
  }
  return findings;
}

function stable(again: Outcome, after: Snapshot): Finding {
  if (again.kind === 'ended') return again.finding;
  if (again.kind === 'agrees') {
    return inconclusive('the same request was answered in two ways, though the records stayed as they were');
  }
  const { message, expected, observed } = again.difference;
  return {
    kind: 'failure',
    message,
    expected,
    observed,
    reproduce: [...again.curls, ...after.curls.slice(0, 1)],
  };
}

function siteOf(session: Session, subject: Subject): Site {
  const { operation, as } = subject;
  return {
    operation,
    as,
    wire: (parameter) => operation.parameters.find(({ name }) => name === parameter)?.wire ?? parameter,
    async readBeside(collection) {
      const route = subject.route.replace(/[^/]+$/, collection);
      if (!session.index.routes.some(({ key }) => key === route)) return undefined;
      const observation = await session.ask({ method: 'GET', route, query: [['per_page', '100']], as });
      const answer = readList(observation);
      return answer.kind === 'list' ? answer.records : undefined;
    },
  };
}
