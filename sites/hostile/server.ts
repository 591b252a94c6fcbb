import { isObject, type UnknownObject } from '../reference/json.ts';
import {
  answering,
  type Exchange,
  eachRecord,
  type Handler,
  type HostileContext,
  isList,
} from './exchange.ts';

/** How far a run came: nothing could be evaluated, it ended early, or the whole plan ran. */
export type Ending = 'unreached' | 'early' | 'whole';

/** What is expected of a run against a server, besides what is expected of every run. */
interface Expected {
  /** Correct exit codes. */
  readonly codes: readonly number[];
  readonly endings: readonly Ending[];
}

/** A server of the catalogue. */
export interface HostileServer {
  /** The family and the deviation: `transport/slow-loris`. */
  readonly name: string;
  /** A sentence about the server, in the present tense. */
  readonly title: string;
  readonly mode: 'read' | 'write';
  /** Whether the run has no credentials. */
  readonly anonymous: boolean;
  /** Globs of the checks to run; empty for all. */
  readonly only: readonly string[];
  /** Further arguments of the run. */
  readonly further: readonly string[];
  /** Whether the run always uses up its budget. Then a small one is enough. */
  readonly hurried: boolean;
  readonly expected: Expected;
  /** A handler with its own state, for one run. */
  readonly handler: (context: HostileContext) => Handler;
}

/** What the servers of a family have in common, unless one says otherwise. */
type Defaults = Partial<Pick<HostileServer, 'mode' | 'anonymous' | 'only' | 'further' | 'hurried'>>;

/** A server as a family describes it. */
export type Description = Pick<HostileServer, 'title' | 'expected' | 'handler'> & Defaults;

/** The servers of a family, by name. @param defaults apply unless a server says otherwise */
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

/** All checks, in a family that runs only some. */
export const ALL_CHECKS: Defaults = { only: [] };

/** Enough checks for a server that is hostile in its index only. */
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

/** Enough checks for a server that lies about writes. */
export const WRITING_CHECKS: readonly string[] = [
  ...['posts.create', 'posts.update', 'posts.delete', 'pages.create', 'media.create', 'media.delete'],
  ...['batch', 'states', 'slugs'],
].map((area) => `${area}/**`);

/** Servers of which the same is expected. */
class Servers {
  readonly #common: Pick<Description, 'expected'> & Defaults;

  constructor(common: Pick<Description, 'expected'> & Defaults) {
    this.#common = common;
  }

  get expected(): Expected {
    return this.#common.expected;
  }

