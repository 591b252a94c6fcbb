import type { Client } from '../client/client.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { Contract } from '../specs/model.ts';
import { type FuzzOptions, STANDARD_FUZZ } from './fuzz-options.ts';
import { RememberedAnswers } from './remembered-answers.ts';
import type { JournalPlace, OwnerHints, Session } from './session.ts';
import { FieldNotes } from './shown-fields.ts';

/** A session for one run: what is asked once is remembered until the run ends. */
export function createSession(parts: {
  contract: Contract;
  index: SiteIndex;
  client: Client;
  seed: number;
  fuzz?: FuzzOptions | undefined;
  hints?: OwnerHints | undefined;
  journal?: JournalPlace | undefined;
}): Session {
  const { contract, client, index, seed, fuzz = STANDARD_FUZZ, hints = {}, journal } = parts;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const answers = new RememberedAnswers();
  return {
    contract,
    index,
    client,
    seed,
    fuzz,
    tried: new Map(),
    fields: new FieldNotes(client.redact),
    deselected: new Set(),
    hints,
    journal,
    caller: client.hasUser ? 'user' : 'anonymous',
    ask(spec) {
      const key = `ask ${spec.as ?? 'anonymous'} ${spec.method} ${spec.route} ${JSON.stringify([spec.query ?? [], spec.rawQuery])}`;
      return answers.answer(key, () => client.request(spec));
    },
    memory: {},
    operation: (id) => operations.get(id),
  };
}

/** A session that has forgotten all answers. Own records are told from others as before: the journal is the same. */
export function freshSession(session: Session, index: SiteIndex): Session {
  const { contract, client, seed, fuzz, hints, journal, deselected, fields } = session;
  const fresh = createSession({ contract, index, client, seed, fuzz, hints, journal });
  // What is noted for reports is noted once for the run.
  return { ...fresh, deselected, fields };
}
