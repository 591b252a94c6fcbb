import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Operation, ResourceKind } from '../../reference/load-contract.ts';
import type { Alter, Asked, IndexDocument } from '../../reference/site.ts';
import { reading } from '../handling.ts';

/** A change of unspecified behaviour. */
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

/** A request of a demonstration. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent without credentials; default: as the administrator. */
  readonly anonymous?: boolean;
}

type Meant = (operation: Operation) => boolean;

/** The operations of some roles on resources of one kind. */
export function on(kind: ResourceKind, ...roles: readonly string[]): Meant {
  return ({ resource, role = '' }) => resource?.kind === kind && roles.includes(role);
}

/** Changes or refuses the arguments of an operation before they are validated. */
export function rereading(turn: (given: JsonObject, asked: Asked) => JsonObject): Alter {
  return reading(
    () => true,
    (given, read, asked) => read(turn(given, asked)),
  );
}
