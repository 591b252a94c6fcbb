import type { Observation } from '../../../client/observation.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { cannotTell, Ended } from '../../../engine/ended.ts';
import { failure } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import type { Operation } from '../../../specs/model.ts';
import { idsIn } from '../../records/own/ids-in.ts';
import { untoldBy } from '../../records/own/judge-write.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import { changeDraft, listRevisions } from '../../records/own/revision-scene.ts';

/**
 * The check that a revision is not deleted without `force` (§3, R38). Refusing proves something only where the same
 * request with `force` is not refused; where deleting revisions is denied altogether nothing can be told.
 */
export function revisionForceCheck(type: string, list: Operation, deletion: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'force'),
    title: `deleting a revision of one of the ${type} without force is not accepted`,
    section: '3',
    basis: 'stated',
    operation: deletion.id,
    parameter: 'force',
    dependsOn: [checkId(deletion.id, 'method', 'DELETE'), checkId('revisions', type, 'created')],
    async run(session, own) {
      const { route, after } = await changeDraft(session, own, list, ['velvet']);
      const [id] = idsIn(after);
      if (id === undefined) throw cannotTell('the own draft has no revision');
      return judge(session, route, id);
    },
  });
}

async function judge(session: Session, route: string, id: number): Promise<Finding[]> {
  const without = await deleteRevision(session, `${route}/${id}`, false);
  const untold = untoldBy('deleting a revision', without);
  if (untold !== undefined) throw new Ended(untold);
  if (without.answer === 'accepted') {
    return [
      failure('a revision is deleted without force', {
        expected: 'not accepted',
        observed: describe(without),
        reproduce: [without.curl],
      }),
    ];
  }
  const forced = await deleteRevision(session, `${route}/${id}`, true);
  if (forced.answer !== 'accepted') {
    throw cannotTell(`deleting a revision is not accepted with force either (${describe(forced)})`);
  }
  const left = await listRevisions(session, route);
  if (!idsIn(left).includes(id)) return [];
  return [
    failure('a revision that was deleted with force is still listed', {
      expected: `no revision ${id}`,
      observed: `${idsIn(left).join(', ')}`,
      reproduce: [forced.curl, left.curl],
    }),
  ];
}

function deleteRevision(session: Session, route: string, force: boolean): Promise<Observation> {
  return session.client.request({
    method: 'DELETE',
    route,
    ...(force && { query: [['force', 'true']] as const }),
    as: 'user',
    intent: 'own-record',
  });
}
