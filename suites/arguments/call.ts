import type { Method, RequestSpec } from '../../client/observation.ts';
import type { Caller } from '../../engine/session.ts';
import { type Args, encodeArgs } from '../../generators/wire-forms.ts';
import type { Operation } from '../../specs/model.ts';

/** A call of an operation with its path filled in. */
export interface Call {
  readonly operation: Operation;
  readonly route: string;
  readonly args: Args;
  readonly as: Caller;
  readonly lists?: 'commas' | 'brackets' | undefined;
  readonly encodesSlashes?: true | undefined;
}

const WRITING: readonly Method[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The request of a call: arguments go into the query of reads and deletions, into the JSON body of everything else. */
export function toRequest({ operation, route, args, as, lists, encodesSlashes }: Call): RequestSpec {
  const method = WRITING.find((one) => one === operation.methods[0]) ?? 'GET';
  const about = { method, route, as };
  if (method.startsWith('P')) {
    const given = Object.entries(args).filter(([, value]) => value !== undefined);
    return { ...about, body: { json: Object.fromEntries(given) } };
  }
  return { ...about, query: encodeArgs(args, lists), ...(encodesSlashes && { encodesSlashes }) };
}

const OTHERS = new WeakMap<Operation, readonly Operation[]>();

/** An operation by each of its methods but the first, made once, so that checks share what is known of each. */
export function byOtherMethods(operation: Operation): readonly Operation[] {
  const others =
    OTHERS.get(operation) ??
    operation.methods.slice(1).map((method) => ({ ...operation, methods: [method] as const }));
  OTHERS.set(operation, others);
  return others;
}
