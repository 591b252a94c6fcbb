import { isFinding } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding } from '../../engine/check.ts';
import { blocked, hasFailure, inconclusive } from '../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { openSubject } from '../../probing/records/reading/find-parent.ts';
import { listRequest, readList, type Subject } from '../../probing/records/reading/list-request.ts';
import type { Snapshot } from '../../probing/records/reading/open-list.ts';
import { runRule, snapshotOf, trialsOf } from '../../probing/records/reading/run-rule.ts';
import { allKeep, type Keeps, subsetTrial } from '../../probing/records/reading/trials.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { findingsOf, parameterOf, unlessSole } from './filter-checks.ts';
import { FILTER_TABLE, type FilterEntry } from './filter-table.ts';
import { evaluateAnswer } from './subsets/prediction.ts';
import { packedListOf } from './subsets/subset-sets.ts';

/** The check that a filter of a list still applies when another filter is sent with it (§4.6 to §4.8). */
export function besideCheck(operation: Operation, parameter: Parameter, entry: FilterEntry): Check {
  const filters = checkId(operation.id, parameter.name, 'filters');
  return check({
    id: checkId(filters, 'beside'),
    kind: 'lists',
    title: `${operation.id} applies ${parameter.name} beside another filter`,
    on: operation,
    parameter,
    needs: [filters],
    ...((entry.variant !== undefined || operation.route.pathParameters.length > 0) && { needsUser: true }),
    run: (session) => besideFindings(session, operation, entry),
  });
}

/** Tests a filter with a partner. If only the partner is ignored, its own check reports it, if it finds that too. */
export async function besideFindings(
  session: Session,
  operation: Operation,
  entry: FilterEntry,
): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  if (entry.variant === undefined && (await isProvenPacked(session, subject, entry.parameter))) return [];
  const pairs = await besidePairs(session, subject);
  const pair = pairs.get(entry.parameter);
  if (pair === undefined) {
    return unlessSole(session, subject, entry, 'beside', [
      inconclusive('no other filter keeps some records that this one leaves out, and some that it keeps'),
    ]);
  }
  const variant = await entry.variant?.(session, subject);
  const findings = await runRule(session, subject, () => [subsetTrial(pair.args, bothKeep(pair))], variant);
  if (!hasFailure(findings) || hasFailure(await ownFindings(session, subject, pair, variant)))
    return findings;
  const { parameter } = pair.partner;
  const turned = pairs.get(parameter);
  const isKnown = turned !== undefined && hasFailure(await ownFindings(session, subject, turned));
  return isKnown ? [blocked(checkId(operation.id, parameter, 'filters', 'beside'))] : findings;
}

/** Whether the answer to a packed set, which other checks request, proves that a filter applies with another one. */
export async function isProvenPacked(
  session: Session,
  subject: Subject,
  parameter: string,
): Promise<boolean> {
  const known = await packedListOf(session, subject);
  if (isFinding(known)) return false;
  const { packed, oracle, list, every } = known;
  const nameOf = (wire: string): string | undefined =>
    subject.operation.parameters.find((one) => one.wire === wire)?.name;
  const isOther = (wire: string): boolean =>
    nameOf(wire) !== parameter && FILTER_TABLE.some((one) => one.about && one.parameter === nameOf(wire));
  for (const { args, shows } of packed) {
    const own = shows.find((wire) => nameOf(wire) === parameter);
    if (own === undefined || !Object.keys(args).some(isOther)) continue;
    const answer = readList(await session.ask(listRequest(subject, args)), subject);
    const isExplainedBy = (some: Args): boolean => {
      const prediction = oracle.predict(some);
      if (prediction === undefined || answer.kind !== 'list') return false;
      return evaluateAnswer(answer.records, prediction.isOfEvery ? every : list, prediction) === undefined;
    };
    const { [own]: _, ...others } = args;
    // Where ties leave open what is cut off, the answer may be right without the filter too.
    if (!isExplainedBy(others)) return isExplainedBy(args);
  }
  return false;
}

