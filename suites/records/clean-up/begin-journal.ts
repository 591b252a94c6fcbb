import type { Client } from '../../../client/client.ts';
import { Journal, type Reached } from '../../../client/journal.ts';
import type { JournalPlace } from '../../../engine/session.ts';
import type { ContractOptions } from '../../../specs/contract.ts';
import type { Contract } from '../../../specs/model.ts';
import { type Census, takeCensus } from './census.ts';

/** What the journal says of a run beside its contract. */
export interface WritingAbout {
  /** The id of the run; the tag unless given. */
  readonly run?: string;
  readonly target: string;
  readonly user: string | undefined;
  /** What the command that cleans up must be told beside it. */
  readonly reached?: Reached;
  /** When the run began; now unless given. */
  readonly started?: string;
  /** What the contract can be loaded from again, a file of the user's own by its whole path; its names unless given. */
  readonly source?: ContractOptions;
}

/**
 * Counts what is on a site and begins the journal of a run that writes there.
 * @returns the count, to be compared with one at the end
 * @throws JournalError when the journal cannot be written: then nothing must be
 */
export async function beginJournal(
  client: Client,
  contract: Contract,
  { path, tag }: JournalPlace,
  {
    run = tag,
    target,
    user = '',
    reached = {},
    started = new Date().toISOString(),
    source = namesOf(contract),
  }: WritingAbout,
): Promise<Census> {
  const census = await takeCensus(client, contract);
  const head = { run, tag, target, ...source, user, reached, started, pid: process.pid };
  new Journal(path).begin(head, census);
  return census;
}

function namesOf({ deployment, vocabulary }: Contract): ContractOptions {
  return { deployment, vocabulary };
}
