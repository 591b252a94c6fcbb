import { isObject, type Json, raw, texts } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { contextOf } from '../../reference/read-records.ts';
import { showRecord } from '../../reference/show-record.ts';
import { type Answer, answer, type Call, type Handler } from '../../reference/site.ts';
import { REVISION, type StoredRecord } from '../../reference/store.ts';
import { settle } from '../../reference/write-record.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import {
  followed,
  healthy,
  idOf,
  isGiven,
  mutantsIn,
  ownResources,
  recordOf,
  shownRecord,
  withList,
  withObject,
  without,
} from '../handling.ts';

const OPEN = ['publish', 'inherit'];

/** Mutants in the states of records (§3): lists, drafts, the trash, permanent deletion, and slugs. */
export function stateMutants(contract: Contract): Mutants {
  return ownResources(contract).map((resource) => {
    const { kind, statuses, operations, uniqueSlugs } = resource;
    if (!operations.create) return [];
    return [
      [...new Set([statuses.open, ...statuses.kept])].map((state) => listMutants(resource, state)),
      deletionMutants(resource),
      rememberingMutants(resource),
      kind === 'records' && [changingMutants(resource), scheduledMutants(resource)],
      uniqueSlugs && slugMutants(resource),
      resource.children.map((child) =>
        child.kind === 'revisions' ? revisionMutants(resource, child) : autosaveMutants(resource, child),
      ),
    ];
  });
}

function listMutants(resource: Resource, state: string): Mutants {
  const { answer: shown } = mutantsIn(idOf(resource, 'list'), `states/${resource.id}/${state}`);
  const asksForIt = ({ args }: Call): boolean => texts(args.status).includes(state);
  const leavingOut = (how: string, title: string, when: (call: Call) => boolean): Mutant =>
    shown(how, title, (all, call) => {
      const isOther = (one: Json): boolean =>
        !isObject(one) || call.site.store.get(Number(one.id), resource.id)?.status !== state;
      return when(call) ? withList(all, (records) => records.filter(isOther)) : all;
    });
  const adding = (how: string, title: string, isLoggedIn: boolean): Mutant =>
    shown(how, title, (all, call) => {
      if (asksForIt(call) || (call.request.account !== undefined) !== isLoggedIn) return all;
      const more = call.site.store.ofKind(resource.id).filter(({ status }) => status === state);
      const view = { context: contextOf(call), account: call.site.accounts[0] };
      const added = more.toReversed().map((record) => showRecord(call.site, record, view));
      return withList(all, (records) => [...added, ...records]);
    });
  if (OPEN.includes(state)) return [leavingOut('listed~left-out', `leaves out what is ${state}`, () => true)];
  return [
    adding('unlisted~listed', `lists what is ${state} by default`, true),
    leavingOut('found~lost', `does not find what is ${state} by its state`, asksForIt),
    adding('hidden~shown', `lists what is ${state} to anonymous callers`, false),
  ];
}

/** Sites with stale caches: of lists or single reads, for anonymous callers or users. */
function rememberingMutants(resource: Resource): Mutants {
  const remembering = (role: string, isLoggedIn: boolean): Mutant => {
    const { handler } = mutantsIn(idOf(resource, role), `states/${resource.id}/again`);
    const memories = new WeakMap<object, Map<string, Answer>>();
    const [who, whom] = isLoggedIn ? ['users', 'users'] : ['anonymous', 'anonymous callers'];
    return handler(`~${role}-to-${who}`, `answers ${whom} in view from a memory`, async (call) => {
      if ((call.request.account !== undefined) !== isLoggedIn || contextOf(call) !== 'view')
        return healthy(call);
      const memory = memories.get(call.site.store) ?? new Map<string, Answer>();
      memories.set(call.site.store, memory);
      // Unknown arguments are part of the cache key: a page cache conforms.
      const { properties } = call.operation.parameters;
      const key = JSON.stringify(Object.entries(call.args).filter(([name]) => name in properties));
      const shown = memory.get(key) ?? (await healthy(call));
      memory.set(key, shown);
      return shown;
    });
  };
  return ['list', 'read'].map((role) => [remembering(role, false), remembering(role, true)]);
}

