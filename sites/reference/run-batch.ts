import type { Answer } from './answer.ts';
import { answer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import { routeOf } from './api-request.ts';
import type { Operation } from './contract.ts';
import { perform, prepare } from './dispatch.ts';
import { wrap } from './finish.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { parseQuery } from './query.ts';
import { Refusal } from './refusal.ts';
import type { Call, Handler } from './site.ts';
import { text } from './values.ts';

/**
 * Runs several requests in one (§4.2): 207 with their answers in order. Every part is validated before the
 * first is run; with `require-all-validate` none is run when one is invalid.
 */
export const runBatch: Handler = async (call) => {
  const parts = Array.isArray(call.args.requests) ? call.args.requests : [];
  const prepared = parts.map((part) => preparePart(call, part));
  const invalid = prepared.some((part) => part instanceof Refusal);
  if (invalid && call.args.validation === 'require-all-validate') {
    const responses = prepared.map((part) => (part instanceof Refusal ? wrap(refused(part)) : null));
    return answer({ failed: 'validation', responses }, 207);
  }
  const responses: JsonObject[] = [];
  for (const part of prepared) responses.push(wrap(await runPart(part)));
  return answer({ responses }, 207);
};

function preparePart(call: Call, part: Json): Call | Refusal {
  try {
    return prepare(call.site, partRequest(call.request, isObject(part) ? part : {}), requireBatchable);
  } catch (failure) {
    if (failure instanceof Refusal) return failure;
    throw failure;
  }
}

async function runPart(part: Call | Refusal): Promise<Answer> {
  if (part instanceof Refusal) return refused(part);
  try {
    return await perform(part);
  } catch (failure) {
    if (failure instanceof Refusal) return refused(failure);
    throw failure;
  }
}

function refused(refusal: Refusal): Answer {
  return answer(refusal.body, refusal.status);
}

function requireBatchable(operation: Operation): void {
  if (!operation.batchable) {
    const message = 'The requested route does not support batch requests.';
    throw new Refusal('rest_batch_not_allowed', message, 400);
  }
}

/** A part as a request of the same caller; its path may carry a query, and may be a whole address. */
function partRequest(whole: ApiRequest, part: JsonObject): ApiRequest {
  const [path = '', query = ''] = text(part.path, '')
    .replace(/^\w+:\/\/[^/]*/, '')
    .split('?');
  const headers = isObject(part.headers) ? Object.entries(part.headers) : [];
  return {
    method: text(part.method, 'POST').toUpperCase(),
    route: routeOf(path),
    query: parseQuery(query),
    form: isObject(part.body) ? part.body : {},
    json: undefined,
    brokenJson: false,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), String(value)])),
    bytes: new Uint8Array(),
    files: {},
    account: whole.account,
  };
}
