import { isObject, texts } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { contextOf } from '../../reference/read-records.ts';
import { showRecord } from '../../reference/show-record.ts';
import { answer, type Call } from '../../reference/site.ts';
import { REVISION, type StoredRecord } from '../../reference/store.ts';
import { settle } from '../../reference/write-record.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { handling, healthy, idOf, ownResources } from '../handling.ts';

const OPEN = ['publish', 'inherit'];

/** Mutants in the states of records (§3): lists, drafts, the trash, deletion for good, and slugs. */
export function stateMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap((resource) => {
    const { kind, statuses, operations, uniqueSlugs } = resource;
    if (!operations.create) return [];
    return [
      ...[...new Set([statuses.open, ...statuses.kept])].flatMap((state) => listMutants(resource, state)),
      ...deletionMutants(resource),
      ...(uniqueSlugs ? [slugMutant(resource)] : []),
      ...(kind === 'records' ? [lifecycleMutant(resource)] : []),
      ...resource.children.flatMap((child) => childMutants(resource, child)),
    ];
  });
}

function listMutants(resource: Resource, state: string): Mutant[] {
  const list = idOf(resource, 'list');
  const about = `states/${resource.id}/${state}`;
  const isIn = (record: StoredRecord | undefined): boolean => record?.status === state;
  const dropping = (when: (call: Call) => boolean): Mutant['behaviour'] =>
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
    return [mutant(`${about}/listed`, 'left-out', `${list} leaves out what is ${state}`, hidden)];
  }
  const adding = (when: (call: Call) => boolean): Mutant['behaviour'] =>
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
    mutant(
      `${about}/unlisted`,
      'listed',
      `${list} lists what is ${state} by default`,
      adding(({ request }) => request.account !== undefined),
    ),
    mutant(`${about}/found`, 'lost', `${list} does not find what is ${state} by its state`, dropping(asked)),
    mutant(
      `${about}/hidden`,
      'shown',
      `${list} lists what is ${state} to anonymous callers`,
      adding(({ request }) => request.account === undefined),
    ),
  ];
}

function deletionMutants(resource: Resource): Mutant[] {
  const id = idOf(resource, 'delete');
  const force = (how: string, title: string, turn: (call: Call) => ReturnType<typeof healthy>): Mutant =>
    mutant(`states/${resource.id}/force`, how, title, handling(id, turn));
  const mutants = [
    force('keeps', `deleting for good in ${resource.id} keeps the record`, (call) => {
      const stored = call.site.store.get(Number(call.args.id), resource.id);
      if (call.args.force !== true || !stored || !call.request.account) return healthy(call);
      const view = { context: 'edit', account: call.request.account } as const;
      return answer({ deleted: true, previous: showRecord(call.site, stored, view) });
    }),
  ];
  if (!resource.trash) return mutants;
  return [
    ...mutants,
    force('only-trashes', `deleting for good in ${resource.id} only moves to the trash`, (call) =>
      healthy({ ...call, args: { ...call.args, force: false } }),
    ),
    mutant(
      `states/${resource.id}/trash`,
      'deletes',
      `deleting in ${resource.id} removes for good at once`,
      handling(id, (call) => healthy({ ...call, args: { ...call.args, force: true } })),
    ),
    mutant(
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

function slugMutant(resource: Resource): Mutant {
  return mutant(
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

/** A mutant in what becomes of a record that is changed several times. */
function lifecycleMutant(resource: Resource): Mutant {
  return mutant(
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

/** Mutants of the revisions or of the autosaves of a resource. */
function childMutants(resource: Resource, child: Resource): Mutant[] {
  return child.kind === 'revisions' ? revisionMutants(resource, child) : autosaveMutants(resource, child);
}

function revisionMutants(resource: Resource, child: Resource): Mutant[] {
  return [
    mutant(
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
    mutant(
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
    mutant(
      `revisions/${resource.id}/force`,
      'deletes-in-words',
      `revisions of ${resource.id} that are deleted with force stay`,
      handling(idOf(child, 'delete'), (call) => {
        const isForced = call.request.account !== undefined && call.args.force === true;
        return isForced ? answer({ deleted: true, previous: {} }) : healthy(call);
      }),
    ),
    mutant(
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

function autosaveMutants(resource: Resource, child: Resource): Mutant[] {
  return [
    mutant(
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
    mutant(
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
    mutant(
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