/** Sites on which an update of records in one state resets the fields that it does not name. */
function changingMutants(resource: Resource): Mutants {
  const { id, fields } = resource;
  const about = `states/${id}/again`;
  const updates = mutantsIn(idOf(resource, 'update'), about, `an update of ${id}`);
  const deletions = mutantsIn(idOf(resource, 'delete'), about);
  const losing = (status: string): Handler =>
    followed(id, (stored, before, call) => {
      if (before.status === status && !isGiven(call, 'ping_status'))
        stored.pingStatus = stored.pingStatus === 'open' ? 'closed' : 'open';
    });
  const unstored = (how: string, title: string, name: string): Mutant =>
    updates.args(how, title, (args, call) =>
      recordOf(call, id)?.status === 'publish' ? without(args, name) : args,
    );
  return [
    unstored('~published-as-before', 'does not store whether published ones take comments', 'comment_status'),
    'author' in fields &&
      unstored('~author-of-published', 'does not store the author of published ones', 'author'),
    updates.handler(
      '~published-otherwise',
      'changes what it does not name of published ones',
      losing('publish'),
    ),
    updates.handler(
      '~restored-otherwise',
      'changes what it does not name of those in the trash',
      losing('trash'),
    ),
    resource.trash && [
      deletions.args('~one-is-no-force', 'takes force=1 for a deletion without it', (args, { request }) =>
        request.query.force === '1' ? { ...args, force: false } : args,
      ),
      mutantsIn(idOf(resource, 'read'), about).record(
        '~null-in-the-trash',
        'shows no template in the trash',
        (record) => (record.status === 'trash' ? { ...record, template: null } : record),
      ),
    ],
  ];
}

/** Sites on which any update publishes scheduled records, or changes their instant in GMT. */
function scheduledMutants(resource: Resource): Mutants {
  const { id, operations, statuses } = resource;
  const [create, update] = [operations.create?.id, operations.update?.id];
  if (!statuses.kept.includes('future') || create === undefined || update === undefined) return [];
  const later = '2037-06-02T08:00:00';
  return [
    mutantsIn(update).handler(
      'alone/POST~publishes-scheduled',
      `publishes ${id} that wait for their date`,
      followed(id, (stored, before) => {
        if (before.status === 'future') stored.status = 'publish';
      }),
    ),
    mutantsIn(idOf(resource, 'read'), `${create}/date`).record(
      'agrees~of-scheduled',
      `shows another date in GMT of ${id} that wait for theirs`,
      (record) => (record.status === 'future' ? { ...record, date_gmt: later } : record),
    ),
  ];
}

function deletionMutants(resource: Resource): Mutants {
  const { id } = resource;
  const { args, handler } = mutantsIn(idOf(resource, 'delete'), `states/${id}`, `deleting in ${id}`);
  const failing = (how: string, what: string, when: (call: Call) => boolean): Mutant =>
    handler(how, `${what} makes the server fail`, (call) => {
      if (when(call)) throw new Error('there is nothing to delete');
      return healthy(call);
    });
  const always = [
    handler('force~keeps', 'for good keeps the record', (call) => {
      const stored = recordOf(call, id);
      const { account } = call.request;
      if (call.args.force !== true || !stored || !account) return healthy(call);
      return answer({ deleted: true, previous: showRecord(call.site, stored, { context: 'edit', account }) });
    }),
    failing('force~none-fails', 'what is not there', (call) => recordOf(call, id) === undefined),
    args('force/body~ignored', 'reads force in the query alone', (given, { request }) =>
      'force' in request.query ? given : { ...given, force: false },
    ),
  ];
  if (!resource.trash) return always;
  const isTrashed = (call: Call): boolean => recordOf(call, id)?.status === 'trash';
  return [
    always,
    failing('trash~again-fails', 'from the trash without force', (call) => {
      return isTrashed(call) && call.args.force !== true;
    }),
    args('trash~again-deletes', 'a second time without force removes the record for good', (given, call) =>
      isTrashed(call) ? { ...given, force: true } : given,
    ),
    args('force~only-trashes', 'for good only moves to the trash', (given) => ({ ...given, force: false })),
    args('trash~deletes', 'removes for good at once', (given) => ({ ...given, force: true })),
    handler(
      'trash~keeps-state',
      'leaves the record in its state',
      followed(id, (stored, { status }, call) => {
        if (call.args.force !== true) stored.status = status;
      }),
    ),
  ];
}

