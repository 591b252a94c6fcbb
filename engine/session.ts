import type { Client } from '../client/client.ts';
import type { Observation, RequestSpec } from '../client/observation.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { Contract, Operation } from '../specs/model.ts';
import type { FuzzCoverage, FuzzOptions } from './fuzz-options.ts';
import type { FieldNotes } from './shown-fields.ts';

/** Who a request is sent as. */
export type Caller = 'user' | 'anonymous';

/** Values by operation id and by neutral name. */
export type OwnerHints = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
/** Where a run notes what it writes, and the word that every record of its own carries. */
export interface JournalPlace {
  readonly path: string;
  readonly tag: string;
  /** How many records of each collection may be made, by its name; no bound unless given. */
  readonly most?: Readonly<Record<string, number>>;
}

/** Looks at what checks share, for whoever notes which check was answered what. */
export interface FixtureWatch {
  /** Stands around the making of a fixture. @param name of the fixture and its subject */
  make<T>(name: string, make: () => Promise<T>): Promise<T>;
  /** Stands around each use of it. */
  use<T>(name: string, made: Promise<T>): Promise<T>;
}

/** What a check works with: the contract, the target's index, and the only way to the target. */
export interface Session {
  readonly contract: Contract;
  readonly index: SiteIndex;
  readonly client: Client;
  /** Seed of everything random in the run. */
  readonly seed: number;
  /** How much the fuzz checks try. */
  readonly fuzz: FuzzOptions;
  /** What each fuzz check has tried so far, by the id of the check. */
  readonly tried: Map<string, FuzzCoverage>;
  /** Which fields records showed, for whoever compares runs. */
  readonly fields: FieldNotes;
  /** Ids of the checks that the caller left out: what they would report, nobody does. */
  readonly deselected: Set<string>;
  /** The user when there are credentials, else nobody: who sees the most. */
  readonly caller: Caller;
  /** Good values that only the owner of the site knows, by operation id and neutral name of a parameter, of the path too. */
  readonly hints: OwnerHints;
  /** Where writes are noted, and the word that own records carry; undefined for a run that writes no records. */
  readonly journal: JournalPlace | undefined;
  /** Asks a read once and remembers the answer: identical reads of different checks cost one request. */
  ask(spec: RequestSpec): Promise<Observation>;
  /** What fixtures were made in: another one where all answers are forgotten. */
  readonly memory: object;
  /** Who looks at what checks share; nobody in a plain run. */
  readonly watch?: FixtureWatch;
  /** An operation of the contract by its id; undefined when the deployment does not have it. */
  operation(id: string): Operation | undefined;
}
