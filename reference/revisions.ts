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
import { COLLECTIONS, metaOf, permalink } from './show-record.ts';
import type { Call, Handler, Site } from './site.ts';
import type { Kind, StoredRecord } from './store.ts';
import { integer } from './values.ts';

/** Lists the revisions of a record, autosaves included: without `per_page` all of them on one page (§4.6). */
export function listRevisions(kind: Kind): Handler {
  return (call) => {
    const parent = requireRecord(call, kind, 'parent');
    requireEditor(call);
    requireCompanions(call);
    const { site, args } = call;
    // `parent` names the record here; it is no filter.
    const { parent: _, ...filters } = args;
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
}

/** Reads one revision of a record. */
export function readRevision(kind: Kind): Handler {
  return (call) => {
    const parent = requireRecord(call, kind, 'parent');
    requireEditor(call);
    return answer(showRevision(call, requireRevision(call, parent)));
  };
}

/** Revisions are not deletable at all: denied, with `force` too; unknown ones are not found. */
export function deleteRevision(kind: Kind): Handler {
  return (call) => {
    const parent = requireRecord(call, kind, 'parent');
    requireEditor(call);
    requireRevision(call, parent);
    throw new Refusal('rest_cannot_delete', 'Sorry, you are not allowed to delete this revision.', 403);
  };
}

/** Throws a 401 `Refusal` unless the caller may see revisions. */
export function requireEditor(call: Call): void {
  requireAccount(call, 'rest_cannot_read', 'Sorry, you are not allowed to view revisions of this post.');
}

function requireRevision(call: Call, parent: StoredRecord): StoredRecord {
  const revision = requireRecord(call, 'revision');
  if (revision.parent !== parent.id) {
    throw new Refusal('rest_revision_parent_id_mismatch', 'The revision does not belong to the parent.', 404);
  }
  return revision;
}

/** Address of the route of a post or page. */
function addressOf(site: Site, id: number): string {
  const kind = site.store.get(id)?.kind ?? 'post';
  return routeAddress(site.url, `/cms/v2/${COLLECTIONS[kind]}/${id}`);
}

/** A revision or autosave as its route answers it. */
export function showRevision(call: Call, record: StoredRecord): JsonObject {
  const { site } = call;
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
    meta: emptyObjectsAsArrays(metaOf(site, record)),
    _links: { parent: [{ href: addressOf(site, record.parent) }] },
  };
  // A revision tells its parent in every context (§2), a page only where it can be written.
  const { parent: _, ...contexts } = site.behaviour.contexts;
  return forContext(all, contextOf(call), contexts);
}
