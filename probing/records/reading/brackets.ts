import { isFinding } from '../../../engine/aborted.ts';
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

/** A way in which a list misreads values in brackets (§4.6). */
interface Misreading {
  /** Which requests show it. */
  readonly shows: RegExp;
  readonly note: string;
}

const READS_NONE: Misreading = {
  shows: /%5B|\[/i,
  note: `reads ${IDS} without brackets, and ignores it in brackets`,
};
const READS_ONE: Misreading = {
  shows: /[?&]([^=&]+(?:%5B%5D|\[\]))=[^&]*&\1=/i,
  note: 'reads only one of several values in brackets',
};

/** Reports once for each list that it ignores values in brackets, or all but one, which every such request shows. */
export function aboveBrackets(check: Check, list: Operation): Check {
  const root = checkId(list.id, IDS, 'filters');
  return {
    ...check,
    async run(session) {
      const findings = await foundBy(check, session);
      const isShownBy = ({ shows }: Misreading): boolean =>
        findings.every(({ kind, reproduce: [line = ''] = [] }) => kind !== 'failure' || shows.test(line));
      if (!hasFailure(findings) || !session.runs(root) || !isShownBy(READS_NONE)) return findings;
      const misreading = await misreadingOf(session, list);
      if (misreading === undefined || !isShownBy(misreading)) return findings;
      if (check.id !== root) return reportedBy(root);
      return findings.map((one) => ({ ...one, message: `${one.message}: ${list.id} ${misreading.note}` }));
    },
  };
}

/** How a list misreads the ids of records in brackets; undefined if it does not, or too few records are known. */
const misreadingOf = fixture(
  'brackets',
  async (session, list: Operation): Promise<Misreading | undefined> => {
    const ids = parameterNamed(list, IDS);
    if (ids === undefined || !isDeclaredAsStated(session.index, list, ids)) return undefined;
    const subject: Subject = await openSubject(session, list);
    const whole = await snapshotOf(session, subject);
    if (isFinding(whole) || whole.records.length < FEWEST_RECORDS) return undefined;
    const [first, last] = [whole.records[0]?.id, whole.records.at(-1)?.id];
    const idsFor = async (value: unknown): Promise<string | undefined> => {
      const answer = readList(await session.ask(listRequest(subject, { [ids.wire]: value })));
      return answer.kind === 'list' ? answer.records.map(({ id }) => id).join() : undefined;
    };
    const inBrackets = await idsFor([last]);
    if (inBrackets === undefined) return undefined;
    if (inBrackets !== `${last}`) return (await idsFor(String(last))) === `${last}` ? READS_NONE : undefined;
    return [`${first}`, `${last}`].includes((await idsFor([first, last])) ?? '') ? READS_ONE : undefined;
  },
);
