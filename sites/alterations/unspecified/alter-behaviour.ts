import type { Operation, ResourceKind } from '../../reference/contract.ts';
import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Wrapper, wrappedRoles } from '../toolkit/handling.ts';

/** Which operations are meant. */
export type Meant = (operation: Operation) => boolean;

/** A behaviour in which a wrapper stands before the handlers of those operations on resources that are meant. */
export function wrapped(usual: Behaviour, meant: Meant, wrapper: Wrapper): Partial<Behaviour> {
  return {
    roles: wrappedRoles(usual, (call, next) => (meant(call.operation) ? wrapper(call, next) : next(call))),
  };
}

/** Those of some roles on resources of one kind. */
export function on(kind: ResourceKind, ...roles: readonly string[]): Meant {
  return ({ resource, role = '' }) => resource?.kind === kind && roles.includes(role);
}

/** A behaviour that changes a record once it was written, and answers it as it is then. */
export function settling(
  usual: Behaviour,
  meant: Meant,
  settle: (record: StoredRecord, args: JsonObject) => void,
): Partial<Behaviour> {
  return wrapped(usual, meant, async (call, next) => {
    const done = await next(call);
    const body = isObject(done.body) ? done.body : {};
    const record = typeof body.id === 'number' ? call.site.store.get(body.id) : undefined;
    if (record === undefined) return done;
    settle(record, call.args);
    return { ...done, body: { ...body, status: record.status, slug: record.slug } };
  });
}

/** A behaviour that looks at what is given to an operation, and may change or refuse it, before it is judged. */
export function rereading(
  usual: Behaviour,
  read: (given: JsonObject, asked: Parameters<Behaviour['readArguments']>[2]) => JsonObject,
): Partial<Behaviour> {
  return {
    readArguments: (parameters, given, asked) => usual.readArguments(parameters, read(given, asked), asked),
  };
}

/** The record that the path parameter of a route names. */
export function recordOf({ site, args }: Call): StoredRecord | undefined {
  return typeof args.id === 'number' ? site.store.get(args.id) : undefined;
}
