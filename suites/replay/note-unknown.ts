import { AsyncLocalStorage } from 'node:async_hooks';
import { routeUrl } from '../../target/address.ts';
import type { Client } from '../../target/client.ts';
import type { RequestSpec } from '../../target/observation.ts';
import type { Check } from '../check.ts';
import type { Session } from '../session.ts';

/** Checks that run as before, and the ids of those that asked for something unknown. */
export interface NotedChecks {
  readonly checks: readonly Check[];
  readonly untold: ReadonlySet<string>;
}

/** Whoever is asking: a check, or a computation that several checks share. */
interface Asker {
  unknown: boolean;
}

/**
 * Notes which checks ask for something that a site does not know, themselves or through what they share with others.
 * @param isKnown says whether a request is known, by its method, its address and whether there are credentials
 */
export function noteUnknown(
  checks: readonly Check[],
  isKnown: (method: string, address: string, isUser: boolean) => boolean,
): NotedChecks {
  const untold = new Set<string>();
  const askers = new AsyncLocalStorage<Asker>();
  const shared = new Map<string, Asker>();

  const note = ({ method, route, query, as }: RequestSpec, client: Client): void => {
    const asker = askers.getStore();
    if (asker === undefined) return;
    asker.unknown ||= !isKnown(method, routeUrl(client.base, route, query), as === 'user');
  };

  const noting = (session: Session): Session => ({
    ...session,
    client: notingClient(session.client, note),
    ask(spec) {
      note(spec, session.client);
      return session.ask(spec);
    },
    async once(key, compute) {
      const own = shared.get(key) ?? { unknown: false };
      shared.set(key, own);
      try {
        return await session.once(key, () => askers.run(own, compute));
      } finally {
        const asker = askers.getStore();
        if (asker !== undefined) asker.unknown ||= own.unknown;
      }
    },
  });

  const noted = checks.map((check): Check => {
    const asker: Asker = { unknown: false };
    const run: Check['run'] = async (session) => {
      try {
        return await askers.run(asker, async () => check.run(noting(session)));
      } finally {
        if (asker.unknown) untold.add(check.id);
      }
    };
    return { ...check, run };
  });
  return { checks: noted, untold };
}

/** A client that notes what it is asked to send; everything else is the client's own. */
function notingClient(client: Client, note: (spec: RequestSpec, client: Client) => void): Client {
  const request: Client['request'] = (spec, bytes) => {
    note(spec, client);
    return client.request(spec, bytes);
  };
  return new Proxy(client, {
    get(own, name) {
      if (name === 'request') return request;
      const value: unknown = Reflect.get(own, name, own);
      return typeof value === 'function' ? value.bind(own) : value;
    },
  });
}
