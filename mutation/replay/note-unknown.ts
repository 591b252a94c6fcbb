import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import type { Observation } from '../../client/observation.ts';
import type { Check } from '../../engine/check.ts';
import type { Session } from '../../engine/session.ts';

/** The header of an answer to what was never recorded. */
export const NOT_RECORDED = 'x-not-recorded';

/** Checks that run as before on a client that is looked at, and the ids of those that were answered with what was never recorded. */
export interface NotedChecks {
  readonly checks: readonly Check[];
  /** The client that their session has to have. */
  client(own: Client): Client;
  /** A word for a record: whoever asks has a numbering of its own, so that checks that come or go shift no other's. */
  nextWord(): string;
  readonly untold: ReadonlySet<string>;
}

/** Whoever is asking: a check, or a fixture that several checks share. */
interface Asker {
  /** The id of the check, or the name of the fixture. */
  readonly name: string;
  unknown: boolean;
  words: number;
}

/** Notes which checks get an answer with the mark `NOT_RECORDED`, themselves or through what they share with others. */
export function noteUnknown(checks: readonly Check[]): NotedChecks {
  const untold = new Set<string>();
  const askers = new AsyncLocalStorage<Asker>();
  const shared = new Map<string, Asker>();
  const nobody = askerOf('');

  const noted = async (asking: Promise<Observation>): Promise<Observation> => {
    const observation = await asking;
    const asker = askers.getStore();
    if (asker !== undefined) asker.unknown ||= NOT_RECORDED in observation.headers;
    return observation;
  };

  const sharedBy = (name: string): Asker => {
    const own = shared.get(name) ?? askerOf(name);
    shared.set(name, own);
    return own;
  };

  const noting = (session: Session): Session => ({
    ...session,
    ask: (spec) => noted(session.ask(spec)),
    watch: {
      make: (name, make) => askers.run(sharedBy(name), make),
      async use(name, made) {
        try {
          return await made;
        } finally {
          const asker = askers.getStore();
          if (asker !== undefined) asker.unknown ||= sharedBy(name).unknown;
        }
      },
    },
  });

  const all = checks.map((check): Check => {
    const asker = askerOf(check.id);
    const run: Check['run'] = async (session) => {
      try {
        return await askers.run(asker, async () => check.run(noting(session)));
      } finally {
        if (asker.unknown) untold.add(check.id);
      }
    };
    return { ...check, run };
  });
  return {
    checks: all,
    untold,
    client: (own) => notingClient(own, noted),
    nextWord() {
      const asker = askers.getStore() ?? nobody;
      asker.words += 1;
      const name = createHash('sha256').update(asker.name).digest('hex').slice(0, 8);
      return `${name}-${asker.words}`;
    },
  };
}

function askerOf(name: string): Asker {
  return { name, unknown: false, words: 0 };
}

/** A client whose answers are looked at; everything else is the client's own. */
function notingClient(client: Client, noted: (asking: Promise<Observation>) => Promise<Observation>): Client {
  const request: Client['request'] = (spec, bytes) => noted(client.request(spec, bytes));
  return new Proxy(client, {
    get(own, name) {
      if (name === 'request') return request;
      const value: unknown = Reflect.get(own, name, own);
      return typeof value === 'function' ? value.bind(own) : value;
    },
  });
}
