import type { Session } from '../../engine/session.ts';
import type { Args, Subject } from '../../probing/records/reading/list-request.ts';
import { NO_ID } from '../../probing/records/reading/record.ts';
import type { Rule } from '../../probing/records/reading/trial.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import {
  byFlag,
  byMediaType,
  byMember,
  byMoment,
  isCommonType,
  ownId,
  parents,
  shows,
} from './rules/member-rules.ts';
import { honoursOrderby, plainSlug, reversesTheOrder, sortsAsListed, sortsBy } from './rules/order-rules.ts';
import { boundsTheCount, endsWithTheList, partitionsIntoPages, slicesTheList } from './rules/paging-rules.ts';
import { searches, searchesColumn, searchesExactly, searchesWidely } from './rules/search-rules.ts';
import { byStatus, putsStickyFirst, shownStatuses } from './rules/status-rules.ts';
import { byChildren, byOperator, byRelation, byTerms } from './rules/term-rules.ts';

/** What a parameter of a list does, as far as the records can show it (§4.6 to §4.8). */
export interface FilterEntry {
  readonly parameter: string;
  /** The value or member that a check of its own is about; last part of the id. */
  readonly part?: string;
  /** A sentence in the present tense about an operation; `{records}` stands for its resource. */
  readonly does: string;
  readonly rule: Rule;
  /** What it selects records by. How two filters by the same thing go together is silent, and one may win. */
  readonly about?: string;
  /** Where it takes records of several users to show: by itself, or beside another filter alone. */
  readonly takesUsers?: 'alone' | 'beside';
  /** Chooses values that keep many records, for a request with another filter. */
  readonly wide?: Rule;
  /** Parameters that the requests use as well: where one of them fails, this says nothing new. */
  readonly after?: readonly string[];
  /** Arguments that select the records which the rule looks at. */
  readonly variant?: (session: Session, subject: Subject) => Promise<Args>;
  /** It looks at stored text, which only users see. */
  readonly needsUser?: boolean;
  /** The resources whose lists show what it is about; all whose list has the parameter unless told. */
  readonly only?: (resource: ResourceRow) => boolean;
}

const belonging: FilterEntry['only'] = ({ belongsTo }) => belongsTo !== undefined;
/** Revisions have too few orders that differ to tell orderby from one of its values. */
const byThemselves: FilterEntry['only'] = ({ parent }) => parent === undefined;
const plainSlugs = byMember({
  parameter: 'slug',
  what: 'a slug of plain letters',
  values: shows('slug'),
  fits: (slug) => typeof slug === 'string' && /^[a-z0-9-]+$/.test(slug),
});
const mimeTypes = byMember({
  parameter: 'mime_type',
  what: 'mime_type',
  values: shows('mime_type'),
  fits: isCommonType,
});
const orders = byMember({
  parameter: 'menu_order',
  what: 'menu_order',
  values: shows('menu_order'),
  single: true,
  // Real software takes 0 for no filter.
  fits: (order) => typeof order === 'number' && order > 0,
});

