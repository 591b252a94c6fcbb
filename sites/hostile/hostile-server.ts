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
  /** Globs of the checks that are run; none for all. */
  readonly only: readonly string[];
  /** Arguments of the run beside those that all have. */
  readonly further: readonly string[];
  /** Whether the run is bound to use up its budget, so that a small one tells as much. */
  readonly hurried: boolean;
  readonly expected: Expected;
  /** A handler with its own state, for one run. */
  readonly handler: (stage: Stage) => Handler;
}

type Defaults = Partial<Pick<HostileServer, 'mode' | 'anonymous' | 'only' | 'further' | 'hurried'>>;

/** What a family says of a server. */
export type Description = Pick<HostileServer, 'title' | 'expected' | 'handler'> & Defaults;

/**
 * The servers of a family, by their names in it.
 * @param defaults what holds for all that do not say otherwise; else they are read from, by a user, with all checks
 */
export function family(
  name: string,
  servers: Readonly<Record<string, Description>>,
  defaults: Defaults = {},
): readonly HostileServer[] {
  return Object.entries(servers).map(([wrong, description]) => ({
    mode: 'read',
    anonymous: false,
    only: [],
    further: [],
    hurried: false,
    ...defaults,
    ...description,
    name: `${name}/${wrong}`,
  }));
}

/** Checks enough for a server that is hostile in its index alone. */
export const INDEX_CHECKS: readonly string[] = [
  'index/**',
  'index.read/**',
  'namespaces/**',
  'routes/**',
  'cms.root/**',
  ...['context', 'order', 'orderby', 'per_page', 'page', 'include', 'offset', 'search'].map(
    (name) => `posts.list/${name}/**`,
  ),
];

/** Checks enough for a server that lies to whoever writes. */
export const WRITING_CHECKS: readonly string[] = [
  ...['posts.create', 'posts.update', 'posts.delete', 'pages.create', 'media.create', 'media.delete'],
  ...['batch', 'states', 'slugs'],
].map((area) => `${area}/**`);

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
