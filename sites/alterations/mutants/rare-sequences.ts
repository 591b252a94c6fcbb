import type { Contract, Resource } from '../../reference/contract.ts';
import { isObject } from '../../reference/json.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { composed, type Mutant, mutant } from '../alteration.ts';
import { handling, healthy, idOf } from '../handling.ts';

/** A deviation that only several requests in a certain order show. */
export interface RareSequence {
  readonly resource: string;
  readonly how: string;
  readonly title: string;
  /** The steps that it takes after a first record is created, whatever their order; lists apart. */
  readonly matters: readonly string[];
  readonly behaviour: (resource: Resource) => Partial<Behaviour>;
}

/** Deviations that only a command sequence shows. */
export const RARE_SEQUENCES: readonly RareSequence[] = [
  {
    resource: 'posts',
    how: 'forgets-after-restore',
    title: 'a post that came back from the trash keeps the title that it has, whatever is written',
    matters: ['restore', 'trash', 'update'],
    behaviour: (resource) => {
      const restored = new WeakSet<StoredRecord>();
      return updating(resource, async (call, stored) => {
        const { status, title } = stored;
        const shown = await healthy(call);
        if (status === 'trash') restored.add(stored);
        else if (restored.has(stored)) stored.title = title;
        return shown;
      });
    },
  },
  {
    resource: 'posts',
    how: 'published-twice',
    title: 'a post that is published a second time is not listed by default',
    matters: ['update', 'update', 'update'],
    behaviour: (resource) => {
      const once = new WeakSet<StoredRecord>();
      const twice = new Set<number>();
      const updates = updating(resource, async (call, stored) => {
        const { status } = stored;
        const shown = await healthy(call);
        if (status === 'publish' || stored.status !== 'publish') return shown;
        if (once.has(stored)) twice.add(stored.id);
        once.add(stored);
        return shown;
      });
      const list = handling(idOf(resource, 'list'), async (call) => {
        const shown = await healthy(call);
        if (!Array.isArray(shown.body) || call.request.query.status !== undefined) return shown;
        return { ...shown, body: shown.body.filter((one) => !isObject(one) || !twice.has(Number(one.id))) };
      });
      return composed([updates, list]);
    },
  },
  {
    resource: 'pages',
    how: 'deletion-restores',
    title: 'deleting a page for good brings back one that is in the trash',
    matters: ['create', 'delete', 'trash'],
    behaviour: (resource) =>
      handling(idOf(resource, 'delete'), async (call) => {
        const shown = await healthy(call);
        if (call.args.force !== true) return shown;
        const last = call.site.store.ofKind(resource.id).findLast(({ status }) => status === 'trash');
        if (last) last.status = 'draft';
        return shown;
      }),
  },
  {
    resource: 'pages',
    how: 'trash-forgets',
    title: 'a page that was changed and goes to the trash has its first title there',
    matters: ['trash', 'update'],
    behaviour: (resource) => {
      const first = new WeakMap<StoredRecord, string>();
      const updates = updating(resource, (call, stored) => {
        if (!first.has(stored)) first.set(stored, stored.title);
        return healthy(call);
      });
      const deletions = handling(idOf(resource, 'delete'), async (call) => {
        const stored = call.site.store.get(Number(call.args.id), resource.id);
        const shown = await healthy(call);
        if (stored?.status === 'trash') stored.title = first.get(stored) ?? stored.title;
        return shown;
      });
      return composed([deletions, updates]);
    },
  },
  {
    resource: 'pages',
    how: 'private-loses-excerpt',
    title: 'a page that was private loses its excerpt when it is published',
    matters: ['batch', 'update'],
    behaviour: (resource) =>
      updating(resource, async (call, stored) => {
        const { status } = stored;
        const shown = await healthy(call);
        if (status === 'private' && stored.status === 'publish') stored.excerpt = '';
        return shown;
      }),
  },
];

/** The rare sequences of the resources that a deployment has, as mutants. */
export function rareSequenceMutants({ resources }: Contract): Mutant[] {
  return RARE_SEQUENCES.flatMap(({ resource: id, how, title, behaviour }) => {
    const resource = resources.find((one) => one.id === id);
    if (resource?.operations.update === undefined) return [];
    return [mutant(`lifecycle/${id}`, how, title, behaviour(resource))];
  });
}

/** A site on which updates of records are answered otherwise. @param turn gets the call and the record as it is stored */
function updating(
  resource: Resource,
  turn: (call: Call, stored: StoredRecord) => ReturnType<typeof healthy>,
): Partial<Behaviour> {
  return handling(idOf(resource, 'update'), (call) => {
    const stored = call.site.store.get(Number(call.args.id), resource.id);
    return stored === undefined ? healthy(call) : turn(call, stored);
  });
}
