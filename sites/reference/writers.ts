import { parseDate } from './dates.ts';
import { isObject, type Json } from './json.ts';
import { resourceOfKind } from './resources.ts';
import type { Site, Writer } from './site.ts';
import { slugOf } from './slug.ts';
import type { StoredRecord } from './store.ts';
import { ids, integer, raw, text } from './values.ts';

/**
 * What each writable field (§2) changes, in the order of writing: `date` comes after `date_gmt` because it
 * wins. Ids of terms and media that do not exist are dropped.
 */
export const WRITERS: Readonly<Record<string, Writer>> = {
  title: (record, value) => {
    record.title = raw(value)?.trim() ?? record.title;
  },
  content: writeContent,
  description: writeContent,
  excerpt: writeExcerpt,
  caption: writeExcerpt,
  status: (record, value) => {
    record.status = text(value, record.status);
  },
  date_gmt: writeDate,
  date: writeDate,
  slug: (record, value) => {
    record.slug = slugOf(text(value, record.slug));
  },
  password: (record, value) => {
    record.password = text(value, record.password);
  },
  author: (record, value) => {
    record.author = integer(value, 0) || record.author;
  },
  parent: (record, value) => {
    const id = integer(value, record.parent);
    // No record stands below itself.
    record.parent = id === record.id ? 0 : id;
  },
  post: (record, value) => {
    record.parent = integer(value, record.parent);
  },
  menu_order: (record, value) => {
    record.menuOrder = integer(value, record.menuOrder);
  },
  comment_status: (record, value) => {
    record.commentStatus = text(value, record.commentStatus);
  },
  ping_status: (record, value) => {
    record.pingStatus = text(value, record.pingStatus);
  },
  template: (record, value) => {
    record.template = text(value, record.template);
  },
  format: (record, value) => {
    record.format = text(value, record.format);
  },
  sticky: (record, value) => {
    record.sticky = value === true;
  },
  featured_media: (record, value, { store }) => {
    const id = integer(value, 0);
    const file = store.get(id)?.file;
    // Only an image can stand for a record; another file clears the place.
    if (id === 0 || file) record.featuredMedia = file?.type.startsWith('image/') ? id : 0;
  },
  categories: (record, value, { store }) => {
    record.categories = knownTerms(value, store.terms, 'category');
  },
  tags: (record, value, { store }) => {
    record.tags = knownTerms(value, store.terms, 'tag');
  },
  meta: (record, value, site) => {
    const registered = resourceOfKind(site, record.kind)?.fields.meta?.properties ?? {};
    const written = Object.entries(isObject(value) ? value : {});
    record.meta = { ...record.meta, ...Object.fromEntries(written.filter(([key]) => key in registered)) };
  },
  alt_text: (record, value) => {
    record.altText = text(value, record.altText)
      .replaceAll(/<[^>]*>/g, '')
      .trim();
  },
};

function writeContent(record: StoredRecord, value: Json): void {
  record.content = raw(value) ?? record.content;
}

function writeExcerpt(record: StoredRecord, value: Json): void {
  record.excerpt = raw(value) ?? record.excerpt;
}

function writeDate(record: StoredRecord, value: Json): void {
  record.date = parseDate(text(value, '')) ?? record.date;
}

function knownTerms(value: Json, terms: Site['store']['terms'], taxonomy: string): number[] {
  const known = terms.filter((term) => term.taxonomy === taxonomy && ids(value).includes(term.id));
  return known.map(({ id }) => id);
}
