import type { Finding } from '../../engine/check.ts';
import type { Session } from '../../engine/session.ts';
import type { Subject } from '../records/reading/list-request.ts';
import { runRule } from '../records/reading/run-rule.ts';
import type { Rule } from '../records/reading/trial.ts';
import type { FilterEntry } from './filter-table.ts';
import type { RootCause } from './root-causes.ts';

/** Rules are told apart by what they are: names of parts are for readers, and two rules may have one. */
const numbers = new WeakMap<Rule, number>();
let rules = 0;

function numberOf(rule: Rule): number {
  const known = numbers.get(rule);
  if (known !== undefined) return known;
  rules += 1;
  numbers.set(rule, rules);
  return rules;
}

/** What a rule finds on a list, once for its own check and for those that rely on it. */
export function findingsOf(
  session: Session,
  subject: Subject,
  { parameter, rule, variant }: RootCause & Pick<FilterEntry, 'variant'>,
): Promise<Finding[]> {
  const key = `rule ${subject.route} ${parameter} ${numberOf(rule)}`;
  return session.once(key, async () => runRule(session, subject, rule, await variant?.(session, subject)));
}

/** Whether one of the findings contradicts the contract. */
export function hasFailure(findings: readonly Finding[]): boolean {
  return findings.some(({ kind }) => kind === 'failure');
}
