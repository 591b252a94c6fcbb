import { isObject, type UnknownObject } from '../reference/json.ts';
import type { Description, Exchange, Expected, ForwardedAnswer, Handler, HostileContext } from './server.ts';
import { EXPECTED } from './server.ts';

const LIST = /^\/cms\/v2\/(?:posts|pages|media)$/;

/** A server that answers every request with this handler. */
export function everywhere(title: string, expected: Expected, turn: Handler): Description {
  return remembering(title, expected, () => turn);
}

/** A server with state. @param handler is called at the start of a run */
export function remembering(
  title: string,
  expected: Expected,
  handler: (context: HostileContext) => Handler,
): Description {
  return { title, expected, handler };
}

/** A server that answers some requests with this handler, and all others like a healthy site. */
export function where(
  title: string,
  expected: Expected,
  isMeant: (exchange: Exchange) => boolean,
  turn: Handler,
): Description {
  return everywhere(title, expected, (exchange) => (isMeant(exchange) ? turn(exchange) : exchange.pass()));
}

/** A server whose index leaves nothing to evaluate, and is otherwise like a healthy site. */
export function atIndex(title: string, turn: Handler): Description {
  return where(title, EXPECTED.unreached, ({ route }) => route === '/', turn);
}

/** A server with a healthy index that answers everything else with this handler. */
export function beyondIndex(title: string, expected: Expected, turn: Handler): Description {
  return where(title, expected, ({ route }) => route !== '/', turn);
}

/** A server that answers reads of the lists of posts, pages and media with this handler. */
export function atLists(title: string, expected: Expected, turn: Handler): Description {
  return where(title, expected, ({ route, seen }) => LIST.test(route) && seen.method === 'GET', turn);
}

/** A server that is healthy until it has received so many requests. */
export function after(title: string, expected: Expected, count: number, turn: Handler): Description {
  return where(title, expected, ({ nth }) => nth > count, turn);
}

/** A server that changes the answers of a healthy site. */
export function turningAnswers(
  title: string,
  expected: Expected,
  turn: (answer: ForwardedAnswer, exchange: Exchange) => ForwardedAnswer,
): Description {
  return everywhere(title, expected, async (exchange) =>
    exchange.send(turn(await exchange.forward(), exchange)),
  );
}

/** A server that changes the text of a healthy site's answers. */
export function turningText(
  title: string,
  expected: Expected,
  turn: (text: string, exchange: Exchange) => string,
): Description {
  return turningAnswers(title, expected, (answer, exchange) => ({
    ...answer,
    body: Buffer.from(turn(answer.body.toString('utf8'), exchange)),
  }));
}

/**
 * A server that changes the index of a healthy site.
 * @param turn receives its members and returns the new value, or a text; called once
 */
export function turningIndex(
  title: string,
  expected: Expected,
  turn: (index: UnknownObject, context: HostileContext) => unknown,
): Description {
  return remembering(title, expected, (context) => {
    let shown: Buffer | undefined;
    return async (exchange) => {
      if (exchange.route !== '/') return exchange.pass();
      const answer = await exchange.forward();
      shown ??= bytesOf(turn(objectOf(answer.body), context));
      exchange.send({ ...answer, body: shown });
    };
  });
}

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A server that changes the records in answers of a healthy site. */
export function turningRecords(
  title: string,
  expected: Expected,
  turn: (record: UnknownObject, exchange: Exchange) => unknown,
): Description {
  return turningAnswers(title, expected, (answer, exchange) =>
    exchange.route.startsWith('/cms/v2/') ? eachRecord(answer, (record) => turn(record, exchange)) : answer,
  );
}

/** An answer with further headers. */
export function withHeaders(answer: ForwardedAnswer, headers: ForwardedAnswer['headers']): ForwardedAnswer {
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

const RECORD = /^\/cms\/v2\/(?:posts|pages|media)\/\d+$/;

/** What a request wants. */
export function actionOf({ route, seen: { method } }: Exchange): Action {
  if (method === 'POST' && route === '/batch/v1') return 'batch';
  if (method === 'POST' && LIST.test(route)) return 'create';
  if (!RECORD.test(route)) return 'look';
  if (method === 'DELETE') return 'delete';
  return ['POST', 'PUT', 'PATCH'].includes(method) ? 'update' : 'look';
}

/** An accepted answer with its JSON object changed. */
export function turned(answer: ForwardedAnswer, turn: (value: UnknownObject) => unknown): ForwardedAnswer {
  return turnedJson(answer, (value) => (isObject(value) ? turn(value) : value));
}

/** An accepted answer with each of its records changed, in a list or alone. */
export function eachRecord(
  answer: ForwardedAnswer,
  turn: (record: UnknownObject) => unknown,
): ForwardedAnswer {
  const one = (item: unknown): unknown => (isObject(item) && typeof item.id === 'number' ? turn(item) : item);
  return turnedJson(answer, (value) => (Array.isArray(value) ? value.map(one) : one(value)));
}

/** An accepted answer with its JSON value changed. */
export function turnedJson(answer: ForwardedAnswer, turn: (value: unknown) => unknown): ForwardedAnswer {
  if (answer.status >= 300) return answer;
  return { ...answer, body: Buffer.from(JSON.stringify(turn(JSON.parse(answer.body.toString('utf8'))))) };
}
