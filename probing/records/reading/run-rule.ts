import { isFinding } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import { blocked, byWhat, failure, inconclusive, warning } from '../../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { wireOf } from '../../../specs/find-resource.ts';
import { describeArgs, listRequest, MOST_PER_PAGE, readList, type Subject, UNKNOWN } from './list-request.ts';
import {
  freshly,
  recordsBeside,
  type Send,
  type Snapshot,
  sameSnapshot,
  takeSnapshot,
  type Unread,
} from './open-list.ts';
import type { Records, Rule, RuleSite, Trial } from './trials.ts';

/**
 * Runs the trials of a rule. A difference counts if fresh requests show it again between equal readings of the list; if
 * the records keep changing, it is inconclusive. If small pages or the edit context are inconclusive, more is read.
 * @param variant selects the records, such as those of every status
 */
export async function runRule(
  session: Session,
  subject: Subject,
  rule: Rule,
  variant: Args = {},
): Promise<Finding[]> {
  let findings = await runOnPages(session, subject, rule, variant);
  for (const wider of await widerThan(session, subject, variant)) {
    if (findings.every(({ kind }) => kind !== 'inconclusive')) break;
    // Pages may be small because the site fails to show larger ones, which other checks report.
    if (isFinding(await snapshotOf(session, wider, variant))) continue;
    findings = await runOnPages(session, wider, rule, variant);
  }
  return findings;
}

/** Larger pages, and where edit leaves out what the user may not edit, the context that shows the rest too. */
async function widerThan(session: Session, subject: Subject, variant: Args): Promise<readonly Subject[]> {
  const { size, ...whole } = subject;
  const shown = await snapshotOf(session, subject, variant);
  const isPart = subject.context === 'edit' && !isFinding(shown) && shown.hides;
  return [
    ...(size === undefined ? [] : [whole]),
    ...(isPart ? [{ ...whole, context: 'view' } as const] : []),
  ];
}

/** The first reading of a list, shared by all checks of the run. */
export const snapshotOf: Fixture<Snapshot | Unread, [subject: Subject, variant?: Args]> = fixture(
  'snapshot',
  (session, subject, variant = {}) => takeSnapshot(subject, variant, (spec) => session.ask(spec)),
  ({ route, context, size }, variant = {}) => [route, context, String(size), JSON.stringify(variant)],
);

async function runOnPages(session: Session, subject: Subject, rule: Rule, variant: Args): Promise<Finding[]> {
  const first = await snapshotOf(session, subject, variant);
  if (isFinding(first)) return [await unreadOf(session, subject, variant, first)];
  const tryOn = (snapshot: Snapshot, send: Send): Promise<Tried> =>
    tryAll(session, subject, rule, snapshot, send);
  const tried = await tryOn(first, (spec) => session.ask(spec));
  if (!tried.differs) return tried.findings;
  const confirmed = await betweenReadings(
    session,
    subject,
    variant,
    (before) => tryOn(before, freshly(session)),
    ({ differs }, times) => differs && times < CONFIRMATIONS,
  );
  if (isFinding(confirmed)) return [confirmed];
  const { found, before } = confirmed;
  if (found.findings.length === 0 && sameSnapshot(first, before)) return [inconclusive(TWO_WAYS)];
  if (!found.differs) return found.findings;
  return found.findings.map(({ reproduce = [], ...finding }) => {
    return { ...finding, reproduce: [...reproduce, ...before.curls.slice(0, 1)] };
  });
}

const TWO_WAYS = 'the same request was answered in two ways, though the records stayed as they were';

/** The finding for a list that cannot be read; a failure if it only takes a value together with the default. */
async function unreadOf(session: Session, subject: Subject, variant: Args, unread: Unread): Promise<Finding> {
  const { refusal } = unread;
  if (refusal === undefined || subject.context !== 'edit') return unread;
  const { parameters } = subject.operation;
  const withUsual = Object.entries(variant).map(([wire, value]) => {
    const usual = parameters.find((one) => one.wire === wire)?.schema.default ?? [];
    return [wire, [value, usual].flat()] as const;
  });
  const beside = await takeSnapshot(subject, Object.fromEntries(withUsual), freshly(session));
  const again = await takeSnapshot(subject, variant, freshly(session));
  if (isFinding(beside) || !('refusal' in again)) return unread;
  return failure(`${describeArgs(variant)} is refused, though it is accepted beside the default`, {
    expected: 'a list',
    observed: `refused with status ${refusal.status}`,
    reproduce: [refusal.curl, ...beside.curls.slice(0, 1)],
  });
}

/** How often a comparison is repeated on a site that is changing. */
const MOST_TURNS = 3;
const MOVED: Finding = inconclusive('the records changed while they were read, each time that it was tried');
/** How many times in a row a difference must show, because a record may appear and disappear between readings. */
const CONFIRMATIONS = 2;

/**
 * Compares with a list that must read the same before and after; otherwise once more, or says why it cannot be compared.
 * @param goesOn whether to compare again with the same list, by what was found so many times
 */
