import { isObject, type JsonObject, member } from '../../client/json.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import {
  type Check,
  type CheckSpec,
  check,
  checkId,
  type Finding,
  type Found,
  serves,
} from '../../engine/check.ts';
import {
  blocked,
  describe,
  explain,
  failure,
  inconclusive,
  list,
  notApplicable,
  show,
} from '../../engine/findings.ts';
import { type Fixture, fixture } from '../../engine/session.ts';
import { compareConstraint } from '../../probing/declarations/compare-constraint.ts';
import { findRoute } from '../../probing/declarations/find-route.ts';
import { exampleAddress } from '../../probing/declarations/patterns.ts';
import { parameterNamed } from '../../specs/find-resource.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { type Constraint, constraintsOf, describePlace, placeOf, type Schema } from '../../specs/schema.ts';
import { firstViolation, shownShape, typeWords } from '../../specs/shapes.ts';
import { toRequest } from '../arguments/calls/call.ts';
import { baselineOf } from '../arguments/calls/control.ts';

/** Checks that a site still publishes the same of its records in its answer to OPTIONS, requested once. */
export function recordSchemaChecks(contract: Contract): Check[] {
  const seen = new Set<object>();
  return recordReaders(contract).flatMap((reader) => {
    if (seen.has(reader.answer.schema)) return [];
    seen.add(reader.answer.schema);
    const published = publishedCheck(reader);
    const fields = constraintsOf(reader.answer.schema, undefined).filter(({ steps }) => steps.length > 0);
    return [published, ...fields.map((constraint) => publishedFieldCheck(reader, constraint, published.id))];
  });
}

function publishedCheck(reader: RecordReader): Check {
  const { operation, answer } = reader;
  return check({
    id: recordId(reader, 'published'),
    kind: 'declared',
    title: `${operation.id} publishes the schema of its records (${answer.name})`,
    on: operation,
    needs: [serves(operation, 'GET')],
    async run(session) {
      orAbort(await readSchema(session, reader));
      return [];
    },
  });
}

function publishedFieldCheck(reader: RecordReader, constraint: Constraint, published: string): Check {
  const { operation } = reader;
  const { kind, steps } = constraint;
  return check({
    id: recordId(reader, placeOf(steps), kind),
    kind: 'declared',
    title: `publishes ${kind === 'declared' ? '' : `the ${kind} of `}${describePlace('its records', steps)} (${operation.id})`,
    on: operation,
    needs: [published],
    async run(session) {
      const asked = await readSchema(session, reader);
      if (isFinding(asked)) return blocked(published);
      const outcome = compareConstraint(constraint, asked.schema);
      if (outcome === undefined) return [];
      if (outcome === 'undeclared') return notApplicable(`publishes no ${kind} there`);
      if (outcome === 'blocked') {
        const holder = kind === 'declared' ? steps.slice(0, -1) : steps;
        return blocked(recordId(reader, placeOf(holder), 'declared'));
      }
      const { message, expected, observed, undecided } = outcome;
      const found = failure(`${describePlace('its records', steps)} ${message}`, {
        expected,
        observed,
        reproduce: [asked.curl],
      });
      return undecided === true ? { ...found, kind: 'inconclusive' } : found;
    },
  });
}

function recordId({ operation }: RecordReader, ...parts: readonly string[]): string {
  return checkId('records', operation.id, ...parts);
}

const readSchema = fixture(
  'published schema',
  async (session, { operation }: RecordReader) => {
    const match = findRoute(session.index, operation.route);
    const route = match && exampleAddress(match.route.parts);
    if (route === undefined) return inconclusive('no address of the route is known');
    const answer = await session.ask({ method: 'OPTIONS', route, as: session.caller });
    const { curl, json } = answer;
    const schema = member(json, 'schema');
    if (answer.answer === 'accepted' && member(schema, 'properties') !== undefined) return { schema, curl };
    if (answer.answer !== 'accepted') return inconclusive(`OPTIONS is ${describe(answer)}`);
    const details = { expected: 'a schema', observed: 'none', reproduce: [curl] };
    return failure('publishes no schema of its records any more', details);
  },
  ({ operation }) => [operation],
);

interface RecordReader {
  readonly operation: Operation;
  readonly answer: NonNullable<Operation['answer']>;
}

function recordReaders(contract: Contract): RecordReader[] {
  return contract.operations.flatMap((operation) => {
    const { answer, effect } = operation;
    return answer === undefined || effect !== 'reads' ? [] : [{ operation, answer }];
  });
}

/** Checks that records match what the site publishes: each field in all of its contexts or none, of its type. */
export function recordShapeChecks(contract: Contract): Check[] {
  const readers = recordReaders(contract);
  // Of operations with the same records, the first owns the checks of what is published.
  const owners = new Map(readers.toReversed().map((reader) => [reader.answer.schema, reader]));
  return readers.flatMap((reader) => shapeChecks(reader, owners.get(reader.answer.schema) ?? reader));
}

