import type { Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Subject } from '../../probing/records/reading/list-request.ts';
import { NO_ID, parentOf, valuesOf } from '../../probing/records/reading/record.ts';
import type { Rule } from '../../probing/records/reading/trials.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import type { Filter, MemberFilter, Predicted } from './rules/member-rules.ts';
import { byFlag, byMediaType, byMember, isCommonType, isPlainSlug, shows } from './rules/member-rules.ts';
import { byMoment } from './rules/moment-rules.ts';
import {
  honoursOrderby,
  putsStickyFirst,
  reversesTheOrder,
  sortsAsListed,
  sortsBy,
} from './rules/order-rules.ts';
import {
  boundsTheCount,
  endsWithTheList,
  keepsTheSize,
  partitionsIntoPages,
  slicesTheList,
} from './rules/paging-rules.ts';
import { bySearch, searchesColumn, searchesExactly } from './rules/search-rules.ts';
import { byStatus, shownStatuses } from './rules/status-rules.ts';
import { besideExclusion, byChildren, byOperator, byRelation, byTerms } from './rules/term-rules.ts';

/** What a parameter of a list does, as far as records can show it (§4.6 to §4.8). */
export interface FilterEntry {
  readonly parameter: string;
  /** The value or member that is checked; the last part of the id. */
  readonly part?: string;
  /** A sentence in the present tense about an operation; `{records}` stands for its resource. */
  readonly does: string;
  readonly rule: Rule;
  /** Set for a filter whose effect the records predict with any value. */
  readonly predicted?: Predicted;
  /** What it filters by. How two filters by the same thing combine is silent, and one may win. */
  readonly about?: string;
  /** Set if only records of several users show an effect: of the filter alone, or only of the filter with another. */
  readonly takesUsers?: 'alone' | 'beside';
  /** A rule with values that keep many records, for requests with another filter. */
  readonly wide?: Rule;
  /** Other parameters in its requests: if one of them fails, a failure here says nothing new. */
  readonly after?: readonly string[];
  /** Arguments that select the records to which the rule is applied. */
  readonly variant?: (session: Session, subject: Subject) => Promise<Args>;
  /** Whether it needs stored text, which only users see. */
  readonly needsUser?: boolean;
  /** The resources whose lists show the effect; default: all whose list has the parameter. */
  readonly only?: (resource: ResourceRow) => boolean;
}

const belonging: FilterEntry['only'] = ({ belongsTo }) => belongsTo !== undefined;
/** Revisions have too few different orders to distinguish orderby from one of its values. */
const byThemselves: FilterEntry['only'] = ({ parent }) => parent === undefined;
const IDS: MemberFilter = { what: 'ids', values: ({ id }) => [id], many: true };
const BESIDE = ['include', 'exclude', 'order', 'orderby', 'search'];
const byInclude = sortsAsListed('include', 'include', ({ id }) => id);
const bySlugs = sortsAsListed('include_slugs', 'slug', (one) => valuesOf(one, 'slug')?.find(isPlainSlug));

/** The column whose check reports that lists ignore all columns. */
export const FIRST_COLUMN = 'post_title';

