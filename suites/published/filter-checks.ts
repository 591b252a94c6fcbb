import { isObject, type JsonObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { type Check, check, checkId, type Finding } from '../../engine/check.ts';
import { failure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { isDescribed } from '../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { type Args, toRequest } from '../arguments/call.ts';
import { groundOf } from '../arguments/control.ts';

/** How often a difference has to show on fresh requests. */
const CONFIRMATIONS = 2;
/** Types of single values. */
const SINGLE: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/**
 * Checks that a parameter of a published list selects by the field that is the same thing: it has its name and its type. The
 * list holds records with that value then, and no others.
 */
export function publishedFilterChecks(contract: Contract): Check[] {
  return contract.operations
    .filter(({ resource, role }) => role === 'list' && resource !== undefined && !isDescribed(resource))
    .flatMap((operation) => {
      const fields = operation.answer?.schema.properties ?? {};
      return operation.parameters
        .filter(({ wire, in: place, schema }) => place === 'query' && isSame(schema, fields[wire]))
        .map((parameter) => filterCheck(operation, parameter));
    });
}

function isSame(one: Schema, field: Schema | undefined): boolean {
  const [type, ...others] = typesOf(one);
  const same = field !== undefined && typesOf(field).length === 1 && typesOf(field)[0] === type;
  return same && others.length === 0 && type !== undefined && SINGLE.has(type);
}

function filterCheck(operation: Operation, parameter: Parameter): Check {
  const { id } = operation;
  return check({
    id: checkId(id, parameter.name, 'filters', 'field'),
    kind: 'lists',
    title: `${id} holds the records whose ${parameter.wire} is asked for`,
    section: operation.section,
    basis: 'published',
    operation: id,
    parameter,
    needs: [checkId(id, 'method', 'GET'), checkId(id, parameter.name, 'declared')],
    run: (session) => judge(session, operation, parameter),
  });
}

async function judge(session: Session, operation: Operation, parameter: Parameter): Promise<Finding[]> {
  const ground = await groundOf(session, operation);
  if ('reason' in ground) return [inconclusive(ground.reason)];
  const { wire } = parameter;
  const request = (args: Args): Parameters<Session['ask']>[0] =>
    toRequest({ operation, ...ground, args: { ...ground.args, ...args } });
  const value = tellingValue(parameter, recordsIn(await session.ask(request({}))));
  if (value === undefined)
    return [inconclusive(`the visible records have no value of ${wire} that shows it`)];
  let found = differenceOf(wire, value, await session.ask(request({ [wire]: value })));
  for (let time = 0; found !== undefined && time < CONFIRMATIONS; time += 1) {
    found = differenceOf(wire, value, await session.client.request(request({ [wire]: value })));
  }
  return found === undefined ? [] : [found];
}

/** A value that some records have and others have not; none where the default shows that it is another thing. */
function tellingValue({ wire, schema }: Parameter, records: readonly JsonObject[]): unknown {
  const values = records.map((record) => member(record, wire));
  const isOther = (value: unknown): boolean => values.some((one) => one !== value);
  const hasOther = schema.enum?.includes(schema.default) === true && !values.includes(schema.default);
  if (schema.default !== undefined && !hasOther && isOther(schema.default)) return undefined;
  // Real software takes what is nothing for no filter.
  return values.find((value) => Boolean(value) && isOther(value) && schema.enum?.includes(value) !== false);
}

function differenceOf(wire: string, value: unknown, answer: Observation): Finding | undefined {
  if (answer.answer !== 'accepted') return inconclusive(`${wire} ${show(value)} is ${answer.answer}`);
  const records = recordsIn(answer);
  const unrelatedIds = records.filter((record) => member(record, wire) !== value);
  if (unrelatedIds.length === 0 && records.length > 0) return undefined;
  const observed = records.length === 0 ? 'no record' : show(member(unrelatedIds[0], wire));
  return failure(`${wire} ${show(value)} does not select the records that have it`, {
    expected: `records whose ${wire} is ${show(value)}, and no others`,
    observed,
    reproduce: [answer.curl],
  });
}

function recordsIn({ json }: Observation): readonly JsonObject[] {
  return Array.isArray(json) ? json.filter(isObject) : [];
}
