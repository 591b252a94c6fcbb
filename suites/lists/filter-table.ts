import type { Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { describeArgs, type Subject } from '../../probing/records/reading/list-request.ts';
import {
  NO_ID,
  parentOf,
  type SiteRecord,
  type Value,
  valuesOf,
} from '../../probing/records/reading/record.ts';
import type { Records, Rule, Trial } from '../../probing/records/reading/run-rule.ts';
import { countOf, idsOf, jointly, snapshotOf, subsetTrial } from '../../probing/records/reading/run-rule.ts';
import { statusOf } from '../../probing/records/reading/shown-to-anonymous.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import {
  byFlag,
  byMediaType,
  byMember,
  byMoment,
  isCommonType,
  isPlainSlug,
  ownId,
  shows,
} from './rules/member-rules.ts';
import { honoursOrderby, reversesTheOrder, sortsAsListed, sortsBy } from './rules/order-rules.ts';
import { boundsTheCount, endsWithTheList, partitionsIntoPages, slicesTheList } from './rules/paging-rules.ts';
import { searches, searchesColumn, searchesExactly, searchesWidely } from './rules/search-rules.ts';
import { besideExclusion, byChildren, byOperator, byRelation, byTerms } from './rules/term-rules.ts';

/** Statuses that stand for others, or that lists seldom show. */
const NOT_TRIED = new Set(['any', 'trash', 'auto-draft', 'inherit', 'publish']);

/** Arguments that show records of all statuses (§3). Anonymous callers only see the default. */
function everyStatus({ operation, as }: Subject): Args {
  const parameter = operation.parameters.find(({ name }) => name === 'status');
  if (parameter === undefined || as === 'anonymous') return {};
  const statuses = parameter.schema.items?.enum ?? [];
  return { [parameter.wire]: statuses.includes('any') ? ['any'] : statuses };
}

/** The arguments of `everyStatus`, or none if they show fewer records than the default list. */
export async function shownStatuses(session: Session, subject: Subject): Promise<Args> {
  const variant = everyStatus(subject);
  const [every, usual] = [await snapshotOf(session, subject, variant), await snapshotOf(session, subject)];
  if ('finding' in every || 'finding' in usual) return variant;
  return every.records.length < usual.records.length ? {} : variant;
}

/** The default shows records of one status (§3), and a requested status shows the records that have it. */
const byStatus: Rule = ({ records }, site) => {
  const parameter = site.operation.parameters.find(({ name }) => name === 'status');
  const usual = [parameter?.schema.default].flat()[0];
  const shown = new Set(records.map(statusOf).filter((status) => status !== undefined));
  if (shown.size === 0) return 'the records do not show status';
  const keeping = (args: Args, ...statuses: readonly unknown[]): Trial =>
    subsetTrial(args, (record) => {
      const own = statusOf(record);
      return own === undefined ? undefined : statuses.includes(own);
    });
  const name = site.wire('status');
  // Records may have statuses of removed plugins, which the site refuses as arguments.
  const rare = [...shown].filter(
    (status) => status !== usual && parameter?.schema.items?.enum?.includes(status) === true,
  );
  if (shown.size > 1 && rare.length > 0) {
    return [
      jointly(keeping({}, usual)),
      jointly(keeping({ [name]: [usual] }, usual)),
      ...rare.map((status) => keeping({ [name]: [status] }, status)),
      // Proves that all members of the list of statuses are read.
      jointly(keeping({ [name]: [usual, rare[0]] }, usual, rare[0])),
      ...defaultBesideIds(records, site, usual),
    ];
  }
  const alike = `all visible records have the status ${[...shown].join()}`;
  const other = parameter?.schema.items?.enum?.find((status) => !NOT_TRIED.has(String(status)));
  const byDefault = { ...keeping({}, usual), silent: () => alike };
  // If `any` shows no other status either, a filter that is ignored still shows.
  return site.as === 'anonymous' || other === undefined
    ? [byDefault]
    : [byDefault, holdsOnly({ [name]: [other] }, other)];
};

/** The default also holds for records that are requested by their ids. */
function defaultBesideIds(
  records: Records,
  { operation, wire }: Parameters<Rule>[1],
  usual: unknown,
): Trial[] {
  const byStatus = Map.groupBy(records, statusOf);
  const some = [...byStatus.values()].flatMap(([record]) => record?.id ?? []);
  const isTaken = operation.parameters.some(({ name }) => name === 'include');
  return isTaken ? [{ ...holdsOnly({ [wire('include')]: some }, usual), skipsRefused: true }] : [];
}

