import type { Account } from './accounts.ts';
import { printDate } from './dates.ts';
import { routeAddress } from './index-document.ts';
import { emptyObjectsAsArrays, type Json, type JsonObject } from './json.ts';
import { mediaFields } from './media-fields.ts';
import { type Context, forContext } from './record-contexts.ts';
import { autoExcerpt, paragraphs } from './rendering.ts';
import type { Site } from './site.ts';
import { slugOf } from './slug.ts';
import type { Kind, StoredRecord } from './store.ts';

/** How a record is to be shown. */
export interface View {
  context: Context;
  /** Who looks; undefined for an anonymous caller. */
  account: Account | undefined;
  /** Password that the caller gave for protected content. */
  password?: string | undefined;
  /** Words in a made-up excerpt; 55 unless told. */
  excerptLength?: number | undefined;
}

/** Last part of the route of each kind of record. */
export const COLLECTIONS: Readonly<Record<Kind, string>> = {
  post: 'posts',
  page: 'pages',
  attachment: 'media',
  revision: 'revisions',
};

/** Address at which people read a record. */
export function permalink(site: Site, record: StoredRecord): string {
  const parameter = { post: 'p', page: 'page_id', attachment: 'attachment_id', revision: 'p' }[record.kind];
  return `${site.url}/?${parameter}=${record.id}`;
}

/** A post, page or attachment as its route answers it (§2), empty objects printed as arrays. */
export function showRecord(site: Site, record: StoredRecord, view: View): JsonObject {
  const collection = routeAddress(site.url, `/cms/v2/${COLLECTIONS[record.kind]}`);
  const all: JsonObject = {
    ...commonFields(site, record),
    ...(record.kind === 'attachment' ? mediaFields(site, record) : contentFields(record, view)),
    meta: emptyObjectsAsArrays(metaOf(site, record)),
    _links: { self: [{ href: `${collection}/${record.id}` }], collection: [{ href: collection }] },
  };
  return forContext(all, view.context, site.behaviour.contexts);
}

function commonFields(site: Site, record: StoredRecord): JsonObject {
  const link = permalink(site, record);
  return {
    id: record.id,
    date: printDate(record.date),
    date_gmt: printDate(record.date),
    guid: { rendered: link, raw: link },
    modified: printDate(record.modified),
    modified_gmt: printDate(record.modified),
    slug: record.slug,
    status: record.status,
    type: record.kind,
    link,
    title: { raw: record.title, rendered: record.title },
    author: record.author,
    featured_media: record.featuredMedia,
    comment_status: record.commentStatus,
    ping_status: record.pingStatus,
    template: record.template,
    permalink_template: link,
    generated_slug: record.slug || slugOf(record.title),
    class_list: [`post-${record.id}`, record.kind, `type-${record.kind}`, `status-${record.status}`],
  };
}

function contentFields(record: StoredRecord, view: View): JsonObject {
  const locked = isLocked(record, view);
  const isProtected = record.password !== '';
  const excerpt = record.excerpt || autoExcerpt(record.content, view.excerptLength ?? 55);
  const own: JsonObject =
    record.kind === 'post'
      ? {
          sticky: record.sticky,
          format: record.format,
          categories: [...record.categories],
          tags: [...record.tags],
        }
      : { parent: record.parent, menu_order: record.menuOrder };
  return {
    password: record.password,
    content: {
      raw: record.content,
      rendered: locked ? '' : paragraphs(record.content),
      protected: isProtected,
      block_version: record.content.includes('<!-- block') ? 1 : 0,
    },
    excerpt: {
      raw: record.excerpt,
      rendered: locked ? '' : paragraphs(excerpt),
      protected: isProtected,
    },
    ...own,
  };
}

/** Protected text is shown to whoever gives the password, and to editors in the edit context. */
function isLocked(record: StoredRecord, { context, account, password }: View): boolean {
  if (record.password === '') return false;
  return !(context === 'edit' && account) && password !== record.password;
}

/** Registered meta with its defaults (§2 `meta`): what is registered depends on the deployment and the kind. */
export function metaOf(site: Site, record: StoredRecord): Record<string, Json> {
  const defaults = registeredMeta(site, record.kind);
  const entries = Object.entries(defaults).map(([key, value]) => [key, record.meta[key] ?? value]);
  return Object.fromEntries(entries);
}

/** Meta keys of a kind of record and their defaults. */
export function registeredMeta(site: Site, kind: Kind): JsonObject {
  const hideTitle: JsonObject = site.contract.features.includes('block-theme')
    ? { _theme_block_theme_hide_title: false }
    : {};
  return kind === 'attachment' ? hideTitle : { ...hideTitle, footnotes: '' };
}
