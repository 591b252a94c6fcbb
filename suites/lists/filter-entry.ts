import type { Finding } from '../../engine/check.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import type { Subject } from '../records/reading/list-request.ts';
import { runRule } from '../records/reading/run-rule.ts';
import type { FilterEntry } from './filter-table.ts';
import type { RootCause } from './root-causes.ts';

/** What a rule finds on a list, once for its own check and for those that rely on it. */
export const findingsOf: Fixture<
  Finding[],
  [subject: Subject, entry: RootCause & Pick<FilterEntry, 'variant'>]
> = fixture(
  'rule',
  async (session, subject, { rule, variant }) =>
    runRule(session, subject, rule, await variant?.(session, subject)),
  // Rules are told apart by what they are: names of parts are for readers, and two rules may have one.
  ({ route }, { parameter, rule }) => [route, parameter, rule],
);

/** Whether one of the findings contradicts the contract. */
export function hasFailure(findings: readonly Finding[]): boolean {
  return findings.some(({ kind }) => kind === 'failure');
}
