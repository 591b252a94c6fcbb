import { printDate } from './arguments.ts';
import { isTree, pathParameters, requireAccount, requireRecord, resourceOf } from './calls.ts';
import { routeAddress } from './dispatch.ts';
import { emptyObjectsAsArrays, integer, type JsonObject, raw } from './json.ts';
import type { Resource } from './load-contract.ts';
import { contextOf, listAnswer, paginate, requireOtherArguments, selectRecords } from './read-records.ts';
import { demand } from './request.ts';
import { metaOf, paragraphs, permalink } from './show-record.ts';
import { answer, type Call, forContext, type Handler } from './site.ts';
import { addRevision, REVISION, type StoredRecord } from './store.ts';
import { writeFields } from './write-record.ts';

/** Lists the revisions of a record, with autosaves: without `per_page` all on one page (§4.6). */
const listRevisions: Handler = (call) => {
  const parent = requireParent(call);
  requireEditor(call);
  requireOtherArguments(call);
  const { site, args } = call;
  // Here the path parameter names the record and is not a filter.
  const { [pathParameters(call).first]: _, ...filters } = args;
  const found = selectRecords(site, site.store.revisionsOf(parent.id), { args: filters, known: true });
  const offset = typeof args.offset === 'number' ? args.offset : 0;
  const isWithin = found.length === 0 || offset < found.length;
  demand(isWithin, 'rest_revision_invalid_offset_number', 'The offset is too large.', 400);
  const perPage = integer(args.per_page, -1);
  // Without pages there is no offset, and with an offset there are no pages.
  const number = offset > 0 ? 1 : integer(args.page, 1);
  const page = paginate(found, number, perPage, perPage < 0 || offset === 0 ? undefined : offset);
  return listAnswer(
    call,
    page.items.map((record) => showRevision(call, record)),
    page,
  );
};

const readRevision: Handler = (call) => {
  const parent = requireParent(call);
  requireEditor(call);
  return answer(showRevision(call, requireRevision(call, parent)));
};

/** Deletes a revision for good, only with `force` (§3). */
const deleteRevision: Handler = (call) => {
  const message = 'Sorry, you are not allowed to delete this revision.';
  const parent = requireParent(call);
  requireAccount(call, 'rest_cannot_delete', message);
  const revision = requireRevision(call, parent);
  demand(call.args.force === true, 'rest_trash_not_supported', "Set 'force=true' to delete.", 501);
  const previous = showRevision(call, revision);
  call.site.store.remove(revision);
  return answer({ deleted: true, previous });
};

function requireParent(call: Call): StoredRecord {
  return requireRecord(call, parentOf(call).id, pathParameters(call).first);
}

/** The resource whose records have the children of a call's operation. @throws Error if it works on no children */
function parentOf(call: Call): Resource {
  const { id, parent } = resourceOf(call);
  if (!parent) throw new Error(`${id} has no parent`);
  return parent;
}

function requireEditor(call: Call): void {
  requireAccount(call, 'rest_cannot_read', 'Sorry, you are not allowed to view revisions of this post.');
}

function requireRevision(call: Call, parent: StoredRecord): StoredRecord {
  const revision = requireRecord(call, REVISION, pathParameters(call).last);
  const isOwn = revision.parent === parent.id;
  demand(isOwn, 'rest_revision_parent_id_mismatch', 'The revision does not belong to the parent.', 404);
  return revision;
}

function showRevision(call: Call, record: StoredRecord): JsonObject {
  const { site } = call;
  const resource = parentOf(call);
  const link = permalink(site, record);
  const all: JsonObject = {
    author: record.author,
    date: printDate(record.date),
    date_gmt: printDate(record.date),
    id: record.id,
    modified: printDate(record.modified),
    modified_gmt: printDate(record.modified),
    parent: record.parent,
    slug: record.slug,
    guid: { rendered: link, raw: link },
    title: { raw: record.title, rendered: record.title },
    content: { raw: record.content, rendered: paragraphs(record.content) },
    excerpt: { raw: record.excerpt, rendered: paragraphs(record.excerpt) },
    meta: emptyObjectsAsArrays(metaOf(resource, record)),
    _links: { parent: [{ href: routeAddress(site.url, `${resource.route}/${record.parent}`) }] },
  };
  // A revision shows its parent in every context (§2), other records only where it can be written.
  const { parent: _, ...contexts } = site.behaviour.contexts;
  return forContext(all, contextOf(call), contexts);
}

const listAutosaves: Handler = (call) => {
  const record = requireParent(call);
  requireEditor(call);
  const autosaves = call.site.store.revisionsOf(record.id).filter(({ autosave }) => autosave);
  return answer(autosaves.map((autosave) => showRevision(call, autosave)));
};

/** Reads the latest autosave of a record, whatever its id, as real software does. */
const readAutosave: Handler = (call) => {
  const record = requireParent(call);
  requireEditor(call);
  const [latest] = call.site.store.revisionsOf(record.id).filter(({ autosave }) => autosave);
  demand(latest, 'rest_post_no_autosave', 'There is no autosave revision for this post.', 404);
  return answer(showRevision(call, latest));
};

/** Updates the caller's own draft itself; beside any other record, the caller has one autosave. */
const createAutosave: Handler = (call) => {
  const { site } = call;
  const record = requireParent(call);
  const account = requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  const edit = { ...call, args: { ...call.args, context: 'edit' } };
  if (record.status === 'draft' && record.author === account.id) {
    // The parameter `parent` names the record itself, unless the record has a writable parent.
    const { parent, ...own } = call.args;
    const args = isTree(parentOf(call)) && parent !== undefined ? { ...own, parent } : own;
    return answer(showRevision(edit, writeFields({ ...call, args }, { ...record }, record)));
  }
  const { title, content, excerpt } = call.args;
  const own = site.store
    .revisionsOf(record.id)
    .find(({ autosave, author }) => autosave && author === account.id);
  const fields = {
    title: raw(title) ?? own?.title ?? '',
    content: raw(content) ?? own?.content ?? '',
    excerpt: raw(excerpt) ?? own?.excerpt ?? '',
    author: account.id,
    date: site.now(),
  };
  const saved = own
    ? Object.assign(own, fields, { modified: fields.date })
    : addRevision(site.store, record, { ...fields, autosave: true });
  return answer(showRevision(edit, saved));
};

/** The handlers of operations on children of records, by kind of resource and role. */
export const CHILD_ROLES: Readonly<Record<'revisions' | 'autosaves', Readonly<Record<string, Handler>>>> = {
  revisions: { list: listRevisions, read: readRevision, delete: deleteRevision },
  autosaves: { list: listAutosaves, read: readAutosave, create: createAutosave },
};
