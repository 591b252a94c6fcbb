import { isObject, type Json, texts } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { contextOf } from '../../reference/read-records.ts';
import { showRecord } from '../../reference/show-record.ts';
import { type Answer, answer, type Call } from '../../reference/site.ts';
import { REVISION } from '../../reference/store.ts';
import { settle } from '../../reference/write-record.ts';
import type { Mutant } from '../alteration.ts';
import {
  answerMutant,
  argsMutant,
  handlerMutant,
  healthy,
  idOf,
  isGiven,
  ownResources,
  recordMutant,
  recordOf,
  shownRecord,
  withList,
  withObject,
  without,
} from '../handling.ts';

const OPEN = ['publish', 'inherit'];

/** Mutants in the states of records (§3): lists, drafts, the trash, permanent deletion, and slugs. */
export function stateMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap((resource) => {
    const { kind, statuses, operations, uniqueSlugs } = resource;
    if (!operations.create) return [];
    return [
      ...[...new Set([statuses.open, ...statuses.kept])].flatMap((state) => listMutants(resource, state)),
      ...deletionMutants(resource),
      ...rememberingMutants(resource),
      ...(kind === 'records' ? [...changingMutants(resource), ...scheduledMutants(resource)] : []),
      ...(uniqueSlugs ? [slugMutant(resource), thirdSlugMutant(resource), keptSlugMutant(resource)] : []),
      ...(kind === 'records' ? [lifecycleMutant(resource)] : []),
      ...resource.children.flatMap((child) =>
        child.kind === 'revisions' ? revisionMutants(resource, child) : autosaveMutants(resource, child),
      ),
    ];
  });
}

function listMutants(resource: Resource, state: string): Mutant[] {
  const list = idOf(resource, 'list');
  const about = `states/${resource.id}/${state}`;
  const asksForIt = ({ args }: Call): boolean => texts(args.status).includes(state);
  const leavingOut = (id: string, title: string, when: (call: Call) => boolean): Mutant =>
    answerMutant(id, title, list, (shown, call) => {
      const isOther = (one: Json): boolean =>
        !isObject(one) || call.site.store.get(Number(one.id), resource.id)?.status !== state;
      return when(call) ? withList(shown, (records) => records.filter(isOther)) : shown;
    });
  const adding = (id: string, title: string, isLoggedIn: boolean): Mutant =>
    answerMutant(id, title, list, (shown, call) => {
      if (asksForIt(call) || (call.request.account !== undefined) !== isLoggedIn) return shown;
      const more = call.site.store.ofKind(resource.id).filter(({ status }) => status === state);
      const view = { context: contextOf(call), account: call.site.accounts[0] };
      return withList(shown, (records) => [
        ...more.toReversed().map((record) => showRecord(call.site, record, view)),
        ...records,
      ]);
    });
  if (OPEN.includes(state)) {
    return [leavingOut(`${about}/listed~left-out`, `${list} leaves out what is ${state}`, () => true)];
  }
  return [
    adding(`${about}/unlisted~listed`, `${list} lists what is ${state} by default`, true),
    leavingOut(`${about}/found~lost`, `${list} does not find what is ${state} by its state`, asksForIt),
    adding(`${about}/hidden~shown`, `${list} lists what is ${state} to anonymous callers`, false),
  ];
}

/** Sites with stale caches: of lists or single reads, for anonymous callers or users. */
function rememberingMutants(resource: Resource): Mutant[] {
  const about = `states/${resource.id}/again`;
  const remembering = (role: 'list' | 'read', isLoggedIn: boolean): Mutant => {
    const id = idOf(resource, role);
    const memories = new WeakMap<object, Map<string, Answer>>();
    const who = isLoggedIn ? 'users' : 'anonymous callers';
    return handlerMutant(
      `${about}~${role}-to-${isLoggedIn ? 'users' : 'anonymous'}`,
      `${id} answers ${who} in view from a memory`,
      id,
      async (call) => {
        if ((call.request.account !== undefined) !== isLoggedIn || contextOf(call) !== 'view')
          return healthy(call);
        const memory = memories.get(call.site.store) ?? new Map<string, Answer>();
        memories.set(call.site.store, memory);
        // Unknown arguments are part of the cache key: a page cache conforms.
        const known = Object.entries(call.args).filter(
          ([name]) => name in call.operation.parameters.properties,
        );
        const key = JSON.stringify(known);
        const shown = memory.get(key) ?? (await healthy(call));
        memory.set(key, shown);
        return shown;
      },
    );
  };
  return (['list', 'read'] as const).flatMap((role) => [remembering(role, false), remembering(role, true)]);
}

