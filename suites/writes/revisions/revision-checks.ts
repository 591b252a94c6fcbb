import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { Aborted, cannotTell } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { failure, show } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { untoldBy, whyNot } from '../../../probing/records/own/judge-write.ts';
import { ownCheck } from '../../../probing/records/own/own-check.ts';
import {
  changeDraft,
  listRevisions,
  type RevisedDraft,
  revisedDraft,
} from '../../../probing/records/own/revised-draft.ts';
import { idsIn } from '../../../probing/records/reading/record.ts';
import { isOwnable, ofKind, operationFor, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';

/** Checks of revisions (§2, §3, §4.6), on own drafts that were changed several times. */
export function revisionChecks(contract: Contract): Check[] {
  return ofKind(contract, 'revisions').flatMap((resource) => {
    const { parent: type = '', operations } = resource;
    const { list, read, delete: deletion } = operations;
    const makesSome = isOwnable(contract, resource) && operationFor(contract, type, 'update') !== undefined;
    if (list === undefined || !makesSome) return [];
    return [
      createdCheck(type, list),
      idsCheck(type, list, read),
      ...(read === undefined ? [] : [parentCheck(type, list, read)]),
      ...(deletion === undefined ? [] : [revisionForceCheck(type, list, deletion)]),
    ];
  });
}

/** Not every site keeps revisions, though they have routes: what is missing is worth a warning. */
function createdCheck(type: string, list: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'created'),
    kind: 'states',
    title: `an update of the title and the content of one of the ${type} makes a revision of it`,
    basis: 'doubtful',
    on: list,
    needs: [serves(list, 'GET'), checkId(`${type}.update`, 'method', 'POST')],
    async run(session, own) {
      const { before, update, after } = await revisedDraft(session, own, list);
      const known = new Set(idsIn(before));
      if (idsIn(after).some((id) => !known.has(id))) return [];
      return [
        failure('an update makes no revision: the site may be set to keep none', {
          expected: 'a revision more than before',
          observed: `${known.size} before, ${idsIn(after).length} after`,
          reproduce: [update.curl, after.curl],
        }),
      ];
    },
  });
}

function idsCheck(type: string, list: Operation, read: Operation | undefined): Check {
  return ownCheck({
    id: checkId('revisions', type, 'ids'),
    kind: 'fields',
    title: `a revision of one of the ${type} carries its id and its parent, in the list and alone`,
    section: '2',
    basis: 'stated',
    on: list,
    needs: [serves(list, 'GET'), checkId('revisions', type, 'created')],
    async run(session, own) {
      const scene = await revisedDraft(session, own, list);
      const items: unknown[] = Array.isArray(scene.after.json) ? scene.after.json : [];
      const listed = items.flatMap((item) => judgeChild('a revision', item, scene.record.id, scene.after));
      const [id] = idsIn(scene.after);
      if (listed.length > 0 || read === undefined || id === undefined) return listed;
      const alone = await session.client.request({
        method: 'GET',
        route: `${scene.route}/${id}`,
        as: 'user',
      });
      return judgeAlone(scene, id, alone);
    },
  });
}

/** A revision is identified by its parent and its id (§2): below another record there is no such revision. */
function parentCheck(type: string, list: Operation, read: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'ids', 'parent'),
    kind: 'states',
    title: `a revision of one of the ${type} is not shown below another one`,
    section: '2',
    on: read,
    needs: [serves(list, 'GET'), checkId('revisions', type, 'ids')],
    async run(session, own) {
      const scene = await revisedDraft(session, own, list);
      const [id] = idsIn(scene.after);
      const other = await own.create(type);
      if (!('id' in other)) throw whyNot(other, 'no other record can be created');
      const look = await session.client.request({
        method: 'GET',
        route: `${routeFor(list, other.id)}/${id}`,
        as: 'user',
      });
      if (look.answer !== 'accepted') {
        const untold = look.answer === 'denied' ? undefined : untoldBy('reading it below another', look);
        return untold === undefined ? [] : [untold];
      }
      return [
        failure('a revision is shown below a record that it is no revision of', {
          expected: `a refusal: it belongs to ${scene.record.id}`,
          observed: `${describe(look)}, parent ${show(member(look.json, 'parent'))}`,
          reproduce: [scene.after.curl, look.curl],
        }),
      ];
    },
  });
}

function judgeAlone({ record }: RevisedDraft, id: number, alone: Observation): Finding[] {
  if (alone.answer !== 'accepted') {
    const message = 'a revision that its list holds cannot be read alone';
    const kind = alone.answer === 'denied' || alone.answer === 'throttled' ? 'inconclusive' : 'failure';
    const about = { expected: 'the revision', observed: describe(alone), reproduce: [alone.curl] };
    return [{ kind, message, ...about }];
  }
  return judgeChild('a revision', alone.json, record.id, alone, id);
}

/**
 * The check that a revision is not deleted without `force` (§3, R38). Refusing proves something only where the same
 * request with `force` is not refused; where deleting revisions is denied altogether nothing can be told.
 */
function revisionForceCheck(type: string, list: Operation, deletion: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'force'),
    kind: 'states',
    title: `deleting a revision of one of the ${type} without force is not accepted`,
    section: '3',
    basis: 'stated',
    on: deletion,
    parameter: 'force',
    needs: [serves(deletion, 'DELETE'), checkId('revisions', type, 'created')],
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
  if (untold !== undefined) throw new Aborted(untold);
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

/**
 * Judges a revision or an autosave by what is stated of it: an integer id, and the id of its record as its parent (§2).
 * @param what it is, for the beginning of a sentence; @param id the id that it must have, where one is known
 */
export function judgeChild(
  what: string,
  child: unknown,
  parent: number,
  { curl }: Observation,
  id?: number,
): Finding[] {
  const [ownId, ownParent] = [member(child, 'id'), member(child, 'parent')];
  const failure = (message: string, expected: string, observed: unknown): Finding[] => [
    { kind: 'failure', message, expected, observed: show(observed), reproduce: [curl] },
  ];
  if (!Number.isInteger(ownId)) return failure(`${what} has no integer id`, 'an integer', ownId);
  if (ownParent !== parent) {
    return failure(`${what} does not name its record as its parent`, `parent ${parent}`, ownParent);
  }
  if (id !== undefined && ownId !== id) return failure(`${what} answers as another`, `id ${id}`, ownId);
  return [];
}
