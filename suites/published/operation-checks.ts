import { asObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Found, serves } from '../../engine/check.ts';
import { blocked, describe, failure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { servedMethods } from '../../probing/declarations/find-route.ts';
import { isLeftOut, NARROWING } from '../../probing/published/parameter-schema.ts';
import { inconclusiveBy, must, type OwnRecord } from '../../probing/records/own/outcome.ts';
import { ownCheck } from '../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../probing/records/own/own-records.ts';
import { freeTexts, taggedFields } from '../../probing/records/own/writable-fields.ts';
import { itemsOf } from '../../probing/records/reading/record.ts';
import { isDescribed, ownCollections } from '../../specs/find-resource.ts';
import type { Contract, Operation, Parameter, Resource } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { toRequest } from '../arguments/calls/call.ts';
import { baselineOf } from '../arguments/calls/control.ts';

/** How often fresh requests must confirm a difference. */
const CONFIRMATIONS = 2;
const SINGLE: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** Checks that a parameter of a published list filters by the field with the same name and type. */
export function publishedFilterChecks(contract: Contract): Check[] {
  return contract.operations
    .filter(({ resource, role }) => role === 'list' && resource !== undefined && !isDescribed(resource))
    .flatMap((operation) => {
      const { id, answer, parameters } = operation;
      const fields = answer?.schema.properties ?? {};
      return parameters
        .filter(({ wire, in: place, schema }) => place === 'query' && isSame(schema, fields[wire]))
        .map((parameter) =>
          check({
            id: checkId(id, parameter.name, 'filters', 'field'),
            kind: 'lists',
            title: `${id} holds the records whose ${parameter.wire} is asked for`,
            on: operation,
            parameter,
            needs: [checkId(id, 'method', 'GET'), checkId(id, parameter.name, 'declared')],
            run: (session) => evaluateFilter(session, operation, parameter),
          }),
        );
    });
}

function isSame(one: Schema, field: Schema | undefined): boolean {
  const [type, ...others] = typesOf(one);
  const same = field !== undefined && typesOf(field).length === 1 && typesOf(field)[0] === type;
  return same && others.length === 0 && type !== undefined && SINGLE.has(type);
}

async function evaluateFilter(session: Session, operation: Operation, parameter: Parameter): Promise<Found> {
  const baseline = orAbort(await baselineOf(session, operation));
  const { wire } = parameter;
  const value = distinguishingValue(parameter, itemsOf(await session.ask(toRequest(baseline))));
  if (value === undefined) return inconclusive(`the visible records have no value of ${wire} that shows it`);
  const filtered = toRequest(baseline, { [wire]: value });
  let found = differenceOf(wire, value, await session.ask(filtered));
  for (let time = 0; found !== undefined && time < CONFIRMATIONS; time += 1) {
    found = differenceOf(wire, value, await session.client.request(filtered));
  }
  return found;
}

/** A value that only some records have; undefined if the default shows that it is another kind of value. */
function distinguishingValue({ wire, schema }: Parameter, records: readonly unknown[]): unknown {
  const values = records.map((record) => member(record, wire));
  const isOther = (value: unknown): boolean => values.some((one) => one !== value);
  const hasOther = schema.enum?.includes(schema.default) === true && !values.includes(schema.default);
  if (schema.default !== undefined && !hasOther && isOther(schema.default)) return undefined;
  // Real software treats empty values as no filter.
  return values.find((value) => Boolean(value) && isOther(value) && schema.enum?.includes(value) !== false);
}

function differenceOf(wire: string, value: unknown, answer: Observation): Found {
  if (answer.answer !== 'accepted') return inconclusive(`${wire} ${show(value)} is ${answer.answer}`);
  const records = itemsOf(answer);
  const unrelated = records.filter((record) => member(record, wire) !== value);
  if (unrelated.length === 0 && records.length > 0) return undefined;
  const observed = records.length === 0 ? 'no record' : show(member(unrelated[0], wire));
  return failure(`${wire} ${show(value)} does not select the records that have it`, {
    expected: `records whose ${wire} is ${show(value)}, and no others`,
    observed,
    reproduce: [answer.curl],
  });
}

/** The check that a published operation requires no further parameter, and restricts no known one further. */
export function narrowedChecks(operation: Operation): Check[] {
  if (operation.basis !== 'published') return [];
  return [
    check({
      id: checkId(operation.id, 'method', 'asks-no-more'),
      kind: 'listed',
      title: `${operation.id} asks no more of its callers than it did`,
      on: operation,
      needs: [serves(operation)],
      run: (session) => evaluateNarrowed(session, operation),
    }),
  ];
}

function evaluateNarrowed(session: Session, operation: Operation): Found {
  const [endpoint] = servedMethods(session.index, operation)[0]?.endpoints ?? [];
  if (endpoint === undefined) return blocked(serves(operation));
  const known = new Map(operation.parameters.map((parameter) => [parameter.wire, parameter]));
  return Object.entries(endpoint.args ?? {}).flatMap(([name, raw]) => {
    const parameter = known.get(name);
    if (parameter !== undefined) return narrowed(parameter, raw);
    if (member(raw, 'required') !== true || (member(raw, 'default') ?? null) !== null) return [];
    const details = { expected: 'no further required parameter', observed: show(raw) };
    return [failure(`requires ${name}, a new parameter: callers that do not know it break`, details)];
  });
}

function narrowed({ wire, schema }: Parameter, raw: unknown): Found {
  const declared = asObject(raw) ?? {};
  const silent = schema['x-silent'] ?? [];
  // A declaration restricts nobody if the site may ignore all values, as on the root of a namespace.
  if (silent.includes('effect')) return [];
  return NARROWING.filter((keyword) => isLeftOut(keyword, declared, schema) && !silent.includes(keyword)).map(
    (keyword) =>
      failure(`declares a ${keyword} of ${wire}, which had none: callers that send another value break`, {
        expected: `no ${keyword}`,
        observed: show(declared[keyword]),
      }),
  );
}

/** Checks of published records whose owner allows writes: values read back, change, and deleted ones are gone. */
export function publishedRecordChecks(contract: Contract): Check[] {
  return ownCollections(contract)
    .filter((resource) => !isDescribed(resource))
    .flatMap((resource) => [
      ...roleCheck(resource, 'create', 'creates a record that reads back as it was written', creates),
      ...roleCheck(resource, 'update', 'changes what a record holds', changes),
      ...roleCheck(resource, 'delete', 'removes a record', removes),
    ]);
}

type Evaluate = (own: OwnRecords, record: OwnRecord, operation: Operation) => Promise<Found>;

function roleCheck({ id, operations }: Resource, role: string, does: string, evaluate: Evaluate): Check[] {
  const operation = operations[role];
  const create = operations.create;
  if (operation === undefined || create === undefined) return [];
  const creation = checkId(create.id, 'own-record');
  return [
    ownCheck({
      id: checkId(operation.id, 'own-record'),
      title: `${operation.id} ${does}`,
      on: operation,
      needs: [serves(operation), role !== 'create' && creation],
      async run(own) {
        const made = await own.create(id);
        if ('id' in made) return evaluate(own, made, operation);
        if (made.finding !== undefined) return made.finding;
        const { answer } = made.created;
        if (answer === 'accepted') return inconclusive(`a new record of ${id} is answered without an id`);
        // What a site requires beyond its declaration is not published.
        const undecided = inconclusiveBy(`a new record of ${id}`, made.created);
        return undecided ?? inconclusive(`a new record of ${id} is ${describe(made.created)}`);
      },
    }),
  ];
}

async function creates(_: OwnRecords, { read, slug, created }: OwnRecord, create: Operation): Promise<Found> {
  return Object.entries(taggedFields(create, slug)).flatMap(([field, written]) => {
    const shown = member(read.json, field);
    if (typeof shown === 'object' || shown === undefined || String(shown) === String(written)) return [];
    const details = { expected: show(written), observed: show(shown), reproduce: [created.curl, read.curl] };
    return [failure(`${field} reads back as another value than was written`, details)];
  });
}

async function changes(own: OwnRecords, record: OwnRecord, operation: Operation): Promise<Found> {
  const shown = (name: string): unknown => member(record.read.json, name);
  const field = freeTexts(operation).find(({ wire }) => typeof shown(wire) === 'string');
  if (field === undefined) return inconclusive('no text of a record can be changed and read back');
  const text = `${record.slug} changed`;
  const answer = await own.update(record, { [field.wire]: text });
  must.accept(`a change of ${field.wire}`, answer);
  const read = await own.read(record);
  must.accept('a read of the record that was changed', read);
  const observed = member(read.json, field.wire);
  if (observed === text) return [];
  const details = { expected: show(text), observed: show(observed), reproduce: [answer.curl, read.curl] };
  return failure(`${field.wire} is not what it was changed to`, details);
}

async function removes(own: OwnRecords, record: OwnRecord): Promise<Found> {
  const answer = await own.remove(record, true);
  must.accept('the deletion of an own record', answer);
  const read = await own.read(record, 'view');
  if (read.answer !== 'accepted' || member(read.json, 'id') !== record.id) return [];
  const details = {
    expected: 'no such record',
    observed: describe(read),
    reproduce: [answer.curl, read.curl],
  };
  return failure('a record that was deleted is still there', details);
}