/** Sites on which an update of records in one state resets the fields that it does not name. */
function changingMutants(resource: Resource): Mutant[] {
  const { id, operations, fields } = resource;
  const update = operations.update?.id ?? '';
  const losing = (how: string, title: string, status: string): Mutant =>
    handlerMutant(`states/${id}/again~${how}`, title, update, async (call) => {
      const stored = recordOf(call, id);
      const isMeant = stored?.status === status && !isGiven(call, 'ping_status');
      const shown = await healthy(call);
      if (stored && isMeant) stored.pingStatus = stored.pingStatus === 'open' ? 'closed' : 'open';
      return shown;
    });
  const deletion = operations.delete?.id ?? '';
  return [
    ...(resource.trash
      ? [
          argsMutant(
            `states/${id}/again~one-is-no-force`,
            `${deletion} takes force=1 for a deletion without it`,
            deletion,
            (args, { request: { query } }) => (query.force === '1' ? { ...args, force: false } : args),
          ),
        ]
      : []),
    argsMutant(
      `states/${id}/again~published-as-before`,
      `an update of published ${id} does not store whether they take comments`,
      update,
      (args, call) => (recordOf(call, id)?.status === 'publish' ? without(args, 'comment_status') : args),
    ),
    ...('author' in fields
      ? [
          argsMutant(
            `states/${id}/again~author-of-published`,
            `an update of published ${id} does not store their author`,
            update,
            (args, call) => (recordOf(call, id)?.status === 'publish' ? without(args, 'author') : args),
          ),
        ]
      : []),
    ...(resource.trash
      ? [
          recordMutant(
            `states/${id}/again~null-in-the-trash`,
            `${id} in the trash have no template`,
            idOf(resource, 'read'),
            (record) => (record.status === 'trash' ? { ...record, template: null } : record),
          ),
        ]
      : []),
    losing('restored-otherwise', `${id} come back from the trash with other fields`, 'trash'),
    losing('published-otherwise', `an update of published ${id} changes what it does not name`, 'publish'),
  ];
}

/** Sites on which any update publishes scheduled records, or changes their instant in GMT. */
function scheduledMutants(resource: Resource): Mutant[] {
  const { id, operations, statuses } = resource;
  const [create, update] = [operations.create?.id, operations.update?.id];
  if (!statuses.kept.includes('future') || create === undefined || update === undefined) return [];
  return [
    handlerMutant(
      `${update}/alone/POST~publishes-scheduled`,
      `an update publishes ${id} that wait for their date`,
      update,
      async (call) => {
        const stored = recordOf(call, id);
        const wasWaiting = stored?.status === 'future';
        const shown = await healthy(call);
        if (stored && wasWaiting) stored.status = 'publish';
        return shown;
      },
    ),
    recordMutant(
      `${create}/date/agrees~of-scheduled`,
      `${id} that wait for their date show another one in GMT`,
      idOf(resource, 'read'),
      (record) => (record.status === 'future' ? { ...record, date_gmt: '2037-06-02T08:00:00' } : record),
    ),
  ];
}

