import type { Contract } from '../specs/model.ts';
import type { Client } from '../target/client.ts';
import { Journal, readJournal } from '../target/journal.ts';
import { PriorRecords } from '../target/prior-records.ts';
import type { SiteIndex } from '../target/site-index.ts';
import type { OwnerHints, Session } from './session.ts';
import { OwnRecords } from './writing/own-records.ts';

/** Bytes of an answer that is still remembered. */
const MOST_REMEMBERED = 1_000_000;

/** A session for one run: what is asked once is remembered until the run ends. */
export function createSession(parts: {
  contract: Contract;
  index: SiteIndex;
  client: Client;
  seed: number;
  hints?: OwnerHints | undefined;
  /** Where writes are noted, and the word that own records carry; undefined for a run that does not write. */
  journal?: { readonly path: string; readonly tag: string } | undefined;
}): Session {
  const { contract, client, index, seed, hints = {}, journal } = parts;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const remembered = new Map<string, Promise<unknown>>();

  function once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const known = remembered.get(key);
    if (isOf<T>(known)) return known;
    const fresh = compute();
    remembered.set(key, fresh);
    return fresh;
  }

  /** A key is only ever used with one type, because it names what is computed. */
  function isOf<T>(promise: Promise<unknown> | undefined): promise is Promise<T> {
    return promise !== undefined;
  }

  let own: OwnRecords | undefined;
  const session: Session = {
    contract,
    index,
    client,
    seed,
    hints,
    get own() {
      return own;
    },
    caller: client.hasUser ? 'user' : 'anonymous',
    ask(spec) {
      const key = `ask ${spec.as ?? 'anonymous'} ${spec.method} ${spec.route} ${JSON.stringify(spec.query ?? [])}`;
      return once(key, async () => {
        const answer = await client.request(spec);
        // A large answer costs more to keep than to ask for again.
        if (answer.bytes > MOST_REMEMBERED) remembered.delete(key);
        return answer;
      });
    },
    once,
    operation: (id) => operations.get(id),
  };
  if (journal !== undefined) {
    const prior = new PriorRecords(readJournal(journal.path).census);
    own = new OwnRecords(session, new Journal(journal.path), journal.tag, prior);
  }
  return session;
}
