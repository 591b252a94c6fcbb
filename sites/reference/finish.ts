import { type Answer, answer, Text } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import { toList } from './coerce.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/**
 * What real software does with every answer: `_fields` keeps the named members alone, `_envelope` wraps
 * status, headers and body into a body.
 */
export function finish(result: Answer, request: ApiRequest): Answer {
  const { _fields: fields, _envelope: envelope } = request.query;
  if (result.body instanceof Text) return result;
  const body = fields !== undefined && result.status < 300 ? keep(result.body, paths(fields)) : result.body;
  const kept = { ...result, body };
  return envelope === undefined ? kept : answer(wrap(kept));
}

/** An answer as a JSON object, as envelopes and batches have it. */
export function wrap({ status, headers, body }: Answer): JsonObject {
  return { body: body instanceof Text ? String(body.content) : body, status, headers };
}

function paths(fields: Json): string[][] {
  return toList(fields).map((field) => String(field).split('.'));
}

function keep(body: Json, wanted: string[][]): Json {
  if (Array.isArray(body)) return body.map((member) => keep(member, wanted));
  if (!isObject(body)) return body;
  const kept = Object.entries(body).flatMap(([name, value]): [string, Json][] => {
    const matching = wanted.filter(([first]) => first === name);
    if (matching.length === 0) return [];
    const whole = matching.some((path) => path.length === 1);
    return [
      [
        name,
        whole
          ? value
          : keep(
              value,
              matching.map((path) => path.slice(1)),
            ),
      ],
    ];
  });
  return Object.fromEntries(kept);
}
