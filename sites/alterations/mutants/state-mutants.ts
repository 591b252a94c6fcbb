import { slugOf } from '../../reference/arguments.ts';
import { isObject, type Json, raw, texts } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { contextOf } from '../../reference/read-records.ts';
import { showRecord } from '../../reference/show-record.ts';
import { type Answer, answer, type Call } from '../../reference/site.ts';
import { REVISION, StoredRecord } from '../../reference/store.ts';
import { settle } from '../../reference/write-record.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import {
  dropping,
  healthy,
  mutantsIn,
  mutantsOn,
  otherWord,
  setting,
  shownRecord,
  storedAs,
  withList,
  withObject,
  without,
} from '../handling.ts';
import {
  type IsMeant,
  idOf,
  isAnonymous,
  isGiven,
  isUser,
  lacks,
  ofStatus,
  ownResources,
  recordOf,
  sends,
} from '../selecting.ts';

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
      mutantsOn(resource, 'update', `states/${resource.id}/modified`, `an update of ${resource.id}`).follow(
        '~unnoticed',
        'does not count as a modification',
        (stored, { modified }) => Object.assign(stored, { modified }),
      ),
      kind === 'records' && changingMutants(resource),
      uniqueSlugs && slugMutants(resource),
      resource.children.map((child) =>
        child.kind === 'revisions' ? revisionMutants(resource, child) : autosaveMutants(resource, child),
      ),
    ];
  });
}

