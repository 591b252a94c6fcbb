import { isObject, type UnknownObject } from '../reference/json.ts';
import type { Exchange, ForwardedAnswer, Handler, Stage } from './server.ts';

/** A handler without a state of its own. */
export type Turn = (stage: Stage) => Handler;

const LIST = /^\/cms\/v2\/(?:posts|pages|media)$/;

/** Answers the index in this way, all else as a healthy site. */
export function atIndex(turn: Handler): Turn {
  return () => (exchange) => (exchange.route === '/' ? turn(exchange) : exchange.pass());
}

/** Answers the index as a healthy site, all else in this way. */
export function beyondIndex(turn: Handler): Turn {
  return () => (exchange) => (exchange.route === '/' ? exchange.pass() : turn(exchange));
}

/** Answers reads of the lists of posts, pages and media in this way. */
export function atLists(turn: Handler): Turn {
  return () => (exchange) =>
    LIST.test(exchange.route) && exchange.seen.method === 'GET' ? turn(exchange) : exchange.pass();
}

/** Answers as a healthy site until so many requests have come. */
export function after(count: number, turn: Handler): Turn {
  return () => (exchange) => (exchange.nth > count ? turn(exchange) : exchange.pass());
}

/**
 * Shows another index than the healthy one.
 * @param turn gets the members of the index and gives the new value, or a text of its own; asked once
 */
export function turningIndex(turn: (index: UnknownObject, stage: Stage) => unknown): Turn {
  return (stage) => {
    let shown: Buffer | undefined;
    return async (exchange) => {
      if (exchange.route !== '/') return exchange.pass();
      const answer = await exchange.forward();
      if (shown === undefined) {
        const turned = turn(objectOf(answer.body), stage);
        shown = Buffer.isBuffer(turned)
          ? turned
          : Buffer.from(typeof turned === 'string' ? turned : JSON.stringify(turned));
      }
      exchange.send({ ...answer, body: shown });
    };
  };
}

/** Shows other records than the healthy ones, wherever an answer holds some. */
export function turningRecords(turn: (record: UnknownObject, exchange: Exchange) => unknown): Turn {
  return () => async (exchange) => {
    const answer = await exchange.forward();
    if (answer.status >= 300 || !exchange.route.startsWith('/cms/v2/')) return exchange.send(answer);
    const value: unknown = JSON.parse(answer.body.toString('utf8'));
    const turned = Array.isArray(value)
      ? value.map((one: unknown) => (isRecord(one) ? turn(one, exchange) : one))
      : isRecord(value)
        ? turn(value, exchange)
        : value;
    exchange.send({ ...answer, body: Buffer.from(JSON.stringify(turned)) });
  };
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

/** A body as a JSON object, an empty one when it is none. */
function objectOf(body: Buffer): UnknownObject {
  const value: unknown = JSON.parse(body.toString('utf8'));
  return isObject(value) ? value : {};
}

function isRecord(value: unknown): value is UnknownObject {
  return isObject(value) && typeof value.id === 'number';
}

/** What a request to posts, pages or media wants; `look` for whatever changes nothing. */
export type Wish = 'create' | 'update' | 'delete' | 'batch' | 'look';

const COLLECTION = /^\/cms\/v2\/(?:posts|pages|media)$/;
const RECORD = /^\/cms\/v2\/(?:posts|pages|media)\/\d+$/;

/** What a request wants. */
export function wishOf({ route, seen: { method } }: Exchange): Wish {
  if (method === 'POST' && route === '/batch/v1') return 'batch';
  if (method === 'POST' && COLLECTION.test(route)) return 'create';
  if (!RECORD.test(route)) return 'look';
  if (method === 'DELETE') return 'delete';
  return ['POST', 'PUT', 'PATCH'].includes(method) ? 'update' : 'look';
}

/** The answer with another JSON value, where it accepts and holds an object. */
export function turned(answer: ForwardedAnswer, turn: (value: UnknownObject) => unknown): ForwardedAnswer {
  if (answer.status >= 300) return answer;
  const value: unknown = JSON.parse(answer.body.toString('utf8'));
  return isObject(value) ? { ...answer, body: Buffer.from(JSON.stringify(turn(value))) } : answer;
}

/** The answer with each of its records turned, in a list or alone. */
export function eachRecord(
  answer: ForwardedAnswer,
  turn: (record: UnknownObject) => UnknownObject,
): ForwardedAnswer {
  if (answer.status >= 300) return answer;
  const value: unknown = JSON.parse(answer.body.toString('utf8'));
  const one = (item: unknown): unknown => (isObject(item) && 'id' in item ? turn(item) : item);
  return { ...answer, body: Buffer.from(JSON.stringify(Array.isArray(value) ? value.map(one) : one(value))) };
}

/** The tag of the run that a request carries, wherever in its body or address. */
export function tagIn({ seen }: Exchange): string | undefined {
  const text = `${seen.url} ${seen.body.subarray(0, 100_000).toString('latin1')}`;
  return /\bsc-\d{14}-[0-9a-f]+/.exec(text)?.[0];
}