function shapeChecks(reader: RecordReader, owner: RecordReader): Check[] {
  const { operation, answer } = reader;
  const visible = recordId(reader, 'visible');
  const publishedOf = (field: string, { type, 'x-contexts': contexts }: Schema): string[] =>
    Object.entries({ declared: true, type, contexts }).flatMap(([kind, stated]) =>
      stated === undefined ? [] : [recordId(owner, 'properties', field, kind)],
    );
  return [
    check({
      id: visible,
      title: `${operation.id} shows records to this caller`,
      on: operation,
      kind: 'fields',
      needs: [serves(operation, 'GET')],
      async run(session) {
        orAbort(await readRecords(session, reader));
        return [];
      },
    }),
    shapeCheck(reader, {
      id: recordId(reader, 'contexts'),
      title: `${operation.id} shows in each context only what is published for it`,
      needs: [visible],
      evaluate: (shown) => shown.flatMap((one) => foreignFields(reader, one)),
    }),
    ...Object.entries(answer.schema.properties ?? {}).map(([field, inner]) =>
      shapeCheck(reader, {
        id: recordId(reader, field, 'shown'),
        title: `${operation.id} shows ${field} as it is published`,
        needs: [visible, publishedOf(field, inner)],
        evaluate: (shown) => [evaluateContexts(field, inner, shown), evaluateTypes(field, inner, shown)],
      }),
    ),
  ];
}

interface ShapeSpec extends Pick<CheckSpec, 'id' | 'title' | 'needs'> {
  evaluate(shown: readonly ShownIn[]): Found;
}

/** A check of the records of an operation. Another one reports that none is visible. */
function shapeCheck(reader: RecordReader, { evaluate, ...spec }: ShapeSpec): Check {
  return check({
    ...spec,
    on: reader.operation,
    kind: 'fields',
    async run(session) {
      const shown = await readRecords(session, reader);
      return isFinding(shown) ? undefined : evaluate(shown);
    },
  });
}

function foreignFields({ answer }: RecordReader, { context, records, curl }: ShownIn): Finding[] {
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

/** A field in no context is left out under an unpublished condition. */
function evaluateContexts(field: string, schema: Schema, shown: readonly ShownIn[]): Finding | undefined {
  const contexts = schema['x-contexts'];
  const due = shown.filter(({ context }) => context === undefined || contexts?.includes(context) === true);
  const lacking = due.filter(({ records }) => records.every((one) => member(one, field) === undefined));
  const [first] = lacking;
  if (first === undefined) return undefined;
  if (lacking.length === due.length) return inconclusive(`no visible record shows ${field}`);
  const details = {
    expected: `${field}, as in ${list(due.filter((one) => !lacking.includes(one)).map(({ context }) => context))}`,
    observed: `none of ${first.records.length} records has it`,
    reproduce: [first.curl],
  };
  return failure(`${field} is published for ${first.context}, and not shown there`, details);
}

function evaluateTypes(field: string, schema: Schema, shown: readonly ShownIn[]): Finding | undefined {
  const shape = shownShape(schema, true);
  for (const { records, curl } of shown) {
    for (const record of records) {
      const value = member(record, field);
      const violation = value === undefined ? undefined : firstViolation(shape, value);
      if (violation === undefined) continue;
      const details = {
        expected: typeWords(violation.stated) || violation.message,
        observed: show(violation.observed),
        reproduce: [curl],
      };
      return failure(`${field}${violation.place} is not as it is published`, details);
    }
  }
  return undefined;
}

interface ShownIn {
  readonly context: string | undefined;
  readonly records: readonly JsonObject[];
  readonly curl: string;
}

/** Reads the records of an operation once, in every context that shows some to the most privileged caller. */
const readRecords: Fixture<readonly ShownIn[] | Finding, [reader: RecordReader]> = fixture(
  'records of',
  async (session, { operation, answer }) => {
    const baseline = await baselineOf(session, operation);
    if (isFinding(baseline)) return baseline;
    const shown: ShownIn[] = [];
    let reason = 'no record is visible to this caller';
    for (const context of contextsOf(operation)) {
      const asked = await session.ask(toRequest(baseline, { context }));
      if (asked.answer !== 'accepted') reason = `the records are ${explain(asked)}`;
      const records = asked.answer === 'accepted' ? recordsShown(asked.json, answer.schema) : [];
      if (records.length > 0) shown.push({ context, records, curl: asked.curl });
    }
    return shown.length === 0 ? inconclusive(reason) : shown;
  },
  ({ operation }) => [operation],
);

function contextsOf(operation: Operation): readonly (string | undefined)[] {
  const words = parameterNamed(operation, 'context')?.schema.enum ?? [];
  const contexts = words.filter((word) => typeof word === 'string');
  return contexts.length === 0 ? [undefined] : contexts;
}

/** The records in an answer: a list, a single record, or an object of records by name. */
function recordsShown(json: unknown, { properties = {} }: Schema): readonly JsonObject[] {
  if (Array.isArray(json)) return json.filter(isObject);
  if (!isObject(json)) return [];
  const inner = Object.values(json).filter(isObject);
  const fields = (one: JsonObject): number =>
    Object.keys(one).filter((name) => Object.hasOwn(properties, name)).length;
  const isMap = inner.length > 0 && inner.every((one) => fields(one) > fields(json));
  return isMap ? inner : [json];
}
