import { momentOf, namesOffset } from '../../records/reading/printed-date.ts';
import { parentOf, type SiteRecord, type Value } from '../../records/reading/record.ts';
import type { Keeps, Records } from '../../records/reading/trial.ts';
import { keepsMoments, momentsBetween, writtenMoment } from '../rules/date-rules.ts';
import { isCommonType, keepsMediaTypes, mediaTypesOf } from '../rules/media-rules.ts';
import { keepsMembers, ownId, shows } from '../rules/member-rules.ts';
import type { ValuesOf } from '../rules/pick-values.ts';
import { keepsTitles, titleWords } from '../rules/search-rules.ts';

/** A filter of lists whose records can be foretold, whatever value it has. */
export interface Predictor {
  readonly parameter: string;
  /** What it selects by: how two filters by the same thing go together is silent (R49). */
  readonly about: string;
  /** Values that the records give rise to. */
  values(records: Records): readonly unknown[];
  /** Which records it keeps with a value; undefined for a value of which that is not known. */
  keeps(value: unknown): Keeps | undefined;
}

/** Values of a list at most: more of them are no more telling. */
const MOST_VALUES = 12;
const PLAIN_SLUG = /^[a-z0-9-]+$/;
const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/;

/** Filters of lists that the records foretell (§4.6 to §4.8). */
export const PREDICTORS: readonly Predictor[] = [
  ofMembers('include', 'ids', ownId),
  ofMembers('exclude', 'ids', ownId, { excludes: true }),
  flag('sticky', 'ids'),
  ofMembers('slug', 'slug', shows('slug'), {
    fits: (slug) => typeof slug === 'string' && PLAIN_SLUG.test(slug),
  }),
  ofMembers('author', 'author', shows('author')),
  ofMembers('author_exclude', 'author', shows('author'), { excludes: true }),
  ofMembers('parent', 'parent', parentOf),
  ofMembers('parent_exclude', 'parent', parentOf, { excludes: true }),
  ofMembers('categories', 'terms', shows('categories')),
  ofMembers('categories_exclude', 'terms', shows('categories'), { excludes: true }),
  ofMembers('tags', 'terms', shows('tags')),
  ofMembers('tags_exclude', 'terms', shows('tags'), { excludes: true }),
  ofMembers('format', 'terms', shows('format')),
  ofMembers('mime_type', 'file', shows('mime_type'), { fits: isCommonType }),
  {
    parameter: 'media_type',
    about: 'file',
    values: (records) => listsOf(mediaTypesOf(records)),
    keeps: (value) => (isList(value) ? keepsMediaTypes(value) : undefined),
  },
  {
    parameter: 'menu_order',
    about: 'menu_order',
    // Real software takes 0 for no filter.
    values: (records) => shown(records, shows('menu_order')).filter((order) => Number(order) > 0),
    keeps: (value) => (Number(value) > 0 ? keepsMembers(shows('menu_order'), [value], false) : undefined),
  },
  moment('after', 'date', 'after'),
  moment('before', 'date', 'before'),
  moment('modified_after', 'modified', 'after'),
  moment('modified_before', 'modified', 'before'),
  {
    parameter: 'search',
    about: 'search',
    values: (records) => titleWords(records).slice(0, MOST_VALUES),
    keeps: (value) =>
      typeof value === 'string' && /^[a-z]{5,}$/.test(value) ? keepsTitles(value) : undefined,
  },
];

function ofMembers(
  parameter: string,
  about: string,
  values: ValuesOf,
  { excludes = false, fits = () => true }: { excludes?: boolean; fits?: (value: Value) => boolean } = {},
): Predictor {
  return {
    parameter,
    about,
    values(records) {
      const all = shown(records, values).filter(fits);
      return excludes ? [...listsOf(all), ...allButOne(all)] : listsOf(all);
    },
    keeps: (value) => (isList(value) ? keepsMembers(values, value, excludes) : undefined),
  };
}

function flag(parameter: string, about: string): Predictor {
  return {
    parameter,
    about,
    values: (records) => shown(records, shows(parameter)),
    keeps: (value) =>
      typeof value === 'boolean' ? keepsMembers(shows(parameter), [value], false) : undefined,
  };
}

function moment(parameter: string, name: string, side: 'after' | 'before'): Predictor {
  return {
    parameter,
    about: parameter,
    values(records) {
      const moments = records.map((record) => momentOf(record, name)).filter((one) => one !== undefined);
      const zoned = records.some((record) => namesOffset(record, name) === true);
      return momentsBetween(moments)
        .slice(0, MOST_VALUES)
        .map((one) => writtenMoment(one, zoned));
    },
    keeps(value) {
      if (typeof value !== 'string') return undefined;
      const zoned = ZONE.test(value);
      const bound = Date.parse(zoned ? value : `${value}Z`);
      if (Number.isNaN(bound)) return undefined;
      const keeps = keepsMoments(name, side, bound);
      // A moment of another zone than the one that a record names is not compared.
      return (record) => (namesOffset(record, name) === zoned ? keeps(record) : undefined);
    },
  };
}

/** What the records show, each value once. */
function shown(records: Records, values: (record: SiteRecord) => readonly Value[] | undefined): Value[] {
  return [...new Set(records.flatMap((record) => values(record) ?? []))];
}

/** Lists of one value and of two neighbours. */
function listsOf(values: readonly Value[]): Value[][] {
  const some = values.slice(0, MOST_VALUES);
  return [...some.map((value) => [value]), ...some.slice(1).map((value, at) => [value, some[at] ?? value])];
}

/** Lists of all values but one: what leaves out many is missed sooner. */
function allButOne(values: readonly Value[]): Value[][] {
  const some = values.slice(0, MOST_VALUES);
  return some.length < 4 ? [] : some.map((one) => some.filter((other) => other !== one));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
