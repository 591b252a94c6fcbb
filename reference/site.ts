import type { Account } from './accounts.ts';
import type { Behaviour } from './behaviour.ts';
import type { Contract } from './contract.ts';
import type { Store } from './store.ts';

/** One running reference deployment: all that its routes work on. */
export interface Site {
  contract: Contract;
  accounts: readonly Account[];
  store: Store;
  behaviour: Behaviour;
  /** The present, in milliseconds since 1970. */
  now: () => number;
  /** Address without a trailing slash. */
  url: string;
  title: string;
  tagline: string;
}
