import type { ProxyAnswer } from '../proxy.ts';
import { isObject, type UnknownObject } from '../reference/json.ts';
import type { Defaults, Description, Exchange, Expected, Handler, HostileContext } from './server.ts';
import { EXPECTED, subjectOf } from './server.ts';

/** Whether a request reads the list of posts, pages or media. */
export function isList({ seen, route }: Exchange): boolean {
  const about = subjectOf(route);
  return seen.method === 'GET' && about !== undefined && about.id === undefined;
}

/** Answers with a JSON text, or a value. */
export function json(...given: Parameters<Exchange['json']>): Handler {
  return (exchange) => exchange.json(...given);
}

/** Writes raw bytes instead of HTTP, and closes the connection. */
export function raw(text: string | Buffer): Handler {
  return (exchange) => exchange.raw(text);
}

/** Answers as a healthy site does, changed. */
export function answering(turn: (answer: ProxyAnswer, exchange: Exchange) => ProxyAnswer): Handler {
  return async (exchange) => exchange.send(turn(await exchange.forward(), exchange));
}

/** Servers of which the same is expected. */
class Servers {
  readonly #common: Pick<Description, 'expected'> & Defaults;

  constructor(common: Pick<Description, 'expected'> & Defaults) {
    this.#common = common;
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

/** Servers by the usual outcomes; `EXPECTED` explains each. */
export const conforms: Servers = new Servers({ expected: EXPECTED.conforms });
export const fails: Servers = new Servers({ expected: EXPECTED.fails });
export const failsSomehow: Servers = new Servers({ expected: EXPECTED.failsSomehow });
export const evaluated: Servers = new Servers({ expected: EXPECTED.evaluated });
export const anyhow: Servers = new Servers({ expected: EXPECTED.anyhow });
export const cutShort: Servers = new Servers({ expected: EXPECTED.cutShort });
export const unreached: Servers = new Servers({ expected: EXPECTED.unreached });

/** A server whose index leaves nothing to evaluate, and is otherwise like a healthy site. */
export function atIndex(title: string, turn: Handler): Description {
  return unreached.where(title, ({ route }) => route === '/', turn);
}

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** An answer with further headers. */
export function withHeaders(answer: ProxyAnswer, headers: ProxyAnswer['headers']): ProxyAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
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

/** What a request to posts, pages or media wants; `look` for anything that changes nothing. */
export type Action = 'create' | 'update' | 'delete' | 'batch' | 'look';

/** What a request wants. */
export function actionOf({ route, seen: { method } }: Exchange): Action {
  if (method === 'POST' && route === '/batch/v1') return 'batch';
  const { id, below } = subjectOf(route) ?? { below: route };
  if (method === 'POST' && below === '' && id === undefined) return 'create';
  if (below !== '' || id === undefined) return 'look';
  if (method === 'DELETE') return 'delete';
  return ['POST', 'PUT', 'PATCH'].includes(method) ? 'update' : 'look';
}

/** An accepted answer with its JSON object changed. */
export function turned(answer: ProxyAnswer, turn: (value: UnknownObject) => unknown): ProxyAnswer {
  return turnedJson(answer, (value) => (isObject(value) ? turn(value) : value));
}

/** An accepted answer with each of its records changed, in a list or alone. */
export function eachRecord(answer: ProxyAnswer, turn: (record: UnknownObject) => unknown): ProxyAnswer {
  const one = (item: unknown): unknown => (isObject(item) && typeof item.id === 'number' ? turn(item) : item);
  return turnedJson(answer, (value) => (Array.isArray(value) ? value.map(one) : one(value)));
}

/** An accepted answer with its JSON value changed. */
export function turnedJson(answer: ProxyAnswer, turn: (value: unknown) => unknown): ProxyAnswer {
  if (answer.status >= 300) return answer;
  return { ...answer, body: Buffer.from(JSON.stringify(turn(JSON.parse(answer.body.toString('utf8'))))) };
}
