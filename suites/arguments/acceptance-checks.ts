import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { creationRoot, updateRoot } from '../../probing/records/own/own-check.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { acceptanceOf } from './acceptance.ts';
import { type Sample, samplesOf } from './acceptance-groups.ts';
import { acceptanceOfWrites, isTriedOnRecords } from './acceptance-of-writes.ts';

/**
 * Checks that what a parameter allows is accepted: each member of an enum, each limit, each sure spelling of a type. Of
 * the writes those of records are tried, on records of the run's own, and in mode full those that alter the site.
 */
export function acceptanceChecks(contract: Contract, operation: Operation): Check[] {
  if (operation.effect === 'writes' && !isTriedOnRecords(contract, operation)) return [];
  return [...Map.groupBy(samplesOf(operation), ({ checkId }) => checkId)].map(([id, samples]) =>
    acceptanceCheck(operation, id, samples),
  );
}

const REACH: Readonly<Record<Operation['effect'], Pick<Check, 'effect' | 'mode' | 'needsUser'>>> = {
  reads: { effect: 'reads' },
  writes: { effect: 'writes', mode: 'write', needsUser: true },
  'alters-site': { effect: 'alters-site', mode: 'full', needsUser: true },
};

function acceptanceCheck(operation: Operation, id: string, samples: readonly Sample[]): Check {
  const parameter = samples[0]?.parameter;
  const declared = id.replace(/\/accepted$/, '');
  return check({
    id,
    kind: 'accepted',
    title: `accepts ${samples.length === 1 ? (samples[0]?.accepted.why ?? '') : `each of ${samples.length} values`} for ${parameter?.wire ?? ''} of ${operation.id}`,
    section: parameter?.section ?? operation.section,
    ...REACH[operation.effect],
    on: operation,
    ...(parameter !== undefined && { parameter: parameter.name }),
    needs: [serves(operation), declared, ...(operation.effect === 'writes' ? rootsOf(operation) : [])],
    run: (session) => judge(session, operation, id),
  });
}

/** The checks of a creation and of the same write without the values: where they fail, they are the ones that report. */
function rootsOf({ id, resource, role }: Operation): string[] {
  if (resource === undefined) return [];
  const { parent } = resource;
  if (parent !== undefined) return [creationRoot(parent), checkId('autosaves', parent, 'apart')];
  const root = creationRoot(resource.id);
  return role === 'update' ? [root, updateRoot(id, 'POST')] : [root];
}

async function judge(session: Session, operation: Operation, id: string): Promise<Finding[]> {
  const trying = operation.effect === 'writes' ? acceptanceOfWrites : acceptanceOf;
  const acceptance = await trying(session, operation);
  if ('reason' in acceptance) return [inconclusive(acceptance.reason)];
  return [...acceptance.findings].filter(([sample]) => sample.checkId === id).map(([, finding]) => finding);
}
