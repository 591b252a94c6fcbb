import { basename } from 'node:path';
import { printDate, slugOf } from './arguments.ts';
import { resourceOfKind } from './calls.ts';
import { routeAddress } from './dispatch.ts';
import { emptyObjectsAsArrays, type Json, type JsonObject, mapped } from './json.ts';
import type { Resource } from './load-contract.ts';
import type { Account } from './request.ts';
import { typesOf } from './schema.ts';
import { CONTEXT_NAMES, type Context, forContext, type Site } from './site.ts';
import type { StoredRecord } from './store.ts';

interface View {
  context: Context;
  /** The caller; undefined for anonymous. */
  account: Account | undefined;
  /** The caller's password for protected content. */
  password?: string | undefined;
  /** Words in a generated excerpt; default: 55. */
  excerptLength?: number | undefined;
}

/** The address of a record's page for people. */
export function permalink(site: Site, record: StoredRecord): string {
  return `${site.url}/?p=${record.id}`;
}

/** A record in an answer (§2), with empty objects as arrays. */
export function showRecord(site: Site, record: StoredRecord, view: View): JsonObject {
  const resource = resourceOfKind(site, record.kind);
  if (!resource) throw new Error(`no resource has records of the kind ${record.kind}`);
  const collection = routeAddress(site.url, resource.route);
  const all: JsonObject = {
    ...commonMembers(site, record),
    ...fieldMembers(resource, record, view),
    ...(resource.kind === 'uploads' ? fileMembers(site, record) : {}),
    ...(resource.fields.meta ? { meta: emptyObjectsAsArrays(metaOf(resource, record)) } : {}),
    _links: { self: [{ href: `${collection}/${record.id}` }], collection: [{ href: collection }] },
  };
  const contexts = { ...furtherContexts(resource), ...site.behaviour.contexts };
  return forContext(all, view.context, contexts);
}

function commonMembers(site: Site, record: StoredRecord): JsonObject {
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
    permalink_template: link,
    generated_slug: record.slug || slugOf(record.title),
    class_list: [`record-${record.id}`, `type-${record.kind}`, `status-${record.status}`],
  };
}

/** How each field with a member of its own in a stored record is shown. */
const FIELDS: Readonly<Record<string, (record: StoredRecord, view: View, resource: Resource) => Json>> = {
  title: ({ title }) => ({ raw: title, rendered: title }),
  author: ({ author }) => author,
  featured_media: ({ featuredMedia }) => featuredMedia,
  comment_status: ({ commentStatus }) => commentStatus,
  ping_status: ({ pingStatus }) => pingStatus,
  template: ({ template }) => template,
  password: ({ password }) => password,
  content: (record, view, { protects }) => ({
    raw: record.content,
    rendered: protects && isLocked(record, view) ? '' : paragraphs(record.content),
    protected: protects && record.password !== '',
    block_version: record.content.includes('<!-- block') ? 1 : 0,
  }),
  excerpt: (record, view, { protects }) => ({
    raw: record.excerpt,
    rendered:
      protects && isLocked(record, view) ? '' : paragraphs(record.excerpt || autoExcerpt(record, view)),
    protected: protects && record.password !== '',
  }),
  sticky: ({ sticky }) => sticky,
  format: ({ format }) => format,
  categories: ({ categories }) => [...categories],
  tags: ({ tags }) => [...tags],
  parent: ({ parent }) => parent,
  menu_order: ({ menuOrder }) => menuOrder,
  alt_text: ({ altText }) => altText,
  caption: ({ excerpt }) => ({ raw: excerpt, rendered: paragraphs(excerpt) }),
  description: ({ content }) => ({ raw: content, rendered: paragraphs(content) }),
  post: ({ parent }) => parent || null,
};

/** Fields that are shown among the common members, or in another place. */
const ELSEWHERE: readonly string[] = ['date', 'date_gmt', 'slug', 'status', 'meta'];

function fieldMembers(resource: Resource, record: StoredRecord, view: View): JsonObject {
  const shown: JsonObject = {};
  for (const [name, show] of Object.entries(FIELDS))
    if (name in resource.fields) shown[name] = show(record, view, resource);
  for (const name of furtherFields(resource)) shown[name] = furtherValue(resource, record, name);
  return shown;
}

/** The fields of a resource without a member in a stored record: a user's own. */
export function furtherFields({ fields }: Resource): string[] {
  return Object.keys(fields).filter((name) => !Object.hasOwn(FIELDS, name) && !ELSEWHERE.includes(name));
}

function furtherValue({ fields }: Resource, record: StoredRecord, name: string): Json {
  const schema = fields[name] ?? {};
  return record.further[name] ?? schema.default ?? EMPTY[typesOf(schema)[0] ?? ''] ?? null;
}

const EMPTY: Readonly<Record<string, Json>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
};

/** The contexts of a user's own fields, from their schemas. */
function furtherContexts(resource: Resource): Record<string, readonly Context[]> {
  const stated = furtherFields(resource).map((name) => {
    const contexts = resource.fields[name]?.['x-contexts'] ?? CONTEXT_NAMES;
    return [name, CONTEXT_NAMES.filter((one) => contexts.includes(one))] as const;
  });
  return Object.fromEntries(stated);
}

/** Whether text is hidden. It is shown with the password, and to editors in the edit context. */
function isLocked(record: StoredRecord, { context, account, password }: View): boolean {
  if (record.password === '') return false;
  return !(context === 'edit' && account) && password !== record.password;
}

/** Registered meta with its defaults (§2 `meta`), which depends on deployment and resource. */
export function metaOf({ fields }: Resource, record: StoredRecord): Record<string, Json> {
  const registered = fields.meta?.properties ?? {};
  return mapped(registered, (schema, key) => record.meta[key] ?? schema.default ?? '');
}

/** The address of the file of an upload. */
export function fileAddress(site: Site, record: StoredRecord): string {
  return `${site.url}/uploads/${record.file?.path ?? ''}`;
}

/** The members about a record's file (§2), for all contexts. */
function fileMembers(site: Site, record: StoredRecord): JsonObject {
  const { file } = record;
  const isImage = file?.type.startsWith('image/') ?? false;
  return {
    media_type: isImage ? 'image' : 'file',
    mime_type: file?.type ?? '',
    media_details: {
      ...(isImage ? { width: file?.width ?? 0, height: file?.height ?? 0 } : {}),
      file: file?.path ?? '',
      filesize: file?.bytes.length ?? 0,
      sizes: {},
    },
    source_url: fileAddress(site, record),
    missing_image_sizes: [],
    filename: basename(file?.path ?? ''),
    filesize: file?.bytes.length ?? 0,
  };
}

/** Text as HTML. Without block tags it becomes a paragraph. */
export function paragraphs(text: string): string {
  if (text === '') return '';
  return /^\s*<(p|div|ul|ol|h\d|figure|blockquote|table|pre)\b/i.test(text)
    ? `${text}\n`
    : `<p>${text}</p>\n`;
}

/** The first words of the content, without tags, for a record without an excerpt. */
function autoExcerpt({ content }: StoredRecord, { excerptLength: length = 55 }: View): string {
  const words = content
    .replaceAll(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length <= length) return words.join(' ');
  return `${words.slice(0, Math.max(length, 0)).join(' ')} [&hellip;]`;
}
