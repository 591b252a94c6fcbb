import type { Parameter, Parameters } from './parameter.ts';
import type { Kind } from './store.ts';

/** Parameters by the feature that they come with. */
export type Groups = Readonly<Record<string, Parameters>>;

const FORMATS = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
];
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];
const FURTHER = [
  'trash',
  'auto-draft',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  'any',
];
const TYPES = ['image', 'video', 'text', 'application', 'audio'];

const text: Parameter = { type: 'string' };
const integer: Parameter = { type: 'integer' };
const moment: Parameter = { type: 'string', format: 'date-time' };
const flag: Parameter = { type: 'boolean' };
const ids: Parameter = { type: 'array', items: integer, default: [] };
const idList: Parameter = { type: 'array', items: integer };
const texts: Parameter = { type: 'array', items: text };
const ORDERS = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'];
const RECORD_ORDERS = [...ORDERS, 'author', 'modified', 'parent'];

const oneOf = (values: readonly string[], fallback?: string): Parameter => ({
  type: 'string',
  enum: values,
  ...(fallback !== undefined && { default: fallback }),
});
const severalOf = (values: readonly string[], more: Parameter = {}): Parameter => ({
  type: 'array',
  items: oneOf(values),
  ...more,
});
const termsWith = (members: Parameters): Parameter => ({
  type: ['object', 'array'],
  items: integer,
  properties: members,
  additionalProperties: false,
});

/** The context in which something is shown. */
export const CONTEXT: Parameters = { context: oneOf(['edit', 'embed', 'view'], 'view') };
export const ID: Parameters = { id: integer };
export const PARENT: Parameters = { parent: integer };
export const FORCE: Parameters = { force: { type: 'boolean', default: false } };

const page: Parameter = { type: 'integer', minimum: 1, default: 1 };
const perPage: Parameter = { type: 'integer', minimum: 1, maximum: 100 };

const POST_FILTERS: Groups = {
  'term-filters': {
    tax_relation: oneOf(['OR', 'AND']),
    categories: termsWith({
      terms: ids,
      include_children: { type: 'boolean', default: false },
      operator: oneOf(['OR', 'AND'], 'OR'),
    }),
    categories_exclude: termsWith({ terms: ids, include_children: { type: 'boolean', default: false } }),
    tags: termsWith({ terms: ids, operator: oneOf(['OR', 'AND'], 'OR') }),
    tags_exclude: termsWith({ terms: ids }),
  },
  'sticky-filter': { sticky: flag, ignore_sticky: { type: 'boolean', default: true } },
  'format-filter': { format: severalOf(FORMATS, { uniqueItems: true }) },
};
const PARENT_FILTERS: Groups = { 'parent-filters': { parent: ids, parent_exclude: ids } };

const OWN_FILTERS: Readonly<Record<Kind, Groups>> = {
  posts: POST_FILTERS,
  pages: { ...PARENT_FILTERS, 'menu-order-filter': { menu_order: integer } },
  media: {
    ...PARENT_FILTERS,
    'type-filters': { media_type: severalOf(TYPES), mime_type: texts },
  },
};

/** What a list of records can be asked. */
export function listGroups(kind: Kind): Groups {
  const orders = kind === 'pages' ? [...RECORD_ORDERS, 'menu_order'] : RECORD_ORDERS;
  const statuses = kind === 'media' ? ['private', 'trash', 'inherit'] : [...FURTHER, ...STATUSES];
  return {
    contexts: CONTEXT,
    paging: { page, per_page: { ...perPage, default: 10 }, offset: integer },
    ordering: { order: oneOf(['desc', 'asc'], 'desc'), orderby: oneOf(orders, 'date') },
    search: {
      search: text,
      search_columns: severalOf(['post_content', 'post_excerpt', 'post_title'], { default: [] }),
      search_semantics: oneOf(['exact']),
    },
    'date-filters': { after: moment, before: moment, modified_after: moment, modified_before: moment },
    'author-filters': { author: ids, author_exclude: ids },
    'id-filters': { include: ids, exclude: ids },
    'slug-filter': { slug: texts },
    'status-filter': {
      status: severalOf(statuses, { default: kind === 'media' ? 'inherit' : ['publish'] }),
    },
    ...OWN_FILTERS[kind],
  };
}