export async function betweenReadings<Found>(
  session: Session,
  subject: Subject,
  variant: Args,
  compare: (before: Snapshot) => Promise<Found>,
  goesOn: (found: Found, times: number) => boolean = () => false,
): Promise<{ readonly found: Found; readonly before: Snapshot; readonly after: Snapshot } | Finding> {
  const send = freshly(session);
  let before = await takeSnapshot(subject, variant, send);
  let [turns, times] = [0, 0];
  while (turns < MOST_TURNS) {
    if (isFinding(before)) return before;
    const found = await compare(before);
    const after = await takeElsewhere(subject, variant, send);
    if (isFinding(after) || !sameSnapshot(before, after)) {
      turns += 1;
      times = 0;
      before = after;
    } else {
      times += 1;
      if (!goesOn(found, times)) return { found, before, after };
    }
  }
  return MOVED;
}

/** Reads a list at another address, because a cache keeps an answer for each, which would only confirm itself. */
async function takeElsewhere(subject: Subject, variant: Args, send: Send): Promise<Snapshot | Unread> {
  const elsewhere = await takeSnapshot(subject, { ...variant, ...UNKNOWN }, send);
  return isFinding(elsewhere) ? takeSnapshot(subject, variant, send) : elsewhere;
}

interface Tried {
  readonly differs: boolean;
  readonly findings: Finding[];
}

/** The findings of the trials of a rule, or only that of the first one that differs: the site is then known to be wrong. */
async function tryAll(
  session: Session,
  subject: Subject,
  rule: Rule,
  snapshot: Snapshot,
  send: Send,
): Promise<Tried> {
  const trials = await trialsOf(session, subject, rule, snapshot);
  if (isFinding(trials)) return { differs: false, findings: [undecided(subject, trials)] };
  const findings: Finding[] = [];
  const open = [...trials];
  for (let trial = open.shift(); trial !== undefined; trial = open.shift()) {
    const outcome = await attempt(subject, trial, snapshot, send);
    const finding =
      outcome.kind === 'agrees' ? trial.whyUnproven?.(outcome.answers, snapshot) : outcome.finding;
    if (finding === undefined) continue;
    if (trial.alone !== undefined) {
      open.unshift(trial.alone);
      continue;
    }
    if (outcome.kind === 'differs') return { differs: true, findings: [finding] };
    findings.push(finding);
    if (outcome.kind === 'ended') break;
  }
  return { differs: false, findings };
}

/** The trials of a rule for the records of a list; a finding says why there are none. */
export async function trialsOf(
  session: Session,
  subject: Subject,
  rule: Rule,
  snapshot: Snapshot,
): Promise<readonly Trial[] | Finding> {
  if (snapshot.records.length === 0) {
    const isUnnamed = snapshot.items.length > 0;
    return inconclusive(isUnnamed ? 'no visible record has an integer id' : 'no record is visible');
  }
  if (snapshot.records.length === 1)
    return inconclusive('only one record is visible, and the check needs two');
  return rule(snapshot, siteOf(session, subject));
}

function siteOf(session: Session, subject: Subject): RuleSite {
  const { operation, as } = subject;
  return {
    operation,
    as,
    wire: (parameter) => wireOf(operation, parameter),
    readBeside: (collection) => recordsBeside(session, subject.route.replace(/[^/]+$/, collection), as),
    async heldWith(args) {
      const answer = readList(await session.ask(listRequest(subject, args)), subject);
      return answer.kind === 'list' ? answer.records : undefined;
    },
  };
}

/** The finding for an inconclusive rule, blocked if only the edit context would show more. */
function undecided({ operation, usual }: Subject, found: Finding): Finding {
  if (usual === undefined) return found;
  if ('context' in usual) return blocked(checkId(operation.id, 'context', 'enum', 'accepted'));
  const isWhole =
    Number(usual.per_page) === MOST_PER_PAGE && usual.orderby === 'id' && usual.order === 'desc';
  return isWhole
    ? found
    : inconclusive(`${found.message} (the list refuses orderby=id, order=desc or per_page=${MOST_PER_PAGE})`);
}

type AttemptOutcome =
  | { readonly kind: 'agrees'; readonly answers: readonly Records[] }
  | { readonly kind: 'differs' | 'ended'; readonly finding: Finding };

/** Sends the requests of a trial and compares the answers with a snapshot. A refusal is a difference. */
export async function attempt(
  subject: Subject,
  trial: Trial,
  snapshot: Snapshot,
  send: Send,
): Promise<AttemptOutcome> {
  const answers: Records[] = [];
  const reproduce: string[] = [];
  const differs = ({ message, expected, observed, refused, advisory }: Difference): AttemptOutcome => {
    const finding = (advisory === true ? warning : failure)(message, { expected, observed, reproduce });
    return { kind: 'differs', finding: refused === true ? { ...finding, refused } : finding };
  };
  for (const args of trial.requests) {
    const observation = await send(listRequest(subject, args));
    const answer = readList(observation, subject);
    reproduce.push(observation.curl);
    if (isFinding(answer)) return { kind: 'ended', finding: answer };
    if (answer.kind === 'denied') {
      const finding = inconclusive(`${describeArgs(args)} is denied to this caller${byWhat(observation)}`);
      return { kind: 'ended', finding };
    }
    if (answer.kind === 'refused' && trial.skipsRefused === true) continue;
    if (answer.kind === 'refused') {
      const message = `${describeArgs(args)} is refused, though the list itself is not`;
      return differs({ message, expected: 'a list', observed: answer.message, refused: true });
    }
    answers.push(answer.records);
  }
  const difference = trial.evaluate(answers, snapshot);
  return difference === undefined ? { kind: 'agrees', answers } : differs(difference);
}
