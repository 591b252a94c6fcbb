import type { QueryPair } from './address.ts';

/** What an answer says about a request, by the table in which every check reads it (rulings, "What an answer counts as"). */
export type Answer = 'accepted' | 'refused' | 'denied' | 'absent' | 'throttled' | 'broken';

/** The methods that a run may use. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a request may do at most; the transport refuses what the mode of the run does not allow. */
export type Intent = 'read' | 'must-be-refused' | 'own-record' | 'alters-site';

/** The body of a request: JSON, a form of names and values, or raw bytes with their type. */
export type RequestBody =
  | { readonly json: unknown }
  | { readonly form: readonly QueryPair[] }
  | { readonly bytes: Uint8Array; readonly type: string; readonly disposition?: string };

/** One request, before it is sent. */
export interface RequestSpec {
  readonly method: Method;
  readonly route: string;
  readonly query?: readonly QueryPair[];
  /** Further text of the query of a read, sent as it is: what no encoder writes. */
  readonly rawQuery?: string;
  readonly body?: RequestBody;
  /** Further headers of a read, such as those of a preflight; none of them is a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Asks under the other form of the address: a path in place of the parameter of a query, or the other way round. */
  readonly otherForm?: true;
  /** Not sent again where the site asks for patience, and then no reason to slow down. */
  readonly once?: true;
  /** What distinguishes its answers from others of the route, where that is more than the names of its parameters. */
  readonly noted?: string;
  /** Whose credentials go along; `anonymous` sends none. */
  readonly as?: 'user' | 'anonymous';
  /** Sent as one of the callers that the configuration names, whatever `as` says. */
  readonly caller?: string;
  readonly intent?: Intent;
}

/** An immutable record of one exchange, as it was: what is evaluated is not masked, what is reported is. */
export interface Observation {
  readonly method: Method;
  readonly url: string;
  readonly status: number;
  readonly answer: Answer;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined when there is none or it is not JSON. */
  readonly json: unknown;
  /** The length of the body in bytes. */
  readonly bytes: number;
  /** How many values the JSON holds, or a few more. */
  readonly values?: number;
  readonly text: string;
  /** Why the answer is broken or its body not JSON, in a few words. */
  readonly problem?: string;
  /** Whether the body is more than is read: the bound is the suite's own, and says nothing of the site. */
  readonly tooLarge?: boolean;
  readonly seconds: number;
  /** The request as a line for a shell, with placeholders for secrets. */
  readonly curl: string;
}