/** The rule of each parameter: the rule says which records, this table says which parameter. */
export const FILTER_TABLE: readonly FilterEntry[] = [
  part('page', 'beyond', 'repeats nothing on a page beyond the last', endsWithTheList, ['page', 'per_page']),
  { parameter: 'per_page', does: 'holds as many records as per_page asks for', rule: boundsTheCount },
  {
    ...part(
      'per_page',
      'default',
      'keeps the default of per_page beside other arguments',
      keepsTheSize,
      BESIDE,
    ),
    only: byThemselves,
  },
  { parameter: 'page', does: 'holds every record on one page, once', rule: partitionsIntoPages },
  { parameter: 'offset', does: 'leaves out as many records as offset says', rule: slicesTheList },
  { parameter: 'order', does: 'reverses the order', rule: reversesTheOrder },
  { parameter: 'orderby', does: 'applies orderby', rule: honoursOrderby, only: byThemselves },
  ...orderings(['date', 'title', 'id']),
  ...orderings(['modified', 'slug', 'author'], byThemselves),
  ...orderings(['parent'], belonging),
  ...orderings(['menu_order']),
  part('orderby', 'include', 'sorts in the order of include', byInclude, ['orderby', 'include', 'page']),
  {
    ...part('orderby', 'include_slugs', 'sorts in the order of slug', bySlugs, ['orderby', 'slug', 'page']),
    only: byThemselves,
  },
  members('include', 'ids', 'holds the records of include', IDS),
  members('exclude', 'ids', 'leaves out the records of exclude', { ...IDS, excludes: true }),
  members('slug', 'slug', 'holds the records with one of the slugs', {
    what: 'a slug of plain letters',
    values: shows('slug'),
    fits: isPlainSlug,
    whole: true,
  }),
  ...opposites(
    'author',
    { what: 'author', values: shows('author'), beyond: NO_ID },
    { takesUsers: 'beside' },
  ),
  ...moments('', 'date', 'dated'),
  ...moments('modified_', 'modified', 'modified'),
  filter('search', 'search', 'finds the records with a word of a title', bySearch),
  column(FIRST_COLUMN, ['search']),
  ...['post_content', 'post_excerpt'].map((name) => ({
    // Where columns are ignored, all of them are.
    ...column(name, ['search', 'search_columns']),
    // Which texts of uploads they hold is silent.
    only: ({ kind }: ResourceRow) => kind !== 'uploads',
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
    about: 'status',
    does: 'holds the records with the status',
    rule: byStatus,
    variant: shownStatuses,
  },
  filter('categories', 'terms', 'holds the records with a category', byTerms('categories')),
  operator('categories'),
  children('categories', 'counts'),
  filter('tags', 'terms', 'holds the records with a tag', byTerms('tags')),
  operator('tags'),
  filter(
    'categories_exclude',
    'terms',
    'leaves out the records with a category',
    byTerms('categories', true),
  ),
  children('categories_exclude', 'leaves out'),
  exclusion('categories', 'tags'),
  filter('tags_exclude', 'terms', 'leaves out the records with a tag', byTerms('tags', true)),
  exclusion('tags', 'categories'),
  {
    parameter: 'tax_relation',
    does: 'joins a category and a tag by AND or OR',
    rule: byRelation,
    after: ['categories', 'tags', 'exclude'],
  },
  filter('sticky', 'ids', 'separates sticky {records} from others', byFlag('sticky')),
  {
    parameter: 'ignore_sticky',
    does: 'puts sticky {records} in front unless they are ignored',
    rule: putsStickyFirst,
  },
  members('format', 'format', 'holds the {records} of the formats', {
    what: 'format',
    values: shows('format'),
    usual: 'standard',
  }),
  ...opposites(
    'parent',
    // Having no parent is a value as well.
    { what: 'the record that they belong to', values: parentOf, usual: 0 },
    { only: belonging },
  ),
  members('menu_order', 'menu_order', 'holds the {records} with the menu order', {
    what: 'menu_order',
    values: shows('menu_order'),
    single: true,
    usual: 0,
    fits: (order) => typeof order === 'number' && order >= 0,
  }),
  filter('media_type', 'file', 'holds the files of a media type', byMediaType),
  members('mime_type', 'file', 'holds the files of the mime types', {
    what: 'mime_type',
    values: shows('mime_type'),
    fits: isCommonType,
  }),
];

/** The filters whose effect the records predict (§4.6 to §4.8). How two of them by the same thing combine is silent (R49). */
export const PREDICTORS: readonly (Predicted & Required<Pick<FilterEntry, 'parameter' | 'about'>>)[] =
  FILTER_TABLE.flatMap(({ parameter, about, predicted }) =>
    about === undefined || predicted === undefined ? [] : [{ parameter, about, ...predicted }],
  );

function filter(parameter: string, about: string, does: string, by: Filter): FilterEntry {
  return { parameter, does, about, ...by };
}

function members(parameter: string, about: string, does: string, member: MemberFilter): FilterEntry {
  return filter(parameter, about, does, byMember(parameter, member));
}

function opposites(
  parameter: string,
  member: MemberFilter,
  more: Pick<FilterEntry, 'takesUsers' | 'only'>,
): FilterEntry[] {
  const opposite = `${parameter}_exclude`;
  const which = `the records of the ${parameter}s`;
  return [
    { ...members(parameter, parameter, `holds ${which}`, member), ...more },
    { ...members(opposite, parameter, `leaves out ${which}`, { ...member, excludes: true }), ...more },
  ];
}

function part(
  parameter: string,
  own: string,
  does: string,
  rule: Rule,
  after: readonly string[],
): FilterEntry {
  return { parameter, part: own, does, rule, after };
}

function column(name: string, after: readonly string[]): FilterEntry {
  const does = `searches ${name} alone`;
  return { ...part('search_columns', name, does, searchesColumn(name), after), needsUser: true };
}

function operator(taxonomy: string): FilterEntry {
  return part(taxonomy, 'operator', `joins ${taxonomy} by AND or OR`, byOperator(taxonomy), [taxonomy]);
}

function children(parameter: string, does: 'counts' | 'leaves out'): FilterEntry {
  const rule = byChildren(parameter, does === 'leaves out');
  const sentence = `${does} the categories below with include_children`;
  return part(parameter, 'include_children', sentence, rule, [parameter]);
}

function exclusion(taxonomy: string, other: string): FilterEntry {
  const own = `${taxonomy}_exclude`;
  const after = [own, taxonomy, `${other}_exclude`];
  return part(own, taxonomy, `applies ${own} beside ${taxonomy}`, besideExclusion(taxonomy, other), after);
}

function moments(prefix: string, member: string, word: string): FilterEntry[] {
  return (['after', 'before'] as const).map((side) => {
    const parameter = `${prefix}${side}`;
    const by = byMoment(prefix, member, side);
    return filter(parameter, parameter, `holds the records ${word} ${side} a moment`, by);
  });
}

function orderings(values: readonly string[], only?: FilterEntry['only']): FilterEntry[] {
  return values.map((value) => ({
    ...part('orderby', value, `sorts by ${value}`, sortsBy(value), ['orderby', 'order']),
    ...(value === 'author' && { takesUsers: 'alone' as const }),
    ...(only !== undefined && { only }),
  }));
}