  /** Servers that differ from their family in something else too. */
  but(defaults: Defaults): Servers {
    return new Servers({ ...this.#common, ...defaults });
  }

  /** A server that answers every request with this handler. */
  everywhere(title: string, turn: Handler): Description {
    return this.remembering(title, () => turn);
  }

  /** A server with state. @param handler is called at the start of a run */
  remembering(title: string, handler: (context: HostileContext) => Handler): Description {
    return { title, ...this.#common, handler };
  }

  /** A server that answers some requests with this handler, and all others like a healthy site. */
  where(title: string, isMeant: (exchange: Exchange) => boolean, turn: Handler): Description {
    return this.everywhere(title, (exchange) => (isMeant(exchange) ? turn(exchange) : exchange.pass()));
  }

  /** A server with a healthy index that answers everything else with this handler. */
  beyondIndex(title: string, turn: Handler): Description {
    return this.where(title, ({ route }) => route !== '/', turn);
  }

  /** A server that answers reads of the lists of posts, pages and media with this handler. */
  atLists(title: string, turn: Handler): Description {
    return this.where(title, isList, turn);
  }

  /** A server that is healthy until it has received so many requests. */
  after(title: string, count: number, turn: Handler): Description {
    return this.where(title, ({ nth }) => nth > count, turn);
  }

  /** A server that changes the answers of a healthy site. */
  turningAnswers(title: string, turn: Parameters<typeof answering>[0]): Description {
    return this.everywhere(title, answering(turn));
  }

  /** A server that changes the text of a healthy site's answers. */
  turningText(title: string, turn: (text: string, exchange: Exchange) => string): Description {
    return this.turningAnswers(title, (answer, exchange) => ({
      ...answer,
      body: Buffer.from(turn(answer.body.toString('utf8'), exchange)),
    }));
  }

  /** A server with a changed index. @param turn gets its members and returns the new value, or a text; called once */
  turningIndex(title: string, turn: (index: UnknownObject, context: HostileContext) => unknown): Description {
    return this.remembering(title, (context) => {
      let shown: Buffer | undefined;
      return async (exchange) => {
        if (exchange.route !== '/') return exchange.pass();
        const answer = await exchange.forward();
        shown ??= bytesOf(turn(objectOf(answer.body), context));
        exchange.send({ ...answer, body: shown });
      };
    });
  }

  /** A server that changes the records in answers of a healthy site. */
  turningRecords(title: string, turn: (record: UnknownObject, exchange: Exchange) => unknown): Description {
    return this.turningAnswers(title, (answer, exchange) =>
      exchange.route.startsWith('/cms/v2/') ? eachRecord(answer, (record) => turn(record, exchange)) : answer,
    );
  }
}

/** Servers with certain correct outcomes of a run. */
export function expecting(codes: Expected['codes'], ...endings: Expected['endings']): Servers {
  return new Servers({ expected: { codes, endings } });
}

type Outcome = 'unreached' | 'fails' | 'conforms' | 'evaluated' | 'cutShort' | 'failsSomehow' | 'anyhow';

/** Servers by the outcome of a run: `runs.fails.where(…)`. */
export const runs: Readonly<Record<Outcome, Servers>> = {
  /** Nothing can be evaluated, because no index was read. */
  unreached: expecting([3], 'unreached'),
  /** The whole plan runs, and something fails. */
  fails: expecting([1], 'whole'),
  /** The whole plan runs and nothing fails, because the deviation does not concern the contract. */
  conforms: expecting([0], 'whole'),
  /** The whole plan runs; failures are allowed. */
  evaluated: expecting([0, 1], 'whole'),
  /** The run ends early. Failures until then count. */
  cutShort: expecting([1, 3], 'early', 'unreached'),
  /** Something fails, however far the run comes. */
  failsSomehow: expecting([1], 'whole', 'early'),
  /** Any outcome is correct, as long as nothing else goes wrong. */
  anyhow: expecting([0, 1, 3], 'whole', 'early', 'unreached'),
};

/** A server whose index leaves nothing to evaluate, and is otherwise like a healthy site. */
export function atIndex(title: string, turn: Handler): Description {
  return runs.unreached.where(title, ({ route }) => route === '/', turn);
}

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The index with further namespaces. */
export function withNamespaces(index: UnknownObject, ...more: readonly unknown[]): UnknownObject {
  return { ...index, namespaces: [...(Array.isArray(index.namespaces) ? index.namespaces : []), ...more] };
}

/** The index with other routes. */
export function withRoutes(
  index: UnknownObject,
  turn: (routes: UnknownObject) => UnknownObject,
): UnknownObject {
  return { ...index, routes: turn(isObject(index.routes) ? index.routes : {}) };
}

/** The index with another description of one parameter of the list of posts. */
export function withParameter(index: UnknownObject, name: string, description: unknown): UnknownObject {
  return withRoutes(index, (routes) => {
    const entry = routes['/cms/v2/posts'];
    if (!isObject(entry) || !Array.isArray(entry.endpoints)) return routes;
    const [list, ...rest]: unknown[] = entry.endpoints;
    if (!isObject(list) || !isObject(list.args)) return routes;
    const turned = { ...list, args: { ...list.args, [name]: description } };
    return { ...routes, '/cms/v2/posts': { ...entry, endpoints: [turned, ...rest] } };
  });
}

/** A body as a JSON object; empty if it is none. */
function objectOf(body: Buffer): UnknownObject {
  const value: unknown = JSON.parse(body.toString('utf8'));
  return isObject(value) ? value : {};
}
