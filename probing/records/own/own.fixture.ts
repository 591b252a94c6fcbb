import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { Journal, readJournal } from '../../../client/journal.ts';
import { type Census, PriorRecords } from '../../../client/ownership.ts';
import { testClient } from '../../../client/server.fixture.ts';
import { testSession } from '../../../engine/session.fixture.ts';
import type { Session } from '../../../engine/session.ts';
import { type Served, serve } from '../../../sites/reference/serve.ts';
import type { Behaviour } from '../../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../../specs/contract.ts';
import { testFolder } from '../../../specs/folder.fixture.ts';
import type { Contract } from '../../../specs/model.ts';
import { takeCensus } from '../clean-up/census.ts';
import { OwnRecords } from './own-records.ts';

/** Own records on a reference deployment, without any check. */
export interface OwnSetup {
  readonly site: Served;
  readonly client: Client;
  readonly contract: Contract;
  readonly session: Session;
  readonly own: OwnRecords;
  readonly census: Census;
  /** The path of the journal. */
  readonly path: string;
}

/** What a setup may have otherwise. */
interface SetupOptions {
  readonly handlers?: Behaviour['handlers'];
  /** Turns what was counted. */
  readonly count?: (census: Census) => Census;
  /** Writes the lines of the journal after its beginning. */
  readonly write?: ConstructorParameters<typeof Journal>[1];
  /** How many records of each collection may be made. */
  readonly most?: Readonly<Record<string, number>>;
}

/** The tag of every setup. */
export const TAG = 'sc-own-7e9a11';

/** Serves `core`, counts what is there, and makes ready to write. */
export async function setUpOwn({ handlers, count, write, most }: SetupOptions = {}): Promise<OwnSetup> {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const behaviour = { handlers: { ...STANDARD_BEHAVIOUR.handlers, ...handlers } };
  const site = await serve({ deployment: 'core', behaviour });
  const { url, user, password } = site;
  const client = testClient(url, { mode: 'write', user, password, timeout: 10 });
  onTestFinished(() => site.close());
  const census = await takeCensus(client, contract);
  const path = join(testFolder(), 'journal.ndjson');
  const about = {
    target: url,
    deployment: 'core',
    vocabulary: 'neutral',
    user,
    started: '',
    pid: process.pid,
  };
  new Journal(path).begin({ run: 'setup', tag: TAG, ...about }, { ...census, ...count?.(census) });
  const session = { ...testSession({ contract }), client };
  const prior = new PriorRecords(readJournal(path).census);
  const own = OwnRecords.begin(
    session,
    write === undefined ? new Journal(path) : new Journal(path, write),
    { tag: TAG, ...(most !== undefined && { most }) },
    prior,
  );
  return { site, client, contract, session, own, census, path };
}

/** The ids of a collection, in every status. */
export async function idsOn({ client, contract }: OwnSetup, collection: string): Promise<readonly number[]> {
  const count = (await takeCensus(client, contract))[collection];
  return count !== undefined && 'ids' in count ? count.ids : [];
}