function deletionMutants(resource: Resource): Mutant[] {
  const id = idOf(resource, 'delete');
  const [force, trash] = [`states/${resource.id}/force`, `states/${resource.id}/trash`];
  const keeping = handlerMutant(
    `${force}~keeps`,
    `deleting for good in ${resource.id} keeps the record`,
    id,
    (call) => {
      const stored = recordOf(call, resource.id);
      const { account } = call.request;
      if (call.args.force !== true || !stored || !account) return healthy(call);
      return answer({
        deleted: true,
        previous: showRecord(call.site, stored, { context: 'edit', account }),
      });
    },
  );
  const failing = (about: string, what: string, when: (call: Call) => boolean): Mutant =>
    handlerMutant(about, `deleting ${what} makes the server fail`, id, (call) => {
      if (when(call)) throw new Error('there is nothing to delete');
      return healthy(call);
    });
  const isNone = (call: Call): boolean => recordOf(call, resource.id) === undefined;
  const none = failing(`${force}~none-fails`, `what ${resource.id} do not hold`, isNone);
  const unread = argsMutant(
    `${force}/body~ignored`,
    `deleting in ${resource.id} reads force in the query alone`,
    id,
    (args, { request }) => ('force' in request.query ? args : { ...args, force: false }),
  );
  if (!resource.trash) return [keeping, none, unread];
  const isTrashed = (call: Call): boolean => recordOf(call, resource.id)?.status === 'trash';
  const forced = (about: string, title: string, value: boolean): Mutant =>
    handlerMutant(about, title, id, (call) => healthy({ ...call, args: { ...call.args, force: value } }));
  return [
    keeping,
    none,
    unread,
    failing(`${trash}~again-fails`, `${resource.id} in the trash without force`, (call) => {
      return isTrashed(call) && call.args.force !== true;
    }),
    argsMutant(
      `${trash}~again-deletes`,
      `a second deletion in ${resource.id} without force removes the record for good`,
      id,
      (args, call) => (isTrashed(call) ? { ...args, force: true } : args),
    ),
    forced(`${force}~only-trashes`, `deleting for good in ${resource.id} only moves to the trash`, false),
    forced(`${trash}~deletes`, `deleting in ${resource.id} removes for good at once`, true),
    handlerMutant(
      `${trash}~keeps-state`,
      `deleting in ${resource.id} leaves the record in its state`,
      id,
      async (call) => {
        const stored = recordOf(call, resource.id);
        const status = stored?.status ?? '';
        const shown = await healthy(call);
        if (stored && call.args.force !== true) stored.status = status;
        return shown;
      },
    ),
  ];
}

function slugMutant(resource: Resource): Mutant {
  const about = `slugs/${resource.id}/unique~shared`;
  const title = `two records of ${resource.id} share a slug`;
  return answerMutant(about, title, idOf(resource, 'create'), (shown, call) => {
    const stored = shownRecord(shown, call, resource.id);
    const { slug } = call.args;
    if (!stored || typeof slug !== 'string' || slug === '') return shown;
    stored.slug = slug;
    return withObject(shown, (record) => ({ ...record, slug }));
  });
}

function thirdSlugMutant(resource: Resource): Mutant {
  const about = `slugs/${resource.id}/unique~third-shared`;
  const title = `a third record of ${resource.id} with a slug gets that of the second`;
  return answerMutant(about, title, idOf(resource, 'create'), (shown, call) => {
    const stored = shownRecord(shown, call, resource.id);
    if (!stored?.slug.endsWith('-3')) return shown;
    stored.slug = stored.slug.replace(/-3$/, '-2');
    return withObject(shown, (record) => ({ ...record, slug: stored.slug }));
  });
}

function keptSlugMutant(resource: Resource): Mutant {
  const about = `slugs/${resource.id}/kept~another`;
  const title = `an update of ${resource.id} takes the slug of the record itself for one that is taken`;
  return handlerMutant(about, title, idOf(resource, 'update'), async (call) => {
    const stored = recordOf(call, resource.id);
    const isSame = stored !== undefined && call.args.slug === stored.slug;
    const shown = await healthy(call);
    if (!isSame) return shown;
    stored.slug += '-2';
    return withObject(shown, (record) => ({ ...record, slug: stored.slug }));
  });
}

