import type { Exchange } from './exchange.ts';
import type { Stage } from './stage.ts';

/** Answers one request, or leaves it unanswered on purpose. */
export type Handler = (exchange: Exchange) => void | Promise<void>;

/**
 * How far a run came, as its result document says: `unreached`, nothing could be judged; `early`, it ended before its
 * plan did; `whole`, the plan was done.
 */
export type Ending = 'unreached' | 'early' | 'whole';

/** What is expected of a run against a server, beside what is expected of every run. */
export interface Expected {
  /** Exit codes that are right. */
  readonly codes: readonly number[];
  readonly endings: readonly Ending[];
}

/** A server of the catalogue. */
export interface HostileServer {
  /** The family and the one wrong thing: `transport/slow-loris`. */
  readonly name: string;
  /** A sentence about the server, in the present tense. */
  readonly title: string;
  readonly mode: 'read' | 'write';
  /** Without credentials. */
  readonly anonymous: boolean;
  readonly expected: Expected;
  /** A handler with its own state, for one run. */
  readonly handler: (stage: Stage) => Handler;
}

/** What a family says of a server; the mode is `read` and a user is logged in unless told. */
export type Description = Pick<HostileServer, 'title' | 'expected' | 'handler'> &
  Partial<Pick<HostileServer, 'mode' | 'anonymous'>>;

/** The servers of a family, by their names in it. */
export function family(
  name: string,
  servers: Readonly<Record<string, Description>>,
): readonly HostileServer[] {
  return Object.entries(servers).map(([wrong, description]) => ({
    mode: 'read',
    anonymous: false,
    ...description,
    name: `${name}/${wrong}`,
  }));
}

/** Nothing can be judged: no index was read. */
export const UNREACHED: Expected = { codes: [3], endings: ['unreached'] };

/** The plan is done and something failed. */
export const FAILS: Expected = { codes: [1], endings: ['whole'] };

/** The plan is done and nothing failed: what is wrong is no matter of the contract. */
export const CONFORMS: Expected = { codes: [0], endings: ['whole'] };

/** Either verdict is sound, but a verdict is due. */
export const JUDGED: Expected = { codes: [0, 1], endings: ['whole'] };

/** The run ends before its plan does; what failed until then counts. */
export const CUT_SHORT: Expected = { codes: [1, 3], endings: ['early', 'unreached'] };

/** Failures are due, however far the run comes. */
export const FAILS_SOMEHOW: Expected = { codes: [1], endings: ['whole', 'early'] };

/** Any verdict is sound; what counts is that nothing else goes wrong. */
export const ANYHOW: Expected = { codes: [0, 1, 3], endings: ['whole', 'early', 'unreached'] };
