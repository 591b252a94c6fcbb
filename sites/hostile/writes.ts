import { isObject, type UnknownObject } from '../reference/json.ts';
import type { Exchange } from './exchange.ts';
import type { ForwardedAnswer } from './forward.ts';

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
