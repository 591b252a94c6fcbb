import { parseDate, readArguments, slugOf } from './arguments.ts';
import { resourceOfKind } from './calls.ts';
import { handlerOf, runBatch } from './dispatch.ts';
import { FILTERS, mediaMatches, TERM_FILTERS } from './filters.ts';
import { readIndex } from './index-document.ts';
import { ids, integer, isObject, type Json, raw, text } from './json.ts';
import { createMedia, editMedia, postProcessMedia } from './media.ts';
import { readEmbed, readProxy } from './oembed.ts';
import { listRecords, ORDERS, readRecord } from './read-records.ts';
import { authenticate } from './request.ts';
import {
  createAutosave,
  deleteRevision,
  listAutosaves,
  listRevisions,
  readAutosave,
  readRevision,
} from './revisions.ts';
import { answer, type Behaviour, CONTEXTS, type Handler, respond, type Site, type Writer } from './site.ts';
import type { StoredRecord } from './store.ts';
import { createRecord, deleteRecord, updateRecord } from './write-record.ts';

/** A plugin's answer to anybody. */
const openSuccess: Handler = ({ args }) => answer({ success: true, arguments: args });

/** What answers an operation that works on no resource, by its id. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  'index.read': readIndex,
  'oembed.embed': readEmbed,
  'oembed.proxy': readProxy,
  'batch.run': runBatch,
  'seo.get-head': openSuccess,
  'sign-on.is-user-logged-in': openSuccess,
  'builder-theme.promotions': openSuccess,
};

const COMMON: Readonly<Record<string, Handler>> = {
  list: listRecords,
  read: readRecord,
  update: updateRecord,
  delete: deleteRecord,
};

/** What answers an operation that works on a resource, by the kind of the resource and by its role. */
const ROLES: Behaviour['roles'] = {
  records: { ...COMMON, create: createRecord },
  uploads: { ...COMMON, create: createMedia, 'post-process': postProcessMedia, edit: editMedia },
  revisions: { list: listRevisions, read: readRevision, delete: deleteRevision },
  autosaves: { list: listAutosaves, read: readAutosave, create: createAutosave },
};

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
  status: intoText('status'),
  date_gmt: writeDate,
  date: writeDate,
  slug: (record, value) => {
    record.slug = slugOf(text(value, record.slug));
  },
  password: intoText('password'),
  author: (record, value) => {
    record.author = integer(value, 0) || record.author;
  },
  parent: (record, value) => {
    const id = integer(value, record.parent);
    // No record stands below itself.
    record.parent = id === record.id ? 0 : id;
  },
  post: intoNumber('parent'),
  menu_order: intoNumber('menuOrder'),
  comment_status: intoText('commentStatus'),
  ping_status: intoText('pingStatus'),
  template: intoText('template'),
  format: intoText('format'),
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

function intoText(
  member: 'status' | 'password' | 'commentStatus' | 'pingStatus' | 'template' | 'format',
): Writer {
  return (record, value) => {
    record[member] = text(value, record[member]);
  };
}

function intoNumber(member: 'parent' | 'menuOrder'): Writer {
  return (record, value) => {
    record[member] = integer(value, record[member]);
  };
}

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

/** The behaviour that the specification and real software have. */
export const STANDARD_BEHAVIOUR: Behaviour = {
  send: (message, response, answer) => respond(message.method, response, answer),
  authenticate: ({ authorization }, accounts) => authenticate(authorization, accounts),
  declare: () => {},
  readArguments,
  filters: FILTERS,
  termFilters: TERM_FILTERS,
  mediaFilter: mediaMatches,
  orders: ORDERS,
  contexts: CONTEXTS,
  writers: WRITERS,
  handlers: HANDLERS,
  roles: ROLES,
};

/** Answers a call as a healthy site does. */
export const healthy: Handler = (call) =>
  handlerOf({ ...call.site, behaviour: STANDARD_BEHAVIOUR }, call.operation)(call);
