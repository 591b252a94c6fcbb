import { searchTerms } from './search.ts';
import type { Comparison, ListQuery, Order } from './site.ts';
import { slugOf } from './slug.ts';
import type { StoredRecord } from './store.ts';
import { ids, text, texts } from './values.ts';

const byDate: Comparison = (one, other) => one.date - other.date;

/** What each value of `orderby` means. */
export const ORDERS: Readonly<Record<string, Order>> = {
  author: turning((one, other) => one.author - other.author),
  date: turning(byDate),
  id: turning((one, other) => one.id - other.id),
  modified: turning((one, other) => one.modified - other.modified),
  parent: turning((one, other) => one.parent - other.parent),
  slug: turning((one, other) => compareTexts(one.slug, other.slug)),
  title: turning((one, other) => compareTexts(one.title, other.title)),
  menu_order: turning((one, other) => one.menuOrder - other.menuOrder),
  include: {
    turns: false,
    compare: ({ args }) => byPosition((record) => ids(args.include).indexOf(record.id)),
  },
  include_slugs: {
    turns: false,
    compare: ({ args }) =>
      texts(args.slug).length > 0
        ? byPosition((record) => texts(args.slug).map(slugOf).indexOf(record.slug))
        : byDate,
  },
  relevance: {
    turns: false,
    compare: (query) => {
      const latestFirst: Comparison =
        query.args.order === 'asc' ? byDate : (one, other) => byDate(other, one);
      const rank = byPosition((record) => relevance(record, query));
      return (one, other) => rank(one, other) || latestFirst(one, other);
    },
  },
};

function turning(compare: Comparison): Order {
  return { compare: () => compare, turns: true };
}

function byPosition(position: (record: StoredRecord) => number): Comparison {
  return (one, other) => position(one) - position(other);
}

function compareTexts(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

/** How well a record answers the search: 1 is best (whole phrase in the title), 6 is worst. */
function relevance(record: StoredRecord, { args }: ListQuery): number {
  const phrase = text(args.search, '').toLowerCase();
  const title = record.title.toLowerCase();
  const words = searchTerms(phrase);
  if (title.includes(phrase)) return 1;
  if (words.every((word) => title.includes(word))) return 2;
  if (words.length > 1 && words.some((word) => title.includes(word))) return 3;
  if (record.excerpt.toLowerCase().includes(phrase)) return 4;
  return record.content.toLowerCase().includes(phrase) ? 5 : 6;
}
