import type { Answer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { Operation } from './contract.ts';
import type { JsonObject } from './json.ts';
import type { Site } from './site.ts';

/** A request that has been matched to its operation and whose arguments are valid. */
export interface Call {
  site: Site;
  operation: Operation;
  request: ApiRequest;
  /** Arguments in their declared types, defaults filled in. */
  args: JsonObject;
}

/** Answers a call: permission first, then meaning. Throws a `Refusal` to refuse. */
export type Handler = (call: Call) => Answer | Promise<Answer>;
