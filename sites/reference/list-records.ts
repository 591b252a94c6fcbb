import { mayRead, requireEditContext } from './access.ts';
import { type Answer, answer } from './answer.ts';
import { routeAddress } from './index-document.ts';
import type { JsonObject } from './json.ts';
import { selectRecords, stickyFirst } from './list-query.ts';
import { paginate } from './paginate.ts';
import { invalidParameters } from './read-arguments.ts';
import type { Context } from './record-contexts.ts';
import { Refusal } from './refusal.ts';
import { resourceOf } from './resources.ts';
import { showRecord } from './show-record.ts';
import type { Call, Handler, ListQuery } from './site.ts';
import { ids, integer, texts } from './values.ts';

/** Lists the records of a resource (§4.6 to §4.8). */
export const listRecords: Handler = (call) => {
  const { id: kind, statuses } = resourceOf(call);
  requireStatuses(call, statuses.open);
  requireEditContext(call);
  requireCompanions(call);
  const { site, args } = call;
  const { account } = call.request;
  const query: ListQuery = { args: declaredOf(call), known: account !== undefined };
  const all = site.store.ofKind(kind);
  const found = selectRecords(site, all, query);
  const number = integer(args.page, 1);
  const offset = typeof args.offset === 'number' ? args.offset : undefined;
  const page = paginate(found, number, integer(args.per_page, 10), offset);
  // Real software counts nothing when an offset on the first page leads beyond the end.
  if (page.items.length === 0 && number === 1) Object.assign(page, { total: 0, pages: 0 });
  const inFront = query.args.ignore_sticky === false && number === 1;
  const items = inFront ? stickyFirst(all, page.items, query) : page.items;
  const view = { context: contextOf(call), account };
  const visible = items.filter((record) => mayRead(site.store, record, account));
  return listAnswer(
    call,
    visible.map((record) => showRecord(site, record, view)),
    page,
  );
};

/** The arguments that the list has: others pass through, and are not heeded. */
function declaredOf({ operation, args }: Call): JsonObject {
  const { properties } = operation.parameters;
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)));
}

/** The context that a call asks for. */
export function contextOf(call: Call): Context {
  const { context } = call.args;
  return context === 'edit' || context === 'embed' ? context : 'view';
}

/** A list with its totals, and links to the pages before and after it. */
export function listAnswer(
  call: Call,
  items: Answer['body'],
  page: { total: number; pages: number },
): Answer {
  const number = integer(call.args.page, 1);
  const address = routeAddress(call.site.url, call.request.route);
  const links: string[] = [];
  if (number > 1) links.push(`<${address}&page=${Math.min(number - 1, page.pages)}>; rel="prev"`);
  if (number < page.pages) links.push(`<${address}&page=${number + 1}>; rel="next"`);
  return answer(items instanceof Object && Array.isArray(items) ? items : [], 200, {
    'X-WP-Total': String(page.total),
    'X-WP-TotalPages': String(page.pages),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  });
}

/** A status other than the default is an invalid argument for an anonymous caller. */
function requireStatuses(call: Call, usual: string): void {
  const unusual = texts(call.args.status).some((status) => status !== usual);
  if (unusual && !call.request.account) throw invalidParameters({ status: 'Status is forbidden.' });
}

/** Two orders make no sense without their companions. */
export function requireCompanions({ args }: Call): void {
  if (args.orderby === 'relevance' && !args.search) {
    const message = 'You need to define a search term to order by relevance.';
    throw new Refusal('rest_no_search_term_defined', message, 400);
  }
  if (args.orderby === 'include' && ids(args.include).length === 0) {
    const message = 'You need to define an include parameter to order by include.';
    throw new Refusal('rest_orderby_include_missing_include', message, 400);
  }
}
