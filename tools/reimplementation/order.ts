import type { Arguments } from './parameter.ts';
import { listOf, numberOf } from './site.ts';

/** What anything that is listed can be ordered by. */
interface Ordered {
  readonly id: number;
  readonly date: number;
  readonly title: string;
  readonly slug?: string;
  readonly author?: number;
  readonly parent?: number;
  readonly post?: number;
  readonly modified?: number;
  readonly menu_order?: number;
}

type Key = (one: Ordered) => number | string;

const KEYS: Readonly<Record<string, Key>> = {
  id: ({ id }) => id,
  slug: ({ slug }) => slug ?? '',
  title: ({ title }) => title.toLowerCase(),
  author: ({ author }) => author ?? 0,
  parent: ({ parent, post }) => parent || (post ?? 0),
  modified: ({ modified }) => modified ?? 0,
  menu_order: ({ menu_order }) => menu_order ?? 0,
};

/** Puts what a list found in the order that it was asked for. */
export function inOrder<T extends Ordered>(found: readonly T[], args: Arguments): T[] {
  const orderby = String(args.orderby ?? 'date');
  if (orderby === 'include') return asNamed(found, args.include, ({ id }) => id);
  if (orderby === 'include_slugs') return asNamed(found, args.slug, ({ slug }) => slug);
  const key: Key = KEYS[orderby] ?? (({ date }) => date);
  const sign = args.order === 'asc' ? 1 : -1;
  return [...found].sort((one, other) => sign * (compare(key(one), key(other)) || one.id - other.id));
}

/** What was named first comes first. */
function asNamed<T extends Ordered>(found: readonly T[], names: unknown, key: (one: T) => unknown): T[] {
  const list = listOf(names) ?? [];
  return [...found].sort((one, other) => list.indexOf(key(one)) - list.indexOf(key(other)));
}

function compare(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return one < other ? -1 : Number(one > other);
}

/** One page of a list; everything where its length is not said. */
export function pageOf<T>(found: readonly T[], args: Arguments): T[] {
  const size = numberOf(args.per_page) ?? found.length;
  const start = numberOf(args.offset) ?? ((numberOf(args.page) ?? 1) - 1) * size;
  return found.slice(Math.max(0, start), Math.max(0, start) + size);
}