/** Each parameter with the rule that its answers follow. The rules say which records; this table says which parameter. */
export const FILTER_TABLE: readonly FilterEntry[] = [
  {
    parameter: 'page',
    part: 'beyond',
    does: 'repeats nothing on a page beyond the last',
    rule: endsWithTheList,
    after: ['page', 'per_page'],
  },
  { parameter: 'per_page', does: 'holds as many records as per_page asks for', rule: boundsTheCount },
  { parameter: 'page', does: 'holds every record on one page, once', rule: partitionsIntoPages },
  { parameter: 'offset', does: 'leaves out as many records as offset says', rule: slicesTheList },
  { parameter: 'order', does: 'reverses the order', rule: reversesTheOrder },
  {
    parameter: 'orderby',
    does: 'applies orderby',
    rule: honoursOrderby,
    only: byThemselves,
  },
  ...orderings(['date', 'title', 'id'], undefined),
  ...orderings(['modified', 'slug', 'author'], byThemselves),
  ...orderings(['parent'], belonging),
  ...orderings(['menu_order'], undefined),
  {
    parameter: 'orderby',
    part: 'include',
    does: 'sorts in the order of include',
    rule: sortsAsListed('include', 'include', ({ id }) => id),
    after: ['orderby', 'include'],
  },
  {
    parameter: 'orderby',
    part: 'include_slugs',
    does: 'sorts in the order of slug',
    rule: sortsAsListed('include_slugs', 'slug', plainSlug),
    after: ['orderby', 'slug'],
    only: byThemselves,
  },
  { parameter: 'include', does: 'holds the records of include', about: 'ids', rule: ids('include', false) },
  {
    parameter: 'exclude',
    does: 'leaves out the records of exclude',
    about: 'ids',
    rule: ids('exclude', true),
  },
  { parameter: 'slug', does: 'holds the records with one of the slugs', about: 'slug', rule: plainSlugs },
  {
    parameter: 'author',
    does: 'holds the records of the authors',
    about: 'author',
    takesUsers: 'beside',
    rule: authors('author', false),
  },
  {
    parameter: 'author_exclude',
    does: 'leaves out the records of the authors',
    about: 'author',
    takesUsers: 'beside',
    rule: authors('author_exclude', true),
  },
  {
    parameter: 'after',
    does: 'holds the records dated after a moment',
    about: 'after',
    rule: byMoment('after', 'date', 'after'),
  },
  {
    parameter: 'before',
    does: 'holds the records dated before a moment',
    about: 'before',
    rule: byMoment('before', 'date', 'before'),
  },
  {
    parameter: 'modified_after',
    does: 'holds the records modified after a moment',
    about: 'modified_after',
    rule: byMoment('modified_after', 'modified', 'after'),
  },
  {
    parameter: 'modified_before',
    does: 'holds the records modified before a moment',
    about: 'modified_before',
    rule: byMoment('modified_before', 'modified', 'before'),
  },
  {
    parameter: 'search',
    does: 'finds the records with a word of a title',
    about: 'search',
    rule: searches,
    wide: searchesWidely,
  },
  ...['post_title', 'post_content', 'post_excerpt'].map((column) => ({
    parameter: 'search_columns',
    part: column,
    does: `searches ${column} alone`,
    rule: searchesColumn(column),
    after: ['search'],
    needsUser: true,
  })),
  {
    parameter: 'search_semantics',
    does: 'finds exact matches alone',
    rule: searchesExactly,
    after: ['search'],
    needsUser: true,
  },
  {
    parameter: 'status',
    does: 'holds the records with the status',
    about: 'status',
    rule: byStatus,
    variant: shownStatuses,
  },
  {
    parameter: 'categories',
    does: 'holds the records with a category',
    about: 'terms',
    rule: byTerms('categories', 'categories', false),
  },
  {
    parameter: 'categories',
    part: 'operator',
    does: 'joins categories by AND or OR',
    rule: byOperator('categories'),
    after: ['categories'],
  },
  {
    parameter: 'categories',
    part: 'include_children',
    does: 'counts the categories below with include_children',
    rule: byChildren('categories', false),
    after: ['categories'],
  },
  {
    parameter: 'tags',
    does: 'holds the records with a tag',
    about: 'terms',
    rule: byTerms('tags', 'tags', false),
  },
  {
    parameter: 'tags',
    part: 'operator',
    does: 'joins tags by AND or OR',
    rule: byOperator('tags'),
    after: ['tags'],
  },
  {
    parameter: 'categories_exclude',
    does: 'leaves out the records with a category',
    about: 'terms',
    rule: byTerms('categories_exclude', 'categories', true),
  },
  {
    parameter: 'categories_exclude',
    part: 'include_children',
    does: 'leaves out the categories below with include_children',
    rule: byChildren('categories_exclude', true),
    after: ['categories_exclude'],
  },
  {
    parameter: 'tags_exclude',
    does: 'leaves out the records with a tag',
    about: 'terms',
    rule: byTerms('tags_exclude', 'tags', true),
  },
  {
    parameter: 'tax_relation',
    does: 'joins a category and a tag by AND or OR',
    rule: byRelation,
    after: ['categories', 'tags'],
  },
  {
    parameter: 'sticky',
    does: 'separates sticky {records} from others',
    about: 'ids',
    rule: byFlag('sticky'),
  },
  {
    parameter: 'ignore_sticky',
    does: 'puts sticky {records} in front unless they are ignored',
    rule: putsStickyFirst,
  },
  {
    parameter: 'format',
    does: 'holds the {records} of the formats',
    about: 'terms',
    rule: byMember({ parameter: 'format', what: 'format', values: shows('format'), usual: 'standard' }),
  },
  {
    parameter: 'parent',
    does: 'holds the records of the parents',
    about: 'parent',
    rule: ofParents('parent', false),
    only: belonging,
  },
  {
    parameter: 'parent_exclude',
    does: 'leaves out the records of the parents',
    about: 'parent',
    rule: ofParents('parent_exclude', true),
    only: belonging,
  },
  {
    parameter: 'menu_order',
    does: 'holds the {records} with the menu order',
    about: 'menu_order',
    rule: orders,
  },
  { parameter: 'media_type', does: 'holds the files of a media type', about: 'file', rule: byMediaType },
  { parameter: 'mime_type', does: 'holds the files of the mime types', about: 'file', rule: mimeTypes },
];

function orderings(values: readonly string[], only: FilterEntry['only']): FilterEntry[] {
  return values.map((value) => ({
    parameter: 'orderby',
    part: value,
    does: `sorts by ${value}`,
    rule: sortsBy(value),
    after: ['orderby', 'order'],
    ...(value === 'author' && { takesUsers: 'alone' as const }),
    ...(only !== undefined && { only }),
  }));
}

function ids(parameter: string, excludes: boolean): Rule {
  return byMember({ parameter, what: 'ids', values: ownId, excludes });
}

function authors(parameter: string, excludes: boolean): Rule {
  return byMember({ parameter, what: 'author', values: shows('author'), excludes, beyond: NO_ID });
}

function ofParents(parameter: string, excludes: boolean): Rule {
  return byMember({ parameter, what: 'the record that they belong to', values: parents, excludes });
}