/** What a list of revisions can be asked. */
export const REVISION_LIST: Parameters = {
  ...PARENT,
  ...CONTEXT,
  page,
  per_page: perPage,
  offset: integer,
  search: text,
  include: ids,
  exclude: ids,
  order: oneOf(['desc', 'asc'], 'desc'),
  orderby: oneOf(ORDERS, 'date'),
};

/** What a single record can be asked. */
export function readGroups(kind: Kind): Groups {
  if (kind === 'media') return { contexts: CONTEXT };
  return { contexts: CONTEXT, excerpts: { excerpt_length: integer }, passwords: { password: text } };
}

/** A text with its source; what is made of it is declared too, and what is sent of that is not looked at. */
const written = (...made: readonly string[]): Parameter => ({
  type: 'object',
  properties: Object.fromEntries(['raw', 'rendered', ...made].map((name) => [name, MEMBERS[name] ?? text])),
});
const MEMBERS: Parameters = { protected: flag, block_version: integer };
const date: Parameter = { type: ['null', 'string'], format: 'date-time' };

/** What can be written to every record from the first day on. */
export const FIELDS: Parameters = {
  slug: text,
  status: oneOf(STATUSES),
  title: written(),
  author: integer,
  featured_media: integer,
};

const SHARED_FIELDS: Groups = {
  'date-fields': { date, date_gmt: date },
  'small-fields': {
    comment_status: oneOf(['closed', 'open']),
    ping_status: oneOf(['closed', 'open']),
    template: text,
  },
};
const TEXT_FIELDS: Groups = {
  'text-fields': { content: written('block_version', 'protected'), excerpt: written('protected') },
  passwords: { password: text },
  meta: { meta: { type: 'object', properties: { footnotes: { type: 'string', default: '' } } } },
};
const OWN_FIELDS: Readonly<Record<Kind, Groups>> = {
  posts: {
    ...TEXT_FIELDS,
    'post-fields': { format: oneOf(FORMATS), sticky: flag },
    terms: { categories: idList, tags: idList },
  },
  pages: { ...TEXT_FIELDS, 'page-fields': { parent: integer, menu_order: integer } },
  media: {
    'media-fields': { alt_text: text, caption: written(), description: written(), post: integer },
    meta: { meta: { type: 'object', properties: {} } },
  },
};

/** What can be written to a record. */
export function fieldGroups(kind: Kind): Groups {
  return { ...SHARED_FIELDS, ...OWN_FIELDS[kind] };
}

const address: Parameter = { type: 'string', format: 'uri', required: true };

export const EMBED: Parameters = {
  url: address,
  format: { type: 'string', default: 'json' },
  maxwidth: { type: 'integer', default: 600 },
};
export const PROXY: Parameters = {
  url: address,
  format: oneOf(['xml', 'json'], 'json'),
  maxwidth: { type: 'integer', default: 600 },
  maxheight: integer,
  discover: { type: 'boolean', default: true },
};
export const POST_PROCESS: Parameters = {
  ...ID,
  action: { type: 'string', enum: ['create-image-subsizes'], required: true },
};
export const EDIT: Parameters = {
  ...ID,
  src: address,
  modifiers: {
    type: 'array',
    required: true,
    minItems: 1,
    items: {
      type: 'object',
      properties: {
        type: { type: 'string', required: true, enum: ['flip'] },
        args: { type: 'object', required: true },
      },
    },
  },
};
export const BATCH: Parameters = {
  validation: oneOf(['normal', 'require-all-validate'], 'normal'),
  requests: {
    type: 'array',
    required: true,
    maxItems: 25,
    items: {
      type: 'object',
      properties: {
        method: oneOf(['DELETE', 'PATCH', 'PUT', 'POST'], 'POST'),
        path: { type: 'string', required: true },
        body: { type: 'object', properties: {}, additionalProperties: true },
        headers: {
          type: 'object',
          properties: {},
          additionalProperties: { type: ['string', 'array'], items: text },
        },
      },
    },
  },
};
