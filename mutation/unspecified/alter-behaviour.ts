import assert from 'node:assert/strict';
import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Behaviour, Call, Handler } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';

/** Answers a call, itself or by the next handler. */
export type Wrapper = (call: Call, next: Handler) => ReturnType<Handler>;

/** A behaviour in which a wrapper stands before the handlers of some operations. @throws AssertionError for one without a handler */
export function wrapped(
  { handlers }: Behaviour,
  ids: readonly string[],
  wrapper: Wrapper,
): Partial<Behaviour> {
  const changed = ids.map((id) => {
    const next = handlers[id];
    assert(next !== undefined, `no handler of ${id}`);
    return [id, (call: Call) => wrapper(call, next)] as const;
  });
  return { handlers: { ...handlers, ...Object.fromEntries(changed) } };
}

/** A behaviour that changes a record once it was written, and answers it as it is then. */
export function settling(
  usual: Behaviour,
  ids: readonly string[],
  settle: (record: StoredRecord, args: JsonObject) => void,
): Partial<Behaviour> {
  return wrapped(usual, ids, async (call, next) => {
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

/** The record that the capture of a route names. */
export function recordOf({ site, args }: Call): StoredRecord | undefined {
  return typeof args.id === 'number' ? site.store.get(args.id) : undefined;
}
