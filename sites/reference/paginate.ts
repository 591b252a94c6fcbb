import { Refusal } from './refusal.ts';

/** One page of a list and the totals that its headers tell. */
export interface Page<T> {
  items: T[];
  total: number;
  pages: number;
}

/**
 * Cuts a page out of `found`.
 * @param perPage -1 for all of them on one page
 * @param offset beats `page` when given
 * @throws Refusal 400 for a page beyond the last, unless nothing was found at all.
 */
export function paginate<T>(
  found: readonly T[],
  page: number,
  perPage: number,
  offset: number | undefined,
): Page<T> {
  const total = found.length;
  const size = perPage < 0 ? Math.max(total, 1) : perPage;
  const pages = Math.ceil(total / size);
  if (total > 0 && page > pages) {
    const message = 'The page number requested is larger than the number of pages available.';
    throw new Refusal('rest_post_invalid_page_number', message, 400);
  }
  const start = offset === undefined ? (page - 1) * size : Math.abs(offset);
  return { items: found.slice(start, start + size), total, pages };
}
