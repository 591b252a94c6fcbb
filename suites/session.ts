import type { Contract } from '../specs/model.ts';
import type { Client } from '../target/client.ts';
import type { SiteIndex } from '../target/site-index.ts';

/** What a check works with: the contract, the target's index, and the only way to the target. */
export interface Session {
  readonly contract: Contract;
  readonly index: SiteIndex;
  readonly client: Client;
  /** Seed of everything random in the run. */
  readonly seed: number;
}
