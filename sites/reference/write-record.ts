import { invalidParameters, slugOf } from './arguments.ts';
import {
  isTree,
  pathParameters,
  requireAccount,
  requireRecord,
  resourceOf,
  resourceOfKind,
} from './calls.ts';
import { routeAddress } from './dispatch.ts';
import type { JsonObject } from './json.ts';
import { Refusal } from './request.ts';
import { furtherFields, showRecord } from './show-record.ts';
import { type Answer, answer, type Call, type Handler, type Site } from './site.ts';
import { addRevision, type Kind, newRecord, REVISION, type StoredRecord } from './store.ts';

/** Creates a record (§4.6, §4.7): 201 with the record in the edit context. */
export const createRecord: Handler = (call) => {
  const account = requireCreator(call);
  const resource = resourceOf(call);
  const draft = newRecord({
    kind: resource.id,
    status: 'draft',
    author: account.id,
    date: call.site.now(),
  });
  if ('categories' in resource.fields) draft.categories = [1];
  if (isTree(resource)) Object.assign(draft, { commentStatus: 'closed', pingStatus: 'closed' });
  const record = writeFields(call, draft, undefined);
  return createdAnswer(call, record);
};

/** Updates a record: what is not sent stays as it is, whatever the method. */
export const updateRecord: Handler = (call) => {
  const resource = resourceOf(call);
  const before = requireRecord(call, resource.id, pathParameters(call).last);
  const account = requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  const record = writeFields(call, { ...before }, before);
  if (resource.children.some(({ kind }) => kind === 'revisions')) keepRevision(call.site, record, account.id);
  return answer(showRecord(call.site, record, { context: 'edit', account }));
};

/** Who may create: an account, and no `id` may be given. */
export function requireCreator(call: Call): ReturnType<typeof requireAccount> {
  if (call.args.id) throw new Refusal('rest_post_exists', 'Cannot create existing post.', 400);
  return requireAccount(
    call,
    'rest_cannot_create',
    'Sorry, you are not allowed to create posts as this user.',
  );
}

/**
 * Writes the arguments of a call into `draft`, and that into the store: over `before`, or as a new record.
 * Nothing is stored when it is refused.
 */
export function writeFields(call: Call, draft: StoredRecord, before: StoredRecord | undefined): StoredRecord {
  const { site, args } = call;
  for (const [name, writer] of Object.entries(site.behaviour.writers)) {
    const value = args[name];
    if (value !== undefined && call.operation.parameters.properties[name]) writer(draft, value, site);
  }
  const resource = resourceOfKind(site, draft.kind);
  for (const name of resource ? furtherFields(resource) : []) {
    const value = args[name];
    if (value !== undefined) draft.further = { ...draft.further, [name]: value };
  }
  checkRecord(site, draft, before, args);
  const previous = before && { ...before };
  const record = before ? Object.assign(before, draft) : site.store.add(draft);
  settle(site, record, previous);
  return record;
}

/** The answer to a creation. */
export function createdAnswer(call: Call, record: StoredRecord): Answer {
  const { account } = call.request;
  const location = routeAddress(call.site.url, `${resourceOf(call).route}/${record.id}`);
  return answer(showRecord(call.site, record, { context: 'edit', account }), 201, { Location: location });
}

const MINUTE = 60_000;

/**
 * Brings a record that has just been written in order: its status follows its date, it gets a slug that no
 * other has, and it leaves the trash when another status was written.
 * @param before as it was stored, undefined for a new one
 */
export function settle(site: Site, record: StoredRecord, before: StoredRecord | undefined): void {
  record.modified = site.now();
  if (before?.status === 'trash' && record.status !== 'trash') leaveTrash(record, before);
  const { open = 'publish', listed = [] } = resourceOfKind(site, record.kind)?.statuses ?? {};
  if (!listed.includes(record.status)) record.status = open;
  const due = statusByDate(record, site.now());
  if (listed.includes(due)) record.status = due;
  settleSlug(site, record);
}

function statusByDate(record: StoredRecord, now: number): string {
  const ahead = record.date - now >= MINUTE;
  if (record.status === 'publish' && ahead) return 'future';
  return record.status === 'future' && !ahead ? 'publish' : record.status;
}

function leaveTrash(record: StoredRecord, before: StoredRecord): void {
  if (record.slug === before.slug) record.slug = before.beforeTrash?.slug ?? '';
  record.beforeTrash = undefined;
}

/** A draft may be without a slug; any other record is named after its title, or its id at worst. */
function settleSlug(site: Site, record: StoredRecord): void {
  const mayLack = ['draft', 'pending', 'trash'].includes(record.status);
  if (record.slug === '' && mayLack) return;
  const slug = record.slug || slugOf(record.title) || String(record.id);
  record.slug = uniqueSlug(site, record, slug);
}

