import type { Check, Finding } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { blocked, inconclusive } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { openSubject } from '../records/reading/open-subject.ts';
import { snapshotOf } from '../records/reading/run-rule.ts';
import { findingsOf, hasFailure } from './filter-entry.ts';
import type { FilterEntry } from './filter-table.ts';
import { rootCausesOf } from './root-causes.ts';
import { unlessSole } from './unless-sole.ts';

/** The check that a parameter of a list does what an entry of the table says. */
export function filterCheck(operation: Operation, parameter: Parameter, entry: FilterEntry): Check {
  const { id } = operation;
  const place = checkId(id, parameter.name);
  const typed = parameter.schema.type === undefined ? [] : [checkId(place, 'type')];
  return {
    id: checkId(place, 'filters', entry.part),
    title: `${id} ${entry.does.replace('{records}', operation.resource?.id ?? 'records')}`,
    section: parameter.section,
    basis: 'implied',
    effect: 'reads',
    operation: id,
    parameter: parameter.name,
    // A parameter that is declared with another type cannot take the values of the contract.
    dependsOn: [
      checkId(id, 'method', 'GET'),
      checkId(place, 'declared'),
      ...typed,
      ...(entry.after ?? [])
        .filter((name) => name !== parameter.name)
        .map((name) => checkId(id, name, 'declared')),
    ],
    ...((entry.needsUser === true || operation.route.pathParameters.length > 0) && { needsUser: true }),
    run: (session) => judge(session, operation, entry),
  };
}

async function judge(session: Session, operation: Operation, entry: FilterEntry): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  if ('reason' in subject) return [inconclusive(subject.reason)];
  const whole = await snapshotOf(session, subject);
  const { resource } = operation;
  const isCollection = resource !== undefined && resource.parent === undefined;
  if ('finding' in whole && whole.finding.kind === 'failure' && isCollection) {
    return [blocked(checkId('records', resource.id, 'id'))];
  }
  const findings = await findingsOf(session, subject, entry);
  if (!hasFailure(findings)) return unlessSole(session, subject, entry, 'alone', findings);
  const pages = 'finding' in whole ? 0 : whole.curls.length;
  for (const cause of rootCausesOf(entry, operation, pages)) {
    if (!hasFailure(await findingsOf(session, subject, cause))) continue;
    return [blocked(checkId(operation.id, cause.parameter, 'filters'))];
  }
  return findings;
}
