import { isObject, type JsonObject } from '../../client/json.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import type { Operation } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { toRequest } from '../arguments/call.ts';
import { groundOf } from '../arguments/control.ts';
import type { RecordReader } from './published-operations.ts';

/** Records in a context; the context is undefined where an operation takes none. */
export interface Shown {
  readonly context: string | undefined;
  readonly records: readonly JsonObject[];
  readonly curl: string;
}

/** What an operation shows in each of its contexts, or why it shows nothing at all. */
export type Sight = { readonly shown: readonly Shown[] } | { readonly reason: string };

/** Reads the records of an operation in every context that shows some to the caller who sees the most, once. */
export const readRecords: Fixture<Sight, [reader: RecordReader]> = fixture(
  'records of',
  async (session, { operation, answer }) => {
    const ground = await groundOf(session, operation);
    if ('reason' in ground) return ground;
    const shown: Shown[] = [];
    let reason = 'no record is visible to this caller';
    for (const context of contextsOf(operation)) {
      const args = { ...ground.args, ...(context !== undefined && { context }) };
      const asked = await session.ask(toRequest({ operation, ...ground, args }));
      if (asked.answer !== 'accepted') reason = `the records are ${asked.answer} to this caller`;
      const records = asked.answer === 'accepted' ? recordsIn(asked.json, answer.schema) : [];
      if (records.length > 0) shown.push({ context, records, curl: asked.curl });
    }
    return shown.length === 0 ? { reason } : { shown };
  },
  ({ operation }) => [operation],
);

function contextsOf({ parameters }: Operation): readonly (string | undefined)[] {
  const words = parameters.find(({ name }) => name === 'context')?.schema.enum ?? [];
  const contexts = words.filter((word) => typeof word === 'string');
  return contexts.length === 0 ? [undefined] : contexts;
}

/** The records of an answer: a list of them, one, or an object that holds them by names, whichever has more of their fields. */
function recordsIn(json: unknown, { properties = {} }: Schema): readonly JsonObject[] {
  if (Array.isArray(json)) return json.filter(isObject);
  if (!isObject(json)) return [];
  const inner = Object.values(json).filter(isObject);
  const fields = (one: JsonObject): number =>
    Object.keys(one).filter((name) => Object.hasOwn(properties, name)).length;
  const isMap = inner.length > 0 && inner.every((one) => fields(one) > fields(json));
  return isMap ? inner : [json];
}