function slugMutants(resource: Resource): Mutants {
  const { id, kind } = resource;
  const create = mutantsIn(idOf(resource, 'create'), `slugs/${id}/unique`, `a creation in ${id}`);
  const update = idOf(resource, 'update');
  const renamed = (shown: Answer, stored: StoredRecord, slug: string): Answer => {
    stored.slug = slug;
    return withObject(shown, (record) => ({ ...record, slug }));
  };
  const unstored = mutantsIn(update, `lifecycle/${id}`, `a second change of ${id}`);
  return [
    create.answer('~shared', 'stores a slug that another record has', (shown, call) => {
      const stored = shownRecord(shown, call, id);
      const { slug } = call.args;
      return stored && typeof slug === 'string' && slug !== '' ? renamed(shown, stored, slug) : shown;
    }),
    create.answer('~shared-beyond-ascii', 'stores a slug of other letters twice', (shown, call) => {
      const stored = shownRecord(shown, call, id);
      const { slug } = call.args;
      const isMeant = typeof slug === 'string' && encodeURIComponent(slug) !== slug;
      return stored && isMeant ? renamed(shown, stored, slug) : shown;
    }),
    create.answer('~third-shared', 'gives a third record with a slug that of the second', (shown, call) => {
      const stored = shownRecord(shown, call, id);
      return stored?.slug.endsWith('-3') ? renamed(shown, stored, stored.slug.replace(/-3$/, '-2')) : shown;
    }),
    mutantsIn(update, `slugs/${id}/kept`).handler(
      '~another',
      'takes the slug of the record itself for one that is taken',
      async (call) => {
        const stored = recordOf(call, id);
        const isSame = stored !== undefined && call.args.slug === stored.slug;
        const shown = await healthy(call);
        return isSame ? renamed(shown, stored, `${stored.slug}-2`) : shown;
      },
    ),
    kind === 'records' &&
      unstored.handler(
        '~forgets-second-title',
        'is answered but not stored',
        followed(id, (stored, before, { site, args }) => {
          if (site.store.revisionsOf(Number(args.id)).length > 2) Object.assign(stored, before);
        }),
      ),
  ];
}

/** Parameters of lists that revisions have too. */
const OF_LISTS: ReadonlySet<string> = new Set([
  'page',
  'per_page',
  'offset',
  'order',
  'include',
  'exclude',
  'search',
]);

function revisionMutants(resource: Resource, child: Resource): Mutants {
  const { id } = resource;
  const about = `revisions/${id}`;
  const { record, args } = mutantsIn(idOf(child, 'list'), about, `the list of revisions of ${id}`);
  return [
    mutantsIn(idOf(resource, 'update'), about).handler(
      'created~missing',
      'makes no revision',
      async (call) => {
        const { store } = call.site;
        const record = Number(call.args.id);
        const known = new Set(store.revisionsOf(record));
        const shown = await healthy(call);
        for (const one of store.revisionsOf(record)) if (!known.has(one)) store.remove(one);
        return shown;
      },
    ),
    revisionDeletionMutants(resource, child),
    mutantsIn(idOf(child, 'read'), `${about}/ids/each`).record(
      '~newest',
      'shows another parent of the newest of several revisions',
      (revision, { site }) => {
        const kept = site.store.revisionsOf(Number(revision.parent)).map((one) => one.id);
        return kept.length > 2 && revision.id === Math.max(...kept) ? { ...revision, parent: 1 } : revision;
      },
    ),
    Object.keys(child.operations.list?.parameters.properties ?? {})
      .filter((name) => OF_LISTS.has(name))
      .map((name) =>
        args(`list/${name}~of-drafts`, `ignores ${name} for those of drafts`, (given, { site }) =>
          site.store.get(Number(given.parent), id)?.status === 'draft' ? without(given, name) : given,
        ),
      ),
    args('list/whole~ten', 'ends after ten where no per_page is sent', (given) => ({
      per_page: 10,
      ...given,
    })),
    record('ids~of-others', 'names another parent', (revision) => ({
      ...revision,
      parent: Number(revision.parent) + 1,
    })),
  ];
}

