import { declaredOf, type Endpoint, isWholeIndex, namespacesOf } from './endpoints.ts';
import type { Site } from './site.ts';
import { OFFSET_HOURS } from './zone.ts';

/** Digits stand for every path parameter of this site. */
const patternOf = (route: string): string => route.replace(/\{(\w+)\}/g, '(?P<$1>[0-9]+)');

const VIEW = { context: { default: 'view' } };

/** The address of a route. */
export function addressOf({ home }: Pick<Site, 'home'>, route: string): string {
  return `${home}/index.php?rest_route=${encodeURIComponent(route)}`;
}

function entryOf(
  site: Site,
  namespace: string,
  route: string,
  endpoints: readonly Record<string, unknown>[],
) {
  return {
    _links: route.includes('{') ? {} : { self: [{ href: addressOf(site, route) }] },
    endpoints,
    methods: [...new Set(endpoints.flatMap(({ methods }) => methods))],
    namespace,
  };
}

/** The routes of the site as its index shows them, or those of one namespace. */
export function routesOf(site: Site, served: readonly Endpoint[], only?: string): Record<string, unknown> {
  const routes: Record<string, unknown> = {};
  const has = (feature: string): boolean => isWholeIndex(site) || site.features.has(feature);
  for (const name of namespacesOf(site)) {
    if (only !== undefined && only !== name) continue;
    const args = { namespace: { default: name }, ...VIEW };
    routes[`/${name}`] = entryOf(site, name, `/${name}`, [{ methods: ['GET'], args }]);
  }
  if (only === undefined) routes['/'] = entryOf(site, '', '/', [{ methods: ['GET'], args: VIEW }]);
  for (const { route, namespace } of served) {
    if (only !== undefined && only !== namespace) continue;
    const own = served.filter((one) => one.route === route);
    const endpoints = own.map((endpoint) => {
      const { methods, batch } = endpoint;
      const args = declaredOf(endpoint, site);
      return {
        ...(batch && has('batch') && { allow_batch: { v1: true } }),
        args: Object.keys(args).length === 0 ? [] : args,
        methods,
      };
    });
    routes[patternOf(route)] = entryOf(site, namespace, route, endpoints);
  }
  return routes;
}

/** What the site says about itself. */
export function indexOf(site: Site, served: readonly Endpoint[]): Record<string, unknown> {
  return {
    routes: routesOf(site, served),
    namespaces: namespacesOf(site),
    ...((isWholeIndex(site) || site.features.has('site-members')) && {
      name: 'Another site',
      description: '',
      home: site.home,
      url: site.home,
      gmt_offset: String(OFFSET_HOURS),
      timezone_string: '',
      page_for_posts: 0,
      page_on_front: 0,
      show_on_front: 'posts',
      authentication: {},
    }),
  };
}
