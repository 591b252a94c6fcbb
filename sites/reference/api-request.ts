import type { Account } from './accounts.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** A file of a multipart body. */
export interface UploadedFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** One request to a route, read from HTTP or from a part of a batch. */
export interface ApiRequest {
  /** Upper case, after any method override. */
  method: string;
  /** Starts with `/`, has no trailing slash unless it is the index. */
  route: string;
  query: JsonObject;
  /** Parameters of a form body. */
  form: JsonObject;
  /** Parameters of a JSON body, undefined when there is none. */
  json: JsonObject | undefined;
  /** True when a body was sent as JSON and is not JSON. */
  brokenJson: boolean;
  /** Names in lower case. */
  headers: Record<string, string>;
  bytes: Uint8Array;
  files: Record<string, UploadedFile>;
  /** Who calls; undefined for an anonymous caller. */
  account: Account | undefined;
}

/** The route that `text`, the value of `rest_route`, asks for: one trailing slash more or less is the same. */
export function routeOf(text: string): string {
  const trimmed = text.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed;
}

/**
 * All parameters of a request by name. A JSON body wins over a form body, that over the query, that over the
 * path; null counts as absent.
 */
export function collectParameters(request: ApiRequest, pathParameters: Record<string, string>): JsonObject {
  const collected: JsonObject = {};
  for (const layer of [pathParameters, request.query, request.form, request.json ?? {}]) {
    for (const [name, value] of Object.entries(layer)) if (value !== null) collected[name] = value;
  }
  return collected;
}

/** Reads `text` as the parameters of a JSON body: undefined for no text, `broken` when it is not JSON. */
export function parseJsonBody(text: string): JsonObject | 'broken' | undefined {
  if (text === '') return undefined;
  try {
    const value: Json = JSON.parse(text);
    if (isObject(value)) return value;
    // A list is a map of numbers to members; a lone value carries no parameters.
    return Array.isArray(value) ? Object.fromEntries(value.entries()) : {};
  } catch {
    return 'broken';
  }
}
