import { answer } from '../../reference/answer.ts';
import type { Contract } from '../../reference/contract.ts';
import { isObject } from '../../reference/json.ts';
import { contextOf } from '../../reference/list-records.ts';
import { settle } from '../../reference/settle.ts';
import { showRecord } from '../../reference/show-record.ts';
import type { Call } from '../../reference/site.ts';
import type { Kind, StoredRecord } from '../../reference/store.ts';
import { texts } from '../../reference/values.ts';
import { type Fault, fault } from './fault.ts';
import { handling, healthy, kindOf } from './handling.ts';

const OPEN = ['publish', 'inherit'];

/** Faults in the states of records (§3): lists, drafts, the trash, deletion for good, and slugs. */
export function stateFaults(contract: Contract): Fault[] {
  return ['posts', 'pages', 'media'].flatMap((collection) => {
    const kind = kindOf(`${collection}.`);
    const create = contract.operations.find(({ id }) => id === `${collection}.create`);
    if (!kind || !create) return [];
    const stated = create.parameters.properties.status?.enum ?? [];
    // Only two of them are known to be kept for media (R35).
    const states = kind === 'attachment' ? ['inherit', 'private'] : stated;
    return [
      ...states.flatMap((state) => listFaults(collection, kind, String(state))),
      ...deletionFaults(collection, kind),
      ...(collection === 'media' ? [] : [slugFault(collection, kind), ...contentFaults(collection, kind)]),
    ];
  });
}

function listFaults(collection: string, kind: Kind, state: string): Fault[] {
  const list = `${collection}.list`;
  const about = `states/${collection}/${state}`;
  const isIn = (record: StoredRecord | undefined): boolean => record?.status === state;
  const dropping = (when: (call: Call) => boolean): Fault['behaviour'] =>
    handling(list, async (call) => {
      const shown = await healthy(call);
      if (!Array.isArray(shown.body) || !when(call)) return shown;
      const others = shown.body.filter(
        (one) => !(isObject(one) && isIn(call.site.store.get(Number(one.id), kind))),
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
      const more = call.site.store.ofKind(kind).filter(isIn).toReversed();
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

function deletionFaults(collection: string, kind: Kind): Fault[] {
  const id = `${collection}.delete`;
  const force = (how: string, title: string, turn: (call: Call) => ReturnType<typeof healthy>): Fault =>
    fault(`states/${collection}/force`, how, title, handling(id, turn));
  const faults = [
    force('keeps', `deleting for good in ${collection} keeps the record`, (call) => {
      const stored = call.site.store.get(Number(call.args.id), kind);
      if (call.args.force !== true || !stored || !call.request.account) return healthy(call);
      const view = { context: 'edit', account: call.request.account } as const;
      return answer({ deleted: true, previous: showRecord(call.site, stored, view) });
    }),
  ];
  if (kind === 'attachment') return faults;
  return [
    ...faults,
    force('only-trashes', `deleting for good in ${collection} only moves to the trash`, (call) =>
      healthy({ ...call, args: { ...call.args, force: false } }),
    ),
    fault(
      `states/${collection}/trash`,
      'deletes',
      `deleting in ${collection} removes for good at once`,
      handling(id, (call) => healthy({ ...call, args: { ...call.args, force: true } })),
    ),
    fault(
      `states/${collection}/trash`,
      'keeps-state',
      `deleting in ${collection} leaves the record in its state`,
      handling(id, async (call) => {
        const stored = call.site.store.get(Number(call.args.id), kind);
        const status = stored?.status ?? '';
        const shown = await healthy(call);
        if (stored && call.args.force !== true) stored.status = status;
        return shown;
      }),
    ),
  ];
}

function slugFault(collection: string, kind: Kind): Fault {
  return fault(
    `slugs/${collection}/unique`,
    'shared',
    `two records of ${collection} share a slug`,
    handling(`${collection}.create`, async (call) => {
      const shown = await healthy(call);
      const stored = isObject(shown.body) ? call.site.store.get(Number(shown.body.id), kind) : undefined;
      const { slug } = call.args;
      if (!stored || !isObject(shown.body) || typeof slug !== 'string' || slug === '') return shown;
      stored.slug = slug;
      return { ...shown, body: { ...shown.body, slug } };
    }),
  );
}

/** Faults in what becomes of a record, and of its revisions and autosaves. */
function contentFaults(collection: string, kind: Kind): Fault[] {
  const one = collection.slice(0, -1);
  return [
    fault(
      `lifecycle/${collection}`,
      'forgets-second-title',
      `a second change of ${collection} is answered but not stored`,
      handling(`${collection}.update`, async (call) => {
        const stored = call.site.store.get(Number(call.args.id), kind);
        const before = stored && { ...stored };
        const shown = await healthy(call);
        const changes = call.site.store.revisionsOf(Number(call.args.id)).length;
        if (stored && before && changes > 2) Object.assign(stored, before);
        return shown;
      }),
    ),
    fault(
      `revisions/${collection}/created`,
      'missing',
      `a change of ${collection} makes no revision`,
      handling(`${collection}.update`, async (call) => {
        const { store } = call.site;
        const id = Number(call.args.id);
        const known = new Set(store.revisionsOf(id));
        const shown = await healthy(call);
        for (const revision of store.revisionsOf(id)) if (!known.has(revision)) store.remove(revision);
        return shown;
      }),
    ),
    fault(
      `revisions/${collection}/force`,
      'deletes-without',
      `revisions of ${collection} are deleted without force`,
      handling(`${one}-revisions.delete`, (call) => {
        const stored = call.site.store.get(Number(call.args.id), 'revision');
        if (!call.request.account || !stored) return healthy(call);
        call.site.store.remove(stored);
        return answer({ deleted: true, previous: {} });
      }),
    ),
    fault(
      `revisions/${collection}/ids`,
      'of-others',
      `the revisions of ${collection} are those of all records`,
      handling(`${one}-revisions.list`, async (call) => {
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
    fault(
      `autosaves/${collection}/apart`,
      'overwrites',
      `an autosave in ${collection} changes the record itself`,
      handling(`${one}-autosaves.create`, async (call) => {
        const shown = await healthy(call);
        const stored = call.site.store.get(Number(call.args.id), kind);
        const { title } = call.args;
        if (stored && isObject(title) && typeof title.raw === 'string') {
          stored.title = title.raw;
          settle(call.site, stored, { ...stored });
        }
        return shown;
      }),
    ),
    fault(
      `autosaves/${collection}/ids`,
      'of-the-record',
      `the autosaves of ${collection} carry the id of another record`,
      handling(`${one}-autosaves.list`, async (call) => {
        const shown = await healthy(call);
        const body = Array.isArray(shown.body)
          ? shown.body.map((save) => (isObject(save) ? { ...save, id: 1, parent: 1 } : save))
          : shown.body;
        return { ...shown, body };
      }),
    ),
    fault(
      `autosaves/${collection}/read`,
      'of-another',
      `an autosave of ${collection} read alone belongs to another record`,
      handling(`${one}-autosaves.read`, async (call) => {
        const shown = await healthy(call);
        return isObject(shown.body) ? { ...shown, body: { ...shown.body, parent: 1 } } : shown;
      }),
    ),
  ];
}
