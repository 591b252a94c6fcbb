import { answer } from '../../reference/answer.ts';
import type { Contract, Resource } from '../../reference/contract.ts';
import { isObject } from '../../reference/json.ts';
import { contextOf } from '../../reference/list-records.ts';
import { settle } from '../../reference/settle.ts';
import { showRecord } from '../../reference/show-record.ts';
import type { Call } from '../../reference/site.ts';
import { REVISION, type StoredRecord } from '../../reference/store.ts';
import { texts } from '../../reference/values.ts';
import { handling, healthy, idOf, ownResources } from '../toolkit/handling.ts';
import { type Fault, fault } from './fault.ts';

const OPEN = ['publish', 'inherit'];

/** Faults in the states of records (§3): lists, drafts, the trash, deletion for good, and slugs. */
export function stateFaults(contract: Contract): Fault[] {
  return ownResources(contract).flatMap((resource) => {
    const { kind, statuses, operations, uniqueSlugs } = resource;
    if (!operations.create) return [];
    return [
      ...[...new Set([statuses.open, ...statuses.kept])].flatMap((state) => listFaults(resource, state)),
      ...deletionFaults(resource),
      ...(uniqueSlugs ? [slugFault(resource)] : []),
      ...(kind === 'records' ? [lifecycleFault(resource)] : []),
      ...resource.children.flatMap((child) => childFaults(resource, child)),
    ];
  });
}

function listFaults(resource: Resource, state: string): Fault[] {
  const list = idOf(resource, 'list');
  const about = `states/${resource.id}/${state}`;
  const isIn = (record: StoredRecord | undefined): boolean => record?.status === state;
  const dropping = (when: (call: Call) => boolean): Fault['behaviour'] =>
    handling(list, async (call) => {
      const shown = await healthy(call);
      if (!Array.isArray(shown.body) || !when(call)) return shown;
      const others = shown.body.filter(
        (one) => !(isObject(one) && isIn(call.site.store.get(Number(one.id), resource.id))),
      );
      return { ...shown, body: others };
    });
  const asked = ({ args }: Call): boolean => texts(args.status).includes(state);
  if (OPEN.includes(state)) {
    const hidden = dropping(() => true);
    return [fault(`${about}/listed`, 'left-out', `${list} leaves out what is ${state}`, hidden)];
  }
  const adding = (when: (call: Call) => boolean): Fault['behaviour'] =>
    handling(list, async (call) => {
      const shown = await healthy(call);
      if (!Array.isArray(shown.body) || asked(call) || !when(call)) return shown;
      const more = call.site.store.ofKind(resource.id).filter(isIn).toReversed();
      const view = { context: contextOf(call), account: call.site.accounts[0] };
      return {
        ...shown,
        body: [...more.map((record) => showRecord(call.site, record, view)), ...shown.body],
      };
    });
  return [
    fault(
      `${about}/unlisted`,
      'listed',
      `${list} lists what is ${state} by default`,
      adding(({ request }) => request.account !== undefined),
    ),
    fault(`${about}/found`, 'lost', `${list} does not find what is ${state} by its state`, dropping(asked)),
    fault(
      `${about}/hidden`,
      'shown',
      `${list} lists what is ${state} to anonymous callers`,
      adding(({ request }) => request.account === undefined),
    ),
  ];
}

function deletionFaults(resource: Resource): Fault[] {
  const id = idOf(resource, 'delete');
  const force = (how: string, title: string, turn: (call: Call) => ReturnType<typeof healthy>): Fault =>
    fault(`states/${resource.id}/force`, how, title, handling(id, turn));
  const faults = [
    force('keeps', `deleting for good in ${resource.id} keeps the record`, (call) => {
      const stored = call.site.store.get(Number(call.args.id), resource.id);
      if (call.args.force !== true || !stored || !call.request.account) return healthy(call);
      const view = { context: 'edit', account: call.request.account } as const;
      return answer({ deleted: true, previous: showRecord(call.site, stored, view) });
    }),
  ];
  if (!resource.trash) return faults;
  return [
    ...faults,
    force('only-trashes', `deleting for good in ${resource.id} only moves to the trash`, (call) =>
      healthy({ ...call, args: { ...call.args, force: false } }),
    ),
    fault(
      `states/${resource.id}/trash`,
      'deletes',
      `deleting in ${resource.id} removes for good at once`,
      handling(id, (call) => healthy({ ...call, args: { ...call.args, force: true } })),
    ),
    fault(
      `states/${resource.id}/trash`,
      'keeps-state',
      `deleting in ${resource.id} leaves the record in its state`,
      handling(id, async (call) => {
        const stored = call.site.store.get(Number(call.args.id), resource.id);
        const status = stored?.status ?? '';
        const shown = await healthy(call);
        if (stored && call.args.force !== true) stored.status = status;
        return shown;
      }),
    ),
  ];
}

