import { type Check, checkId, foundBy } from '../../../engine/check.ts';
import { hasFailure, reportedBy } from '../../../engine/findings.ts';
import { fixture } from '../../../engine/session.ts';
import { parameterNamed } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { isDeclaredAsStated } from '../../declarations/compare-constraint.ts';
import { openSubject } from './find-parent.ts';
import { listRequest, readList, type Subject } from './list-request.ts';
import { snapshotOf } from './run-rule.ts';

/** The parameter that shows how a list reads several values: its result is known for any site. */
const IDS = 'include';
/** In fewer records, the check of that parameter might find no other one. */
const FEWEST_RECORDS = 3;
const IN_BRACKETS = /%5B|\[/i;

/** Reports once for each list that it ignores values in brackets (§4.6), which every such request shows. */
export function aboveBrackets(check: Check, list: Operation): Check {
  const root = checkId(list.id, IDS, 'filters');
  return {
    ...check,
    async run(session) {
      const findings = await foundBy(check, session);
      const isMeant =
        hasFailure(findings) &&
        session.runs(root) &&
        findings.every(
          ({ kind, reproduce = [] }) => kind !== 'failure' || IN_BRACKETS.test(reproduce[0] ?? ''),
        );
      if (!isMeant || !(await ignoresBrackets(session, list))) return findings;
      if (check.id !== root) return reportedBy(root);
      const note = `${list.id} reads ${IDS} without brackets, and ignores it in brackets`;
      return findings.map((one) => ({ ...one, message: `${one.message}: ${note}` }));
    },
  };
}

/** Whether a list applies the id of a record, and ignores the same one in brackets. */
const ignoresBrackets = fixture('brackets', async (session, list: Operation): Promise<boolean> => {
  const ids = parameterNamed(list, IDS);
  if (ids === undefined || !isDeclaredAsStated(session.index, list, ids)) return false;
  const subject: Subject = await openSubject(session, list);
  const whole = await snapshotOf(session, subject);
  const last = 'finding' in whole || whole.records.length < FEWEST_RECORDS ? undefined : whole.records.at(-1);
  if (last === undefined) return false;
  const idsFor = async (value: unknown): Promise<string | undefined> => {
    const answer = readList(await session.ask(listRequest(subject, { [ids.wire]: value })));
    return answer.kind === 'list' ? answer.records.map(({ id }) => id).join() : undefined;
  };
  const inBrackets = await idsFor([last.id]);
  return (
    inBrackets !== undefined &&
    inBrackets !== `${last.id}` &&
    (await idsFor(String(last.id))) === `${last.id}`
  );
});