function holdsOnly(args: Args, status: unknown): Trial {
  return {
    requests: [args],
    evaluate([answer = []]) {
      const wrong = answer.filter((record) => statusOf(record) !== undefined && statusOf(record) !== status);
      if (wrong.length === 0) return undefined;
      const message = `${describeArgs(args)} returns records of another status`;
      return { message, expected: `none of ${countOf(wrong)}`, observed: countOf(answer) };
    },
  };
}

const isSticky = (record: SiteRecord): boolean => valuesOf(record, 'sticky')?.[0] === true;

/** Ignoring sticky posts keeps the order of the list; otherwise they come first on the first page. */
const putsStickyFirst: Rule = ({ records }, site) => {
  if (records.every((record) => valuesOf(record, 'sticky') === undefined))
    return 'the records do not show sticky';
  if (isInFront(records)) return 'no visible record is sticky, or all are in front anyway';
  const ignoring = { [site.wire('ignore_sticky')]: true };
  const honouring = { [site.wire('ignore_sticky')]: false };
  return [
    {
      requests: [honouring],
      evaluate([answer = []], now) {
        const found = new Set(answer.map(({ id }) => id));
        const lost = now.records.some((record) => isSticky(record) && !found.has(record.id));
        if (!lost && isInFront(answer)) return undefined;
        const message = `${describeArgs(honouring)} does not put the sticky records in front`;
        return { message, expected: countOf(now.records.filter(isSticky)), observed: idsOf(answer) };
      },
    },
    {
      requests: [ignoring],
      evaluate([answer = []], now) {
        const due = now.records.slice(0, answer.length);
        if (answer.length > 0 && answer.every(({ id }, at) => id === due[at]?.id)) return undefined;
        const message = `${describeArgs(ignoring)} changes the order of the list`;
        return { message, expected: idsOf(due), observed: idsOf(answer) };
      },
    },
  ];
};

function isInFront(records: Records): boolean {
  const other = records.findIndex((record) => !isSticky(record));
  return other < 0 || !records.slice(other).some(isSticky);
}

