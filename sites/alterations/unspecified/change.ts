import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Alter, Asked, IndexDocument } from '../../reference/site.ts';
import { reading } from '../handling.ts';
import { anywhere } from '../selecting.ts';

export interface Change {
  readonly behaviour: Alter;
  /** Requests to a new site whose answers differ only at that point; default: one for the index. */
  readonly shows?: readonly Request[];
  /** The only deployment with that point; default: all. */
  readonly deployment?: 'b';
}

/** Whether a body of the reference is its index. */
export function isIndex(json: unknown): json is IndexDocument {
  return isObject(json) && 'routes' in json && 'namespaces' in json;
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent without credentials; default: as the administrator. */
  readonly anonymous?: boolean;
}

/** Changes or refuses the arguments of an operation before they are validated. */
export function rereading(turn: (given: JsonObject, asked: Asked) => JsonObject): Alter {
  return reading(anywhere, (given, read, asked) => read(turn(given, asked)));
}
