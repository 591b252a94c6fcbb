import assert from 'node:assert/strict';
import { asObject, member } from '../../../client/json.ts';
import { wrappedRoles } from '../../../sites/alterations/handling.ts';
import { forward, type Handle, jsonOf, type ProxyAnswer, withJson } from '../../../sites/proxy.ts';
import type { Behaviour } from '../../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import type { Store, Term } from '../../../sites/reference/store.ts';

/** A site as it is after its installation: it has one category and no tag, and serves the collections of both. */
export interface BareSite {
  readonly behaviour: Partial<Behaviour>;
  /** Answers what is about terms, and hands on the rest. */
  readonly handle: Handle;
  /** The slugs of its terms. */
  slugs(): string[];
  /** Has somebody else make a tag. */
  addTag(slug: string): void;
}

const ROUTES: Readonly<Record<string, Term['taxonomy']>> = {
  '/cms/v2/categories': 'category',
  '/cms/v2/tags': 'tag',
};
const FIRST_ID = 20;

/** A bare site, to be served behind a proxy. */
export function bareSite(): BareSite {
  let store: Store | undefined;
  let lastId = FIRST_ID;
  const add = (taxonomy: Term['taxonomy'], slug: string, parent = 0): Term => {
    lastId += 1;
    const term = { id: lastId, taxonomy, slug, parent };
    assert(store !== undefined);
    store.terms.push(term);
    return term;
  };
  const answerTerms = (asked: Parameters<Handle>[0], route: string, path: string): ProxyAnswer => {
    const terms = store?.terms.filter(({ taxonomy }) => taxonomy === ROUTES[route]) ?? [];
    const id = Number(path.slice(route.length + 1));
    const one = terms.find((term) => term.id === id);
    if (asked.method === 'POST') {
      const { slug, parent } = asObject(jsonOf(asked.body)) ?? {};
      const taxonomy = ROUTES[route] ?? 'tag';
      return json(201, add(taxonomy, String(slug), typeof parent === 'number' ? parent : 0));
    }
    if (path === route) return json(200, selected(terms, asked.url.searchParams));
    if (one === undefined) return json(404, { code: 'rest_term_invalid' });
    if (asked.method === 'DELETE') store?.terms.splice(store.terms.indexOf(one), 1);
    return json(200, one);
  };
  return {
    behaviour: {
      roles: wrappedRoles(STANDARD_BEHAVIOUR, (call, next) => {
        if (store === undefined) call.site.store.terms.splice(1);
        store = call.site.store;
        return next(call);
      }),
    },
    async handle(asked) {
      const path = asked.url.searchParams.get('rest_route') ?? '';
      const route = Object.keys(ROUTES).find((one) => path === one || path.startsWith(`${one}/`));
      if (route !== undefined) return answerTerms(asked, route, path);
      const answer = await forward(asked);
      const index = path === '/' && asked.method === 'GET' ? asObject(jsonOf(answer.body)) : undefined;
      return index === undefined ? answer : withJson(answer, withRoutes(index));
    },
    slugs: () => store?.terms.map(({ slug }) => slug) ?? [],
    addTag: (slug) => void add('tag', slug),
  };
}

function selected(terms: readonly Term[], query: URLSearchParams): readonly Term[] {
  const include = query.get('include')?.split(',').map(Number);
  const search = query.get('search') ?? '';
  if (Number(query.get('page') ?? 1) > 1) return [];
  return terms.filter(({ id, slug }) => (include?.includes(id) ?? true) && slug.includes(search));
}

function withRoutes(index: Readonly<Record<string, unknown>>): unknown {
  const routes = Object.keys(ROUTES).map((route) => {
    const methods = ['GET', 'POST'];
    return [route, { namespace: 'cms/v2', methods, endpoints: [{ methods, args: [] }] }] as const;
  });
  return { ...index, routes: { ...asObject(member(index, 'routes')), ...Object.fromEntries(routes) } };
}

function json(status: number, value: unknown): ProxyAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: Buffer.from(JSON.stringify(value)) };
}