/** What a parameter of a list does, as far as records can show it (§4.6 to §4.8). */
export interface FilterEntry {
  readonly parameter: string;
  /** The value or member that is checked; the last part of the id. */
  readonly part?: string;
  /** A sentence in the present tense about an operation; `{records}` stands for its resource. */
  readonly does: string;
  readonly rule: Rule;
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
const plainSlugs = byMember({
  parameter: 'slug',
  what: 'a slug of plain letters',
  values: shows('slug'),
  fits: isPlainSlug,
  whole: true,
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
  // Real software treats 0 as no filter.
  fits: (order) => typeof order === 'number' && order > 0,
});

const formats = byMember({
  parameter: 'format',
  what: 'format',
  values: shows('format'),
  usual: 'standard',
});
const byInclude = sortsAsListed('include', 'include', ({ id }) => id);
const bySlugs = sortsAsListed('include_slugs', 'slug', plainSlug);

function plainSlug(record: SiteRecord): Value | undefined {
  return valuesOf(record, 'slug')?.find(isPlainSlug);
}

/** The rule of each parameter: the rule says which records, this table says which parameter. */
export const FILTER_TABLE: readonly FilterEntry[] = [
  part('page', 'beyond', 'repeats nothing on a page beyond the last', endsWithTheList, ['page', 'per_page']),
  { parameter: 'per_page', does: 'holds as many records as per_page asks for', rule: boundsTheCount },
  { parameter: 'page', does: 'holds every record on one page, once', rule: partitionsIntoPages },
  { parameter: 'offset', does: 'leaves out as many records as offset says', rule: slicesTheList },
  { parameter: 'order', does: 'reverses the order', rule: reversesTheOrder },
  { parameter: 'orderby', does: 'applies orderby', rule: honoursOrderby, only: byThemselves },
  ...orderings(['date', 'title', 'id']),
  ...orderings(['modified', 'slug', 'author'], byThemselves),
  ...orderings(['parent'], belonging),
  ...orderings(['menu_order']),
  part('orderby', 'include', 'sorts in the order of include', byInclude, ['orderby', 'include']),
  {
    ...part('orderby', 'include_slugs', 'sorts in the order of slug', bySlugs, ['orderby', 'slug']),
    only: byThemselves,
  },
  filter('include', 'ids', 'holds the records of include', ids('include', false)),
  filter('exclude', 'ids', 'leaves out the records of exclude', ids('exclude', true)),
  filter('slug', 'slug', 'holds the records with one of the slugs', plainSlugs),
  ...opposites('author', authors, { takesUsers: 'beside' }),
  ...moments('', 'date', 'dated'),
  ...moments('modified_', 'modified', 'modified'),
  {
    ...filter('search', 'search', 'finds the records with a word of a title', searches),
    wide: searchesWidely,
  },
  ...['post_title', 'post_content', 'post_excerpt'].map((column) => ({
    ...part('search_columns', column, `searches ${column} alone`, searchesColumn(column), ['search']),
    needsUser: true,
    // Which texts of uploads the other columns hold is silent.
    ...(column !== 'post_title' && { only: ({ kind }: ResourceRow) => kind !== 'uploads' }),
  })),
  {
    parameter: 'search_semantics',
    does: 'finds exact matches alone',
    rule: searchesExactly,
    after: ['search'],
    needsUser: true,
  },
  { ...filter('status', 'status', 'holds the records with the status', byStatus), variant: shownStatuses },
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
  exclusion('categories'),
  filter('tags_exclude', 'terms', 'leaves out the records with a tag', byTerms('tags', true)),
  exclusion('tags'),
  {
    parameter: 'tax_relation',
    does: 'joins a category and a tag by AND or OR',
    rule: byRelation,
    after: ['categories', 'tags'],
  },
  filter('sticky', 'ids', 'separates sticky {records} from others', byFlag('sticky')),
  {
    parameter: 'ignore_sticky',
    does: 'puts sticky {records} in front unless they are ignored',
    rule: putsStickyFirst,
  },
  filter('format', 'terms', 'holds the {records} of the formats', formats),
  ...opposites('parent', ofParents, { only: belonging }),
  filter('menu_order', 'menu_order', 'holds the {records} with the menu order', orders),
  filter('media_type', 'file', 'holds the files of a media type', byMediaType),
  filter('mime_type', 'file', 'holds the files of the mime types', mimeTypes),
];

/** An entry for what a parameter filters by. */
function filter(parameter: string, about: string, does: string, rule: Rule): FilterEntry {
  return { parameter, does, about, rule };
}

/** The entries for a filter and its opposite. */
function opposites(
  parameter: string,
  rule: (parameter: string, excludes: boolean) => Rule,
  more: Pick<FilterEntry, 'takesUsers' | 'only'>,
): FilterEntry[] {
  const opposite = `${parameter}_exclude`;
  const which = `the records of the ${parameter}s`;
  return [
    { ...filter(parameter, parameter, `holds ${which}`, rule(parameter, false)), ...more },
    { ...filter(opposite, parameter, `leaves out ${which}`, rule(opposite, true)), ...more },
  ];
}

/** An entry for one value or member of a parameter. */
function part(
  parameter: string,
  own: string,
  does: string,
  rule: Rule,
  after: readonly string[],
): FilterEntry {
  return { parameter, part: own, does, rule, after };
}

function operator(taxonomy: string): FilterEntry {
  return part(taxonomy, 'operator', `joins ${taxonomy} by AND or OR`, byOperator(taxonomy), [taxonomy]);
}

function children(parameter: string, does: 'counts' | 'leaves out'): FilterEntry {
  const rule = byChildren(parameter, does === 'leaves out');
  const sentence = `${does} the categories below with include_children`;
  return part(parameter, 'include_children', sentence, rule, [parameter]);
}

function exclusion(taxonomy: string): FilterEntry {
  const own = `${taxonomy}_exclude`;
  return part(own, taxonomy, `applies ${own} beside ${taxonomy}`, besideExclusion(taxonomy), [own, taxonomy]);
}

function moments(prefix: string, member: string, word: string): FilterEntry[] {
  return (['after', 'before'] as const).map((side) => {
    const parameter = `${prefix}${side}`;
    const rule = byMoment(prefix, member, side);
    return filter(parameter, parameter, `holds the records ${word} ${side} a moment`, rule);
  });
}

function orderings(values: readonly string[], only?: FilterEntry['only']): FilterEntry[] {
  return values.map((value) => ({
    ...part('orderby', value, `sorts by ${value}`, sortsBy(value), ['orderby', 'order']),
    ...(value === 'author' && { takesUsers: 'alone' as const }),
    ...(only !== undefined && { only }),
  }));
}

function ids(parameter: string, excludes: boolean): Rule {
  return byMember({ parameter, what: 'ids', values: ownId, excludes, many: true });
}

function authors(parameter: string, excludes: boolean): Rule {
  return byMember({ parameter, what: 'author', values: shows('author'), excludes, beyond: NO_ID });
}

function ofParents(parameter: string, excludes: boolean): Rule {
  // Having no parent is a value as well.
  return byMember({
    parameter,
    what: 'the record that they belong to',
    values: parentOf,
    excludes,
    usual: 0,
  });
}
