import { assert } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../sites/reference/json.ts';
import type { Handler, Writer } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR, healthy as standard } from '../../sites/reference/standard-behaviour.ts';
import type { Mutant } from './writing.fixture.ts';

/** The handler of a healthy site for an operation, for use in any mutant. */
export function healthy(id: string): Handler {
  return (call) => {
    const operation = call.site.contract.operations.find((one) => one.id === id);
    assert(operation !== undefined, `no operation ${id}`);
    return standard({ ...call, operation });
  };
}

/** A site whose operations get changed arguments. @param turn also gets the method */
export function withArgs(
  ids: readonly string[],
  turn: (args: JsonObject, method: string) => JsonObject,
): Mutant {
  const turned = (id: string): Handler => {
    return (call) => healthy(id)({ ...call, args: turn(call.args, call.request.method) });
  };
  return { handlers: Object.fromEntries(ids.map((id) => [id, turned(id)])) };
}

/** Removes a field from arguments; `meta/key` removes one key. */
export function without(args: JsonObject, name: string): JsonObject {
  const [field = '', key] = name.split('/');
  const { [field]: value, ...rest } = args;
  if (key === undefined || !isObject(value)) return rest;
  const { [key]: _, ...others } = value;
  return { ...rest, [field]: others };
}

/** A site that writes a field differently. */
export function withWriter(name: string, writer: Writer): Mutant {
  return { writers: { ...STANDARD_BEHAVIOUR.writers, [name]: writer } };
}

/** A site that answers an operation with a changed object. */
export function showing(id: string, turn: (body: JsonObject) => Json): Mutant {
  return {
    handlers: {
      [id]: async (call) => {
        const answer = await healthy(id)(call);
        return isRecord(answer.body) ? { ...answer, body: turn(answer.body) } : answer;
      },
    },
  };
}

function isRecord(body: unknown): body is JsonObject {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && 'id' in body;
}
