import { requireAccount, requireRecord } from './access.ts';
import { answer } from './answer.ts';
import { printDate } from './dates.ts';
import { routeAddress } from './index-document.ts';
import { emptyObjectsAsArrays, type JsonObject } from './json.ts';
import { selectRecords } from './list-query.ts';
import { contextOf, listAnswer, requireCompanions } from './list-records.ts';
import { paginate } from './paginate.ts';
import { forContext } from './record-contexts.ts';
import { Refusal } from './refusal.ts';
import { paragraphs } from './rendering.ts';
import { parentOf, pathParameters } from './resources.ts';
import { metaOf, permalink } from './show-record.ts';
import type { Call, Handler } from './site.ts';
import { REVISION, type StoredRecord } from './store.ts';
import { integer } from './values.ts';

/** Lists the revisions of a record, autosaves included: without `per_page` all of them on one page (§4.6). */
export const listRevisions: Handler = (call) => {
  const parent = requireParent(call);
  requireEditor(call);
  requireCompanions(call);
  const { site, args } = call;
  // The path parameter names the record here; it is no filter.
  const { [pathParameters(call).first]: _, ...filters } = args;
  const found = selectRecords(site, site.store.revisionsOf(parent.id), { args: filters, known: true });
  const offset = typeof args.offset === 'number' ? args.offset : 0;
  if (found.length > 0 && offset >= found.length) {
    throw new Refusal('rest_revision_invalid_offset_number', 'The offset is too large.', 400);
  }
  const perPage = integer(args.per_page, -1);
  // All of them at once know no offset, and an offset knows no pages.
  const number = offset > 0 ? 1 : integer(args.page, 1);
  const page = paginate(found, number, perPage, perPage < 0 || offset === 0 ? undefined : offset);
  return listAnswer(
    call,
    page.items.map((record) => showRevision(call, record)),
    page,
  );
};

/** Reads one revision of a record. */
export const readRevision: Handler = (call) => {
  const parent = requireParent(call);
  requireEditor(call);
  return answer(showRevision(call, requireRevision(call, parent)));
};

/** Deletes a revision for good, with `force` alone (§3); for administrators only. */
export const deleteRevision: Handler = (call) => {
  const message = 'Sorry, you are not allowed to delete this revision.';
  const parent = requireParent(call);
  const account = requireAccount(call, 'rest_cannot_delete', message);
  const revision = requireRevision(call, parent);
  if (account.role !== 'administrator') throw new Refusal('rest_cannot_delete', message, 403);
  if (call.args.force !== true) {
    throw new Refusal('rest_trash_not_supported', "Revisions have no trash. Set 'force=true'.", 501);
  }
  const previous = showRevision(call, revision);
  call.site.store.remove(revision);
  return answer({ deleted: true, previous });
};

/** The record whose children a call is about; a 404 `Refusal` when there is none. */
export function requireParent(call: Call): StoredRecord {
  return requireRecord(call, parentOf(call).id, pathParameters(call).first);
}

/** Throws a 401 `Refusal` unless the caller may see revisions. */
export function requireEditor(call: Call): void {
  requireAccount(call, 'rest_cannot_read', 'Sorry, you are not allowed to view revisions of this post.');
}

function requireRevision(call: Call, parent: StoredRecord): StoredRecord {
  const revision = requireRecord(call, REVISION, pathParameters(call).last);
  if (revision.parent !== parent.id) {
    throw new Refusal('rest_revision_parent_id_mismatch', 'The revision does not belong to the parent.', 404);
  }
  return revision;
}

/** A revision or autosave as its route answers it. */
export function showRevision(call: Call, record: StoredRecord): JsonObject {
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
  // A revision tells its parent in every context (§2), a record only where it can be written.
  const { parent: _, ...contexts } = site.behaviour.contexts;
  return forContext(all, contextOf(call), contexts);
}
