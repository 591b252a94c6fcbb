import { isObject } from '../reference/json.ts';
import type { Served } from '../reference/serve.ts';
import { basic } from './forward.ts';

/** What a site holds: each record as JSON, by collection and id (`posts/12`). */
export type Census = ReadonlyMap<string, string>;

const STATUSES: Readonly<Record<string, string>> = {
  posts: 'publish,future,draft,pending,private,trash,auto-draft',
  pages: 'publish,future,draft,pending,private,trash,auto-draft',
  media: 'inherit,private,trash',
};

/** Reads every record of the reference deployment in every status. @throws Error when a list is refused */
export async function takeCensus(site: Served): Promise<Census> {
  const census = new Map<string, string>();
  for (const [collection, status] of Object.entries(STATUSES)) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({
        rest_route: `/cms/v2/${collection}`,
        context: 'edit',
        per_page: '100',
        page: String(page),
        status,
      });
      const answer = await fetch(`${site.url}/index.php?${query}`, {
        headers: { authorization: basic(site) },
      });
      const records: unknown = await answer.json();
      if (!answer.ok || !Array.isArray(records))
        throw new Error(`${collection} cannot be listed: ${answer.status}`);
      pages = Number(answer.headers.get('x-wp-totalpages'));
      for (const record of records)
        if (isObject(record)) census.set(`${collection}/${record.id}`, JSON.stringify(record));
    }
  }
  return census;
}
