import type { QueryPair } from './address.ts';

/** What an answer says about a request, by the table in the rulings, "What an answer counts as". */
export type Answer = 'accepted' | 'refused' | 'denied' | 'absent' | 'throttled' | 'broken';

/** The methods that a run may use. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The most that a request may do. The transport refuses what the mode does not allow. */
export type Intent = 'read' | 'must-be-refused' | 'own-record' | 'alters-site';

/** The body of a request: JSON, a form of names and values, or raw bytes with their type. */
export type RequestBody =
  | { readonly json: unknown; readonly charset?: true }
  | { readonly form: readonly QueryPair[]; readonly charset?: true }
  | { readonly bytes: Uint8Array; readonly type: string; readonly disposition?: string };

/** One request, before it is sent. */
export interface RequestSpec {
  readonly method: Method;
  readonly route: string;
  readonly query?: readonly QueryPair[];
  /** Raw text of the query of a read, for what no encoder writes. */
  readonly rawQuery?: string;
  readonly body?: RequestBody;
  /** Further headers of a read, such as those of a preflight, without secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Uses the other form of the address: a path instead of a query parameter, or the reverse. */
  readonly otherForm?: true;
  /** Writes the slashes of the route as %2F where it is a parameter, as many clients do. */
  readonly encodesSlashes?: true | undefined;
  /** Not repeated if the site throttles it, which then does not slow down the run. */
  readonly once?: true;
  /** Distinguishes its answers from others of the route with the same parameter names. */
  readonly noted?: string;
  /** Whose credentials are sent; `anonymous` sends none. */
  readonly as?: 'user' | 'anonymous';
  /** Sent as one of the configured callers, whatever `as` says. */
  readonly caller?: string;
  readonly intent?: Intent;
}

/** An immutable record of one exchange. It is not masked; reports of it are. */
export interface Observation {
  readonly method: Method;
  readonly url: string;
  readonly status: number;
  readonly answer: Answer;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined if there is none or it is not JSON. */
  readonly json: unknown;
  readonly bytes: number;
  /** How many values the JSON has, or slightly more. */
  readonly values?: number;
  readonly text: string;
  /** Why the answer is broken or its body is not JSON, in a few words. */
  readonly problem?: string;
  /** Whether the body exceeds our own limit, which says nothing about the site. */
  readonly tooLarge?: boolean;
  readonly seconds: number;
  /** The request as a shell command, with placeholders for secrets. */
  readonly curl: string;
}
