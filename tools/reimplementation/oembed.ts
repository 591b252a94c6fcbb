import { Refusal } from './refusal.ts';
import type { Call, Reply } from './site.ts';

/** How a page of this site is shown in another one. Nobody else's page is asked for. */
export function embed({ site, args }: Call): Reply {
  const url = new URL(String(args.url));
  if (url.host !== new URL(site.home).host) throw new Refusal(404, 'that is no page of this site');
  return {
    status: 200,
    body: { type: 'link', version: '1.0', provider_url: site.home, title: url.pathname },
  };
}