/** A mutant in records that are changed several times. */
function lifecycleMutant(resource: Resource): Mutant {
  const about = `lifecycle/${resource.id}~forgets-second-title`;
  const title = `a second change of ${resource.id} is answered but not stored`;
  return handlerMutant(about, title, idOf(resource, 'update'), async (call) => {
    const stored = recordOf(call, resource.id);
    const before = stored && { ...stored };
    const shown = await healthy(call);
    const changes = call.site.store.revisionsOf(Number(call.args.id)).length;
    if (stored && before && changes > 2) Object.assign(stored, before);
    return shown;
  });
}

function revisionMutants({ id, operations }: Resource, child: Resource): Mutant[] {
  const about = `revisions/${id}`;
  const deletion = idOf(child, 'delete');
  return [
    handlerMutant(
      `${about}/created~missing`,
      `a change of ${id} makes no revision`,
      operations.update?.id ?? `${id}.update`,
      async (call) => {
        const { store } = call.site;
        const record = Number(call.args.id);
        const known = new Set(store.revisionsOf(record));
        const shown = await healthy(call);
        for (const one of store.revisionsOf(record)) if (!known.has(one)) store.remove(one);
        return shown;
      },
    ),
    handlerMutant(
      `${about}/force~deletes-without`,
      `revisions of ${id} are deleted without force`,
      deletion,
      (call) => {
        const stored = recordOf(call, REVISION);
        if (!call.request.account || !stored) return healthy(call);
        call.site.store.remove(stored);
        return answer({ deleted: true, previous: {} });
      },
    ),
    handlerMutant(
      `${about}/force~deletes-in-words`,
      `revisions of ${id} that are deleted with force stay`,
      deletion,
      (call) => {
        const isForced = call.request.account !== undefined && call.args.force === true;
        return isForced ? answer({ deleted: true, previous: {} }) : healthy(call);
      },
    ),
    newestRevisionMutant(`${about}/ids/each`, id, child),
    argsMutant(
      `${about}/list/whole~ten`,
      `the revisions of ${id} end after ten where no per_page is sent`,
      idOf(child, 'list'),
      (args) => ({ per_page: 10, ...args }),
    ),
    recordMutant(
      `${about}/ids~of-others`,
      `the revisions of ${id} are those of all records`,
      idOf(child, 'list'),
      (revision) => ({ ...revision, parent: Number(revision.parent) + 1 }),
    ),
  ];
}

/** A site that shows only the newest of several revisions wrongly. */
function newestRevisionMutant(about: string, id: string, child: Resource): Mutant {
  return recordMutant(
    `${about}~newest`,
    `the newest of several revisions of ${id} names another record alone`,
    idOf(child, 'read'),
    (revision, { site }) => {
      const kept = site.store.revisionsOf(Number(revision.parent)).map((one) => one.id);
      return kept.length > 2 && revision.id === Math.max(...kept) ? { ...revision, parent: 1 } : revision;
    },
  );
}

function autosaveMutants({ id }: Resource, child: Resource): Mutant[] {
  const about = `autosaves/${id}`;
  const overwriting = `an autosave in ${id} changes the record itself`;
  return [
    answerMutant(`${about}/apart~overwrites`, overwriting, idOf(child, 'create'), (shown, call) => {
      const stored = recordOf(call, id);
      const { title } = call.args;
      if (stored && isObject(title) && typeof title.raw === 'string') {
        stored.title = title.raw;
        settle(call.site, stored, { ...stored });
      }
      return shown;
    }),
    answerMutant(`${about}/apart~excerpt`, overwriting, idOf(child, 'create'), (shown, call) => {
      const stored = recordOf(call, id);
      const { excerpt } = call.args;
      if (stored && isObject(excerpt) && typeof excerpt.raw === 'string') stored.excerpt = excerpt.raw;
      return shown;
    }),
    recordMutant(
      `${about}/ids~of-the-record`,
      `the autosaves of ${id} carry the id of another record`,
      idOf(child, 'list'),
      (save) => ({ ...save, id: 1, parent: 1 }),
    ),
    recordMutant(
      `${about}/read~of-another`,
      `an autosave of ${id} read alone belongs to another record`,
      idOf(child, 'read'),
      (save) => ({ ...save, parent: 1 }),
    ),
  ];
}
