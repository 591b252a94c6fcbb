import { type Check, type Finding, foundBy } from '../../engine/check.ts';
import { FEWEST_ALIKE, orFinding, sharedFinding } from '../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { describedCollections } from '../../specs/find-resource.ts';
import type { Contract } from '../../specs/model.ts';

/**
 * Lets the first of several collections of records report what all of them do alike, because software writes them with
 * the same code. Where uploads do so too, they are enough for the engine to report it once.
 */
export function onceForCollections(contract: Contract, checks: readonly Check[]): Check[] {
  const kinds = new Map(describedCollections(contract).map(({ id, kind }) => [id, kind]));
  const collectionOf = (part: string): string | undefined =>
    [part, part.split('.')[0] ?? ''].find((word) => kinds.has(word));
  const requirementOf = ({ id }: Check): string =>
    id
      .split('/')
      .map((part) => part.replace(collectionOf(part) ?? '', '*'))
      .join('/');
  const isOfRecords = ({ id }: Check): boolean =>
    id.split('/').some((part) => kinds.get(collectionOf(part) ?? '') === 'records');
  const alike = Map.groupBy(checks, requirementOf);
  return checks.map((check) => {
    const all = alike.get(requirementOf(check)) ?? [];
    const ofRecords = all.filter(isOfRecords);
    if (!isOfRecords(check) || ofRecords.length < 2) return check;
    return { ...check, run: (session) => sharedFindings(session, check, all, ofRecords) };
  });
}

/** What a check finds, once for all that compare it with what they find. */
const findingsOf: Fixture<readonly Finding[], [check: Check]> = fixture(
  'findings',
  async (session, check) => {
    const found = await orFinding(foundBy(check, session));
    return 'finding' in found ? [found.finding] : found;
  },
);

async function sharedFindings(
  session: Session,
  check: Check,
  all: readonly Check[],
  ofRecords: readonly Check[],
): Promise<readonly Finding[]> {
  const findings = await findingsOf(session, check);
  const failed = findings.find(({ kind }) => kind === 'failure');
  if (failed === undefined) return findings;
  const failsAlike = async (one: Check): Promise<boolean> => {
    if (!session.runs(one.id)) return false;
    return (await findingsOf(session, one)).some(
      ({ kind, message }) => kind === 'failure' && message === failed.message,
    );
  };
  const others = await Promise.all(all.map(async (one) => ((await failsAlike(one)) ? [one] : [])));
  const alike = others.flat();
  const isShared = ofRecords.every((one) => alike.includes(one)) && alike.length < FEWEST_ALIKE;
  if (!isShared) return findings;
  const ids = alike.map(({ id }) => id);
  return findings.map((one) => (one === failed ? sharedFinding(session, check.id, ids, one) : one));
}
