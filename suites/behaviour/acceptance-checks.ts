import type { Operation } from '../../specs/model.ts';
import type { Check, Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { acceptanceOf } from './acceptance.ts';
import { type Sample, samplesOf } from './acceptance-groups.ts';

/** Checks that what a parameter allows is accepted: each member of an enum, each limit, each sure spelling of a type. */
export function acceptanceChecks(operation: Operation): Check[] {
  // A write with valid arguments is a write: what is accepted there shows where records of one's own are written.
  if (operation.effect !== 'reads') return [];
  return [...Map.groupBy(samplesOf(operation), ({ checkId }) => checkId)].map(([id, samples]) =>
    acceptanceCheck(operation, id, samples),
  );
}

function acceptanceCheck(operation: Operation, id: string, samples: readonly Sample[]): Check {
  const parameter = samples[0]?.parameter;
  const declared = id.replace(/\/accepted$/, '');
  return {
    id,
    title: `accepts ${samples.length === 1 ? (samples[0]?.accepted.why ?? '') : `each of ${samples.length} values`} for ${parameter?.wire ?? ''} of ${operation.id}`,
    section: parameter?.section ?? operation.section,
    basis: 'implied',
    effect: 'reads',
    operation: operation.id,
    ...(parameter !== undefined && { parameter: parameter.name }),
    dependsOn: [`${operation.id}/method/${operation.methods[0]}`, declared],
    run: (session) => judge(session, operation, id),
  };
}

async function judge(session: Session, operation: Operation, id: string): Promise<Finding[]> {
  const acceptance = await acceptanceOf(session, operation);
  if ('reason' in acceptance) return [{ kind: 'inconclusive', message: acceptance.reason }];
  return [...acceptance].filter(([sample]) => sample.checkId === id).map(([, finding]) => finding);
}