function bothKeep({ own, partner }: FilterPair): Keeps {
  return allKeep([own.keeps, partner.keeps]);
}

const ownFindings = fixture(
  'beside {} {}',
  (session, subject: Subject, pair: FilterPair, variant?: Args) => {
    const both = bothKeep(pair);
    const keeps: Keeps = (record) => (pair.own.keeps(record) === false ? false : both(record) || undefined);
    return runRule(session, subject, () => [subsetTrial(pair.args, keeps)], variant);
  },
  ({ route }, { own }, variant = {}) => [route, own.parameter, JSON.stringify(variant)],
);

interface Filtering {
  readonly parameter: string;
  readonly about: string;
  readonly args: Args;
  readonly keeps: Keeps;
}

interface FilterPair {
  readonly own: Filtering;
  readonly partner: Filtering;
  readonly args: Args;
}

/**
 * Finds a partner for each filter of a list, such that some records are kept by both, but not all that the partner
 * keeps. Partners select by something else and work alone; `status` is no partner, because it selects the records from
 * which the others are predicted.
 */
const besidePairs: Fixture<ReadonlyMap<string, FilterPair>, [subject: Subject]> = fixture(
  'beside',
  async (session, subject) => {
    const pairs = new Map<string, FilterPair>();
    const shown = await snapshotOf(session, subject);
    if (isFinding(shown)) return pairs;
    const entries = FILTER_TABLE.filter(
      (entry) => entry.about !== undefined && parameterOf(entry, subject.operation) !== undefined,
    );
    const partners: FilterEntry[] = [];
    for (const entry of entries.filter(({ variant }) => variant === undefined)) {
      if ((await findingsOf(session, subject, entry)).length === 0) partners.push(entry);
    }
    // The same filters with values that keep more records, because their partners tell the records apart.
    const wide = partners.flatMap(({ wide: rule, ...one }) => (rule === undefined ? [] : [{ ...one, rule }]));
    for (const entry of entries) {
      const every = await snapshotOf(session, subject, await entry.variant?.(session, subject));
      if (isFinding(every)) continue;
      const own = await filteringsOf(session, subject, [entry], every);
      const others = await filteringsOf(session, subject, [...partners, ...wide], every);
      const pair = firstPair(own, others, every, shown);
      if (pair !== undefined) pairs.set(entry.parameter, pair);
    }
    return pairs;
  },
  ({ route }) => [route],
);

/** The trials of some rules on a snapshot that are filters. */
async function filteringsOf(
  session: Session,
  subject: Subject,
  entries: readonly FilterEntry[],
  snapshot: Snapshot,
): Promise<Filtering[]> {
  const found: Filtering[] = [];
  for (const { parameter, about = '', rule } of entries) {
    const trials = await trialsOf(session, subject, rule, snapshot);
    for (const trial of isFinding(trials) ? [] : trials) {
      const { requests, keeps } = trial.alone ?? trial;
      const [args] = requests;
      if (args !== undefined && keeps !== undefined) found.push({ parameter, about, args, keeps });
    }
  }
  return found;
}

/** The first pair that proves a filter. @param shown the list without the filter under test */
function firstPair(
  owns: readonly Filtering[],
  others: readonly Filtering[],
  { records }: Snapshot,
  { page }: Snapshot,
): FilterPair | undefined {
  for (const own of owns) {
    const partner = others.find(
      ({ about, keeps }) =>
        about !== own.about &&
        records.some((record) => own.keeps(record) === true && keeps(record) === true) &&
        page.some((record) => keeps(record) === true && own.keeps(record) === false),
    );
    if (partner !== undefined) return { own, partner, args: joinedArgs(own, partner) };
  }
  return undefined;
}

/** The arguments of both in the order of the table. */
function joinedArgs(own: Filtering, partner: Filtering): Args {
  const first = FILTER_TABLE.find(({ parameter }) => [own.parameter, partner.parameter].includes(parameter));
  const isFirst = first?.parameter === own.parameter;
  return isFirst ? { ...own.args, ...partner.args } : { ...partner.args, ...own.args };
}