/** Keeps a revision of a record that differs from its latest one. */
function keepRevision(site: Site, record: StoredRecord, author: number): void {
  const [latest] = site.store.revisionsOf(record.id).filter(({ autosave }) => !autosave);
  const same =
    latest?.title === record.title && latest.content === record.content && latest.excerpt === record.excerpt;
  if (!same) addRevision(site.store, record, { author, date: site.now() });
}

/**
 * `slug`, with a number behind it when another record of its resource has it already (§2): in a tree records are told
 * apart per parent. Where a resource states nothing, its records live among all.
 */
function uniqueSlug(site: Site, record: StoredRecord, slug: string): string {
  const resource = resourceOfKind(site, record.kind);
  const isInTree = resource !== undefined && isTree(resource);
  const rivals = (resource?.uniqueSlugs ? site.store.ofKind(record.kind) : site.store.all()).filter(
    (other) => other.id !== record.id && (!isInTree || other.parent === record.parent),
  );
  const taken = new Set(rivals.map((other) => other.slug));
  let unique = slug;
  for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
  return unique;
}

/** Theme files that may display a record, by kind; the empty one, the usual file, always may. */
const TEMPLATES = ['', 'no-title', 'wide'];

/**
 * Refuses a write whose result would make no sense.
 * @param record as it would be stored
 * @param before as it is stored, undefined for a new one
 * @throws Refusal 400 for an unknown author, parent or template, a sticky record with a password, and a record
 * outside a tree without title, content and excerpt.
 */
function checkRecord(
  site: Site,
  record: StoredRecord,
  before: StoredRecord | undefined,
  args: JsonObject,
): void {
  if (args.author !== undefined && !site.accounts.some(({ id }) => id === record.author)) {
    throw new Refusal('rest_invalid_author', 'Invalid author ID.', 400);
  }
  if (record.sticky && record.password !== '') {
    throw new Refusal('rest_invalid_field', 'A post can not be sticky and have a password.', 400);
  }
  if (record.parent !== (before?.parent ?? 0)) checkParent(site, record);
  if (record.template !== before?.template && !TEMPLATES.includes(record.template)) {
    throw invalidParameters({ template: `template is not one of ${TEMPLATES.join(', ')}.` });
  }
  if (mayBeEmpty(site, record.kind)) return;
  if (record.title + record.content + record.excerpt === '') {
    throw new Refusal('empty_content', 'Content, title, and excerpt are empty.', 400);
  }
}

/** Real software takes an empty record where it has a file, or a place in a tree. */
function mayBeEmpty(site: Site, kind: Kind): boolean {
  const resource = resourceOfKind(site, kind);
  return resource === undefined || resource.kind === 'uploads' || isTree(resource);
}

function checkParent(site: Site, record: StoredRecord): void {
  if (record.parent === 0) return;
  const parent = site.store.get(record.parent);
  if (isUpload(site, record.kind)) {
    if (parent && (parent.kind === REVISION || isUpload(site, parent.kind))) {
      throw new Refusal('rest_invalid_param', 'Invalid parent type.', 400);
    }
    if (!parent && record.id === 0) {
      throw new Refusal('rest_cannot_edit', 'You are not allowed to upload media to this post.', 403);
    }
  } else if (!parent) {
    throw new Refusal('rest_post_invalid_id', 'Invalid post parent ID.', 400);
  }
}

/** Whether records of a kind come from files. */
function isUpload(site: Site, kind: Kind): boolean {
  return resourceOfKind(site, kind)?.kind === 'uploads';
}

/** Deletes a record for good with `force`, else moves it to the trash where its resource has one (§3). */
export const deleteRecord: Handler = (call) => {
  const { site } = call;
  const resource = resourceOf(call);
  const record = requireRecord(call, resource.id, pathParameters(call).last);
  const message = 'Sorry, you are not allowed to delete this post.';
  const account = requireAccount(call, 'rest_cannot_delete', message);
  if (call.args.force === true) {
    const previous = showRecord(site, record, { context: 'edit', account });
    site.store.remove(record);
    return answer({ deleted: true, previous });
  }
  if (!resource.trash) {
    throw new Refusal('rest_trash_not_supported', "Set 'force=true' to delete.", 501);
  }
  if (record.status === 'trash') {
    throw new Refusal('rest_already_trashed', 'The post has already been deleted.', 410);
  }
  record.beforeTrash = { slug: record.slug, status: record.status };
  record.status = 'trash';
  record.slug = `${record.slug}__trashed`;
  record.modified = site.now();
  return answer(showRecord(site, record, { context: 'edit', account }));
};
