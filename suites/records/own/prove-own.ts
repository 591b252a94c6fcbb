import type { Collection } from '../../../client/journal.ts';
import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { carriesTag } from './carries-tag.ts';
import { type EditRead, readInEdit } from './read-in-edit.ts';

/** A record that a creation is said to have made. */
export interface Claimed {
  readonly collection: Collection;
  readonly route: string;
  readonly id: number;
  /** The answer that named it. */
  readonly created: Observation;
}

/** The read that showed a record to be the run's own, or what there is to say instead. */
export type Proof = EditRead | { readonly finding: Finding };

/** Reads a record by its id: it is the run's own only when the answer is that record, and carries the run's tag. */
export async function proveOwn(session: Session, claimed: Claimed, tag: string): Promise<Proof> {
  const { collection, id, created } = claimed;
  const { read, inEdit } = await readInEdit(session, claimed);
  const what = `a creation in ${collection} is answered with success and the id ${id}, but that record`;
  if (read.answer === 'denied' || read.answer === 'throttled') {
    return { finding: inconclusive(`${what} is ${read.answer} when it is read back`) };
  }
  const failure = (message: string, expected: string, observed: string): Proof => ({
    finding: { kind: 'failure', message, expected, observed, reproduce: [created.curl, read.curl] },
  });
  if (read.answer !== 'accepted' || read.json === undefined) {
    return failure(`${what} cannot be read back`, 'the record in the edit context', describe(read));
  }
  const answered = member(read.json, 'id');
  if (answered !== id) {
    return failure(`${what} reads back as another one`, `id ${id}`, `id ${String(answered)}`);
  }
  if (!carriesTag(read.json, tag)) {
    return failure(`${what} does not carry what was written`, `a text with ${tag}`, 'no such text');
  }
  return { read, inEdit };
}

/** The failure of a creation that answers with the id of a record that it cannot have made. */
export function takenId({ collection, id, created }: Claimed, whose: 'before' | 'earlier'): Finding {
  const record = whose === 'before' ? 'that was there before the run' : 'that was created before in this run';
  return {
    kind: 'failure',
    message: `what a creation in ${collection} is said to have made is a record ${record}`,
    expected: 'the id of a new record',
    observed: `id ${id}`,
    reproduce: [created.curl],
  };
}
