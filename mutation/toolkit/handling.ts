import type { Answer } from '../../reference/answer.ts';
import { handlerOf } from '../../reference/handler-of.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import type { Behaviour, Call, Handler } from '../../reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../reference/standard-behaviour.ts';
import type { Kind } from '../../reference/store.ts';

/** Answers a call as a healthy site does. */
export const healthy: Handler = (call) =>
  handlerOf({ ...call.site, behaviour: STANDARD_BEHAVIOUR }, call.operation)(call);

/** A site on which some operations are answered otherwise. @param turn answers a call to one of them */
export function handling(ids: string | readonly string[], turn: Handler): Partial<Behaviour> {
  const turned = [ids].flat().map((id) => [id, turn] as const);
  return { handlers: { ...STANDARD_BEHAVIOUR.handlers, ...Object.fromEntries(turned) } };
}

/** A site that takes other arguments for an operation than were sent. */
export function turningArgs(
  ids: string | readonly string[],
  turn: (args: JsonObject, call: Call) => JsonObject,
): Partial<Behaviour> {
  return handling(ids, (call) => healthy({ ...call, args: turn(call.args, call) }));
}

/** A site that shows other records, or another answer, than it should. @param turn gets each record of the answer */
export function showing(
  ids: string | readonly string[],
  turn: (record: JsonObject, call: Call) => JsonObject,
): Partial<Behaviour> {
  return handling(ids, async (call) => {
    const answer = await healthy(call);
    return { ...answer, body: eachRecord(answer.body, (record) => turn(record, call)) };
  });
}

function eachRecord(body: Answer['body'], turn: (record: JsonObject) => JsonObject): Answer['body'] {
  if (Array.isArray(body)) return body.map((one) => (isRecord(one) ? turn(one) : one));
  return isJsonObject(body) && isRecord(body) ? turn(body) : body;
}

function isJsonObject(body: Answer['body']): body is JsonObject {
  return Object.getPrototypeOf(body ?? null) === Object.prototype;
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'id' in value;
}

/** Whether the caller sent an argument, wherever in the request. */
export function isGiven({ request }: Call, name: string): boolean {
  return [request.query, request.form, request.json ?? {}].some((layer) => Object.hasOwn(layer, name));
}

/** `args` without the argument `name`. */
export function without(args: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = args;
  return rest;
}

/** The kind of the records that an operation is about; undefined for an operation on no records. */
export function kindOf(id: string): Kind | undefined {
  const [collection = ''] = id.split('.');
  if (/-(revisions|autosaves)$/.test(collection)) return 'revision';
  const kinds: Record<string, Kind> = { posts: 'post', pages: 'page', media: 'attachment' };
  return kinds[collection];
}