function listMutants(resource: Resource, state: string): Mutants {
  const { answer: shown } = mutantsOn(resource, 'list', `states/${resource.id}/${state}`);
  const asksForIt = ({ args }: Call): boolean => texts(args.status).includes(state);
  const leavingOut = (how: string, title: string, when: (call: Call) => boolean): Mutant =>
    shown(how, title, (all, call) => {
      const isOther = (one: Json): boolean => storedAs(one, call, resource.id)?.status !== state;
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

function rememberingMutants(resource: Resource): Mutants {
  const remembering = (role: string, who: string, whom: string, isCaller: IsMeant): Mutant =>
    mutantsOn(resource, role, `states/${resource.id}/again`)
      .where(isCaller, (call) => contextOf(call) === 'view')
      .remembering(`~${role}-to-${who}`, `answers ${whom} in view from a memory`, ({ operation, args }) => {
        // Unknown arguments are part of the cache key: a page cache conforms.
        const { properties } = operation.parameters;
        return Object.entries(args).filter(([name]) => name in properties);
      });
  return ['list', 'read'].map((role) => [
    remembering(role, 'anonymous', 'anonymous callers', isAnonymous),
    remembering(role, 'users', 'users', isUser),
  ]);
}

function changingMutants(resource: Resource): Mutants {
  const { id } = resource;
  const about = `states/${id}/again`;
  const updates = mutantsOn(resource, 'update', about, `an update of ${id}`);
  const losing = (how: string, status: string, which: string): Mutant =>
    updates.follow(how, `changes what it does not name of ${which}`, (stored, before, call) => {
      if (before.status === status && !isGiven(call, 'ping_status'))
        stored.pingStatus = otherWord(stored.pingStatus);
    });
  return [
    updates
      .where(ofStatus('publish'))
      .args(
        '~published-as-before',
        'does not store whether published ones take comments',
        dropping('comment_status'),
      ),
    losing('~published-otherwise', 'publish', 'published ones'),
    losing('~restored-otherwise', 'trash', 'those in the trash'),
    resource.trash && [
      Object.entries({ featured_media: { featuredMedia: 0 }, parent: { parent: 0 }, meta: { meta: {} } })
        .filter(([name]) => name in resource.fields)
        .map(([name, lost]) =>
          updates.follow(
            `~restored-without-${name}`,
            `drops ${name} of those in the trash`,
            (stored, before) => {
              if (before.status === 'trash') Object.assign(stored, lost);
            },
          ),
        ),
      updates
        .where(ofStatus('trash'))
        .args('~restored-as-before', 'stores nothing but the status of those in the trash', (given) =>
          Object.fromEntries(Object.entries(given).filter(([name]) => ['id', 'status'].includes(name))),
        ),
      mutantsOn(resource, 'delete', about)
        .where(({ request }) => request.query.force === '1')
        .args('~one-is-no-force', 'takes force=1 for a deletion without it', setting({ force: false })),
      mutantsOn(resource, 'list', about).answer(
        '~untitled-left-out',
        'leaves out those without a title',
        (shown, call) => withList(shown, (list) => list.filter((one) => storedAs(one, call)?.title !== '')),
      ),
      mutantsOn(resource, 'read', about).record(
        '~null-in-the-trash',
        'shows no template in the trash',
        (record) => (record.status === 'trash' ? { ...record, template: null } : record),
      ),
    ],
  ];
}

function deletionMutants(resource: Resource): Mutants {
  const { id } = resource;
  const deleting = mutantsOn(resource, 'delete', `states/${id}`, `deleting in ${id}`);
  const { args, handler, failing } = deleting;
  const isTrashed = ofStatus('trash');
  const keeping = (call: Call) => {
    const isForced = call.args.force === true && call.request.account !== undefined;
    return isForced && recordOf(call, id) ? answer({ deleted: true, previous: {} }) : healthy(call);
  };
  return [
    handler('force~keeps', 'for good keeps the record', keeping),
    !resource.trash &&
      failing(
        'force~fails-without',
        'without force makes the server fail',
        (call) => call.args.force !== true,
      ),
    failing(
      'force~none-fails',
      'what is not there makes the server fail',
      (call) => recordOf(call, id) === undefined,
    ),
    args('force/body~ignored', 'reads force in the query alone', (given, { request }) =>
      'force' in request.query ? given : { ...given, force: false },
    ),
    resource.trash && [
      deleting.where(isTrashed).handler('trash~keeps', 'for good from the trash keeps the record', keeping),
      deleting
        .where(isTrashed, ({ args: { force } }) => force === true)
        .handler('trash~refuses', 'for good from the trash is refused', () => answer({}, 400)),
      failing(
        'trash~again-fails',
        'from the trash without force makes the server fail',
        (call) => isTrashed(call) && call.args.force !== true,
      ),
      deleting
        .where(isTrashed)
        .args('trash~again-deletes', 'a second time without force removes the record for good', FOR_GOOD),
      args('force~only-trashes', 'for good only moves to the trash', setting({ force: false })),
      args('trash~deletes', 'removes for good at once', FOR_GOOD),
      deleting.follow('trash~keeps-state', 'leaves the record in its state', (stored, { status }, call) => {
        if (call.args.force !== true) stored.status = status;
      }),
    ],
  ];
}

const FOR_GOOD = setting({ force: true });

function slugMutants(resource: Resource): Mutants {
  const { id, kind } = resource;
  const create = mutantsOn(resource, 'create', `slugs/${id}/unique`, `a creation in ${id}`);
  const update = idOf(resource, 'update');
  const renamed = (shown: Answer, stored: StoredRecord, slug: string): Answer => {
    stored.slug = slug;
    return withObject(shown, (record) => ({ ...record, slug }));
  };
  /** A site that stores another slug than it should; undefined for the right one. */
  const storing = (
    how: string,
    title: string,
    slugFor: (made: StoredRecord, sent: Json) => unknown,
  ): Mutant =>
    create.answer(how, title, (shown, call) => {
      const stored = shownRecord(shown, call, id);
      const slug = stored && slugFor(stored, call.args.slug ?? '');
      return stored && typeof slug === 'string' && slug !== '' ? renamed(shown, stored, slug) : shown;
    });
  return [
    storing('~shared', 'stores a slug that another record has', (_, slug) => slug),
    storing(
      '~shared-beyond-ascii',
      'stores a slug of other letters twice',
      (_, slug) => encodeURIComponent(String(slug)) !== slug && slug,
    ),
    storing(
      '~third-shared',
      'gives a third record with a slug that of the second',
      ({ slug }) => slug.endsWith('-3') && slug.replace(/-3$/, '-2'),
    ),
    storing(
      '~of-titles',
      'names a record without a slug after its title, whoever has that slug',
      ({ title }, sent) => sent === '' && slugOf(title),
    ),
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
      mutantsIn(update, `lifecycle/${id}`, `a second change of ${id}`).follow(
        '~forgets-second-title',
        'is answered but not stored',
        (stored, before, { site, args }) => {
          if (site.store.revisionsOf(Number(args.id)).length > 2) Object.assign(stored, before);
        },
      ),
  ];
}

const OF_LISTS = ['page', 'per_page', 'offset', 'order', 'include', 'exclude', 'search'];

function revisionMutants(resource: Resource, child: Resource): Mutants {
  const { id } = resource;
  const about = `revisions/${id}`;
  const { record, args } = mutantsOn(child, 'list', about, `the list of revisions of ${id}`);
  return [
    mutantsOn(resource, 'update', about).handler('created~missing', 'makes no revision', async (call) => {
      const { store } = call.site;
      const record = Number(call.args.id);
      const known = new Set(store.revisionsOf(record));
      const shown = await healthy(call);
      for (const one of store.revisionsOf(record)) if (!known.has(one)) store.remove(one);
      return shown;
    }),
    revisionDeletionMutants(resource, child),
    mutantsOn(resource, 'read', `${about}/ids/record`).handler(
      '~of-a-revision',
      'shows a revision',
      (call) => {
        const revision = recordOf(call, REVISION);
        if (revision === undefined) return healthy(call);
        return answer(
          showRecord(call.site, Object.assign(new StoredRecord(), revision, { kind: id }), {
            context: 'view',
            account: call.request.account,
          }),
        );
      },
    ),
    mutantsOn(child, 'read', `${about}/ids/each`).record(
      '~newest',
      'shows another parent of the newest of several revisions',
      (revision, { site }) => {
        const kept = site.store.revisionsOf(Number(revision.parent)).map((one) => one.id);
        return kept.length > 2 && revision.id === Math.max(...kept) ? { ...revision, parent: 1 } : revision;
      },
    ),
    Object.keys(child.operations.list?.parameters.properties ?? {})
      .filter((name) => OF_LISTS.includes(name))
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
  const deletions = mutantsOn(child, 'delete', `revisions/${id}/force`);
  const deleted = answer({ deleted: true, previous: {} });
  const forced = deletions.where(({ args }) => args.force === true, isUser);
  const parentOf = ({ site, args }: Call): StoredRecord | undefined =>
    site.store.get(Number(args.parent), id);
  const unforced = (how: string, title: string, when: IsMeant): Mutant =>
    deletions.where(isUser, when).handler(how, title, (call) => {
      const stored = recordOf(call, REVISION);
      if (stored) call.site.store.remove(stored);
      return stored ? deleted : healthy(call);
    });
  return [
    unforced('~deletes-without', 'needs no force', lacks('force')),
    unforced('~deletes-with-false', 'takes any force', sends('force')),
    deletions.reading('~deletes-with-a-word', 'takes a word as force', (given, read) =>
      read(given.force === 'maybe' ? { ...given, force: true } : given),
    ),
    forced.handler('~deletes-in-words', 'with force keeps the revision', () => deleted),
    forced.handler('~takes-others', 'with force deletes all revisions of the record', (call) => {
      if (!recordOf(call, REVISION)) return healthy(call);
      for (const one of call.site.store.revisionsOf(Number(call.args.parent))) call.site.store.remove(one);
      return deleted;
    }),
    forced.args('~below-any', 'with force deletes a revision below any record', (given, call) => ({
      ...given,
      parent: recordOf(call, REVISION)?.parent ?? 0,
    })),
    forced.answer('~removes-the-record', 'with force removes the record', (shown, call) => {
      const stored = parentOf(call);
      if (stored) call.site.store.remove(stored);
      return shown;
    }),
    forced.answer('~resets-the-record', 'with force resets the excerpt of the record', (shown, call) => {
      const stored = parentOf(call);
      if (stored) stored.excerpt = '';
      return shown;
    }),
  ];
}

function autosaveMutants({ id }: Resource, child: Resource): Mutants {
  const about = `autosaves/${id}`;
  const saves = mutantsOn(child, 'create', `${about}/apart`);
  const saved = new WeakSet<StoredRecord>();
  const changing = (how: string, what: string, change: (stored: StoredRecord, call: Call) => void): Mutant =>
    saves.answer(how, `changes ${what} the record itself`, (shown, call) => {
      const stored = recordOf(call, id);
      if (stored) change(stored, call);
      return shown;
    });
  return [
    changing('~overwrites', 'the title of', (stored, { args, site }) => {
      const title = raw(args.title);
      if (title === undefined) return;
      stored.title = title;
      settle(site, stored, { ...stored });
    }),
    changing('again~slug', 'the slug of', (stored, { args: { slug } }) => {
      if (typeof slug === 'string') stored.slug = slug;
    }),
    changing('~meta', 'the meta of', (stored, { args: { meta } }) => {
      if (isObject(meta)) stored.meta = { ...stored.meta, ...meta };
    }),
    mutantsOn(child, 'create', `${about}/apart/again`).answer(
      '~second',
      'changes the content of the record itself from the second one on',
      (shown, call) => {
        const stored = recordOf(call, id);
        const content = raw(call.args.content);
        if (stored === undefined || content === undefined) return shown;
        if (saved.has(stored)) stored.content = content;
        saved.add(stored);
        return shown;
      },
    ),
    mutantsOn(child, 'list', about).record(
      'ids~of-the-record',
      'shows another id',
      setting({ id: 1, parent: 1 }),
    ),
    mutantsOn(child, 'read', about).record('read~of-another', 'shows another parent', setting({ parent: 1 })),
  ];
}
