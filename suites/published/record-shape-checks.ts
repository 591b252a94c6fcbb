import { isObject, type JsonObject, member } from '../../client/json.ts';
import { type Check, check, type Finding, serves } from '../../engine/check.ts';
import { failure, inconclusive, list, show } from '../../engine/findings.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { firstViolation, shownShape, typeWords } from '../../specs/shapes.ts';
import { toRequest } from '../arguments/call.ts';
import { groundOf } from '../arguments/control.ts';
import { type RecordReader, recordId, recordReaders } from './record-schema-checks.ts';

/**
 * Checks that records are as the site publishes them: each context shows nothing that is published for others, a field
 * shows in all of its contexts or in none, and wherever it shows, it has its type.
 */
export function recordShapeChecks(contract: Contract): Check[] {
  const readers = recordReaders(contract);
  // The operation whose checks are about what is published of the records.
  const owners = new Map<Schema, RecordReader>();
  for (const reader of readers)
    if (!owners.has(reader.answer.schema)) owners.set(reader.answer.schema, reader);
  return readers.flatMap((reader) => {
    const visible = visibleCheck(reader);
    const fields = Object.entries(reader.answer.schema.properties ?? {});
    const owner = owners.get(reader.answer.schema) ?? reader;
    const published = (field: string, schema: Schema): string[] => [
      ...(['declared', 'type', 'contexts'] as const)
        .filter((kind) => kind !== 'type' || schema.type !== undefined)
        .filter((kind) => kind !== 'contexts' || schema['x-contexts'] !== undefined)
        .map((kind) => recordId(owner, 'properties', field, kind)),
    ];
    return [
      visible,
      contextCheck(reader, visible.id),
      ...fields.map(([field, schema]) =>
        fieldCheck(reader, field, schema, [visible.id, ...published(field, schema)]),
      ),
    ];
  });
}

/** What every check of the records of an operation has in common. */
function common({ operation }: RecordReader): Pick<Check, 'section' | 'basis' | 'effect' | 'operation'> {
  return { section: operation.section, basis: 'published', effect: 'reads', operation: operation.id };
}

function visibleCheck(reader: RecordReader): Check {
  return check({
    ...common(reader),
    kind: 'fields',
    id: recordId(reader, 'visible'),
    title: `${reader.operation.id} shows records to this caller`,
    needs: [serves(reader.operation, 'GET')],
    async run(session) {
      const sight = await readRecords(session, reader);
      return 'reason' in sight ? [inconclusive(sight.reason)] : [];
    },
  });
}

function contextCheck(reader: RecordReader, visible: string): Check {
  return check({
    ...common(reader),
    kind: 'fields',
    id: recordId(reader, 'contexts'),
    title: `${reader.operation.id} shows in each context only what is published for it`,
    needs: [visible],
    async run(session) {
      const sight = await readRecords(session, reader);
      return 'reason' in sight ? [] : sight.shown.flatMap((shown) => foreignFields(reader, shown));
    },
  });
}

function foreignFields({ answer }: RecordReader, { context, records, curl }: Shown): Finding[] {
  if (context === undefined) return [];
  const foreign = Object.entries(answer.schema.properties ?? {}).filter(([field, schema]) => {
    const contexts = schema['x-contexts'];
    return contexts?.includes(context) === false && records.some((one) => member(one, field) !== undefined);
  });
  if (foreign.length === 0) return [];
  const names = list(foreign.map(([field]) => field));
  const details = { expected: `none of ${names}`, observed: names, reproduce: [curl] };
  return [failure(`shows in ${context} what is not published for it: ${names}`, details)];
}

function fieldCheck(reader: RecordReader, field: string, schema: Schema, needs: readonly string[]): Check {
  return check({
    ...common(reader),
    kind: 'fields',
    id: recordId(reader, field, 'shown'),
    title: `${reader.operation.id} shows ${field} as it is published`,
    needs,
    async run(session) {
      const sight = await readRecords(session, reader);
      if ('reason' in sight) return [];
      return [...judgeContexts(field, schema, sight.shown), ...judgeTypes(field, schema, sight.shown)];
    },
  });
}

/** A field that no context shows is left out under a condition that nothing publishes. */
function judgeContexts(field: string, schema: Schema, shown: readonly Shown[]): Finding[] {
  const contexts = schema['x-contexts'];
  const due = shown.filter(({ context }) => context === undefined || contexts?.includes(context) === true);
  const lacking = due.filter(({ records }) => records.every((one) => member(one, field) === undefined));
  const [first] = lacking;
  if (first === undefined) return [];
  if (lacking.length === due.length) return [inconclusive(`no visible record shows ${field}`)];
  const details = {
    expected: `${field}, as in ${list(due.filter((one) => !lacking.includes(one)).map(({ context }) => context))}`,
    observed: `none of ${first.records.length} records has it`,
    reproduce: [first.curl],
  };
  return [failure(`${field} is published for ${first.context}, and not shown there`, details)];
}

function judgeTypes(field: string, schema: Schema, shown: readonly Shown[]): Finding[] {
  const shape = shownShape(schema, true);
  for (const { records, curl } of shown) {
    for (const record of records) {
      const value = member(record, field);
      const misfit = value === undefined ? undefined : firstViolation(shape, value);
      if (misfit === undefined) continue;
      const details = {
        expected: typeWords(misfit.stated) || misfit.message,
        observed: show(misfit.observed),
        reproduce: [curl],
      };
      return [failure(`${field}${misfit.place} is not as it is published`, details)];
    }
  }
  return [];
}

/** Records in a context; the context is undefined where an operation takes none. */
interface Shown {
  readonly context: string | undefined;
  readonly records: readonly JsonObject[];
  readonly curl: string;
}

/** What an operation shows in each of its contexts, or why it shows nothing at all. */
type Sight = { readonly shown: readonly Shown[] } | { readonly reason: string };

/** Reads the records of an operation in every context that shows some to the caller who sees the most, once. */
const readRecords: Fixture<Sight, [reader: RecordReader]> = fixture(
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
