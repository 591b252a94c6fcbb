import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject } from '../../reference/json.ts';
import { type Answer, type Behaviour, respond, type Send, Text } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';

/** What a comparison must say of a site that was altered so. */
export interface Shows {
  readonly class: 'exposed' | 'breaking' | 'unknown';
  readonly kind: string;
  readonly subject: string;
}

/** An alteration that clients notice, with what a comparison with the site before must say of it. */
export interface Exhibit extends Alteration {
  readonly shows: Shows;
  /** What the site before did otherwise than the usual one, such as a header that it sent. */
  readonly before?: Partial<Behaviour>;
}

/** The route and the rest of the query that a request asks for. */
export interface AskedFor {
  readonly method: string;
  readonly route: string;
  readonly query: URLSearchParams;
}

type Turn = (shown: Answer, asked: AskedFor) => Answer | Promise<Answer>;

/** A site that sends other answers than it would. */
export function turning(turn: Turn): Partial<Behaviour> {
  const send: Send = async (message, response, shown) => {
    respond(message.method, response, await turn(shown, askedFor(message)));
  };
  return { send };
}

/** What a request asks for. */
export function askedFor({ url = '/', method = 'GET' }: IncomingMessage): AskedFor {
  const query = new URL(url, 'http://127.0.0.1').searchParams;
  return { method, route: query.get('rest_route') ?? '', query };
}

/** Whether an answer is one of records. */
export function isOfRecords({ status, body }: Answer, { route, method }: AskedFor): boolean {
  return status === 200 && method === 'GET' && /^\/cms\/v2\/\w/.test(route) && !(body instanceof Text);
}

/** A site whose records are other ones than they would be. */
export function turningRecords(turn: (record: JsonObject) => JsonObject): Partial<Behaviour> {
  return turning((shown, asked) => {
    const { body } = shown;
    if (!isOfRecords(shown, asked) || body instanceof Text) return shown;
    const one = (value: Json): Json => (isRecord(value) ? turn(value) : value);
    return { ...shown, body: Array.isArray(body) ? body.map(one) : one(body) };
  });
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'id' in value;
}

/** A site whose answers have other headers than their own. */
export function turningHeaders(
  turn: (headers: Record<string, string>) => Record<string, string>,
): Partial<Behaviour> {
  return turning((shown) => ({ ...shown, headers: turn(shown.headers) }));
}

/** The same record with another value of a member, where it has one. */
export function withMember(record: JsonObject, name: string, turn: (value: Json) => Json): JsonObject {
  const value = record[name];
  return value === undefined ? record : { ...record, [name]: turn(value) };
}

/** The same with another value of a member of a member. */
export function withInner(
  record: JsonObject,
  name: string,
  inner: string,
  turn: (value: Json) => Json,
): JsonObject {
  return withMember(record, name, (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? withMember(value, inner, turn)
      : value,
  );
}

/** An object without a member. */
export function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}