function revisionDeletionMutants({ id }: Resource, child: Resource): Mutants {
  const deletions = mutantsIn(idOf(child, 'delete'), `revisions/${id}/force`);
  const deleted = answer({ deleted: true, previous: {} });
  return [
    deletions.handler('~deletes-without', 'needs no force', (call) => {
      const stored = recordOf(call, REVISION);
      if (!call.request.account || !stored) return healthy(call);
      call.site.store.remove(stored);
      return deleted;
    }),
    deletions.handler('~deletes-with-false', 'takes any force', (call) => {
      const stored = recordOf(call, REVISION);
      const isGiven = call.request.query.force !== undefined;
      if (!call.request.account || !stored || !isGiven) return healthy(call);
      call.site.store.remove(stored);
      return deleted;
    }),
    deletions.handler('~deletes-in-words', 'with force keeps the revision', (call) =>
      call.request.account !== undefined && call.args.force === true ? deleted : healthy(call),
    ),
    deletions.handler('~takes-others', 'with force deletes all revisions of the record', (call) => {
      const stored = recordOf(call, REVISION);
      if (!call.request.account || call.args.force !== true || !stored) return healthy(call);
      for (const one of call.site.store.revisionsOf(Number(call.args.parent))) call.site.store.remove(one);
      return deleted;
    }),
    deletions.handler('~resets-the-record', 'with force resets the excerpt of the record', (call) => {
      const stored = call.site.store.get(Number(call.args.parent), id);
      const shown = healthy(call);
      if (stored && call.args.force === true) stored.excerpt = '';
      return shown;
    }),
    deletions.handler('~sets-the-record-back', 'with force sets the record back to it', async (call) => {
      const revision = recordOf(call, REVISION);
      const stored = call.site.store.get(Number(call.args.parent), id);
      const shown = await healthy(call);
      if (stored && revision && call.args.force === true) stored.content = revision.content;
      return shown;
    }),
  ];
}

function autosaveMutants({ id }: Resource, child: Resource): Mutants {
  const about = `autosaves/${id}`;
  const saves = mutantsIn(idOf(child, 'create'), `${about}/apart`);
  return [
    saves.answer('~overwrites', 'changes the title of the record itself', (shown, call) => {
      const stored = recordOf(call, id);
      const title = raw(call.args.title);
      if (stored && title !== undefined) {
        stored.title = title;
        settle(call.site, stored, { ...stored });
      }
      return shown;
    }),
    saves.answer('~excerpt', 'changes the excerpt of the record itself', (shown, call) => {
      const stored = recordOf(call, id);
      if (stored) stored.excerpt = raw(call.args.excerpt) ?? stored.excerpt;
      return shown;
    }),
    saves.answer('~meta', 'changes the meta of the record itself', (shown, call) => {
      const stored = recordOf(call, id);
      const { meta } = call.args;
      if (stored && isObject(meta)) stored.meta = { ...stored.meta, ...meta };
      return shown;
    }),
    saves.answer('~comments', 'changes who may comment on the record itself', (shown, call) => {
      const stored = recordOf(call, id);
      const { comment_status } = call.args;
      if (stored && typeof comment_status === 'string') stored.commentStatus = comment_status;
      return shown;
    }),
    saves.answer('~slug', 'changes the slug of the record itself', (shown, call) => {
      const stored = recordOf(call, id);
      if (stored) stored.slug = `${stored.slug}-autosave`;
      return shown;
    }),
    mutantsIn(idOf(child, 'list'), about).record(
      'ids~of-the-record',
      'shows the id of another record',
      (save) => ({
        ...save,
        id: 1,
        parent: 1,
      }),
    ),
    mutantsIn(idOf(child, 'read'), about).record('read~of-another', 'shows another parent', (save) => ({
      ...save,
      parent: 1,
    })),
  ];
}
