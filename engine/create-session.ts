import type { Client } from '../client/client.ts';
import { Journal, readJournal } from '../client/journal.ts';
import { PriorRecords } from '../client/prior-records.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { Contract } from '../specs/model.ts';
import { OwnRecords } from '../suites/records/own/own-records.ts';
import { RememberedAnswers } from './remembered-answers.ts';
import type { OwnerHints, Session } from './session.ts';

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
  const answers = new RememberedAnswers();
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
      return answers.answer(key, () => client.request(spec));
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
