import type { Check, Finding } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { blocked, inconclusive } from '../../engine/findings.ts';
import { fixture } from '../../engine/fixture.ts';
import type { Session } from '../../engine/session.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Args, Subject } from '../records/reading/list-request.ts';
import { openSubject } from '../records/reading/open-subject.ts';
import { runRule } from '../records/reading/run-rule.ts';
import { subsetTrial } from '../records/reading/subset-trial.ts';
import type { Keeps } from '../records/reading/trial.ts';
import { besidePairs, type Pair } from './beside-pairs.ts';
import { hasFailure } from './filter-entry.ts';
import type { FilterEntry } from './filter-table.ts';
import { unlessSole } from './unless-sole.ts';

/** The check that a filter of a list is heeded beside another filter as it is alone (§4.6 to §4.8). */
export function besideCheck(operation: Operation, parameter: Parameter, entry: FilterEntry): Check {
  const filters = checkId(operation.id, parameter.name, 'filters');
  return {
    id: checkId(filters, 'beside'),
    title: `${operation.id} heeds ${parameter.name} beside another filter`,
    section: parameter.section,
    basis: 'implied',
    effect: 'reads',
    operation: operation.id,
    parameter: parameter.name,
    dependsOn: [filters],
    ...((entry.variant !== undefined || operation.route.pathParameters.length > 0) && { needsUser: true }),
    run: (session) => besideFindings(session, operation, entry),
  };
}

/**
 * What a request with both filters finds. Where only the partner is not heeded, the check of the partner tells, if it sees
 * that too.
 */
export async function besideFindings(
  session: Session,
  operation: Operation,
  entry: FilterEntry,
): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  if ('reason' in subject) return [inconclusive(subject.reason)];
  const pairs = await besidePairs(session, subject);
  const pair = pairs.get(entry.parameter);
  if (pair === undefined) {
    return unlessSole(session, subject, entry, 'beside', [
      inconclusive('no other filter keeps some records that this one leaves out, and some that it keeps'),
    ]);
  }
  const variant = await entry.variant?.(session, subject);
  const findings = await tried(session, subject, pair, bothKeep(pair), variant);
  if (!hasFailure(findings) || hasFailure(await ownFindings(session, subject, pair, variant)))
    return findings;
  const { parameter } = pair.partner;
  const turned = pairs.get(parameter);
  const isKnown = turned !== undefined && hasFailure(await ownFindings(session, subject, turned));
  return isKnown ? [blocked(checkId(operation.id, parameter, 'filters', 'beside'))] : findings;
}

function tried(
  session: Session,
  subject: Subject,
  { args }: Pair,
  keeps: Keeps,
  variant?: Args,
): Promise<Finding[]> {
  return runRule(session, subject, () => [subsetTrial(args, keeps)], variant);
}

function bothKeep({ own, partner }: Pair): Keeps {
  return (record) => {
    const kept = [own.keeps(record), partner.keeps(record)];
    if (kept.includes(false)) return false;
    return kept.includes(undefined) ? undefined : true;
  };
}

/** The findings about the filter itself, whatever becomes of its partner. */
const ownFindings = fixture(
  'beside {} {}',
  (session, subject: Subject, pair: Pair, variant?: Args) => {
    const both = bothKeep(pair);
    const keeps: Keeps = (record) => (pair.own.keeps(record) === false ? false : both(record) || undefined);
    return tried(session, subject, pair, keeps, variant);
  },
  ({ route }, { own }, variant = {}) => [route, own.parameter, JSON.stringify(variant)],
);