function slugFault(resource: Resource): Fault {
  return fault(
    `slugs/${resource.id}/unique`,
    'shared',
    `two records of ${resource.id} share a slug`,
    handling(idOf(resource, 'create'), async (call) => {
      const shown = await healthy(call);
      const stored = isObject(shown.body)
        ? call.site.store.get(Number(shown.body.id), resource.id)
        : undefined;
      const { slug } = call.args;
      if (!stored || !isObject(shown.body) || typeof slug !== 'string' || slug === '') return shown;
      stored.slug = slug;
      return { ...shown, body: { ...shown.body, slug } };
    }),
  );
}

/** A fault in what becomes of a record that is changed several times. */
function lifecycleFault(resource: Resource): Fault {
  return fault(
    `lifecycle/${resource.id}`,
    'forgets-second-title',
    `a second change of ${resource.id} is answered but not stored`,
    handling(idOf(resource, 'update'), async (call) => {
      const stored = call.site.store.get(Number(call.args.id), resource.id);
      const before = stored && { ...stored };
      const shown = await healthy(call);
      const changes = call.site.store.revisionsOf(Number(call.args.id)).length;
      if (stored && before && changes > 2) Object.assign(stored, before);
      return shown;
    }),
  );
}

/** Faults of the revisions or of the autosaves of a resource. */
function childFaults(resource: Resource, child: Resource): Fault[] {
  return child.kind === 'revisions' ? revisionFaults(resource, child) : autosaveFaults(resource, child);
}

function revisionFaults(resource: Resource, child: Resource): Fault[] {
  return [
    fault(
      `revisions/${resource.id}/created`,
      'missing',
      `a change of ${resource.id} makes no revision`,
      handling(idOf(resource, 'update'), async (call) => {
        const { store } = call.site;
        const id = Number(call.args.id);
        const known = new Set(store.revisionsOf(id));
        const shown = await healthy(call);
        for (const revision of store.revisionsOf(id)) if (!known.has(revision)) store.remove(revision);
        return shown;
      }),
    ),
    fault(
      `revisions/${resource.id}/force`,
      'deletes-without',
      `revisions of ${resource.id} are deleted without force`,
      handling(idOf(child, 'delete'), (call) => {
        const stored = call.site.store.get(Number(call.args.id), REVISION);
        if (!call.request.account || !stored) return healthy(call);
        call.site.store.remove(stored);
        return answer({ deleted: true, previous: {} });
      }),
    ),
    fault(
      `revisions/${resource.id}/ids`,
      'of-others',
      `the revisions of ${resource.id} are those of all records`,
      handling(idOf(child, 'list'), async (call) => {
        const shown = await healthy(call);
        if (!Array.isArray(shown.body)) return shown;
        return {
          ...shown,
          body: shown.body.map((revision) =>
            isObject(revision) ? { ...revision, parent: Number(revision.parent) + 1 } : revision,
          ),
        };
      }),
    ),
  ];
}

function autosaveFaults(resource: Resource, child: Resource): Fault[] {
  return [
    fault(
      `autosaves/${resource.id}/apart`,
      'overwrites',
      `an autosave in ${resource.id} changes the record itself`,
      handling(idOf(child, 'create'), async (call) => {
        const shown = await healthy(call);
        const stored = call.site.store.get(Number(call.args.id), resource.id);
        const { title } = call.args;
        if (stored && isObject(title) && typeof title.raw === 'string') {
          stored.title = title.raw;
          settle(call.site, stored, { ...stored });
        }
        return shown;
      }),
    ),
    fault(
      `autosaves/${resource.id}/ids`,
      'of-the-record',
      `the autosaves of ${resource.id} carry the id of another record`,
      handling(idOf(child, 'list'), async (call) => {
        const shown = await healthy(call);
        const body = Array.isArray(shown.body)
          ? shown.body.map((save) => (isObject(save) ? { ...save, id: 1, parent: 1 } : save))
          : shown.body;
        return { ...shown, body };
      }),
    ),
    fault(
      `autosaves/${resource.id}/read`,
      'of-another',
      `an autosave of ${resource.id} read alone belongs to another record`,
      handling(idOf(child, 'read'), async (call) => {
        const shown = await healthy(call);
        return isObject(shown.body) ? { ...shown, body: { ...shown.body, parent: 1 } } : shown;
      }),
    ),
  ];
}
